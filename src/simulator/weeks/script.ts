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

/** Faults of an otherwise served timer list. */
export type Distortion = "empty-list" | "shrunken-list" | "duplicates" | "malformed";

export interface Booking {
  readonly timerId: string;
  readonly name: string;
  /** From 1. */
  readonly channel: number;
  readonly event: Window;
  readonly beforeMinutes?: number;
  readonly afterMinutes?: number;
  /** The original booking, if the recorder booked this as a repeat. */
  readonly repeats?: Booking;
}

/** An action of the household, its service, its hardware or chance. */
export type FaultStep =
  | { readonly kind: "book"; readonly booking: Booking }
  | { readonly kind: "reschedule"; readonly timerId: string; readonly event: Window }
  | { readonly kind: "forget"; readonly timerId: string }
  /** The service answers with `code` alone. `lost`: the request still takes effect, only the answer fails. */
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
  /** The service silently drops a timer (the next report gets 404), or gives it a new id. */
  | { readonly kind: "gone" | "rekey"; readonly pick: number | { readonly timerId: string } }
  | {
      readonly kind: "tuner-trouble";
      readonly tuner: number;
      readonly code: ErrorCode;
      readonly until: EpochMs;
    }
  /** Tunes, but delivers no payload. */
  | { readonly kind: "no-data"; readonly tuner: number; readonly until: EpochMs }
  /** Affects one of the running captures. */
  | { readonly kind: "capture-trouble"; readonly what: "stall" | "die" | "end"; readonly pick: number }
  /** The capture host dies: all its captures end at once and lose their buffers. */
  | { readonly kind: "host-death" }
  /** An event overruns by this much. `announced`: EIT has the true duration from now on. */
  | {
      readonly kind: "overrun";
      readonly pick: number;
      readonly byMs: DurationMs;
      readonly announced: boolean;
    }
  | { readonly kind: "disk-full"; readonly until: EpochMs }
  | { readonly kind: "storage-offline"; readonly until: EpochMs }
  /** Crashes at the `calls`-th port call after this instant (0: at once). `power`: the captures die as well. */
  | {
      readonly kind: "crash";
      readonly calls: number;
      readonly when: "before" | "after";
      readonly offMs: DurationMs;
      readonly power: boolean;
    }

  /** The wall clock is set by this much, and back at `until`. */
  | { readonly kind: "clock-step"; readonly byMs: DurationMs; readonly until: EpochMs }
  /** Power cut; the machine returns with the time saved before, or that of 1970, until NTP corrects it. */
  | {
      readonly kind: "late-ntp";
      readonly offMs: DurationMs;
      readonly savedMs: DurationMs | "never";
      readonly until: EpochMs;
    }
  | { readonly kind: "suspend"; readonly until: EpochMs }
  /** The Date header of the service's answers is wrong by this much. */
  | { readonly kind: "guide-date"; readonly byMs: DurationMs; readonly until: EpochMs };

export interface Step {
  readonly at: EpochMs;
  readonly action: FaultStep;
}

/** All steps in order, decided before anything runs. */
export interface Script {
  readonly start: EpochMs;
  /** Every fault ends by then. */
  readonly end: EpochMs;
  readonly steps: readonly Step[];
}
