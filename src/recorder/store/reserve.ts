import { randomBytes } from "node:crypto";
import { rm, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { open } from "../../kit/files/steady-fs.ts";
import type { Log } from "../../kit/log.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { StoreTrouble } from "../../model/snapshot.ts";
import { STORE_LIMITS } from "./limits.ts";

export interface ReserveParts {
  /** A file in the data folder. */
  readonly file: string;
  readonly clock: Clock;
  readonly log: Log;
  /** `trouble` has changed. */
  readonly onChange: () => void;
}

/** Reserves space in the data folder for the time when its disk is full (docs/dev/decisions/0007). */
export interface Reserve {
  readonly name: "reserve";
  /** Present from the release of the reserve until there is one again. */
  readonly trouble: StoreTrouble | undefined;
  /** Frees the reserve. @returns whether there was any */
  release(): Promise<boolean>;
  /** Keeps a reserve while the disk has room for it, until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

export function createReserve({ file, clock, log, onChange }: ReserveParts): Reserve {
  let trouble: StoreTrouble | undefined;

  async function isThere(): Promise<boolean> {
    return stat(file).then(
      ({ size }) => size >= STORE_LIMITS.reserveBytes,
      () => false,
    );
  }

  /** Keeps the reserve only if as much room is left beside it: it must not fill the disk itself. */
  async function keep(): Promise<void> {
    if (await isThere()) return settled();
    const { bavail, bsize } = await statfs(dirname(file));
    if (bavail * bsize < 2 * STORE_LIMITS.reserveBytes) return;
    await write();
    settled();
  }

  async function write(): Promise<void> {
    try {
      await using handle = await open(file, "w", 0o600);
      // Some file systems allocate no blocks for compressible data.
      await handle.writeFile(randomBytes(STORE_LIMITS.reserveBytes));
      await handle.sync();
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
  }

  function settled(): void {
    if (trouble === undefined) return;
    trouble = undefined;
    log.info("the data folder has a reserve again");
    onChange();
  }

  return {
    name: "reserve",
    get trouble() {
      return trouble;
    },
    release: async () => {
      const wasThere = await stat(file).then(
        () => true,
        () => false,
      );
      if (!wasThere) return false;
      try {
        await rm(file);
      } catch {
        return false;
      }
      const megabytes = STORE_LIMITS.reserveBytes / 1024 / 1024;
      const text = `The disk of the data folder ${dirname(file)} is full. The recorder continues with its reserve of ${megabytes} MB. Free some space on that disk.`;
      trouble = { since: clock.now(), code: "DISK_LOW", text };
      log.error("the disk of the data folder is full; the reserve is released", { file, text });
      onChange();
      return true;
    },
    run: async (signal) => {
      while (!signal.aborted) {
        await keep().catch((error: unknown) => {
          log.debug("the data folder has no reserve", { system: systemCode(error) });
        });
        await clock.sleep(STORE_LIMITS.reserveLookMs, signal).catch(() => {});
      }
    },
  };
}
