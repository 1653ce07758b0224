/** Whether `npm run test:long` runs: it takes all cases of a test that `npm test` takes a sample of. */
export const IS_LONG = process.env["TEST_LANE"] === "long";

/** How many cases to run: a sample in `npm test`, all of them in `npm run test:long`. */
export function casesOf({ sample, all }: { readonly sample: number; readonly all: number }): number {
  return IS_LONG ? all : sample;
}
