import type { Attempt } from "./attempt.ts";
import type { ErrorCode } from "./errors.ts";
import type { EmptyEvidence, Evidence, FileEvidence, InspectedEvidence } from "./evidence.ts";
import type { Healing } from "./healing.ts";
import { MODEL_LIMITS } from "./limits.ts";
import type { ConflictNews, TrimNews } from "./plan-news.ts";
import type { Programme } from "./programme.ts";
import type { Repeat } from "./repeat.ts";
import type { RuleOfTimer } from "./rule.ts";
import type { Triplet } from "./service.ts";
import type { EpochMs } from "./time.ts";
import type { ReportContent, TimerId } from "./timer.ts";
import type { TimerOverride } from "./timer-override.ts";
import type { TroubleDetails } from "./trouble-details.ts";
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
    /** From the new attempt of a takeover. */
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

/** The state to which `input` leads; `undefined` if the table has no such move. */
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

/** No attempt has begun. */
export function isBefore({ state }: { readonly state: RecordingState }): boolean {
  return state === "planned" || state === "conflicted";
}

/** It has ended with too little on disk, and nobody cancelled it. */
export function isLost({ state, withdrawn }: Pick<Recording, "state" | "withdrawn">): boolean {
  return !withdrawn && (state === "missed" || state === "failed" || state === "partial");
}

/** It has ended, and is good enough that nobody would want a repeat. */
export function isSound({ state, evidence }: Pick<Recording, "state" | "evidence">): boolean {
  return state === "completed" && evidence?.verdict !== "damaged" && evidence?.verdict !== "unusable";
}

/** It holds a tuner, waits for one, or is closing. After a restart, each of these is adopted or interrupted. */
export function inMotion(state: RecordingState): boolean {
  return state === "tuning" || state === "waiting" || state === "recording" || state === "closing";
}

export type RecordingId = string;

/** The order of creation: ids are counted, and padded with zeros. */
export function inOrder(a: RecordingId, b: RecordingId): number {
  return a.length - b.length || (a < b ? -1 : 1);
}

/** The event in the EIT of the broadcast. @see EN 300 468 §5.2.4, EIT present/following */
export interface Followed {
  /** Its event id, unique within the service. */
  readonly eventId: number;
  /** Its start and duration as last announced. */
  readonly announcedStop: EpochMs;
  readonly seen: "following" | "present" | "over";
  /** The instant from which another event was present. */
  readonly overAt?: EpochMs;
}

/** The latest trouble, for the next report: why it is in conflict, waits or has failed. */
export interface Trouble {
  readonly code: ErrorCode;
  readonly text: string;
  readonly details?: TroubleDetails;
  /** The facts of the text, if other recordings need the tuners. */
  readonly conflict?: ConflictNews;
}

/** The problem that keeps a recording from being closed. */
export interface ClosingBlocker extends Trouble {
  readonly since: EpochMs;
}

/** The fields that all states share. */
interface RecordingBase {
  readonly id: RecordingId;
  readonly timerId: TimerId;
  readonly name: string;
  /** The guide's present title, if it changed after recording began: the file keeps its name, the sidecars follow. */
  readonly renamed?: string;
  readonly showId?: string;
  readonly programme?: Programme;
  readonly channelId: string;
  readonly channelName: string;
  /** Absent while the guide knows no triplet for the channel. */
  readonly service?: Triplet;
  /** The event as announced: reports always name this, never the padded window. */
  readonly event: Window;
  readonly padding: Padding;
  /** The padded window to record, extended if the event overruns by the EIT. */
  readonly window: Window;
  /** Present once the event was recognised in the EIT. */
  readonly followed?: Followed;
  readonly priority: number;
  /** The rule that ordered it. */
  readonly rule?: RuleOfTimer;
  /** `priority` and `padding` follow it. */
  readonly override?: TimerOverride;
  /** The service or a person asked to stop it; what is on disk stays. */
  readonly withdrawn: boolean;
  /** The content of the latest report. */
  readonly reported?: ReportContent;
  /** A report waits while the plan of this recording is provisional. */
  readonly reportPending?: true;
  readonly attempts: readonly Attempt[];
  /** Other broadcasts of the same episode, the soonest first; searched only for conflicts and losses. */
  readonly repeats?: readonly Repeat[];
  /** The repeat that is booked or recorded instead, and how far that is. */
  readonly healing?: Healing;
  /** The recording that this one replaces. */
  readonly heals?: RecordingId;
}

