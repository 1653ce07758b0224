import type { ClockSource, Hollow, Lack, StreamFacts } from "./inspection.ts";
import type { DurationMs, EpochMs } from "./time.ts";
import type { Window } from "./window.ts";

/** The worth of a recording in one word. verdict.ts has the rule, docs/recording.md explains it. */
export type Verdict = "perfect" | "good" | "damaged" | "unusable";

/** A part of the window that is missing on disk. */
export interface Gap extends Window {
  /** Only this is missing, and the rest of the service is there; absent: nothing is there. */
  readonly lacks?: Lack["kind"];
}

/** Picture or sound with missing parts. */
export interface IncompleteTrack extends StreamFacts {
  /** Viewers get it without choosing. It counts for coverage; other tracks are only reported. */
  readonly isMain: boolean;
  readonly eventCoveredMs: DurationMs;
  /** Parts of the window, in order of time. Parts in which everything is missing are only in `gaps`. */
  readonly missing: readonly Window[];
  /** The PMT listed it, and it never came. */
  readonly neverSent?: true;
}

/** The state of the disk when a recording was closed. Every figure comes from the file, none from a process. */
export interface Findings {
  readonly bytes: number;
  readonly segments: number;
  /** Numbers of the attempts whose segments make up the file; those of the others have no payload of the service. */
  readonly kept?: readonly number[];
  /**
   * Bytes of a segment that are in the file, by attempt, if not all: the rest is also in the next one, or is no complete packet.
   */
  readonly keptBytes?: Readonly<Record<number, number>>;
  /** The offset in a segment at which its part of the file begins, by attempt, if not 0: an incomplete packet comes before. */
  readonly keptFrom?: Readonly<Record<number, number>>;
  /** Numbers of the attempts whose segment was replaced by another file, which does not count and stays where it is. */
  readonly foreign?: readonly number[];
  /** The length of the event, and how much of it is on disk. */
  readonly eventMs: DurationMs;
  readonly eventCoveredMs: DurationMs;
  /** The length of the padded window, and how much of it is on disk. */
  readonly windowMs: DurationMs;
  readonly windowCoveredMs: DurationMs;
  /** First and last instant on disk, by the stream's clock and the time of the last write. */
  readonly firstAt?: EpochMs;
  readonly lastAt?: EpochMs;
  /** In all packets except those of tables. */
  readonly continuityErrors: number;
  /** Errors in packets of tables, which nobody sees or hears. Absent: none. */
  readonly tableErrors?: number;
  /** In the same packets as `continuityErrors`, without null packets. */
  readonly transportErrors: number;
  readonly scrambledPackets: number;
  /** Unsignalled discontinuities of the stream's clock. */
  readonly clockBreaks: number;
  /** Packets with a wrong sync byte, and packets that lost bytes. */
  readonly damagedPackets: number;
  /** Bytes between packets. */
  readonly junkBytes: number;
  /**
   * Length of the whole seconds of the event that have a flaw in picture, sound, subtitles or teletext. Absent in recordings of
   * earlier versions.
   */
  readonly flawedMs?: DurationMs;
  /** Missing parts of the window: the 20 longest, in order of time. None if the stream has no clock. */
  readonly gaps: readonly Gap[];
  /** Why parts count as gaps although their packets arrived. */
  readonly hollow?: readonly Hollow[];
  /** Absent if all of them are whole. */
  readonly incompleteTracks?: readonly IncompleteTrack[];
  /** Absent if it is the one that the PMT names. */
  readonly clock?: Exclude<ClockSource, "pcr">;
}

/** Payload was recorded; the file gets its name when the recording ends. */
export interface PayloadFindings extends Findings {
  /** The absolute path that the file will get. */
  readonly file: string;
  /** The file system refused the name that the recording should have. */
  readonly plainName?: true;
  /** Hexadecimal; already known if a single segment becomes the file. */
  readonly sha256?: string;
  readonly modifiedAt?: never;
  readonly verdict?: never;
}

/** Payload was recorded, and the file has its name. */
export interface FileEvidence extends Findings {
  /** Absolute path. */
  readonly file: string;
  /** The file system refused the name that the recording should have. */
  readonly plainName?: true;
  /** Hexadecimal. */
  readonly sha256?: string;
  /** The last change of the file's content, by its file system. */
  readonly modifiedAt?: EpochMs;
  /** Absent if the stream has no clock, so that the share of the event is unknown. */
  readonly verdict?: Verdict;
}

/** No payload was recorded, and no file is left. */
export interface EmptyEvidence extends Findings {
  readonly file?: never;
  readonly plainName?: never;
  readonly sha256?: never;
  readonly modifiedAt?: never;
  readonly verdict?: never;
}

/** Before the recording has ended. */
export type InspectedEvidence = PayloadFindings | EmptyEvidence;
/** After it. */
export type Evidence = FileEvidence | EmptyEvidence;
