import type { Stray } from "../../../model/attempt.ts";
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

/**
 * Everything that the daemon must still know after a crash: one document, one writer (the engine).
 * How the last poll went is not in it: a failed answer of the service leaves the document as it was.
 */
export interface DaemonDocument {
  /** The daemon was alive then; at start, the time since is the outage. */
  readonly heartbeatAt: EpochMs;
  /** What is known of the machine's clock; absent until the first decision. */
  readonly clock?: ClockMemory;
  /** The latest times without a running daemon, in the order in which they ended. */
  readonly outages: readonly Outage[];
  readonly nextRecording: number;
  readonly nextReport: number;
  /** After an outage, until the service has listed its timers: they may have moved or gone meanwhile. 0: not awaited. */
  readonly listAwaitedUntil: EpochMs;
  /** As last ordered by the service. */
  readonly timers: Readonly<Record<TimerId, Timer>>;
  readonly channels: Readonly<Record<string, Channel>>;
  readonly recordings: Readonly<Record<RecordingId, Recording>>;
  /** What tuners are used for besides recordings, in this life of the daemon. */
  readonly leases: Readonly<Record<LeaseId, Lease>>;
  readonly health: Health;
  readonly outbox: readonly Report[];
  /** Entries of the list that could not be read, and why: told once. */
  readonly refusedEntries: Readonly<Record<TimerId, string>>;
  /** Listed `forget`s that are processed: when that was told last, and how often. */
  readonly forgets: Readonly<Record<TimerId, HandledForget>>;
  /** States that this service answered with 406: told by message alone from then on. */
  readonly refusedStates: readonly ReportedState[];
  /** The latest ones, oldest first. */
  readonly strays: readonly Stray[];
  /** Of the decision that made this document: a crash may have come before they were in the ledger. */
  readonly latestFacts: readonly LedgerFact[];
}

export function emptyDocument(now: EpochMs): DaemonDocument {
  return {
    heartbeatAt: now,
    outages: [],
    // Not from 1: segments of a document that is lost may still lie there, and ids name segments.
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
    strays: [],
    latestFacts: [],
  };
}
