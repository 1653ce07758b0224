import { oncePer, oncePerPair } from "../../../model/once-per.ts";
import { sameRule } from "../../../model/rule.ts";
import type { MalformedTimer, Timer, TimerId, TimerList } from "../../../model/timer.ts";
import { findRekeyed, idsOf } from "./rekey.ts";

/** A difference between the service's list and the known timers. */
export type Change =
  | { readonly kind: "withdrawn"; readonly timer: Timer }
  | { readonly kind: "added"; readonly timer: Timer }
  | { readonly kind: "changed"; readonly timer: Timer; readonly before: Timer }
  /** The list names the timer `before` under another id now. */
  | { readonly kind: "rekeyed"; readonly timer: Timer; readonly before: Timer }
  | { readonly kind: "malformed"; readonly entry: MalformedTimer };

/**
 * Compares the known timers with the service's full list.
 *
 * Withdrawals come first, whatever their place in the list; any order of one list gives the same changes. A
 * missing timer is not withdrawn: only `forget` does that, or the agreement of several lists (absence.ts). An
 * unreadable entry does not count if the list has a good one with its id.
 */
export function reconcile(held: Readonly<Record<TimerId, Timer>>, list: TimerList): readonly Change[] {
  const { withdrawn, wanted, malformed } = contentOf(list);
  const renamed = findRekeyed(held, list);
  const changes: Change[] = withdrawn.map((timer) => ({ kind: "withdrawn", timer }));
  for (const timer of wanted) {
    const before = renamed.get(timer.id);
    // An id may be any word, even a property that every object has.
    const change =
      before === undefined
        ? compare(Object.hasOwn(held, timer.id) ? held[timer.id] : undefined, timer)
        : ({ kind: "rekeyed", timer, before } as const);
    if (change !== undefined) changes.push(change);
  }
  for (const entry of malformed) changes.push({ kind: "malformed", entry });
  return changes;
}

/** Whether the list orders what is known, and nothing else: then there is nothing to decide about. */
export function isKnownList(held: Readonly<Record<TimerId, Timer>>, list: TimerList): boolean {
  return list.malformed.length === 0 && ordersTheSame(list.timers, held);
}

/** A list that did not change at the service has the very same timers. */
const ordersTheSame = oncePerPair(
  (timers: readonly Timer[], held: Readonly<Record<TimerId, Timer>>): boolean =>
    reconcile(held, { timers, malformed: [] }).length === 0,
);

/** The content of a list, independent of its order. */
interface Content {
  readonly withdrawn: readonly Timer[];
  readonly wanted: readonly Timer[];
  readonly malformed: readonly MalformedTimer[];
}

/** A list is a value, and one with much news is compared again for each portion. */
const contentOf = oncePer((list: TimerList): Content => {
  const timers = uniqueTimers(list.timers);
  const good = idsOf(timers);
  return {
    withdrawn: timers.filter(({ action }) => action === "forget"),
    wanted: timers.filter(({ action }) => action !== "forget"),
    malformed: uniqueReasons(list.malformed).filter(({ id }) => id === undefined || !good.has(id)),
  };
});

function compare(before: Timer | undefined, timer: Timer): Change | undefined {
  if (before === undefined) return { kind: "added", timer };
  return sameOrder(before, timer) ? undefined : { kind: "changed", timer, before };
}

/** Whether both order the same recording. The state does not count: it is our own report. */
function sameOrder(a: Timer, b: Timer): boolean {
  return (
    a === b ||
    (a.name === b.name &&
      a.channelId === b.channelId &&
      a.showId === b.showId &&
      a.event.start === b.event.start &&
      a.event.stop === b.event.stop &&
      a.action === b.action &&
      a.beforeMinutes === b.beforeMinutes &&
      a.afterMinutes === b.afterMinutes &&
      sameRule(a.rule, b.rule))
  );
}

function orderKey(timer: Timer): string {
  const { name, channelId, showId, event, action, beforeMinutes, afterMinutes, rule } = timer;
  return JSON.stringify([
    name,
    channelId,
    showId,
    event.start,
    event.stop,
    action,
    beforeMinutes,
    afterMinutes,
    rule?.id,
    rule?.keep,
    rule?.priority,
    rule?.folder,
  ]);
}

/** One timer per id, by id. Among several a `forget` wins, then the same one whatever their order. */
function uniqueTimers(timers: readonly Timer[]): readonly Timer[] {
  const chosen = new Map<TimerId, Timer>();
  for (const timer of timers) {
    const other = chosen.get(timer.id);
    if (other === undefined || rank(timer) > rank(other)) chosen.set(timer.id, timer);
  }
  return [...chosen.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** One entry per id, independent of the list's order. */
function uniqueReasons(entries: readonly MalformedTimer[]): readonly MalformedTimer[] {
  const key = ({ id, reason }: MalformedTimer) => JSON.stringify([id ?? "", reason]);
  const sorted = [...entries].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return sorted.filter(({ id }, index) => id === undefined || sorted[index - 1]?.id !== id);
}

function rank(timer: Timer): string {
  return (timer.action === "forget" ? "1" : "0") + orderKey(timer);
}