interface StateFields {
  /** The planned tuner, or the tuner of the running or last attempt. */
  readonly tunerId: string;
  /** The part of the window that the plan records, if not all of it, and the reason in words and in facts. */
  readonly trim: { readonly span: Window; readonly text: string; readonly news?: TrimNews };
  /** Why the planned tuner may not work, in words. */
  readonly doubt: string;
  readonly trouble: Trouble;
  /** The earliest instant of the next attempt, or of the next try to close. */
  readonly nextTryAt: EpochMs;
  /** `since`: when the present step began. */
  readonly closing: { readonly since: EpochMs; readonly blocker?: ClosingBlocker };
  /** During closing, `file` is the path that the recording will get. */
  readonly evidence: Evidence;
  /** The fault of the clock, while only that delays the end. */
  readonly clockHoldReason: string;
  /** When the terminal state was reached. */
  readonly endedAt: EpochMs;
  /** The sidecars have to be written again. */
  readonly sidecarDue: true;
  /** A person deleted its files: no repeat is recorded for it. */
  readonly unwanted: true;
}

type Presence = "always" | "maybe";
type FieldsByState = Readonly<Record<RecordingState, Readonly<Partial<Record<keyof StateFields, Presence>>>>>;

const PLANNABLE = { trim: "maybe", doubt: "maybe", trouble: "maybe", clockHoldReason: "maybe" } as const;
const ENDED = {
  endedAt: "always",
  tunerId: "maybe",
  trim: "maybe",
  trouble: "maybe",
  unwanted: "maybe",
} as const;

/** The fields of each state. Types, moves and migrations follow this table. */
const STATE_FIELDS = {
  planned: { ...PLANNABLE, tunerId: "always" },
  conflicted: { trouble: "maybe", clockHoldReason: "maybe" },
  tuning: { ...PLANNABLE, tunerId: "always" },
  waiting: { ...PLANNABLE, tunerId: "maybe", nextTryAt: "always" },
  recording: { ...PLANNABLE, tunerId: "always" },
  closing: { ...PLANNABLE, closing: "always", tunerId: "maybe", nextTryAt: "maybe", evidence: "maybe" },
  completed: { ...ENDED, evidence: "always", sidecarDue: "maybe" },
  partial: { ...ENDED, evidence: "always", sidecarDue: "maybe" },
  failed: { ...ENDED, evidence: "always" },
  missed: ENDED,
  cancelled: { ...ENDED, evidence: "maybe", sidecarDue: "maybe" },
} as const satisfies FieldsByState;

type TableOf<S extends RecordingState> = (typeof STATE_FIELDS)[S];
type KeysWith<S extends RecordingState, P extends Presence> = {
  [K in keyof TableOf<S>]: TableOf<S>[K] extends P ? K : never;
}[keyof TableOf<S>] &
  keyof StateFields;
type EvidenceIn<S extends RecordingState> = S extends "completed" | "partial"
  ? FileEvidence
  : S extends "failed"
    ? EmptyEvidence
    : S extends "closing"
      ? InspectedEvidence
      : Evidence;
type FieldsIn<S extends RecordingState> = Omit<StateFields, "evidence"> & {
  readonly evidence: EvidenceIn<S>;
};

type InState<S extends RecordingState> = RecordingBase & { readonly state: S } & Pick<
    FieldsIn<S>,
    KeysWith<S, "always">
  > &
  Partial<Pick<FieldsIn<S>, KeysWith<S, "maybe">>> & {
    readonly [K in Exclude<keyof StateFields, keyof TableOf<S>>]?: never;
  };

/** A recording in one of these states, with exactly the fields of the state. */
export type RecordingIn<S extends RecordingState> = S extends RecordingState ? InState<S> : never;

/** The work on one timer, and its result. */
export type Recording = RecordingIn<RecordingState>;
export type EndedRecording = RecordingIn<"completed" | "partial" | "failed" | "missed" | "cancelled">;
export type OpenRecording = Exclude<Recording, EndedRecording>;

export function isEnded(recording: Recording): recording is EndedRecording {
  return isTerminal(recording.state);
}

export function isOpen(recording: Recording): recording is OpenRecording {
  return !isEnded(recording);
}

