import { open, stat, utimes } from "node:fs/promises";
import type { Clock } from "../kit/clock.ts";
import type { EpochMs } from "../model/time.ts";

/**
 * That the daemon lives while its document cannot be written: the time of a file, which a full disk takes too. Without it the time since
 * the last commit would count as one without a recorder.
 */
export interface SignOfLife {
  /** Of an earlier life; absent where there is none. */
  readonly before: EpochMs | undefined;
  /** Never fails: where the disk takes no time either, nothing is known. */
  give(): Promise<void>;
}

export async function openSignOfLife(file: string, clock: Clock): Promise<SignOfLife> {
  const before = await stat(file).then(
    ({ mtimeMs }) => Math.floor(mtimeMs),
    () => undefined,
  );
  if (before === undefined)
    await open(file, "a", 0o640).then(
      (handle) => handle.close(),
      () => {},
    );
  return {
    before,
    give: async () => {
      const seconds = clock.now() / 1000;
      await utimes(file, seconds, seconds).catch(() => {});
    },
  };
}
