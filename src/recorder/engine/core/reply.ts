import { isAttemptRunning, partsOfAttemptId } from "../../../model/attempt.ts";
import type { ErrorCode } from "../../../model/errors.ts";
import { isAsking, isHealing } from "../../../model/healing.ts";
import { isTerminal, type Recording } from "../../../model/recording.ts";
import type { Repeat } from "../../../model/repeat.ts";
import type { TunerId } from "../../../model/tuner.ts";
import type { DaemonDocument } from "./document.ts";
import type { Occurrence } from "./occurrence.ts";

/** The engine's answer to each occurrence that can be asked about. */
interface Answers {
  /** The recording with this change, before any later one. */
  readonly "override-changed": Recording;
  /** The repeat that the service booked in place of the timer. */
  readonly "repeat-asked": Repeat;
  readonly "lease-asked": TunerId;
  readonly "channels-fetched": undefined;
  /** The captures that go on, by their attempts. */
  readonly "attempts-found": ReadonlySet<string>;
}

type QuestionKind = keyof Answers;
export type Question<K extends QuestionKind = QuestionKind> = Extract<Occurrence, { readonly kind: K }>;
export type AnswerTo<Q extends Question> = Answers[Q["kind"]];

/** Why a decision refused a question; shown to people. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly text: string;
}

/** `pending`: a later decision answers. */
export type Reply<T> =
  | { readonly kind: "done"; readonly answer: T }
  | ({ readonly kind: "refused" } & Refusal)
  | { readonly kind: "pending" };

/** The inputs of a reply from one decision. */
export interface DecisionOutcome {
  readonly before: Pick<DaemonDocument, "recordings">;
  readonly document: Pick<DaemonDocument, "recordings" | "leases">;
  /** The refusal of the occurrence that was decided about. */
  readonly refusal?: Refusal | undefined;
}

type Replies = {
  readonly [K in QuestionKind]: (question: Question<K>, decided: DecisionOutcome) => Reply<Answers[K]>;
};

const REPLIES: Replies = {
  "override-changed": ({ recordingId }, { document }) => {
    const recording = document.recordings[recordingId];
    if (recording === undefined || isTerminal(recording.state)) return ended("The recording has ended.");
    return done(recording);
  },
  "repeat-asked": replyToRepeat,
  "lease-asked": ({ leaseId }, { document }) => {
    const lease = document.leases[leaseId];
    // The same decision granted the lease and took it away again.
    if (lease === undefined) return refused("TUNER_BUSY", "A recording needs the tuner.");
    return done(lease.tunerId);
  },
  "channels-fetched": () => done(undefined),
  "attempts-found": ({ running }, { document }) =>
    done(new Set([...running].filter((id) => isRunning(document, id)))),
};

function isRunning({ recordings }: Pick<DaemonDocument, "recordings">, id: string): boolean {
  const { recordingId, number } = partsOfAttemptId(id);
  const recording = recordings[recordingId];
  return recording !== undefined && isAttemptRunning(recording, number);
}

/**
 * Returns the reply to a question after the decision about it and, while the reply is `pending`, after each later
 * decision. Pure.
 */
export function replyTo<Q extends Question>(question: Q, decided: DecisionOutcome): Reply<AnswerTo<Q>> {
  const { refusal } = decided;
  if (refusal !== undefined) return { kind: "refused", ...refusal };
  // The table ties each kind to its answer, which the compiler does not follow.
  const reply = REPLIES[question.kind] as (question: Q, decided: DecisionOutcome) => Reply<AnswerTo<Q>>;
  return reply(question, decided);
}

/** Done when the service has booked the repeat and cancelled the timer; refused with the first failure. */
function replyToRepeat(
  { recordingId }: Question<"repeat-asked">,
  { before, document }: DecisionOutcome,
): Reply<Repeat> {
  const { healing } = document.recordings[recordingId] ?? {};
  if (healing?.by !== "person") return ended("The repeat can no longer be recorded instead.");
  const { step, repeat, trouble, failures } = healing;
  if (step === "moved") return done(repeat);
  const hasFailed = failures > (before.recordings[recordingId]?.healing?.failures ?? 0);
  if (trouble !== undefined && (step === "given-up" || hasFailed)) {
    const text = isAsking(healing) ? `${trouble.text} ${RETRY_CONTINUES}` : trouble.text;
    return refused(trouble.code, text);
  }
  return isHealing(healing) ? { kind: "pending" } : ended("The repeat is not recorded instead.");
}

export const RETRY_CONTINUES = "The recorder repeats the request until it succeeds.";

function done<T>(answer: T): Reply<T> {
  return { kind: "done", answer };
}

function refused(code: ErrorCode, text: string): Reply<never> {
  return { kind: "refused", code, text };
}

function ended(text: string): Reply<never> {
  return refused("RECORDING_UNKNOWN", text);
}
