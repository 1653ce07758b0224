import type { Job } from "./job.ts";
import type { RecordingId, RecordingState } from "./recording.ts";
import type { Triplet, TripletKey } from "./service.ts";
import type { EpochMs } from "./time.ts";
import type { TimerId } from "./timer.ts";
import type { Window } from "./window.ts";

/** A recording whose file is on the disk, or was. */
export interface LibraryEntry {
  readonly recordingId: RecordingId;
  readonly timerId: TimerId;
  readonly name: string;
  readonly subtitle?: string;
  readonly channelName: string;
  readonly service?: Triplet;
  /** The service's id of the series recording that ordered it, where one did. */
  readonly series?: string;
  /** The guide's id of its series, where it told of one until the recording was over. */
  readonly guideSeries?: string;
  readonly event: Window;
  readonly state: RecordingState;
  readonly endedAt: EpochMs;
  /** First instant on disk. */
  readonly firstAt?: EpochMs;
  /** Absolute path of what is to be watched. */
  readonly file: string;
  /** Its size when it was taken in: a file of another size is not the one that we wrote. */
  readonly bytes: number;
  /** The original that `file` has replaced, and its size: it goes as soon as it can. */
  readonly outgoing?: { readonly file: string; readonly bytes: number };
  /** Other files that jobs made of it: they go with it. */
  readonly made: readonly string[];
  /** Never removed by retention. */
  readonly protected: boolean;
  readonly watched: boolean;
  /** The recording whose place it took, which was not whole. */
  readonly heals?: RecordingId;
  /** Since when its file is missing though its disk is there: somebody took it away. Absent again when it is back. */
  readonly goneSince?: EpochMs;
  /** It is to go, or gone, and why. Forgotten when hooks have heard of it and the recording has left the plan's document. */
  readonly deleted?: Deletion;
}

export interface Deletion {
  readonly at: EpochMs;
  /** `repeat`: another broadcast of it was recorded whole. */
  readonly actor: "retention" | "person" | "repeat";
  readonly reason: string;
  /** Its files are gone. Until then they are removed at every look. */
  readonly done: boolean;
}

/** What one second of a service takes on disk. */
export interface ServiceRate {
  readonly bytesPerSecond: number;
  /** Recordings it was learnt from; counts to a limit, so that later ones go on counting. */
  readonly samples: number;
  readonly at: EpochMs;
}

/** Points in the life of a recording at which commands of the configuration are run. */
export const HOOK_POINTS = ["scheduled", "started", "completed", "failed", "deleted"] as const;
export type HookPoint = (typeof HOOK_POINTS)[number];

/** What must be known of recordings after they ended: a document of its own, with the keeper as its only writer. */
export interface LibraryDocument {
  readonly entries: Readonly<Record<RecordingId, LibraryEntry>>;
  readonly rates: Readonly<Record<TripletKey, ServiceRate>>;
  /** The latest point that a recording's hooks have heard of. */
  readonly heard: Readonly<Record<RecordingId, HookPoint>>;
  readonly jobs: readonly Job[];
  readonly nextJob: number;
  /** Folders in which recordings were kept: where one has no work folder any more, its disk is not mounted. */
  readonly knownFolders: readonly string[];
}
