import type { PriorityRule } from "./priority.ts";
import type { DurationMs } from "./time.ts";
import type { Padding } from "./window.ts";

/** The configuration's rules for recording; the same for every timer. */
export interface Policy {
  /** For timers without padding of their own. */
  readonly padding: Padding;
  /** Share of the event that must be on disk for `completed`. */
  readonly completeFrom: number;
  /** The changes that EIT present/following may make to the end of a recording. */
  readonly follow: {
    /** At most so long beyond the padded end; 0: never. */
    readonly extendMs: DurationMs;
    readonly endEarly: boolean;
  };
  /** The treatment of repeats of conflicts and losses: report them, or book them. */
  readonly repeats: "offer" | "book";
  /** Which words the service gets for a scheduled timer: `waiting` or `pending`. */
  readonly vocabulary: "observed" | "field";
  /** Priority rules, for when tuners are scarce. */
  readonly priorities: readonly PriorityRule[];
  /** IANA name of the zone in which people read times. */
  readonly timeZone: string;
}

/** The default of the configuration. */
export const DEFAULT_COMPLETE_FROM = 0.98;
