import type { LIMITS } from "../../model/limits.ts";
import type { CaptureOrder } from "../../model/ports.ts";

export type CaptureLimits = Pick<
  Readonly<Record<keyof typeof LIMITS, number>>,
  | "firstPayloadMs"
  | "stallMs"
  | "doubtMs"
  | "steadyMs"
  | "doubtFlawsPercent"
  | "wrongServiceMs"
  | "captureLookFirstMs"
  | "captureLookMs"
  | "captureNameMs"
  | "captureSyncMs"
  | "captureLogBytes"
  | "inputTimeoutMs"
  | "stopPatienceMs"
  | "hostAnswerMs"
>;

/** What runs captures: processes of ffmpeg, or the capture host. It outlives the daemon; whoever asks may be a later life of it. */
export interface CaptureEngine {
  /** @throws RecorderdError CAPTURE_NOT_STARTED or FFMPEG_MISSING; the system's error where the segment cannot be made */
  start(order: CaptureOrder): Promise<void>;
  /** Absent where there is nothing to be made ready. @throws RecorderdError CAPTURE_NOT_STARTED */
  readonly makeReady?: () => Promise<void>;
  ids(): Promise<ReadonlySet<string>>;
  /** False only when all that it had received is in its file. */
  isRunning(id: string): Promise<boolean>;
  /**
   * Asks, insists; returns when it is gone, or when the kernel alone keeps it. Harmless when it is gone already.
   *
   * @param hangs it waits for data that does not come
   */
  end(id: string, how?: { readonly hangs: boolean }): Promise<void>;
}
