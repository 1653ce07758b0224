import type { Triplet } from "./service.ts";
import type { EpochMs } from "./time.ts";

/** The engine's view of the disk for recordings. */
export type Space =
  /** Its folder is not there, as when its disk is not mounted: nothing begins, nothing is forgotten. */
  | { readonly kind: "offline" }
  | {
      readonly kind: "online";
      readonly freeBytes: number;
      /** Below this, what does not fit into the rest gives way to what is more important. */
      readonly lowBytes: number;
      /** Below this nothing is recorded. */
      readonly stopBytes: number;
      /** The learnt size of one second of a service. */
      readonly bytesPerSecond: (service: Triplet) => number;
    };

/** The disk as people see it. */
export interface SpaceFacts {
  /** `low` and `full`: below the low-water mark, below the stop mark. */
  readonly level: "enough" | "low" | "full" | "offline";
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly lowBytes: number;
  readonly stopBytes: number;
  /** The space that the plan needs, running recordings included. */
  readonly reservedBytes: number;
  /** The usual size of one second of television: the mean of what was recorded so far. */
  readonly bytesPerSecond: number;
  /**
   * When the stop mark is reached, if nothing is deleted. `plan`: by what is planned; `pace`: the plan fits, and what comes after it
   * is taken to be as much. Absent where nothing is planned.
   */
  readonly fills?: { readonly at: EpochMs; readonly by: "plan" | "pace" };
}
