/** Work in steps. Other work between two steps has no effect on the result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** The result of all steps, without a pause. */
export function runToEnd<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
