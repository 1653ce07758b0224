import type { ErrorCode } from "../../model/errors.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import type { Window } from "../../model/window.ts";

/** Kinds of faults, as `--faults` names them. */
export const FAULTS = [
  "outage",
  "sign-in",
  "slow",
  "empty-list",
  "shrunken-list",
  "duplicates",
  "malformed",
  "gone",
  "rekey",
  "tuner",
  "no-data",
  "stall",
  "die",
  "end",
  "host",
  "disk-full",
  "storage",
  "crash",
  "power",
  "clock-step",
  "late-ntp",
  "suspend",
  "guide-date",
  "overrun",
] as const;
export type Fault = (typeof FAULTS)[number];

/** How a list of timers may be spoilt while it is otherwise served. */
export type Distortion = "empty-list" | "shrunken-list" | "duplicates" | "malformed";

export interface Booking {
  readonly timerId: string;
  readonly name: string;
  /** From 1. */
  readonly channel: number;
  readonly event: Window;
  readonly beforeMinutes?: number;
  readonly afterMinutes?: number;
  /** It is another broadcast of the event of this booking, ordered by the recorder. */
  readonly repeats?: Booking;
}

/** What the household, its service, its hardware and chance do. */
export type FaultStep =
  | { readonly kind: "book"; readonly booking: Booking }
  | { readonly kind: "reschedule"; readonly timerId: string; readonly event: Window }
  | { readonly kind: "forget"; readonly timerId: string }
  /** The service answers with `code` alone. `lost`: what it was told still has its effect, only the answer fails. */
  | {
      readonly kind: "outage";
      readonly until: EpochMs;
      readonly code: ErrorCode;
      readonly lost: boolean;
      readonly html: boolean;
      readonly retryAfterMs?: DurationMs;
    }
  | { readonly kind: "slow"; readonly until: EpochMs; readonly delayMs: DurationMs }
  | { readonly kind: "distort"; readonly how: Distortion; readonly until: EpochMs }
  /** The service drops a timer without a word (its next report is answered with 404), or gives it a new id. */
  | { readonly kind: "gone" | "rekey"; readonly pick: number | { readonly timerId: string } }
  | {
      readonly kind: "tuner-trouble";
      readonly tuner: number;
      readonly code: ErrorCode;
      readonly until: EpochMs;
    }
  /** Tunes, but no payload comes. */
  | { readonly kind: "no-data"; readonly tuner: number; readonly until: EpochMs }
  /** Happens to one of the captures that run then. */
  | { readonly kind: "capture-trouble"; readonly what: "stall" | "die" | "end"; readonly pick: number }
  /** The capture host dies: all that are copied end at once, and what it held in memory is lost. */
  | { readonly kind: "host-death" }
  /** An event is broadcast for so long more than announced. `announced`: its duration is told as it is from now on. */
  | {
      readonly kind: "overrun";
      readonly pick: number;
      readonly byMs: DurationMs;
      readonly announced: boolean;
    }
  | { readonly kind: "disk-full"; readonly until: EpochMs }
  | { readonly kind: "storage-offline"; readonly until: EpochMs }
  /** At the call of a port that comes `calls` after this instant (0: at this very instant). `power`: the captures die as well. */
  | {
      readonly kind: "crash";
      readonly calls: number;
      readonly when: "before" | "after";
      readonly offMs: DurationMs;
      readonly power: boolean;
    }

  /** The wall clock is set by so much, and back at `until`. */
  | { readonly kind: "clock-step"; readonly byMs: DurationMs; readonly until: EpochMs }
  /** The power goes off; the machine comes back with the time that it saved before, or that of 1970, until NTP sets it right. */
  | {
      readonly kind: "late-ntp";
      readonly offMs: DurationMs;
      readonly savedMs: DurationMs | "never";
      readonly until: EpochMs;
    }
  | { readonly kind: "suspend"; readonly until: EpochMs }
  /** The Date of the service's answers is wrong by so much. */
  | { readonly kind: "guide-date"; readonly byMs: DurationMs; readonly until: EpochMs };

export interface Step {
  readonly at: EpochMs;
  readonly deed: FaultStep;
}

/** All that will happen, in order, decided before anything runs. */
export interface Script {
  readonly start: EpochMs;
  /** No fault lasts longer. */
  readonly end: EpochMs;
  readonly steps: readonly Step[];
}
