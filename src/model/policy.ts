import type { PriorityRule } from "./priority.ts";
import type { DurationMs } from "./time.ts";
import type { Padding } from "./window.ts";

/** What the configuration says about recording; the same for every timer. */
export interface Policy {
  /** Where a timer asks for none of its own. */
  readonly padding: Padding;
  /** Share of the event that must be on disk for `completed`. */
  readonly completeFrom: number;
  /** What the broadcast's own tables may change about the end of a recording. */
  readonly follow: {
    /** At most so long beyond the padded end; 0: never. */
    readonly extendMs: DurationMs;
    readonly endEarly: boolean;
  };
  /** What is done with repeats of what is in conflict or was lost: they are told of, or booked. */
  readonly repeats: "offer" | "book";
  /** Which words the service gets for a scheduled timer: `waiting` or `pending`. */
  readonly vocabulary: "observed" | "field";
  /** What matters more than other things, where tuners are scarce. */
  readonly priorities: readonly PriorityRule[];
  /** IANA name of the zone in which people read times. */
  readonly timeZone: string;
}

/** Where the configuration says nothing else. */
export const DEFAULT_COMPLETE_FROM = 0.98;
