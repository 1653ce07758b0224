import type { RecordingId } from "./recording.ts";
import type { EpochMs } from "./time.ts";

/** Jobs that make a file from a recording. */
const MADE = ["convert", "thumbnail", "chapters", "commercials"] as const;
export type MakeKind = (typeof MADE)[number];
/** `verify`: the file is read and compared with its checksum. `index`: it gets an index of access points for playback. */
export const JOB_KINDS = [...MADE, "verify", "index"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** Work on a finished recording. */
export interface Job {
  /** Higher for each new job. */
  readonly id: number;
  readonly kind: JobKind;
  readonly recordingId: RecordingId;
  readonly state: "waiting" | "running" | "done" | "failed";
  /** Failed tries, without those that a recording stopped. */
  readonly tries: number;
  /** The latest failure, or the result. */
  readonly text?: string;
  readonly orderedAt: EpochMs;
  /** A person waits for it, so recordings do not delay it. Only light work may be asked for. */
  readonly asked?: true;
  /** It is tried again after this instant. */
  readonly nextTryAt?: EpochMs;
  readonly endedAt?: EpochMs;
}

export interface JobView extends Job {
  /** The recording's name. */
  readonly name: string;
  /** From 0 to 1, if it runs and its progress is known. */
  readonly progress?: number;
}
