import type { CaptureOrder, Source } from "../../model/ports.ts";
import type { CAPTURE_LIMITS } from "./limits.ts";

export type CaptureLimits = Readonly<Record<keyof typeof CAPTURE_LIMITS, number>>;

/** Runs captures: ffmpeg processes, the capture host, or another node. It outlives the daemon, so the caller may be a restarted daemon. */
export interface CaptureEngine {
  /** @throws RecorderdError CAPTURE_NOT_STARTED or FFMPEG_MISSING; a system error if the segment cannot be created */
  start(order: CaptureOrder): Promise<void>;
  /** Others must sync its output to the disk. */
  readonly leavesUnsynced?: true;
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

/** Captures on other machines. */
export interface DistantEngine extends CaptureEngine {
  /** They write to disks of their own: one that is full says nothing about that of this machine. */
  readonly hasOwnDisks: boolean;
  /** Whether the source is one of theirs. */
  takes(source: Source): boolean;
  /** Why a capture that does not run any more counts as lost, for its watcher; absent: it is not lost. */
  whyLost(id: string): string | undefined;
}
