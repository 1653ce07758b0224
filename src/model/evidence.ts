import type { ClockSource, Hollow, Lack, StreamFacts } from "./inspection.ts";
import type { DurationMs, EpochMs } from "./time.ts";
import type { Window } from "./window.ts";

/** The worth of a recording in one word. verdict.ts has the rule, docs/recording.md explains it. */
export type Verdict = "perfect" | "good" | "damaged" | "unusable";

/** A part of the window that is missing on disk. */
export interface Gap extends Window {
  /** This is missing while the rest of the service is there; absent: nothing is there. */
  readonly lacks?: Lack["kind"];
}

/** Picture or sound with missing parts. */
export interface IncompleteTrack extends StreamFacts {
  /** Viewers get it without choosing; it counts as covered or missing. Other tracks are only reported. */
  readonly isMain: boolean;
  readonly eventCoveredMs: DurationMs;
  /** Parts of the window, in order of time; what misses everything is in `Evidence.gaps` alone. */
  readonly missing: readonly Window[];
  /** The PMT listed it, and it never came. */
  readonly neverSent?: true;
}

/** The state of the disk when a recording was closed. Every figure comes from the file, none from a process. */
export interface Findings {
  readonly bytes: number;
  readonly segments: number;
  /** Numbers of the attempts whose segments make up the file; what the others wrote holds nothing of the service. */
  readonly kept?: readonly number[];
  /** How much of a segment is in the file, by attempt, where not all: what follows is in the next one too, or is no whole packet. */
  readonly keptBytes?: Readonly<Record<number, number>>;
  /** The offset in a segment, by attempt, where its part of the file begins, if not 0: the rest of a packet comes before. */
  readonly keptFrom?: Readonly<Record<number, number>>;
  /** Numbers of the attempts under whose segment's name another file lies: it counts for nothing and stays where it is. */
  readonly foreign?: readonly number[];
  /** The event and how much of it is on disk. */
  readonly eventMs: DurationMs;
  readonly eventCoveredMs: DurationMs;
  /** The padded window and how much of it is on disk. */
  readonly windowMs: DurationMs;
  readonly windowCoveredMs: DurationMs;
  /** First and last instant on disk, from the stream's clock set against the time of writing. */
  readonly firstAt?: EpochMs;
  readonly lastAt?: EpochMs;
  /** In the streams of services, and wherever no table is. */
  readonly continuityErrors: number;
  /** Errors in packets of the tables, which picture and sound do not show. Absent: none. */
  readonly tableErrors?: number;
  /** In the same packets as `continuityErrors`; null packets carry nothing. */
  readonly transportErrors: number;
  readonly scrambledPackets: number;
  /** Places where the stream's clock did not go on without saying so: seams, jumps. */
  readonly clockBreaks: number;
  /** Packets with a wrong sync byte, and packets that lost bytes. */
  readonly damagedPackets: number;
  /** Bytes between packets that belong to none. */
  readonly junkBytes: number;
  /**
   * Length of those whole seconds of the event that are on disk and have a flaw in picture, sound, subtitles or teletext. Absent in
   * recordings of earlier versions.
   */
  readonly flawedMs?: DurationMs;
  /** Parts of the window that are missing: the 20 longest, in order of time. None where no clock tells. */
  readonly gaps: readonly Gap[];
  /** Why parts are gaps although their packets came. */
  readonly hollow?: readonly Hollow[];
  /** Absent where all of them are whole. */
  readonly incompleteTracks?: readonly IncompleteTrack[];
  /** Absent where it is the one that the PMT names. */
  readonly clock?: Exclude<ClockSource, "pcr">;
}

/** Payload was recorded; the file gets its name when the recording ends. */
export interface PayloadFindings extends Findings {
  /** The absolute path to be. */
  readonly file: string;
  /** The file system refused the name that the recording should have. */
  readonly plainName?: true;
  /** Hexadecimal; known by now where a single segment becomes the file. */
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
  /** When the file's content changed last, by its file system. */
  readonly modifiedAt?: EpochMs;
  /** Absent where no clock tells how much of the event is on disk. */
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
