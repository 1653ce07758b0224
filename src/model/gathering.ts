import type { EpochMs } from "./time.ts";

/** The state of EIT gathering. */
export interface GatherStatus {
  /** The guide service accepts the data; otherwise nothing is gathered. */
  readonly isTaken: boolean;
  /** When new data was last sent to the service. */
  readonly broughtAt?: EpochMs;
  /** When an idle tuner last gathered data. */
  readonly idleAt?: EpochMs;
  /** Events that were sent since the daemon started. */
  readonly events: number;
}
