import type { FoundAttempt, SegmentState } from "../../../model/attempt.ts";
import type { ErrorCode } from "../../../model/errors.ts";
import type { InspectedEvidence } from "../../../model/evidence.ts";
import type { BroadcastEvent } from "../../../model/inspection.ts";
import type { LeaseId, Use } from "../../../model/lease.ts";
import type { Programmes } from "../../../model/programme.ts";
import type { Recording, RecordingId } from "../../../model/recording.ts";
import type { Airing, Repeat } from "../../../model/repeat.ts";
import type { DeliveryOutcome } from "../../../model/report.ts";
import type { Channel, Triplet } from "../../../model/service.ts";
import type { DurationMs, EpochMs } from "../../../model/time.ts";
import type { TimerId, TimerList } from "../../../model/timer.ts";
import type { OverrideChange } from "../../../model/timer-override.ts";
import type { TroubleDetails } from "../../../model/trouble-details.ts";
import type { TunerId } from "../../../model/tuner.ts";
import type { Padding } from "../../../model/window.ts";
import type { UnclaimedAttempt } from "./document.ts";

/** Everything that can happen to the daemon. `decide` handles one at a time. */
export type Occurrence =
  /**
   * The daemon started. `running` are the captures that survived its earlier run, `unbegun` the attempts that it
   * ordered and that never began (attempt ids). The document has lost `found`, attempts of open recordings, and
   * `unclaimed`, whose recordings it has lost as well. `aliveAt`: the earlier run lasted at least until then, even if it
   * could write nothing.
   */
  | {
      readonly kind: "started";
      readonly running: ReadonlySet<string>;
      readonly unbegun?: ReadonlySet<string>;
      readonly found?: readonly FoundAttempt[];
      readonly unclaimed?: readonly Omit<UnclaimedAttempt, "until">[];
      readonly aliveAt?: EpochMs | undefined;
    }
  /**
   * A node of the fleet is back that was without its leader. `found` are attempts of open recordings that the document does
   * not know, `running` those that still run (attempt ids).
   */
  | {
      readonly kind: "attempts-found";
      readonly found: readonly FoundAttempt[];
      readonly running: ReadonlySet<string>;
    }
  /** An instant of the plan came, or nothing happened for a heartbeat. */
  | { readonly kind: "instant" }
  /** `absent`: known timers missing from so many lists in a row that they count as withdrawn. */
  | { readonly kind: "timers-fetched"; readonly list: TimerList; readonly absent?: readonly TimerId[] }
  | { readonly kind: "channels-fetched"; readonly channels: readonly Channel[] }
  | { readonly kind: "programmes-fetched"; readonly programmes: Programmes }
  /** The guide was searched on these channels for repeats of these recordings; `airings` are the candidates. */
  | {
      readonly kind: "airings-fetched";
      readonly recordingIds: readonly RecordingId[];
      readonly channelIds: readonly string[];
      readonly airings: readonly Airing[];
    }
  /** A user set or removed a timer's own priority or padding. */
  | { readonly kind: "override-changed"; readonly recordingId: RecordingId; readonly change: OverrideChange }
  /** A user wants this broadcast recorded instead. */
  | { readonly kind: "repeat-asked"; readonly recordingId: RecordingId; readonly repeat: Repeat }
  /** A user deleted the file. */
  | { readonly kind: "deleted"; readonly recordingId: RecordingId }
  /** The service accepted the booking of a repeat; `timerId` if its answer had one. */
  | {
      readonly kind: "repeat-booked";
      readonly recordingId: RecordingId;
      readonly showId: string;
      readonly timerId?: TimerId;
    }
  | { readonly kind: "timer-cancelled"; readonly recordingId: RecordingId; readonly timerId: TimerId }
  /** A request to the service about a repeat failed; the next one waits at least `afterMs`. */
  | {
      readonly kind: "repeat-failed";
      readonly recordingId: RecordingId;
      readonly code: ErrorCode;
      readonly text: string;
      readonly afterMs: DurationMs;
    }
  | { readonly kind: "attempt-flowing"; readonly recordingId: RecordingId; readonly attempt: number }
  /** The attempt seems to fail; `text` gives the observation. It goes on until it is stopped or fails for good. */
  | {
      readonly kind: "attempt-doubted";
      readonly recordingId: RecordingId;
      readonly attempt: number;
      readonly text: string;
    }
  /** The present or the following event in the EIT of a running capture has changed. */
  | {
      readonly kind: "events-seen";
      readonly recordingId: RecordingId;
      readonly attempt: number;
      readonly events: readonly BroadcastEvent[];
    }
  | {
      readonly kind: "attempt-ended";
      readonly recordingId: RecordingId;
      readonly attempt: number;
      readonly cause: ErrorCode | "asked";
      readonly text: string;
      readonly details?: TroubleDetails;
      readonly segment?: SegmentState;
    }
  /** All segments were read; `evidence.file` is the intended name of the result. */
  | {
      readonly kind: "inspected";
      readonly recordingId: RecordingId;
      readonly evidence: InspectedEvidence;
    }
  /** The result has its final name, `file`; absent if there was nothing to keep. */
  | {
      readonly kind: "published";
      readonly recordingId: RecordingId;
      readonly file?: string;
      readonly sha256?: string;
      /** The last change of its content, by its file system. */
      readonly modifiedAt?: EpochMs;
      /** Requests that the system refused while the file itself is whole, in sentences for people. */
      readonly complaints?: readonly string[];
    }
  /** The sidecars describe the recording as it was then. */
  | { readonly kind: "annotated"; readonly recording: Recording }
  /** A step of closing failed; it is retried. */
  | {
      readonly kind: "closing-failed";
      readonly recordingId: RecordingId;
      readonly code: ErrorCode;
      readonly text: string;
      readonly details?: TroubleDetails;
    }
  /** A use other than a recording wants a tuner: the named one, or any. */
  | {
      readonly kind: "lease-asked";
      readonly leaseId: LeaseId;
      readonly use: Use;
      readonly service: Triplet;
      readonly tunerId?: TunerId;
      readonly until: EpochMs;
    }
  | { readonly kind: "lease-ended"; readonly leaseId: LeaseId }
  /** A dead tuner was probed; `code` absent: it works. */
  | {
      readonly kind: "probed";
      readonly leaseId: LeaseId;
      readonly tunerId: TunerId;
      readonly code?: ErrorCode;
    }
  /** The server of a tuner that was unreachable accepts connections again. */
  | { readonly kind: "tuner-back"; readonly tunerId: TunerId }
  | {
      readonly kind: "delivery";
      readonly seq: number;
      readonly outcome: DeliveryOutcome;
      /** The text that was sent. */
      readonly message: string;
    };

