import { stat } from "node:fs/promises";
import { open } from "../../kit/files/steady-fs.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { EpochMs } from "../../model/time.ts";

/**
 * Records that the daemon lived while its document was not written, since nothing was due or the disk was full: the
 * modification time of a file, which can be set even then. Otherwise the time since the last commit would count as an
 * outage.
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
      await dated(file, seconds).catch(() => {});
    },
  };
}

/** On disk, as a power cut may be what follows. */
async function dated(file: string, seconds: number): Promise<void> {
  const handle = await open(file, "r+");
  try {
    await handle.utimes(seconds, seconds);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