/** Ended, with a file on disk. */
export function hasFile(
  recording: Recording,
): recording is RecordingIn<"completed" | "partial" | "cancelled"> & { readonly evidence: FileEvidence } {
  return recording.state !== "closing" && recording.evidence?.file !== undefined;
}

type Target<I extends RecordingInput> = {
  [S in RecordingState]: I extends keyof Moves[S] ? Moves[S][I] & RecordingState : never;
}[RecordingState];

/** The fields that a state requires and the state before it lacks. */
interface RequiredByMove {
  readonly due: Pick<RecordingIn<"tuning">, "attempts" | "tunerId">;
  readonly placed: Pick<RecordingIn<"planned">, "tunerId">;
  readonly refused: Pick<RecordingIn<"waiting">, "nextTryAt">;
  readonly interrupted: Pick<RecordingIn<"waiting">, "nextTryAt">;
  readonly whole: Pick<RecordingIn<"completed">, "evidence">;
  readonly shortened: Pick<RecordingIn<"partial">, "evidence">;
  readonly empty: Pick<RecordingIn<"failed">, "evidence">;
  readonly discarded: { readonly evidence: Evidence };
}

/** The fields that change with a move; `afterMove` adds when the state began. */
export type MoveFields<I extends RecordingInput> = Partial<
  Pick<RecordingBase, "withdrawn" | "attempts"> & Pick<StateFields, "trim" | "doubt" | "trouble">
> &
  (I extends keyof RequiredByMove ? RequiredByMove[I] : unknown);

const SOME_STATES_ONLY: ReadonlySet<string> = new Set(
  Object.values(STATE_FIELDS).flatMap((fields) => Object.keys(fields)),
);

/** Drops the fields that its state does not have. */
export function withoutForeignFields<R extends { readonly state: RecordingState }>(recording: R): R {
  const own: object = STATE_FIELDS[recording.state];
  const isForeign = (key: string) => SOME_STATES_ONLY.has(key) && !Object.hasOwn(own, key);
  const kept = Object.entries(recording).filter(([key]) => !isForeign(key));
  return Object.fromEntries(kept) as R;
}

export function missingFields(recording: Recording): readonly string[] {
  const own: Readonly<Record<string, Presence>> = STATE_FIELDS[recording.state];
  return Object.keys(own).filter((key) => own[key] === "always" && !Object.hasOwn(recording, key));
}

/** The recording in the state to which `input` leads. @returns `undefined` if the table has no such move */
export function afterMove<I extends RecordingInput>(
  recording: Recording,
  { input, fields, now }: { readonly input: I; readonly fields: MoveFields<I>; readonly now: EpochMs },
): RecordingIn<Target<I>> | undefined {
  const state = move(recording.state, input);
  if (state === undefined) return undefined;
  const since = isTerminal(state) ? { endedAt: now } : state === "closing" ? { closing: { since: now } } : {};
  const next = { ...recording, ...fields, ...since, state };
  // The table of moves and the table of fields say so; the compiler cannot follow both.
  return withoutForeignFields(next) as unknown as RecordingIn<Target<I>>;
}

/** The guide's current title; the file keeps its name. */
export function titleOf({ name, renamed }: Pick<Recording, "name" | "renamed">): string {
  return renamed ?? name;
}

/** The span to verify: the event, or the broadcast part of it if the window ended early. */
export function eventToRecord({ event, window, followed }: Recording): Window {
  const { overAt = event.stop } = followed ?? {};
  return window.stop < event.stop
    ? { ...event, stop: Math.max(event.start, Math.min(event.stop, overAt)) }
    : event;
}

export function plannedSpan({ trim, window }: Pick<Recording, "trim" | "window">): Window {
  return trim?.span ?? window;
}

/** The end of its attempts. Until then a capture runs or is tried again. */
export function endOf(recording: Recording): EpochMs {
  if (isBefore(recording)) return recording.window.stop;
  return plannedSpan(recording).stop + MODEL_LIMITS.stopDelayMs;
}

/** The span expected on disk: the event, and the padding that the plan left. */
export function expectedSpan(recording: Recording): Window {
  const { start, stop } = plannedSpan(recording);
  const event = eventToRecord(recording);
  return { start: Math.min(start, event.start), stop: Math.max(stop, event.stop) };
}
