import type { ErrorCode } from "./errors.ts";
import type { DurationMs, EpochMs } from "./time.ts";

/** One try of one recording on one tuner, and the file part (segment) it wrote. */
export interface Attempt {
  /** Counts from 1 within the recording; with the recording's id it names the capture process and its segment. */
  readonly number: number;
  readonly tunerId: string;
  readonly startedAt: EpochMs;
  /** First valid payload was on disk. */
  readonly flowingAt?: EpochMs;
  readonly endedAt?: EpochMs;
  /** Why it ended; `asked`: we stopped it. */
  readonly cause?: ErrorCode | "asked";
  /** Present where it was ordered and nothing of it was carried out: the recorder's life ended before. It says nothing of its tuner. */
  readonly begun?: false;
  /** The start of the machine by whose clock these instants are; they follow when that is set. */
  readonly boot?: string;
  /** By so much the clock was set since the segment was written: to be added to the file's own time. */
  readonly steppedMs?: DurationMs;
  /** The segment when its writer was gone: a file that is there later under its name is another one, or this one. */
  readonly segment?: SegmentState;
}

/** Tells a file from others that may get its name. Numbers of devices change with a restart, so size and time count too. */
export interface SegmentState {
  /** Device and inode. */
  readonly id: string;
  readonly bytes: number;
  readonly modifiedAt: EpochMs;
}

/** A capture that ran for no open recording when the daemon came up; the segment that it wrote is kept. */
export interface Stray {
  readonly attemptId: string;
  readonly endedAt: EpochMs;
}

/** Names one attempt everywhere: capture process, segment, logs. */
export function attemptId(recordingId: string, number: number): string {
  return `${recordingId}.${number}`;
}

interface WithAttempts {
  readonly attempts: readonly Attempt[];
}

/** Attempts that run now: one at most, or two while the younger one is there to relieve the other. */
export function runningAttempts({ attempts }: WithAttempts): readonly Attempt[] {
  return attempts.filter(({ endedAt }) => endedAt === undefined);
}

/** The attempt that runs now, if one does; of two the younger. */
export function currentAttempt(recording: WithAttempts): Attempt | undefined {
  return runningAttempts(recording).at(-1);
}
