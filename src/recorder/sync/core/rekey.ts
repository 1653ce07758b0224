import { oncePer } from "../../../model/once-per.ts";
import { MINUTE } from "../../../model/time.ts";
import type { Timer, TimerId, TimerList } from "../../../model/timer.ts";
import { overlaps } from "../../../model/window.ts";

/** A re-keyed event starts within this of its earlier start. */
const START_SHIFT_MS_MAX = 5 * MINUTE;

/**
 * Finds timers of a list that are known under another id: the known one is missing from the list, and the new
 * one orders the same channel at nearly the same time. Each known timer matches at most once, the nearest first,
 * whatever the order of the list.
 *
 * @returns by new id, the timer as known
 */
export function findRekeyed(
  held: Readonly<Record<TimerId, Timer>>,
  list: TimerList,
): ReadonlyMap<TimerId, Timer> {
  const listed = idsIn(list);
  const gone = Object.values(held).filter(({ id, action }) => action === "record" && !listed.has(id));
  if (gone.length === 0) return new Map();
  const fresh = list.timers.filter(({ id, action }) => action === "record" && !Object.hasOwn(held, id));
  const goneOn = new Map<string, readonly Timer[]>();
  for (const timer of gone) goneOn.set(timer.channelId, [...(goneOn.get(timer.channelId) ?? []), timer]);
  const pairs = fresh
    .flatMap((timer) => (goneOn.get(timer.channelId) ?? []).map((before): Pair => ({ before, timer })))
    .filter(isSameEvent)
    .sort(
      (a, b) => shiftMs(a) - shiftMs(b) || order(a.timer.id, b.timer.id) || order(a.before.id, b.before.id),
    );
  const found = new Map<TimerId, Timer>();
  const taken = new Set<TimerId>();
  for (const { before, timer } of pairs) {
    if (found.has(timer.id) || taken.has(before.id)) continue;
    found.set(timer.id, before);
    taken.add(before.id);
  }
  return found;
}

/** All ids in a list, including those of unreadable entries. */
export const idsIn = oncePer((list: TimerList) => idsOf([...list.timers, ...list.malformed]));

export function idsOf(entries: readonly { readonly id?: TimerId }[]): ReadonlySet<TimerId> {
  const ids = new Set<TimerId>();
  for (const { id } of entries) if (id !== undefined) ids.add(id);
  return ids;
}

interface Pair {
  readonly before: Timer;
  readonly timer: Timer;
}

function isSameEvent({ before, timer }: Pair): boolean {
  return shiftMs({ before, timer }) <= START_SHIFT_MS_MAX && overlaps(before.event, timer.event);
}

function shiftMs({ before, timer }: Pair): number {
  return Math.abs(before.event.start - timer.event.start);
}

function order(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
