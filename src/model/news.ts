import type { RecordingId } from "./recording.ts";
import type { EpochMs } from "./time.ts";
import type { TimerId } from "./timer.ts";

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

/** One thing that happened, once. */
export interface News {
  /** The same each time it is sent. */
  readonly id: string;
  readonly kind: NewsKind | "test";
  readonly at: EpochMs;
  /** One line. */
  readonly title: string;
  readonly text: string;
  readonly recordingId?: RecordingId;
  readonly timerId?: TimerId;
}

/** A target of news: the id of an entry of the configuration. */
export type TargetId = string;

/** News that a target does not have yet. */
export interface WaitingNews {
  readonly news: News;
  readonly target: TargetId;
  readonly tries: number;
  /** Not before this instant is it sent again. */
  readonly notBefore: EpochMs;
}

/** The facts about news that must survive a crash. */
export interface NewsDocument {
  /** Earlier ends are no news. */
  readonly since: EpochMs;
  /** Announced ends, by recording. */
  readonly ended: Readonly<Record<RecordingId, EpochMs>>;
  /** Announced conditions, and when. */
  readonly conditions: Readonly<Record<string, EpochMs>>;
  /** In the order in which they happened. */
  readonly waiting: readonly WaitingNews[];
}
