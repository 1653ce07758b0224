import { open, stat, utimes } from "node:fs/promises";
import type { Clock } from "../../kit/time/clock.ts";
import type { EpochMs } from "../../model/time.ts";

/**
 * Records that the daemon lived while its document could not be written: the modification time of a file, which can
 * be set even on a full disk. Otherwise the time since the last commit would count as an outage.
 */
export interface SignOfLife {
  /** The sign of an earlier run; absent if there is none. */
  readonly before: EpochMs | undefined;
  /** Sets the time to now. Never fails: on a disk that refuses even that, there is no sign. */
  renew(): Promise<void>;
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
    renew: async () => {
      const seconds = clock.now() / 1000;
      await utimes(file, seconds, seconds).catch(() => {});
    },
  };
}
