import type { WeeksResult } from "./weeks.ts";

/**
 * The shortest beginning of a script that still breaks an invariant, found by halving. What a step more or less does to chance
 * elsewhere may hide a fault, so it is the shortest that was found, not a proof that there is none shorter.
 */
export async function shortestBreak(
  broken: WeeksResult,
  live: (steps: number) => Promise<WeeksResult>,
): Promise<WeeksResult> {
  let shortest = broken;
  let sound = 0;
  while (shortest.steps - sound > 1) {
    const middle = Math.floor((sound + shortest.steps) / 2);
    const half = await live(middle);
    if (half.violation === undefined) sound = middle;
    else shortest = half;
  }
  return shortest;
}
