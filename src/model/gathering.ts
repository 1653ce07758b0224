import type { EpochMs } from "./time.ts";

/** The state of EIT gathering. */
export interface GatherStatus {
  /** The guide service says that it takes it; otherwise nothing is gathered. */
  readonly isTaken: boolean;
  /** When something new was last brought to it. */
  readonly broughtAt?: EpochMs;
  /** When an idle tuner was last listened to for it. */
  readonly idleAt?: EpochMs;
  /** That were brought since the daemon started. */
  readonly events: number;
}
