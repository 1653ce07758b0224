import type { ErrorCode } from "./errors.ts";
import type { Gap } from "./evidence.ts";
import type { DamagedFile } from "./library.ts";
import type { RecordingId } from "./recording.ts";
import type { Work } from "./set-aside.ts";
import type { StoreTrouble } from "./snapshot.ts";
import type { DurationMs, EpochMs } from "./time.ts";
import type { TimerId } from "./timer.ts";
import type { TroubleDetails } from "./trouble-details.ts";
import type { TunerId } from "./tuner.ts";
import type { Window } from "./window.ts";

/** Kinds of news that people can subscribe to. */
export const NEWS_KINDS = [
  "completed",
  "damaged",
  "failed",
  "conflict",
  "repeat",
  "disk",
  "sync",
  "tuner",
  "clock",
  "starved",
] as const;
export type NewsKind = (typeof NEWS_KINDS)[number];

/** The kinds for a target that names none: all that may need a person. */
export const DEFAULT_NEWS: readonly NewsKind[] = [
  "damaged",
  "failed",
  "conflict",
  "disk",
  "sync",
  "tuner",
  "clock",
  "starved",
];

/** The facts of news. They become words for the reader when they are sent (decision 56). */
export type NewsFacts =
  /** A recording ended with a file. */
  | (AboutShow & {
      readonly is: "recorded";
      readonly isWhole: boolean;
      readonly bytes: number;
      /** Share of the event that is on disk, 0 to 1; absent if the stream has no clock. */
      readonly share?: number;
      readonly errors: number;
      /** The longest gaps, in order of time. */
      readonly gaps: readonly Gap[];
      readonly code?: ErrorCode;
      readonly details?: TroubleDetails;
    })
  /** `hasFlowed`: payload arrived, but none is left on the disk. */
  | (AboutShow & { readonly is: "not-recorded"; readonly hasFlowed: boolean } & Reason)
  /** Its time passed before an attempt. */
  | (AboutShow & { readonly is: "missed" } & Reason)
  /** `holders` have the tuners that could record it. */
  | (AboutShow & {
      readonly is: "conflict";
      readonly holders: readonly Omit<AboutShow, "channelName">[];
      readonly code?: ErrorCode;
      readonly details?: TroubleDetails;
    })
  /** `channelName` and `event` are those of the repeat. */
  | (AboutShow & { readonly is: "repeat-booked" })
  | (AboutShow & { readonly is: "healed" })
  | {
      readonly is: "file-flaw";
      readonly name: string;
      readonly flaw: DamagedFile["kind"];
      readonly file: string;
      readonly wasBytes: number;
      readonly bytes?: number;
    }
  | { readonly is: "disk"; readonly level: "low" | "full" | "offline" }
  | { readonly is: "store"; readonly code: StoreTrouble["code"] }
  | { readonly is: "sign-in" }
  | { readonly is: "guide-failed"; readonly since: EpochMs; readonly code: ErrorCode }
  | { readonly is: "guide-shrunk"; readonly listed: number; readonly held: number }
  | { readonly is: "secrets"; readonly usesEarlier: boolean }
  | { readonly is: "tuner"; readonly tunerId: TunerId; readonly code: ErrorCode }
  | { readonly is: "clock" }
  | { readonly is: "woke-late"; readonly wantedAt: EpochMs; readonly cameAt: EpochMs }
  | { readonly is: "set-aside"; readonly work: Work; readonly forMs: DurationMs }
  | { readonly is: "test" }
  /** News of an earlier version, which stored words. */
  | { readonly is: "words"; readonly title: string; readonly text: string };

interface Reason {
  readonly code?: ErrorCode;
  readonly details?: TroubleDetails;
}

/** The broadcast that news are about. */
interface AboutShow {
  readonly name: string;
  readonly channelName: string;
  readonly event: Window;
}

/** One item of news. */
export interface News {
  /** The same for each try to send it. */
  readonly id: string;
  readonly kind: NewsKind | "test";
  readonly at: EpochMs;
  readonly facts: NewsFacts;
  readonly recordingId?: RecordingId;
  readonly timerId?: TimerId;
}

/** A target of news: the id of an entry of the configuration. */
export type TargetId = string;

/** News that a target has not received yet. */
export interface WaitingNews {
  readonly news: News;
  readonly target: TargetId;
  readonly tries: number;
  /** It is sent again after this instant. */
  readonly notBefore: EpochMs;
}

/** The facts about news that must survive a crash. */
export interface NewsDocument {
  /** Recordings that ended earlier are no news. */
  readonly since: EpochMs;
  /** Announced ends, by recording. */
  readonly ended: Readonly<Record<RecordingId, EpochMs>>;
  /** Announced conditions, and when. */
  readonly conditions: Readonly<Record<string, EpochMs>>;
  /** In the order in which they happened. */
  readonly waiting: readonly WaitingNews[];
}
