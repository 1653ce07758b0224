import type { RuleOfTimer } from "./rule.ts";
import type { EpochMs } from "./time.ts";
import type { Window } from "./window.ts";

/** Compared as a string, whatever the wire made of it. */
export type TimerId = string;

/** The recorder's task. Unknown values of the service are kept and shown, and not acted upon. */
export type TimerAction = "record" | "forget" | "other";

/** The states that a recorder tells the service; `pending` only in the `field` vocabulary. */
export type ReportedState = "waiting" | "pending" | "running" | "completed" | "failed";

/** The content of a report about a timer; the service keeps its state where `state` is absent. */
export interface ReportContent {
  readonly state?: ReportedState;
  readonly message: string;
}

/** An order from the guide to record an event, as the service keeps it. */
export interface Timer {
  readonly id: TimerId;
  readonly name: string;
  readonly deviceId: string;
  readonly channelId: string;
  readonly showId: string;
  /** The event as announced, without padding. */
  readonly event: Window;
  readonly action: TimerAction;
  /** The service's word for its state, as sent. */
  readonly state: string;
  /** Padding that the account asks for on this timer; absent: the recorder's own. */
  readonly beforeMinutes?: number;
  readonly afterMinutes?: number;
  readonly seriesRecordingId: string;
  readonly keywordId: string;
  /** Present if a rule ordered it. */
  readonly rule?: RuleOfTimer;
}

/** An entry of a timer list that cannot be used, kept apart so that it spoils no other. */
export interface MalformedTimer {
  /** Absent where not even the id could be read. */
  readonly id?: TimerId;
  /** The fault in one sentence, fit for a report. */
  readonly reason: string;
}

/** One answer of the service: the full list of current timers. */
export interface TimerList {
  readonly timers: readonly Timer[];
  readonly malformed: readonly MalformedTimer[];
  /** The service answered 404: empty, or not there at all. */
  readonly isNotFound?: true;
  /** The service's own clock, from the Date header; resolution one second. */
  readonly serverTime?: EpochMs;
}
