import type { Wish } from "../model/plan.ts";
import type { DurationMs } from "../model/time.ts";

/** Wishes whose windows, with the time to tune, meet directly or through others. What is in two groups never competes. */
export function groupsOf(wishes: readonly Wish[], warmUpMs: DurationMs): readonly (readonly Wish[])[] {
  // Numbers side by side: of thousands of wishes most of the time went into looking for these.
  const starts = Float64Array.from(wishes, ({ window }) => window.start);
  const order = Uint32Array.from(wishes.keys()).sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0) || a - b);
  const groups: Wish[][] = [];
  let reach = Number.NEGATIVE_INFINITY;
  for (const index of order) {
    const wish = wishes[index] as Wish;
    if (wish.window.start - warmUpMs >= reach) groups.push([]);
    groups.at(-1)?.push(wish);
    reach = Math.max(reach, wish.window.stop);
  }
  return groups;
}
