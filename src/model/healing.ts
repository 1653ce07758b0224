import type { ErrorCode } from "./errors.ts";
import type { Repeat } from "./repeat.ts";
import type { EpochMs } from "./time.ts";
import type { TimerId } from "./timer.ts";

/**
 * How far it is. In `booking`, `cancelling` and `dropping` the service is asked, again and again until it answers, by whichever
 * life of the daemon; `booked` waits for the repeat's own recording; the others are ends.
 */
export const HEALING_STEPS = [
  "booking",
  "booked",
  /** The repeat is ordered or recorded: the timer that it stands in for is being cancelled. */
  "cancelling",
  /** It is whole itself: the timer of the repeat is being cancelled. */
  "dropping",
  /** Recorded at the repeat instead, because somebody asked. */
  "moved",
  /** The repeat's recording is whole. */
  "healed",
  /** It is whole itself. */
  "needless",
  "given-up",
] as const;
export type HealingStep = (typeof HEALING_STEPS)[number];

/** The effort to record another broadcast of the same episode. */
export interface Healing {
  readonly repeat: Repeat;
  readonly by: "person" | "recorder";
  readonly step: HealingStep;
  /** When it came to that step. */
  readonly since: EpochMs;
  /** The loss, and the step taken against it. */
  readonly text: string;
  /** The shows that were ordered for it so far, this one included: none is ordered twice. */
  readonly tried: readonly string[];
  /** The repeat's timer, if the service gave its id, and its recording, once it is listed. */
  readonly timerId?: TimerId;
  readonly recordingId?: string;
  /** Failed requests in a row. */
  readonly failures: number;
  readonly trouble?: { readonly code: ErrorCode; readonly text: string };
  /** Then the service is asked again; absent while it is being asked. */
  readonly nextTryAt?: EpochMs;
  /** Somebody withdrew it: nothing more is ordered for it. */
  readonly isFinal?: true;
}

/** Whether something is still to be done, or waited for. */
export function isHealing({ step }: Pick<Healing, "step">): boolean {
  return step === "booking" || step === "booked" || step === "cancelling" || step === "dropping";
}

/** Whether the service is being asked, or is to be. */
export function isAsking({ step }: Pick<Healing, "step">): boolean {
  return step !== "booked" && isHealing({ step });
}
