import type { ErrorCode } from "./errors.ts";
import type { Healing } from "./healing.ts";
import type { ClockSource, Lack, StreamFacts } from "./inspection.ts";
import { LIMITS } from "./limits.ts";
import type { Programme } from "./programme.ts";
import type { Repeat } from "./repeat.ts";
import type { Triplet } from "./service.ts";
import type { DurationMs, EpochMs } from "./time.ts";
import type { TimerId, Told } from "./timer.ts";
import type { Padding, Window } from "./window.ts";

/** Every legal move of a recording. An empty row is a terminal state. Drawn in docs/dev/state-machine.md. */
export const RECORDING_MOVES = {
  /** Has a tuner in the plan. */
  planned: { due: "tuning", displaced: "conflicted", withdrawn: "cancelled", expired: "missed" },
  /** Has no tuner in the plan, or no known service. */
  conflicted: { placed: "planned", withdrawn: "cancelled", expired: "missed" },
  /** An attempt runs, no valid payload is on disk yet. */
  tuning: {
    flowing: "recording",
    adopted: "tuning",
    refused: "waiting",
    interrupted: "waiting",
    withdrawn: "closing",
    expired: "closing",
  },
  /** Between two attempts. */
  waiting: { due: "tuning", withdrawn: "closing", expired: "closing" },
  /** Valid payload is on disk and more is coming. */
  recording: {
    /** Of an attempt that relieves the one before. */
    flowing: "recording",
    adopted: "recording",
    interrupted: "waiting",
    withdrawn: "closing",
    expired: "closing",
  },
  /** The capture ends, segments are joined, the file is verified. */
  closing: { whole: "completed", shortened: "partial", empty: "failed", discarded: "cancelled" },
  /** Enough of the event is on disk. */
  completed: {},
  /** Something is on disk, but too little of the event. */
  partial: {},
  /** No payload was recorded, and no file is left. */
  failed: {},
  /** The window passed without an attempt. */
  missed: {},
  /** The service or a person asked for that; what was recorded until then stays. */
  cancelled: {},
} as const;

type Moves = typeof RECORDING_MOVES;
type InputOf<S> = S extends keyof Moves ? keyof Moves[S] : never;
export type RecordingState = keyof Moves;
export type RecordingInput = InputOf<RecordingState>;

/** The state `input` leads to, or `undefined` where the table has no such move. */
export function move(state: RecordingState, input: RecordingInput): RecordingState | undefined {
  const row: Partial<Record<RecordingInput, RecordingState>> = RECORDING_MOVES[state];
  return row[input];
}

const TERMINAL: ReadonlySet<string> = new Set(
  Object.entries(RECORDING_MOVES).flatMap(([state, moves]) =>
    Object.keys(moves).length === 0 ? [state] : [],
  ),
);

export function isTerminal(state: RecordingState): boolean {
  return TERMINAL.has(state);
}

/** Nothing was tried yet. */
export function isBefore({ state }: { readonly state: RecordingState }): boolean {
  return state === "planned" || state === "conflicted";
}

/** It has ended, and less than enough of it is on disk, though nobody asked for that. */
export function isLost({ state, withdrawn }: Pick<Recording, "state" | "withdrawn">): boolean {
  return !withdrawn && (state === "missed" || state === "failed" || state === "partial");
}

/** It has ended with all that was wanted of it, or with so little wrong that nobody would want it again. */
export function isSound({ state, evidence }: Pick<Recording, "state" | "evidence">): boolean {
  return state === "completed" && evidence?.verdict !== "damaged" && evidence?.verdict !== "unusable";
}

/** In motion: holds a tuner or works on its file. After a restart each of these is adopted or interrupted. */
export function inMotion(state: RecordingState): boolean {
  return state === "tuning" || state === "waiting" || state === "recording" || state === "closing";
}

export type RecordingId = string;

/** As they were ordered: ids are counted, with zeros before short numbers. */
export function inOrder(a: RecordingId, b: RecordingId): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

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

/** What a recording is worth, in a word. The rule is in verdict.ts, told in docs/recording.md. */
export type Verdict = "perfect" | "good" | "damaged" | "unusable";

