import type { Placed, Placement, PlanRequest } from "../../model/plan.ts";
import type { RecordingId } from "../../model/recording.ts";
import { multiplexKey } from "../../model/service.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import { sameItems } from "./same-items.ts";

// A long chain of overlapping recordings is planned link by link, in the order of their ends. Of two recordings on one tuner, the
// one that ends later begins after the other. So an earlier link needs to know nothing of the later ones, and what it has placed
// holds its tuner in them.

/** Longer groups are cut into links. */
export const LINK_MOST = 64;
/** A cut is the easiest place among so many recordings on either side. */
const NEAR = 16;

/**
 * Cuts a group into links. A cut depends only on its surroundings, so that a change elsewhere leaves it where it is. An unchanged
 * link is the same array.
 */
export function linksOf(group: readonly PlanRequest[]): readonly (readonly PlanRequest[])[] {
  if (group.length <= LINK_MOST) return [group];
  const known = LINKS.get(group);
  if (known !== undefined) return known;
  const inOrder = group.toSorted(byEnd);
  const crowds = crowdsAt(inOrder);
  // Running recordings hold their tuners from the beginning, so they are all in the first link.
  const from = 1 + inOrder.findLastIndex(({ runningOnTuner }) => runningOnTuner !== undefined);
  const links: (readonly PlanRequest[])[] = [];
  let start = 0;
  const cutAt = (at: number) => {
    if (at > start) links.push(sameLink(inOrder.slice(start, at)));
    start = at;
  };
  for (let at = Math.max(from, NEAR); at <= inOrder.length - NEAR; at += 1) {
    if (isEasiest(crowds, at)) cutAt(at);
    // In a crowd that only grows or thins out, no place is easier than those around it.
    else if (at - start >= LINK_MOST) cutAt(at);
  }
  cutAt(inOrder.length);
  LINKS.set(group, links);
  return links;
}

const LINKS = new WeakMap<readonly PlanRequest[], readonly (readonly PlanRequest[])[]>();
/** Links by their first recording. */
const BY_FIRST = new WeakMap<PlanRequest, readonly PlanRequest[]>();

function sameLink(link: readonly PlanRequest[]): readonly PlanRequest[] {
  const [first] = link;
  const known = first && BY_FIRST.get(first);
  if (known !== undefined && sameItems(known, link)) return known;
  if (first !== undefined) BY_FIRST.set(first, link);
  return link;
}

function byEnd(a: PlanRequest, b: PlanRequest): number {
  return (
    Number(b.runningOnTuner !== undefined) - Number(a.runningOnTuner !== undefined) ||
    a.event.stop - b.event.stop ||
    (a.recordingId < b.recordingId ? -1 : 1)
  );
}

/** How many multiplexes are wanted when each recording ends, by recordings that end later. */
function crowdsAt(inOrder: readonly PlanRequest[]): readonly number[] {
  const starting = inOrder.toSorted((a, b) => a.window.start - b.window.start);
  const wanted = new Map<string, number>();
  const count = ({ service }: PlanRequest, by: number) => {
    const key = multiplexKey(service);
    const now = (wanted.get(key) ?? 0) + by;
    if (now === 0) wanted.delete(key);
    else wanted.set(key, now);
  };
  let begun = 0;
  return inOrder.map((request) => {
    for (let next = starting[begun]; next !== undefined; next = starting[begun]) {
      if (next.window.start >= request.event.stop) break;
      count(next, 1);
      begun += 1;
    }
    count(request, -1);
    return wanted.size;
  });
}

function isEasiest(crowds: readonly number[], at: number): boolean {
  const own = crowds[at] ?? 0;
  for (let near = 1; near <= NEAR; near += 1) {
    if ((crowds[at - near] ?? Number.POSITIVE_INFINITY) <= own) return false;
    if ((crowds[at + near] ?? Number.POSITIVE_INFINITY) < own) return false;
  }
  return true;
}

/** Recordings of earlier links that still hold their tuners. */
export type Holding = ReadonlyMap<RecordingId, PlanRequest>;

/** Adds the recordings of a link that hold a tuner when the next link begins. */
export function holdingAfter(
  before: Holding,
  {
    link,
    placements,
    until,
  }: {
    readonly link: readonly PlanRequest[];
    readonly placements: readonly Placement[];
    /** No later recording needs a tuner before; tuning included. */
    readonly until: EpochMs;
  },
): Holding {
  const holding = new Map(before);
  const placed = new Map(placements.map((one) => [one.recordingId, one]));
  for (const request of [...before.values(), ...link]) {
    const one = placed.get(request.recordingId);
    const held = one?.kind === "placed" ? heldRequest(request, one) : undefined;
    if (held !== undefined) holding.set(request.recordingId, held);
  }
  for (const [id, { window }] of holding) if (window.stop <= until) holding.delete(id);
  return holding;
}

function heldRequest(request: PlanRequest, { tunerId, begin, span }: Placed): PlanRequest {
  const { recordingId, service, priority, lateMs, event } = request;
  return {
    recordingId,
    service,
    priority,
    lateMs,
    isLate: false,
    avoid: [],
    runningOnTuner: tunerId,
    isHeld: true,
    event: { start: begin, stop: event.stop },
    window: { start: begin, stop: span.stop },
  };
}

const WITH_HELD = new WeakMap<
  readonly PlanRequest[],
  { readonly text: string; readonly task: readonly PlanRequest[] }
>();

/** A link with what holds tuners in it; the same array as long as both stay the same. */
export function withHeld(
  link: readonly PlanRequest[],
  { holding, warmUpMs }: { readonly holding: Holding; readonly warmUpMs: DurationMs },
): readonly PlanRequest[] {
  const from = startOf(link, warmUpMs);
  const held = [...holding.values()].filter(({ window }) => window.stop > from);
  if (held.length === 0) return link;
  const text = held
    .map(({ recordingId, runningOnTuner, event, window }) =>
      [recordingId, runningOnTuner, event.start, event.stop, window.stop].join(" "),
    )
    .join(";");
  const known = WITH_HELD.get(link);
  if (known?.text === text) return known.task;
  const task = [...held, ...link];
  WITH_HELD.set(link, { text, task });
  return task;
}

/** The earliest time at which the link may need a tuner. */
export function startOf(link: readonly PlanRequest[], warmUpMs: DurationMs): EpochMs {
  return Math.min(...link.map(({ window }) => window.start)) - warmUpMs;
}
