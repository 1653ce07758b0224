import { oncePer } from "../../model/once-per.ts";
import type { PlanRequest } from "../../model/plan.ts";
import { multiplexKey } from "../../model/service.ts";
import { sameItems } from "./same-items.ts";

// A long chain of overlapping recordings is planned link by link, in the order of their ends. Of two recordings on one tuner, the
// one that ends later begins after the other. So an earlier link needs to know nothing of the later ones, and what it has placed
// holds its tuner in them.

/** How long groups are cut into links. */
export interface LinkSize {
  /** Longer groups are cut, and at the latest after this many recordings. */
  readonly most: number;
  /** A cut is where the fewest multiplexes are wanted, compared with this many ends on either side. */
  readonly near: number;
}

export const LINK_SIZE: LinkSize = { most: 64, near: 16 };

/**
 * Cuts a group, in order of windows, into links. A cut depends only on its surroundings, so that a change elsewhere leaves it where it is. An unchanged
 * link is the same array.
 */
export function linksOf(
  group: readonly PlanRequest[],
  { most, near }: LinkSize,
): readonly (readonly PlanRequest[])[] {
  if (group.length <= most) return [group];
  const known = LINKS.get(group);
  if (known?.most === most) return known.links;
  const order = inOrderOfEnds(group);
  const crowds = crowdsAt(group, order);
  const { running, others } = order;
  const links: (readonly PlanRequest[])[] = [];
  let start = 0;
  // Running recordings hold their tuners from the beginning, so they are all in the first link.
  let first = running;
  const cutAt = (at: number) => {
    if (at > start) links.push(sameLink([...first, ...others.slice(start, at)]));
    if (at > start) first = [];
    start = at;
  };
  for (let at = near; at <= others.length - near; at += 1) {
    if (isEasiest(crowds, { at, near })) cutAt(at);
    // In a crowd that only grows or thins out, no place is easier than those around it.
    else if (at - start >= most) cutAt(at);
  }
  cutAt(others.length);
  if (first.length > 0) links.push(sameLink(first));
  LINKS.set(group, { most, links });
  return links;
}

const LINKS = new WeakMap<
  readonly PlanRequest[],
  { readonly most: number; readonly links: readonly (readonly PlanRequest[])[] }
>();
const BY_FIRST = new WeakMap<PlanRequest, readonly PlanRequest[]>();

function sameLink(link: readonly PlanRequest[]): readonly PlanRequest[] {
  const [first] = link;
  const known = first && BY_FIRST.get(first);
  if (known !== undefined && sameItems(known, link)) return known;
  if (first !== undefined) BY_FIRST.set(first, link);
  return link;
}

/** The running recordings first, each part in the order of the ends. */
function inOrderOfEnds(group: readonly PlanRequest[]): {
  readonly running: readonly PlanRequest[];
  readonly others: readonly PlanRequest[];
} {
  const running: PlanRequest[] = [];
  const others: PlanRequest[] = [];
  for (const request of group) (request.runningOnTuner === undefined ? others : running).push(request);
  return { running: sortedByEnd(running), others: sortedByEnd(others) };
}

/** Numbers are sorted much faster than objects, and many ends are equal. */
function sortedByEnd(requests: readonly PlanRequest[]): readonly PlanRequest[] {
  const byEnd = new Map<number, PlanRequest[]>();
  for (const request of requests) {
    const { stop } = request.event;
    const there = byEnd.get(stop);
    if (there === undefined) byEnd.set(stop, [request]);
    else there.push(request);
  }
  const out: PlanRequest[] = [];
  for (const stop of Float64Array.from(byEnd.keys()).sort()) {
    const there = byEnd.get(stop) ?? [];
    if (there.length > 1) there.sort((a, b) => (a.recordingId < b.recordingId ? -1 : 1));
    out.push(...there);
  }
  return out;
}

/** Cached: a plan request stays the same object until it changes. */
const multiplexOf = oncePer(({ service }: PlanRequest) => multiplexKey(service));

/** How many multiplexes are wanted when each of the others ends, by recordings that end later. */
function crowdsAt(
  group: readonly PlanRequest[],
  { running, others }: ReturnType<typeof inOrderOfEnds>,
): readonly number[] {
  const wanted = new Map<string, number>();
  const count = (request: PlanRequest, by: number) => {
    const key = multiplexOf(request);
    const now = (wanted.get(key) ?? 0) + by;
    if (now === 0) wanted.delete(key);
    else wanted.set(key, now);
  };
  let begun = 0;
  let ended = 0;
  return others.map((request) => {
    const { stop } = request.event;
    for (let next = group[begun]; next !== undefined; next = group[begun]) {
      if (next.window.start >= stop) break;
      count(next, 1);
      begun += 1;
    }
    count(request, -1);
    for (let next = running[ended]; next !== undefined && next.event.stop <= stop; next = running[ended]) {
      count(next, -1);
      ended += 1;
    }
    return wanted.size;
  });
}

function isEasiest(
  crowds: readonly number[],
  { at, near }: { readonly at: number; readonly near: number },
): boolean {
  const own = crowds[at] ?? 0;
  for (let far = 1; far <= near; far += 1) {
    if ((crowds[at - far] ?? Number.POSITIVE_INFINITY) <= own) return false;
    if ((crowds[at + far] ?? Number.POSITIVE_INFINITY) < own) return false;
  }
  return true;
}