/**
 * A command to carry out once the document that orders it is on disk. After a crash the document yields it again.
 */
export type Command =
  | {
      readonly kind: "attempt";
      readonly recordingId: RecordingId;
      readonly attempt: number;
      readonly tunerId: TunerId;
      readonly service: Triplet;
      readonly channelName: string;
      readonly endsBy: EpochMs;
    }
  /** Watch a capture that survived the daemon. */
  | {
      readonly kind: "adopt";
      readonly recordingId: RecordingId;
      readonly attempt: number;
      readonly service: Triplet;
    }
  | { readonly kind: "lease"; readonly leaseId: LeaseId; readonly tunerId: TunerId }
  /** A more important use takes the tuner. */
  | { readonly kind: "evict"; readonly leaseId: LeaseId }
  /** Probe whether a dead tuner works. */
  | {
      readonly kind: "probe";
      readonly leaseId: LeaseId;
      readonly tunerId: TunerId;
      readonly service: Triplet;
    }
  | { readonly kind: "stop"; readonly recordingId: RecordingId; readonly attempt: number }
  | { readonly kind: "inspect"; readonly recordingId: RecordingId }
  | {
      readonly kind: "publish";
      readonly recordingId: RecordingId;
      readonly evidence: InspectedEvidence;
    }
  /** Write the sidecars. */
  | { readonly kind: "annotate"; readonly recordingId: RecordingId }
  /** Book a show, once however often it is commanded. */
  | {
      readonly kind: "book-repeat";
      readonly recordingId: RecordingId;
      readonly showId: string;
      readonly padding: Padding;
    }
  | { readonly kind: "cancel-timer"; readonly recordingId: RecordingId; readonly timerId: TimerId }
  | { readonly kind: "deliver" }
  /** A capture runs without an open recording: end it, keep its segment. */
  | { readonly kind: "end-stray"; readonly attemptId: string };
