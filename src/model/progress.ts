import type { RecordingId } from "./recording.ts";
import type { EpochMs } from "./time.ts";

/** The position at which a viewer stopped in a recording. */
export interface Progress {
  /** Position on the timeline of the player. */
  readonly seconds: number;
  /** Length of the recording as the player knew it. */
  readonly durationSeconds: number;
  /** The viewer has seen it to the end, or marked it as watched. */
  readonly isFinished: boolean;
  readonly at: EpochMs;
}

export interface RecordingProgress extends Progress {
  readonly recordingId: RecordingId;
}

/** A report of a player. */
export interface ProgressReport {
  readonly seconds: number;
  readonly durationSeconds: number;
  /** Absent: the position decides. */
  readonly isFinished?: boolean;
}
