import type { RecordingId } from "./recording.ts";
import type { EpochMs } from "./time.ts";

/** Products of a recording. */
const MADE = ["convert", "thumbnail", "chapters", "commercials"] as const;
export type MakeKind = (typeof MADE)[number];
/** `verify`: its file is read and compared with what was written. `index`: playback gets the index of access points. */
export const JOB_KINDS = [...MADE, "verify", "index"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** Work on a finished recording. */
export interface Job {
  /** Rises with every job. */
  readonly id: number;
  readonly kind: JobKind;
  readonly recordingId: RecordingId;
  readonly state: "waiting" | "running" | "done" | "failed";
  /** Tries that ended by themselves; those that gave way to a recording are not counted. */
  readonly tries: number;
  /** The latest failure, or the result. */
  readonly text?: string;
  readonly orderedAt: EpochMs;
  /** A person waits for it: it does not give way to recordings. Only of work that is gentle enough for that. */
  readonly asked?: true;
  /** Not before this instant is it tried again. */
  readonly nextTryAt?: EpochMs;
  readonly endedAt?: EpochMs;
}

export interface JobView extends Job {
  /** The recording's name. */
  readonly name: string;
  /** From 0 to 1, of one that runs and can say. */
  readonly progress?: number;
}
