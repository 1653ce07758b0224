import type { Verdict } from "./evidence.ts";
import type { Imported } from "./imported.ts";
import type { Job } from "./job.ts";
import type { RecordingId, RecordingState } from "./recording.ts";
import type { RuleOfTimer } from "./rule.ts";
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
  /** The guide's id of its series, if the guide named one before the recording was over. */
  readonly guideSeries?: string;
  /** The rule that ordered it, and the number of its newest recordings to keep. */
  readonly rule?: Pick<RuleOfTimer, "id" | "keep">;
  readonly event: Window;
  readonly state: RecordingState;
  /** The verdict on its file when it was recorded. Absent in entries of earlier recorders, and where no clock tells. */
  readonly verdict?: Verdict;
  readonly endedAt: EpochMs;
  /** First instant on disk. */
  readonly firstAt?: EpochMs;
  /** Absolute path of what is to be watched. */
  readonly file: string;
  /** Size as written: a file of another size is not ours. */
  readonly bytes: number;
  /** Checksum of the content as written, hexadecimal. Absent in entries of earlier recorders. */
  readonly sha256?: string;
  /** When its content changed last, by its file system, when it was last known to be as it was written. */
  readonly modifiedAt?: EpochMs;
  /** The original that `file` has replaced, and its size: it goes as soon as it can. */
  readonly outgoing?: { readonly file: string; readonly bytes: number };
  /** Present if another recorder recorded it: its files are not ours. */
  readonly imported?: Imported;
  /** Other files that jobs made of it: they go with it. */
  readonly made: readonly string[];
  /** Never removed by retention. */
  readonly protected: boolean;
  readonly watched: boolean;
  /** The recording whose place it took, which was not whole. */
  readonly heals?: RecordingId;
  /** Since when its file is missing though its disk is there: somebody took it away. Absent again when it is back. */
  readonly goneSince?: EpochMs;
  /** The fault of its file, while it lasts. */
  readonly flaw?: FileFlaw;
  /** The latest comparison of its content with what was written. */
  readonly checked?: { readonly at: EpochMs; readonly verdict: FileVerdict };
  /** It is to go, or gone, and why. Forgotten when hooks have heard of it and the recording has left the plan's document. */
  readonly deleted?: Deletion;
}

/**
 * The result of comparing a file with the file that was written. `unproven`: its size is right, but no SHA-256 was known; the one
 * found is kept from now on.
 */
export const FILE_VERDICTS = ["intact", "unproven", "changed", "truncated", "missing", "unreadable"] as const;
export type FileVerdict = (typeof FILE_VERDICTS)[number];

export const FLAW_KINDS = ["changed", "truncated", "unreadable"] as const;

export interface FileFlaw {
  readonly kind: (typeof FLAW_KINDS)[number];
  /** `look`: size or time showed it, and may clear it. `reading`: only another reading may clear it. */
  readonly by: "look" | "reading";
  readonly since: EpochMs;
  /** The size that it has now, where that is known. */
  readonly bytes?: number;
}

/** A recording whose file is not as it was written, as people hear of it. */
export interface DamagedFile extends FileFlaw {
  readonly recordingId: RecordingId;
  readonly timerId: TimerId;
  readonly name: string;
  readonly file: string;
  readonly wasBytes: number;
}

/** The fault of a recording's file in a few words; `undefined` where none is known. */
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
  /** Its files are gone. Until then they are removed at every look. */
  readonly done: boolean;
}

/** The disk space that one second of a service takes. */
export interface ServiceRate {
  readonly bytesPerSecond: number;
  /** Recordings it was learnt from; counts to a limit, so that later ones go on counting. */
  readonly samples: number;
  readonly at: EpochMs;
}

/** Points in the life of a recording at which commands of the configuration are run. */
export const HOOK_POINTS = ["scheduled", "started", "completed", "failed", "deleted"] as const;
export type HookPoint = (typeof HOOK_POINTS)[number];

/** The facts about recordings that outlast their end: a document of its own; only the keeper writes it. */
export interface LibraryDocument {
  readonly entries: Readonly<Record<RecordingId, LibraryEntry>>;
  readonly rates: Readonly<Record<TripletKey, ServiceRate>>;
  /** The latest point that a recording's hooks have heard of. */
  readonly heard: Readonly<Record<RecordingId, HookPoint>>;
  readonly jobs: readonly Job[];
  readonly nextJob: number;
  /** Present where the configuration has all files read from time to time. `since`: when the current round began. */
  readonly verifying?: { readonly nextAt: EpochMs; readonly since?: EpochMs };
  /** Folders in which recordings were kept: where one has no work folder any more, its disk is not mounted. */
  readonly knownFolders: readonly string[];
}
