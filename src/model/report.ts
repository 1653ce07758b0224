import type { ErrorCode } from "./errors.ts";
import type { RecordingId } from "./recording.ts";
import type { ReportFacts } from "./report-facts.ts";
import type { DurationMs, EpochMs } from "./time.ts";
import type { ReportedState, TimerId } from "./timer.ts";

/** A message to the service about one timer. It stays in the document's outbox until the service has taken it. */
export interface Report {
  /** Higher for each report of this document: the order of delivery, and the identity of a delivered report. */
  readonly seq: number;
  readonly timerId: TimerId;
  readonly recordingId?: RecordingId;
  /** Absent: only the message changes. */
  readonly state?: ReportedState;
  /** In English, for engineers. */
  readonly message: string;
  /** The message as facts; absent in reports of earlier versions, whose text is sent as it is. */
  readonly content?: ReportFacts;
  /** Acknowledges a processed `forget`: by PUT `completed`, or by DELETE if the service refuses that. */
  readonly acknowledgesForget: boolean;
  /** The service accepted an earlier PUT but still lists the `forget`: DELETE at once. */
  readonly insists?: boolean;
  readonly madeAt: EpochMs;
}

/** The result of one try to deliver a report. */
export type DeliveryOutcome =
  | { readonly kind: "delivered" }
  | { readonly kind: "refused"; readonly code: ErrorCode; readonly text: string }
  | {
      readonly kind: "deferred";
      readonly code: ErrorCode;
      readonly text: string;
      /** The service's Retry-After. */
      readonly retryAfterMs?: DurationMs;
    };
