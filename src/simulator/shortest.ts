/** The result of a script's first steps. */
export interface Simulated {
  readonly steps: number;
  readonly violation?: unknown;
}

/**
 * The shortest prefix of a script that still breaks an invariant, found by bisection. Dropping a step can change random
 * outcomes elsewhere and hide a fault, so a shorter one may exist.
 */
export async function shortestBreak<R extends Simulated>(
  broken: R,
  live: (steps: number) => Promise<R>,
): Promise<R> {
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
