import type { EpochMs } from "./time.ts";

/** How the gathering of the broadcast's own guide goes. */
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
