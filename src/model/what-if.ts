import type { Holder, Placement } from "./plan.ts";
import type { RecordingId } from "./recording.ts";
import type { SpaceFacts } from "./space.ts";
import type { DurationMs, EpochMs } from "./time.ts";
import type { Timer, TimerId } from "./timer.ts";
import type { TunerId } from "./tuner.ts";

/** A change to the plan, to see its effect. */
export type WhatIf =
  | { readonly kind: "without-tuner"; readonly tunerId: TunerId }
  /** Padding before and after each event whose recording has not begun. */
  | { readonly kind: "padding"; readonly minutes: number }
  | { readonly kind: "priority"; readonly timerId: TimerId; readonly priority: number }
  /** `channel` is its name or its id. */
  | {
      readonly kind: "add";
      readonly channel: string;
      readonly start: EpochMs;
      readonly minutes: number;
    }
  /** The free space on the disk of recordings. */
  | { readonly kind: "disk"; readonly freeBytes: number };

/** The differences between two plans. */
export interface Difference {
  readonly kind: "difference";
  /** More of their events would be recorded. */
  readonly won: readonly RecordingId[];
  /** Less of their events would be recorded; with the recordings that would hold the tuners instead. */
  readonly lost: readonly { readonly recordingId: RecordingId; readonly holders: readonly Holder[] }[];
  readonly moved: readonly {
    readonly recordingId: RecordingId;
    readonly from: TunerId;
    readonly to: TunerId;
  }[];
  /**
   * For a change of the disk: the forecasts before and after. `won` and `lost` are then recordings that have room or have none.
   */
  readonly space?: { readonly before: SpaceFacts; readonly after: SpaceFacts };
  /** The placement of the added recording, and its competitors. */
  readonly added?: { readonly placement: Placement; readonly holders: readonly Holder[] };
}

/** The timers that a rule would have. */
export interface RuleQuestion {
  /** One for each show, with the show's id. */
  readonly timers: readonly Timer[];
  /** A stored rule: `timers` replace those that it has. */
  readonly ruleId?: number;
  readonly keep?: number;
}

/** The cost of a rule: the plan with its timers, compared with the plan without the rule. */
export interface RuleBurden {
  /** Recordings of which less is recorded. */
  readonly displaced: readonly {
    readonly recordingId: RecordingId;
    readonly timerId: TimerId;
    readonly title: string;
    readonly start: EpochMs;
    readonly stop: EpochMs;
    readonly lostMs: DurationMs;
  }[];
  /** Shows that get no tuner. */
  readonly unplaced: readonly string[];
  /** Absent until the disk was measured. */
  readonly space?: {
    /** Space for its recordings; if a rule keeps the newest N, for N and the one that is being recorded. */
    readonly needsBytes: number;
    /** Space that is free and not needed by other planned recordings. */
    readonly freeBytes: number;
  };
}

/** The subject of the question does not exist. */
export interface Unknown {
  readonly kind: "unknown";
  readonly text: string;
}