/** A part of the window that is missing on disk. */
export interface Gap extends Window {
  /** This is missing while the rest of the service is there; absent: nothing is there. */
  readonly lacks?: Lack["kind"];
}

/** Picture or sound of which a part is missing. */
export interface IncompleteTrack extends StreamFacts {
  /** What people see or hear if they choose nothing; it counts as covered or missing. Of the others people are told only. */
  readonly isMain: boolean;
  readonly eventCoveredMs: DurationMs;
  /** Parts of the window, in order of time; what misses everything is in `Evidence.gaps` alone. */
  readonly missing: readonly Window[];
  /** The PMT listed it, and it never came. */
  readonly neverSent?: true;
}

/** What was found on disk when a recording was closed. Every figure comes from the file, none from a process. */
export interface Evidence {
  /** Absolute path; absent when no payload was recorded (then no file is left, R-05). */
  readonly file?: string;
  readonly bytes: number;
  readonly segments: number;
  /** Numbers of the attempts whose segments make up the file; what the others wrote holds nothing of the service. */
  readonly kept?: readonly number[];
  /** How much of a segment is in the file, by attempt, where not all: what follows is in the next one too, or is no whole packet. */
  readonly keptBytes?: Readonly<Record<number, number>>;
  /** Where in a segment that begins, by attempt, where not at its beginning: before it is the rest of a packet. */
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
  readonly continuityErrors: number;
  readonly transportErrors: number;
  readonly scrambledPackets: number;
  /** Places where the stream's clock did not go on without saying so: seams, jumps. */
  readonly clockBreaks?: number;
  /** Packets with a wrong sync byte, and packets that lost bytes. */
  readonly damagedPackets?: number;
  /** Bytes between packets that belong to none. */
  readonly junkBytes?: number;
  /** Both of them, in lengths of a packet: in documents of versions that did not tell them apart. */
  readonly junkPackets?: number;
  /** Of the file, hexadecimal. */
  readonly sha256?: string;
  /** When the file's content changed last, by its file system. */
  readonly modifiedAt?: EpochMs;
  readonly verdict?: Verdict;
  /** The file system refused the name that the recording should have had. */
  readonly plainName?: true;
  /** Parts of the window that are missing: the 20 longest, in order of time. None where no clock tells. */
  readonly gaps: readonly Gap[];
  /** Absent where all of them are whole. */
  readonly incompleteTracks?: readonly IncompleteTrack[];
  /** Absent where it is the one that the PMT names. */
  readonly clock?: Exclude<ClockSource, "pcr">;
}

/** The event as the broadcast itself tells of it. @see EN 300 468 §5.2.4, EIT present/following */
export interface Followed {
  /** Names it within its service. */
  readonly eventId: number;
  /** Its start and duration as last announced. */
  readonly announcedStop: EpochMs;
  readonly seen: "following" | "present" | "over";
  /** When something else was present instead. */
  readonly overAt?: EpochMs;
}

/** What keeps a recording from being closed, and since when. */
export interface Hindrance {
  readonly since: EpochMs;
  readonly code: ErrorCode;
  readonly text: string;
}

/** What somebody here wants of a timer, whatever the rules of the configuration and the account say; absent: as they say. */
export interface OwnWish {
  readonly priority?: number;
  readonly padding?: Padding;
}

/** A change of that; `null`: as the rules and the account say again. */
export interface OwnChange {
  readonly priority?: number | null;
  readonly padding?: Padding | null;
}

export function changedWish(
  { priority: rank, padding: room }: OwnWish,
  { priority = rank, padding = room }: OwnChange,
): OwnWish {
  return {
    ...(priority === undefined || priority === null ? {} : { priority }),
    ...(padding === undefined || padding === null ? {} : { padding }),
  };
}

