import type { Verdict } from "./evidence.ts";
import type { Imported } from "./imported.ts";
import type { Job } from "./job.ts";
import type { RecordingId, RecordingState } from "./recording.ts";
import type { RuleOfTimer } from "./rule.ts";
import type { Triplet, TripletKey } from "./service.ts";
import type { EpochMs } from "./time.ts";
import type { TimerId } from "./timer.ts";
import type { Window } from "./window.ts";

/** A recording with a file that is or was on the disk. */
export interface LibraryEntry {
  readonly recordingId: RecordingId;
  readonly timerId: TimerId;
  readonly name: string;
  readonly subtitle?: string;
  readonly channelName: string;
  readonly service?: Triplet;
  /** The service's id of the series recording that ordered it, if any. */
  readonly series?: string;
  /** The guide's id of its series, if the guide named one before the recording was over. */
  readonly guideSeries?: string;
  /** The rule that ordered it, and the number of its newest recordings to keep. */
  readonly rule?: Pick<RuleOfTimer, "id" | "keep">;
  readonly event: Window;
  readonly state: RecordingState;
  /** The verdict at closing. Absent in entries of earlier versions, and for streams without a clock. */
  readonly verdict?: Verdict;
  readonly endedAt: EpochMs;
  /** First instant on disk. */
  readonly firstAt?: EpochMs;
  /** Absolute path of the file to watch. */
  readonly file: string;
  /** The size when it was written: a file of another size is not ours. */
  readonly bytes: number;
  /** Checksum of the content when it was written, hexadecimal. Absent in entries of earlier versions. */
  readonly sha256?: string;
  /** The time of the last change, by its file system, when the content was last known to be unchanged. */
  readonly modifiedAt?: EpochMs;
  /** The original that `file` has replaced, and its size: it is deleted as soon as possible. */
  readonly outgoing?: { readonly file: string; readonly bytes: number };
  /** Present if another recorder made it: its files are not ours. */
  readonly imported?: Imported;
  /** Other files that jobs made of it: they are deleted with it. */
  readonly made: readonly string[];
  /** Never removed by retention. */
  readonly protected: boolean;
  readonly watched: boolean;
  /** The incomplete recording that it replaced. */
  readonly heals?: RecordingId;
  /** Since when its file is missing although its disk is there. Absent again when the file is back. */
  readonly goneSince?: EpochMs;
  /** The present fault of its file. */
  readonly flaw?: FileFlaw;
  /** The latest verification of its content. */
  readonly checked?: { readonly at: EpochMs; readonly verdict: FileVerdict };
  /** Its ordered or completed deletion. Forgotten when its hooks have run and the engine's document has dropped the recording. */
  readonly deleted?: Deletion;
}

/** The result of verifying a file. `unproven`: the size is right, but no SHA-256 was known; the new one is stored. */
export const FILE_VERDICTS = ["intact", "unproven", "changed", "truncated", "missing", "unreadable"] as const;
export type FileVerdict = (typeof FILE_VERDICTS)[number];

export const FLAW_KINDS = ["changed", "truncated", "unreadable"] as const;

export interface FileFlaw {
  readonly kind: (typeof FLAW_KINDS)[number];
  /** `look`: size or time showed it, and may clear it. `reading`: only another reading may clear it. */
  readonly by: "look" | "reading";
  readonly since: EpochMs;
  /** Its present size, if known. */
  readonly bytes?: number;
}

/** A recording whose file has changed since it was written, for people. */
export interface DamagedFile extends FileFlaw {
  readonly recordingId: RecordingId;
  readonly timerId: TimerId;
  readonly name: string;
  readonly file: string;
  readonly wasBytes: number;
}

/** The fault of a recording's file in a few words; `undefined` if there is none. */
export function fileTrouble(
  { goneSince, flaw, bytes }: Pick<LibraryEntry, "goneSince" | "flaw" | "bytes">,
  sizeText: (bytes: number) => string,
): string | undefined {
  if (goneSince !== undefined) return "missing";
  if (flaw?.kind !== "truncated") return flaw?.kind;
  return `truncated: ${sizeText(flaw.bytes ?? 0)} of ${sizeText(bytes)}`;
}

export interface Deletion {
  readonly at: EpochMs;
  /** `repeat`: another broadcast of it was recorded whole. */
  readonly actor: "retention" | "person" | "repeat";
  readonly reason: string;
  /** Its files are removed. Until then, each look tries again. */
  readonly done: boolean;
}

/** The disk space that one second of a service takes. */
export interface ServiceRate {
  readonly bytesPerSecond: number;
  /** Recordings in the mean; limited, so that later ones still change it. */
  readonly samples: number;
  readonly at: EpochMs;
}

/** Points in the life of a recording at which hooks run. */
export const HOOK_POINTS = ["scheduled", "started", "completed", "failed", "deleted"] as const;
export type HookPoint = (typeof HOOK_POINTS)[number];

/** The document of the library; only the keeper writes it. */
export interface LibraryDocument {
  readonly entries: Readonly<Record<RecordingId, LibraryEntry>>;
  readonly rates: Readonly<Record<TripletKey, ServiceRate>>;
  /** The latest point of each recording whose hooks have run. */
  readonly heard: Readonly<Record<RecordingId, HookPoint>>;
  readonly jobs: readonly Job[];
  readonly nextJob: number;
  /** Present if the configuration has a schedule for verification. `since`: the start of the current round. */
  readonly verifying?: { readonly nextAt: EpochMs; readonly since?: EpochMs };
  /** Folders that have held recordings: if one has no work folder any more, its disk is not mounted. */
  readonly knownFolders: readonly string[];
}
