import type { RuleOrder } from "../model/rule.ts";
import type { Triplet } from "../model/service.ts";
import type { EpochMs } from "../model/time.ts";
import type { Window } from "../model/window.ts";

/** The content of another recorder's folders in our terms. Channels are its own: the plan finds those of our guide. */
export interface FoundRecorder {
  readonly channels: readonly FoundChannel[];
  readonly recordings: readonly FoundRecording[];
  readonly timers: readonly FoundTimer[];
  readonly rules: readonly FoundRule[];
  /** A thing of the other recorder that we cannot take. */
  readonly leftOut: readonly LeftOut[];
  /** Files, or lines of them, that could not be read. */
  readonly problems: readonly Problem[];
}

export interface FoundChannel {
  readonly name: string;
  /** On the remote control. */
  readonly number?: number;
  readonly triplet?: Triplet;
}

export interface FoundRecording {
  /** Names it within its recorder, and is the same at every reading. */
  readonly id: string;
  readonly title: string;
  readonly subtitle?: string;
  readonly description?: string;
  readonly channel: FoundChannel;
  /** The event, or the time of the file where the event is not stored. */
  readonly event: Window;
  /** Its parts in order, at least one; all are within the folders of the import. */
  readonly files: readonly FoundFile[];
  readonly outcome: "ok" | "damaged" | "unknown";
  readonly isWatched: boolean;
  readonly resumeSeconds?: number;
}

/** A file where it is: a real path, without symbolic links. */
export interface FoundFile {
  readonly file: string;
  readonly bytes: number;
  readonly modifiedAt: EpochMs;
}

/** A recording to come that a person ordered. Those of rules are left to the rules. */
export interface FoundTimer {
  readonly id: string;
  readonly title: string;
  readonly channel: FoundChannel;
  /** The event, without padding. */
  readonly event: Window;
  readonly beforeMinutes?: number;
  readonly afterMinutes?: number;
  /** Its parts that could not be kept, a sentence each. */
  readonly notes: readonly string[];
}

export interface FoundRule {
  readonly id: string;
  readonly order: Omit<RuleOrder, "channelIds">;
  /** Empty: any channel. */
  readonly channels: readonly FoundChannel[];
  /** Its parts that could not be kept, a sentence each. */
  readonly notes: readonly string[];
}

export interface LeftOut {
  readonly kind: "channel" | "recording" | "timer" | "rule";
  readonly name: string;
  /** A sentence. */
  readonly why: string;
}

export interface Problem {
  readonly file: string;
  readonly line?: number;
  readonly what: string;
}

export interface ReadOptions {
  readonly now: EpochMs;
  /** Zone of the times of day in the other recorder's files. */
  readonly timeZone: string;
  readonly signal: AbortSignal;
}
