import type { AttemptNote, FoundAttempt, Stray } from "../../../model/attempt.ts";
import type { ClockMemory } from "../../../model/clock-trust.ts";
import { type Health, UNKNOWN_HEALTH } from "../../../model/health.ts";
import type { Lease, LeaseId } from "../../../model/lease.ts";
import type { LedgerFact } from "../../../model/ledger.ts";
import type { Recording, RecordingId } from "../../../model/recording.ts";
import type { Report } from "../../../model/report.ts";
import type { Channel } from "../../../model/service.ts";
import { type EpochMs, SECOND } from "../../../model/time.ts";
import type { ReportedState, Timer, TimerId } from "../../../model/timer.ts";
import type { Outage } from "../../../model/window.ts";

export interface HandledForget {
  readonly at: EpochMs;
  readonly tellings: number;
}

/** An attempt whose recording the document has lost as well; the timer list may bring it back. */
export interface UnclaimedAttempt extends FoundAttempt, Pick<AttemptNote, "timerId" | "service"> {
  /** Its capture runs. */
  readonly runs: boolean;
  /** Nobody waits longer for its recording. */
  readonly until: EpochMs;
}

/**
 * Everything that the daemon must remember after a crash: one document with one writer, the engine. It holds no state
 * of the last poll: a failed answer of the service leaves the document unchanged.
 */
export interface DaemonDocument {
  /** The latest sign of life; at start, the time since then is the outage. */
  readonly heartbeatAt: EpochMs;
  /** The stored state of the machine's clock; absent until the first decision. */
  readonly clock?: ClockMemory;
  /** The latest times without a running daemon, in the order in which they ended. */
  readonly outages: readonly Outage[];
  readonly nextRecording: number;
  readonly nextReport: number;
  /**
   * After an outage, the deadline for the service's next list: until then timers may have moved or gone. 0: no list
   * is awaited.
   */
  readonly listAwaitedUntil: EpochMs;
  /** The latest orders of the service. */
  readonly timers: Readonly<Record<TimerId, Timer>>;
  readonly channels: Readonly<Record<string, Channel>>;
  readonly recordings: Readonly<Record<RecordingId, Recording>>;
  /** Leases for uses other than recordings, in this run of the daemon. */
  readonly leases: Readonly<Record<LeaseId, Lease>>;
  readonly health: Health;
  readonly outbox: readonly Report[];
  /** Unreadable entries of the list, with the reason. Each is reported once. */
  readonly refusedEntries: Readonly<Record<TimerId, string>>;
  /** Processed `forget` entries that the service still lists. */
  readonly forgets: Readonly<Record<TimerId, HandledForget>>;
  /** States that this service answered with 406: its reports omit them from then on. */
  readonly refusedStates: readonly ReportedState[];
  /** Found at the start; empty a few minutes later. */
  readonly unclaimed: readonly UnclaimedAttempt[];
  /** The latest ones, oldest first. */
  readonly strays: readonly Stray[];
  /** Facts of the decision that made this document. A crash may have kept them out of the ledger. */
  readonly latestFacts: readonly LedgerFact[];
}

export function emptyDocument(now: EpochMs): DaemonDocument {
  return {
    heartbeatAt: now,
    outages: [],
    // Does not start at 1: segments of a lost document may still exist, and ids name segments.
    nextRecording: Math.max(1, Math.floor(now / SECOND)),
    nextReport: 1,
    listAwaitedUntil: 0,
    timers: {},
    channels: {},
    recordings: {},
    leases: {},
    health: UNKNOWN_HEALTH,
    outbox: [],
    refusedEntries: {},
    forgets: {},
    refusedStates: [],
    unclaimed: [],
    strays: [],
    latestFacts: [],
  };
}
