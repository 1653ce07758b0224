import type { RuleOfTimer } from "./rule.ts";
import type { EpochMs } from "./time.ts";
import type { Window } from "./window.ts";

/** Compared as a string. */
export type TimerId = string;

/** The recorder's task. `other`: a value that is shown but has no effect. */
export type TimerAction = "record" | "forget" | "other";

/** The states that a recorder reports; `pending` only with `vocabulary: field`. */
export type ReportedState = "waiting" | "pending" | "running" | "completed" | "failed";

/** The content of a report about a timer; without `state`, the service keeps its state. */
export interface ReportContent {
  readonly state?: ReportedState;
  readonly message: string;
}

/** An order to record an event, as the service has it. */
export interface Timer {
  readonly id: TimerId;
  readonly name: string;
  readonly deviceId: string;
  readonly channelId: string;
  readonly showId: string;
  /** The event as announced, without padding. */
  readonly event: Window;
  readonly action: TimerAction;
  /** Its state at the service, unchanged. */
  readonly state: string;
  /** The timer's padding at the service; absent: the recorder's default. */
  readonly beforeMinutes?: number;
  readonly afterMinutes?: number;
  readonly seriesRecordingId: string;
  readonly keywordId: string;
  /** Present if a rule ordered it. */
  readonly rule?: RuleOfTimer;
}

/** An entry of a timer list that cannot be used. */
export interface MalformedTimer {
  /** Absent if not even the id could be read. */
  readonly id?: TimerId;
  /** The fault in one sentence, for a report. */
  readonly reason: string;
}

/** One answer of the service: the full list of current timers. */
export interface TimerList {
  readonly timers: readonly Timer[];
  readonly malformed: readonly MalformedTimer[];
  /** The service answered 404: the list is empty, or does not exist. */
  readonly isNotFound?: true;
  /** The service's own clock, from the Date header; resolution one second. */
  readonly serverTime?: EpochMs;
}
