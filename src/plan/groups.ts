import type { Wish } from "../model/plan.ts";
import type { DurationMs } from "../model/time.ts";

/** Wishes whose windows, with the time to tune, meet directly or through others. What is in two groups never competes. */
export function groupsOf(wishes: readonly Wish[], warmUpMs: DurationMs): readonly (readonly Wish[])[] {
  const sorted = [...wishes].sort((a, b) => a.window.start - b.window.start);
  const groups: Wish[][] = [];
  let reach = Number.NEGATIVE_INFINITY;
  for (const wish of sorted) {
    if (wish.window.start - warmUpMs >= reach) groups.push([]);
    groups.at(-1)?.push(wish);
    reach = Math.max(reach, wish.window.stop);
  }
  return groups;
}
