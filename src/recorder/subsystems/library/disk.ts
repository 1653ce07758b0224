import { statfs } from "node:fs/promises";
import { type Clock, withDeadline } from "../../../kit/time/clock.ts";
import { LIBRARY_LIMITS } from "./limits.ts";

export interface DiskRoom {
  /** Free space for us, without root's reserve. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Measures the disk; `undefined`: it is not there, or does not answer. */
export type MeasureDisk = (signal: AbortSignal) => Promise<DiskRoom | undefined>;

/** Measures once at a time: an unresponsive disk blocks one of Node's threads, not all of them. */
export function diskMeter({
  folder,
  isThere,
  clock,
}: {
  readonly folder: string;
  readonly isThere: () => Promise<boolean>;
  readonly clock: Clock;
}): MeasureDisk {
  let looking: Promise<DiskRoom | undefined> | undefined;

  async function look(): Promise<DiskRoom | undefined> {
    if (!(await isThere())) return undefined;
    const { bavail, bsize, blocks } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  }

  return async (signal) => {
    looking ??= look()
      .catch(() => undefined)
      .finally(() => {
        looking = undefined;
      });
    const mine = looking;
    const timeoutError = () => new Error("the disk does not answer");
    return withDeadline(clock, { ms: LIBRARY_LIMITS.spaceLookMs, signal, timeoutError }, () => mine).catch(
      () => {
        signal.throwIfAborted();
        return undefined;
      },
    );
  };
}
