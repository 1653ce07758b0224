import type { ErrorCode } from "./errors.ts";
import type { Repeat } from "./repeat.ts";
import type { EpochMs } from "./time.ts";
import type { TimerId } from "./timer.ts";

/**
 * The steps of healing. In `booking`, `cancelling` and `dropping`, the request to the service is repeated until it answers, also
 * after restarts; `booked` waits for the repeat's own recording; the others are ends.
 */
export const HEALING_STEPS = [
  "booking",
  "booked",
  /** The repeat is booked or recorded: the original timer is being cancelled. */
  "cancelling",
  /** The original is whole after all: the timer of the repeat is being cancelled. */
  "dropping",
  /** The repeat is recorded instead, at a person's request. */
  "moved",
  /** The repeat's recording is whole. */
  "healed",
  /** The original is whole after all. */
  "needless",
  "given-up",
] as const;
export type HealingStep = (typeof HEALING_STEPS)[number];

/** The effort to record another broadcast of the same episode. */
export interface Healing {
  readonly repeat: Repeat;
  readonly by: "person" | "recorder";
  readonly step: HealingStep;
  /** When this step began. */
  readonly since: EpochMs;
  /** The loss and the repeat, in words. */
  readonly text: string;
  /** The shows that were booked for it so far, this one included: none is booked twice. */
  readonly tried: readonly string[];
  /** The repeat's timer, if the service gave its id, and its recording, once it is listed. */
  readonly timerId?: TimerId;
  readonly recordingId?: string;
  /** Failed requests in a row. */
  readonly failures: number;
  readonly trouble?: { readonly code: ErrorCode; readonly text: string };
  /** The next try to ask the service; absent while a request is under way. */
  readonly nextTryAt?: EpochMs;
  /** A person cancelled it: nothing more is booked for this recording. */
  readonly isFinal?: true;
}

/** Whether the healing is not over. */
export function isHealing({ step }: Pick<Healing, "step">): boolean {
  return step === "booking" || step === "booked" || step === "cancelling" || step === "dropping";
}

/** Whether a request to the service is under way or due. */
export function isAsking({ step }: Pick<Healing, "step">): boolean {
  return step !== "booked" && isHealing({ step });
}
