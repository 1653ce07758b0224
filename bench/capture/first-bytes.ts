import { stat } from "node:fs/promises";
import { systemClock } from "../../src/kit/time/clock.ts";

/** The resolution of the figures. */
const LOOK_MS = 5;
const clock = systemClock();

/** Notes when each of some files is seen with something in it for the first time. */
export interface FirstBytes {
  /** Number of files that have a first byte. */
  readonly count: () => number;
  /** Looks no more. @returns instants in UTC milliseconds, by path */
  end(): Promise<ReadonlyMap<string, number>>;
}

/** @param files paths, of which some may not be there yet; asked for at each look, until each that is there has something in it */
export function watchFirstBytes(files: () => Promise<readonly string[]>): FirstBytes {
  const seen = new Map<string, number>();
  const over = new AbortController();
  async function look(): Promise<void> {
    while (!over.signal.aborted) {
      for (const file of await files()) {
        if (seen.has(file)) continue;
        const found = await stat(file).catch(() => undefined);
        if (found !== undefined && found.size > 0) seen.set(file, clock.now());
      }
      await clock.sleep(LOOK_MS, over.signal).catch(() => {});
    }
  }
  const looking = look();
  return {
    count: () => seen.size,
    end: async () => {
      over.abort();
      await looking;
      return seen;
    },
  };
}
