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
    /** The longest extension beyond the padded end; 0: none. */
    readonly extendMs: DurationMs;
    readonly endEarly: boolean;
  };
  /** Whether repeats for conflicts and losses are only offered, or booked. */
  readonly repeats: "offer" | "book";
  /** The state that the service gets for a scheduled timer: `waiting` (`observed`) or `pending` (`field`). */
  readonly vocabulary: "observed" | "field";
  /** Rules for the priorities of timers. */
  readonly priorities: readonly PriorityRule[];
  /** The zone of times for people, an IANA name. */
  readonly timeZone: string;
}

/** The default of the configuration. */
export const DEFAULT_COMPLETE_FROM = 0.98;
