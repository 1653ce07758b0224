import type { CaptureOrder } from "../../model/ports.ts";
import type { CAPTURE_LIMITS } from "./limits.ts";

export type CaptureLimits = Readonly<Record<keyof typeof CAPTURE_LIMITS, number>>;

/** Runs captures: ffmpeg processes, or the capture host. It outlives the daemon, so the caller may be a restarted daemon. */
export interface CaptureEngine {
  /** @throws RecorderdError CAPTURE_NOT_STARTED or FFMPEG_MISSING; a system error if the segment cannot be created */
  start(order: CaptureOrder): Promise<void>;
  /** Absent if no preparation is needed. @throws RecorderdError CAPTURE_NOT_STARTED */
  readonly makeReady?: () => Promise<void>;
  ids(): Promise<ReadonlySet<string>>;
  /** False only once everything received is in the file. */
  isRunning(id: string): Promise<boolean>;
  /**
   * Asks the capture to end, then forces it. Resolves when it is gone, or when it hangs in the kernel. Harmless if it is already
   * gone.
   *
   * @param hangs it waits for data that does not arrive
   */
  end(id: string, how?: { readonly hangs: boolean }): Promise<void>;
}
