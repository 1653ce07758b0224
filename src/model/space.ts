import type { Triplet } from "./service.ts";
import type { EpochMs } from "./time.ts";

/** The engine's view of the disk for recordings. */
export type Space =
  /** Its folder is missing, for example because its disk is not mounted: nothing begins, nothing is forgotten. */
  | { readonly kind: "offline" }
  | {
      readonly kind: "online";
      readonly freeBytes: number;
      /** With less free space, recordings that do not fit yield to more important ones. */
      readonly lowBytes: number;
      /** With less free space, nothing is recorded. */
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
  /** The average size of one second, over all services. */
  readonly bytesPerSecond: number;
  /**
   * When the stop mark is reached, if nothing is deleted. `plan`: during the plan; `pace`: after it, if recording continues at
   * its rate. Absent if nothing is planned.
   */
  readonly fills?: { readonly at: EpochMs; readonly by: "plan" | "pace" };
}
