import { it } from "vitest";
import { LANGUAGES, type Language } from "../src/words/language.ts";

/** Whether `npm run test:long` runs: it takes all cases of a test that `npm test` takes a sample of. */
export const IS_LONG = process.env["TEST_LANE"] === "long";

/** A test of `npm run test:long` alone: another one that is cheaper fails for most of what it would find. */
export const inLong = it.runIf(IS_LONG);

/** How many cases to run: a sample in `npm test`, all of them in `npm run test:long`. */
export function casesOf({ sample, all }: { readonly sample: number; readonly all: number }): number {
  return IS_LONG ? all : sample;
}

/** Languages in which a browser shows the pages: German has the longest words, and all six take minutes. */
export const LANGUAGES_SHOWN: readonly Language[] = IS_LONG ? (Object.keys(LANGUAGES) as Language[]) : ["de"];
