import type { ErrorCode } from "./errors.ts";
import type { Triplet } from "./service.ts";
import type { DurationMs, EpochMs } from "./time.ts";

/** One try of one recording on one tuner, and the file part (segment) it wrote. */
export interface Attempt {
  /** Counts from 1 within the recording; with the recording's id it names the capture process and its segment. */
  readonly number: number;
  readonly tunerId: string;
  readonly startedAt: EpochMs;
  /** When the first valid payload was on disk. */
  readonly flowingAt?: EpochMs;
  readonly endedAt?: EpochMs;
  /** Why it ended; `asked`: the recorder stopped it. */
  readonly cause?: ErrorCode | "asked";
  /** Present if the daemon ended before it carried out the order: the attempt says nothing about its tuner. */
  readonly begun?: false;
  /** The start of the machine that these instants belong to; they are corrected when its clock is set. */
  readonly boot?: string;
  /** The clock was set by this much since the segment was written; to be added to the file's modification time. */
  readonly steppedMs?: DurationMs;
  /** The segment when its writer had ended. It shows later whether the file of that name is still the same. */
  readonly segment?: SegmentState;
}

/** Tells a file from others that may get its name. Device numbers change with a restart, so size and time count too. */
export interface SegmentState {
  /** Device and inode. */
  readonly id: string;
  readonly bytes: number;
  readonly modifiedAt: EpochMs;
}

/** Stored beside a segment, so that a document that has lost the attempt can take it up again. */
export interface AttemptNote extends Pick<Attempt, "tunerId" | "startedAt" | "boot"> {
  /** Recording ids are counted: a document that was made anew uses them for other timers. */
  readonly timerId: string;
  readonly service: Triplet;
}

/** The notes beside the segments of a recorder. */
export interface AttemptNotes {
  /** Never rejects: a recording is none the worse without its note. */
  keep(attemptId: string, note: AttemptNote): Promise<void>;
  /** By the id of the attempt. */
  all(): Promise<ReadonlyMap<string, AttemptNote>>;
}

/** An attempt of an open recording that the document does not know, because it has lost the latest decisions. */
export interface FoundAttempt extends Pick<Attempt, "number" | "tunerId" | "startedAt" | "boot"> {
  readonly recordingId: string;
}

/** A capture that belonged to no open recording when the daemon started. Its segment is kept. */
export interface Stray {
  readonly attemptId: string;
  readonly endedAt: EpochMs;
}

/** The name of an attempt in processes, segments and logs. */
export function attemptId(recordingId: string, number: number): string {
  return `${recordingId}.${number}`;
}

/** The parts of such a name; the number may be none. */
export function partsOfAttemptId(id: string): { readonly recordingId: string; readonly number: number } {
  const at = id.lastIndexOf(".");
  return { recordingId: id.slice(0, at), number: Number(id.slice(at + 1)) };
}

interface WithAttempts {
  readonly attempts: readonly Attempt[];
}

/** The running attempts: at most one, or two during a takeover. */
export function runningAttempts({ attempts }: WithAttempts): readonly Attempt[] {
  return attempts.filter(({ endedAt }) => endedAt === undefined);
}

export function isAttemptRunning(recording: WithAttempts, number: number): boolean {
  return runningAttempts(recording).some((attempt) => attempt.number === number);
}

/** The running attempt; during a takeover, the newer one. */
export function currentAttempt(recording: WithAttempts): Attempt | undefined {
  return runningAttempts(recording).at(-1);
}
