import type { PlanRequest } from "../../model/plan.ts";
import { multiplexKey } from "../../model/service.ts";
import { sameItems } from "./same-items.ts";

// A long chain of overlapping recordings is planned link by link, in the order of their ends. Of two recordings on one tuner, the
// one that ends later begins after the other. So an earlier link needs to know nothing of the later ones, and what it has placed
// holds its tuner in them.

/** How long groups are cut. */
export interface LinkSize {
  /** Longer groups are cut into links. */
  readonly most: number;
  /** A cut is the easiest place among so many recordings on either side. */
  readonly near: number;
}

export const LINK_SIZE: LinkSize = { most: 64, near: 16 };

/**
 * Cuts a group into links. A cut depends only on its surroundings, so that a change elsewhere leaves it where it is. An unchanged
 * link is the same array.
 */
export function linksOf(
  group: readonly PlanRequest[],
  { most, near }: LinkSize,
): readonly (readonly PlanRequest[])[] {
  if (group.length <= most) return [group];
  const known = LINKS.get(group);
  if (known?.most === most) return known.links;
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
  for (let at = Math.max(from, near); at <= inOrder.length - near; at += 1) {
    if (isEasiest(crowds, { at, near })) cutAt(at);
    // In a crowd that only grows or thins out, no place is easier than those around it.
    else if (at - start >= most) cutAt(at);
  }
  cutAt(inOrder.length);
  LINKS.set(group, { most, links });
  return links;
}

const LINKS = new WeakMap<
  readonly PlanRequest[],
  { readonly most: number; readonly links: readonly (readonly PlanRequest[])[] }
>();
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

/** How many multiplexes are wanted when each recording ends, by recordings that end later; the running ones come first. */
function crowdsAt(inOrder: readonly PlanRequest[]): readonly number[] {
  const starting = inOrder.toSorted((a, b) => a.window.start - b.window.start);
  const running = inOrder.filter(({ runningOnTuner }) => runningOnTuner !== undefined);
  const wanted = new Map<string, number>();
  const count = ({ service }: PlanRequest, by: number) => {
    const key = multiplexKey(service);
    const now = (wanted.get(key) ?? 0) + by;
    if (now === 0) wanted.delete(key);
    else wanted.set(key, now);
  };
  let begun = 0;
  let ended = 0;
  return inOrder.map((request, at) => {
    // They are all in the first link, and end among the others.
    if (at < running.length) return Number.POSITIVE_INFINITY;
    const { stop } = request.event;
    for (let next = starting[begun]; next !== undefined; next = starting[begun]) {
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
