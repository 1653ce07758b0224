import type { SegmentState } from "../../../model/attempt.ts";
import type { ErrorCode } from "../../../model/errors.ts";
import type { InspectedEvidence } from "../../../model/evidence.ts";
import type { BroadcastEvent } from "../../../model/inspection.ts";
import type { LeaseId, Use } from "../../../model/lease.ts";
import type { Programmes } from "../../../model/programme.ts";
import type { RecordingId } from "../../../model/recording.ts";
import type { Airing, Repeat } from "../../../model/repeat.ts";
import type { DeliveryOutcome } from "../../../model/report.ts";
import type { Channel, Triplet } from "../../../model/service.ts";
import type { DurationMs, EpochMs } from "../../../model/time.ts";
import type { TimerId, TimerList } from "../../../model/timer.ts";
import type { OverrideChange } from "../../../model/timer-override.ts";
import type { TunerId } from "../../../model/tuner.ts";
import type { Padding } from "../../../model/window.ts";

/** Everything that can happen to the daemon. One at a time passes through `decide`. */
export type Occurrence =
  /**
   * The daemon came up. `running` are the captures that outlived its last life, `unbegun` those that it ordered and that never began
   * (attempt ids). `aliveAt`: its last life lasted at least until then, even if it could write nothing.
   */
  | {
      readonly kind: "started";
      readonly running: ReadonlySet<string>;
      readonly unbegun?: ReadonlySet<string>;
      readonly aliveAt?: EpochMs | undefined;
    }
  /** An instant of the plan came, or nothing happened for a heartbeat. */
  | { readonly kind: "instant" }
  /** `absent`: held timers of which so many lists in a row say nothing that they are taken for withdrawn. */
  | { readonly kind: "timers-fetched"; readonly list: TimerList; readonly absent?: readonly TimerId[] }
  | { readonly kind: "channels-fetched"; readonly channels: readonly Channel[] }
  | { readonly kind: "programmes-fetched"; readonly programmes: Programmes }
  /** On these channels the guide was looked through for repeats of these recordings; `airings` is what may be one. */
  | {
      readonly kind: "airings-fetched";
      readonly recordingIds: readonly RecordingId[];
      readonly channelIds: readonly string[];
      readonly airings: readonly Airing[];
    }
  /** Somebody here wants it otherwise than the rules and the account. */
  | { readonly kind: "override-changed"; readonly recordingId: RecordingId; readonly change: OverrideChange }
  /** Somebody wants it recorded at this broadcast instead. */
  | { readonly kind: "repeat-asked"; readonly recordingId: RecordingId; readonly repeat: Repeat }
  /** Somebody deleted what was recorded. */
  | { readonly kind: "deleted"; readonly recordingId: RecordingId }
  /** The service has the order of a repeat; `timerId` where it told it. */
  | {
      readonly kind: "repeat-booked";
      readonly recordingId: RecordingId;
      readonly showId: string;
      readonly timerId?: TimerId;
    }
  | { readonly kind: "timer-cancelled"; readonly recordingId: RecordingId; readonly timerId: TimerId }
  /** The service did not do what it was asked for a repeat; it wants to be left alone for `afterMs`. */
  | {
      readonly kind: "repeat-failed";
      readonly recordingId: RecordingId;
      readonly code: ErrorCode;
      readonly text: string;
      readonly afterMs: DurationMs;
    }
  | { readonly kind: "attempt-flowing"; readonly recordingId: RecordingId; readonly attempt: number }
  /** It seems to fail: `text` says what is seen. It goes on until it is stopped, or has failed for good. */
  | {
      readonly kind: "attempt-doubted";
      readonly recordingId: RecordingId;
      readonly attempt: number;
      readonly text: string;
    }
  /** Present and following event of the service, as the running capture has them, when one of them changed. */
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
      readonly segment?: SegmentState;
    }
  /** All segments were read; `evidence.file` is the name that the result shall have. */
  | {
      readonly kind: "inspected";
      readonly recordingId: RecordingId;
      readonly evidence: InspectedEvidence;
    }
  /** The result has its final name, `file`; absent where there was nothing to keep. */
  | {
      readonly kind: "published";
      readonly recordingId: RecordingId;
      readonly file?: string;
      readonly sha256?: string;
      /** When its content changed last, by its file system. */
      readonly modifiedAt?: EpochMs;
      /** What the system refused while the file itself is whole, in sentences for people. */
      readonly complaints?: readonly string[];
    }
  /** What lies beside the file says what is known by now. */
  | { readonly kind: "annotated"; readonly recordingId: RecordingId }
  /** Closing could not be finished; it is tried again. */
  | {
      readonly kind: "closing-failed";
      readonly recordingId: RecordingId;
      readonly code: ErrorCode;
      readonly text: string;
    }
  /** Somebody wants a tuner for something that is no recording: the one that is named, or any. */
  | {
      readonly kind: "lease-asked";
      readonly leaseId: LeaseId;
      readonly use: Use;
      readonly service: Triplet;
      readonly tunerId?: TunerId;
      readonly until: EpochMs;
    }
  | { readonly kind: "lease-ended"; readonly leaseId: LeaseId }
  /** A dead tuner was tried; `code` absent: it works. */
  | {
      readonly kind: "probed";
      readonly leaseId: LeaseId;
      readonly tunerId: TunerId;
      readonly code?: ErrorCode;
    }
  /** The server of a tuner that was unreachable accepts connections again. */
  | { readonly kind: "tuner-back"; readonly tunerId: TunerId }
  | { readonly kind: "delivery"; readonly seq: number; readonly outcome: DeliveryOutcome };

/** What is to be done once the document that orders it is on disk. After a crash the document yields them again. */
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
  /** Watch a capture that outlived the daemon. */
  | {
      readonly kind: "adopt";
      readonly recordingId: RecordingId;
      readonly attempt: number;
      readonly service: Triplet;
    }
  | { readonly kind: "lease"; readonly leaseId: LeaseId; readonly tunerId: TunerId }
  /** Something more important takes the tuner. */
  | { readonly kind: "evict"; readonly leaseId: LeaseId }
  /** Try whether a dead tuner works. */
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
  /** Write what lies beside the file. */
  | { readonly kind: "annotate"; readonly recordingId: RecordingId }
  /** Order a show, once however often it is commanded. */
  | {
      readonly kind: "book-repeat";
      readonly recordingId: RecordingId;
      readonly showId: string;
      readonly padding: Padding;
    }
  | { readonly kind: "cancel-timer"; readonly recordingId: RecordingId; readonly timerId: TimerId }
  | { readonly kind: "deliver" }
  /** A capture runs for no open recording: end it, keep what it wrote. */
  | { readonly kind: "end-stray"; readonly attemptId: string };