/** What we do about a timer, and its result. */
export interface Recording {
  readonly id: RecordingId;
  readonly timerId: TimerId;
  readonly name: string;
  /** The guide's title by now, where it changed after recording began: the file keeps its name, its sidecars follow. */
  readonly renamed?: string;
  readonly showId?: string;
  readonly programme?: Programme;
  readonly channelId: string;
  readonly channelName: string;
  /** Absent while the guide knows no triplet for the channel. */
  readonly service?: Triplet;
  /** The event as announced: what is reported back is always this, never the padded window. */
  readonly event: Window;
  readonly padding: Padding;
  /** The padded window to record, drawn out where the broadcast says that the event runs on. */
  readonly window: Window;
  /** Present once the event was recognised in the broadcast's own tables. */
  readonly followed?: Followed;
  readonly priority: number;
  /** What was said of it here; `priority` and `padding` follow it. */
  readonly own?: OwnWish;
  readonly state: RecordingState;
  /** The planned tuner, or the one that the running attempt holds. */
  readonly tunerId?: string;
  /** What the plan records of the window where that is not all of it, and what is given up for which, in words. */
  readonly trim?: { readonly span: Window; readonly text: string };
  /** It is planned on a tuner that does not work, in words. */
  readonly doubt?: string;
  /** Latest trouble, told with the next report: why conflicted, why waiting, why failed. */
  readonly trouble?: { readonly code: ErrorCode; readonly text: string };
  /** The service or a person asked to stop it; what is on disk stays. */
  readonly withdrawn: boolean;
  /** What the latest report said: a new one is made when something else is to be said. */
  readonly told?: Told;
  /** Something is to be said of it when its plan is provisional no more. */
  readonly unsaid?: true;
  readonly attempts: readonly Attempt[];
  /** Not before this instant is the next attempt made (state `waiting`). */
  readonly nextTryAt?: EpochMs;
  readonly evidence?: Evidence;
  /** Other broadcasts of the same episode, the soonest first; looked for only where it is in conflict or was lost. */
  readonly repeats?: readonly Repeat[];
  /** What is done to have it whole by one of them. */
  readonly healing?: Healing;
  /** Somebody deleted what there was of it: nobody wants it whole. */
  readonly unwanted?: true;
  /** The recording in the place of which this one was ordered. */
  readonly heals?: RecordingId;
  /** What is wrong with the clock, while that alone keeps this from ending. */
  readonly held?: string;
  /** What lies beside the file is not what it should be by now. */
  readonly sidecarDue?: true;
  /** While it is being closed; what is in the way is told, and gone with the end. */
  readonly closing?: { readonly since: EpochMs; readonly hindrance?: Hindrance };
  /** When the terminal state was reached. */
  readonly endedAt?: EpochMs;
}

/** What must be on disk: the event, or what was broadcast of it where its window was ended early because it was over. */
export function eventToRecord({ event, window, followed }: Recording): Window {
  const { overAt = event.stop } = followed ?? {};
  return window.stop < event.stop
    ? { ...event, stop: Math.max(event.start, Math.min(event.stop, overAt)) }
    : event;
}

/** Names one attempt everywhere: capture process, segment, logs. */
export function attemptId(recordingId: RecordingId, number: number): string {
  return `${recordingId}.${number}`;
}

/** Attempts that run now: one at most, or two while the younger one is there to relieve the other. */
export function runningAttempts({ attempts }: Recording): readonly Attempt[] {
  return attempts.filter(({ endedAt }) => endedAt === undefined);
}

/** The attempt that runs now, if one does; of two the younger. */
export function currentAttempt(recording: Recording): Attempt | undefined {
  return runningAttempts(recording).at(-1);
}

/** What is recorded by plan. */
export function plannedSpan({ trim, window }: Pick<Recording, "trim" | "window">): Window {
  return trim?.span ?? window;
}

/** When its time is over. Until then a capture runs, or is tried again. */
export function endOf(recording: Recording): EpochMs {
  if (isBefore(recording)) return recording.window.stop;
  return plannedSpan(recording).stop + LIMITS.stopDelayMs;
}

/** What ought to be on disk: the event, and what padding the plan left. */
export function expectedSpan(recording: Recording): Window {
  const { start, stop } = plannedSpan(recording);
  const event = eventToRecord(recording);
  return { start: Math.min(start, event.start), stop: Math.max(stop, event.stop) };
}
