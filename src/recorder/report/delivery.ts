import { backOffMs } from "../../kit/time/back-off.ts";
import type { Chance, Clock } from "../../kit/time/clock.ts";
import type { WakeSignal } from "../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../model/errors.ts";
import { MODEL_LIMITS } from "../../model/limits.ts";
import type { GuideAccount } from "../../model/ports.ts";
import type { DeliveryOutcome, Report } from "../../model/report.ts";
import type { DurationMs } from "../../model/time.ts";
import type { ReportedState } from "../../model/timer.ts";
import type { Reader } from "../../words/reader.ts";
import { messageWords } from "./core/message-words.ts";
import { REPORT_LIMITS } from "./limits.ts";

type ReportReceiver = Pick<GuideAccount, "tell" | "remove">;

export interface DeliveryParts {
  readonly account: ReportReceiver;
  /** Reports to deliver, oldest first, and the states that the service refuses. */
  readonly waiting: () => {
    readonly outbox: readonly Report[];
    readonly refusedStates: readonly ReportedState[];
  };
  /** Loads the language of messages. */
  readonly reader: () => Promise<Reader>;
  readonly onOutcome: (delivery: Delivery) => Promise<void>;
  readonly clock: Clock;
  readonly chance: Chance;
  /** Signalled when there is a new report. */
  readonly wakeSignal: WakeSignal;
  /** Makes deferred reports due at once: the service answers again, or someone has signed in. */
  readonly resume: WakeSignal;
}

/** One try to deliver a report, and the text that was sent. */
interface Delivery {
  readonly seq: number;
  readonly message: string;
  readonly outcome: DeliveryOutcome;
}

/**
 * Delivers the outbox, one report at a time and in order, until the signal is aborted. A report that the service
 * fails lets reports of other timers pass; while the whole service is unusable, the order stays.
 */
export async function deliveryLoop(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  // Concluded here, perhaps still in the document.
  let concluded = new Set<number>();
  let deferrals = 0;
  let deferredSeq = 0;
  while (!signal.aborted) {
    if (parts.waiting().outbox.every(({ seq }) => concluded.has(seq))) {
      await parts.wakeSignal.wait(signal);
      continue;
    }
    // Nothing waits between the choice and the request: a report that another has replaced is not sent.
    const reader = await parts.reader();
    const { outbox, refusedStates } = parts.waiting();
    concluded = new Set(outbox.map(({ seq }) => seq).filter((seq) => concluded.has(seq)));
    const open = outbox.filter(({ seq }) => !concluded.has(seq));
    const report = open.find(({ seq }) => seq > deferredSeq) ?? open[0];
    if (report === undefined) continue;
    const message = messageOf(report, reader);
    const told = { ...withoutRefused(report, refusedStates), message };
    const outcome = await deliver(parts.account, told, signal);
    if (signal.aborted) return;
    if (outcome.kind === "deferred") {
      deferrals += 1;
      if (!OF_THE_WHOLE_SERVICE.includes(outcome.code)) deferredSeq = report.seq;
      // Waits out the pause, unless a resume signal comes.
      await parts.resume.waitFor(waitAfter(outcome, deferrals, parts.chance), { clock: parts.clock, signal });
      continue;
    }
    deferrals = 0;
    concluded.add(report.seq);
    await parts.onOutcome({ seq: report.seq, message, outcome });
    if (open.length > REPORT_LIMITS.deliveriesQuick) {
      await parts.clock.sleep(REPORT_LIMITS.deliveryGapMs, signal).catch(() => {});
    }
  }
}

/** The words are made as late as here: language and time zone may have changed since. */
function messageOf({ content, message }: Report, reader: Reader): string {
  return content === undefined ? message : messageWords(content, reader);
}

/** Failures that affect every report alike. */
const OF_THE_WHOLE_SERVICE: readonly string[] = [
  "GUIDE_NAME_UNRESOLVED",
  "GUIDE_UNREACHABLE",
  "GUIDE_TLS_FAILED",
  "GUIDE_SIGN_IN_NEEDED",
];

function withoutRefused({ state, ...report }: Report, refused: readonly ReportedState[]): Report {
  // An acknowledgement without its state is empty: the DELETE replaces it.
  return state === undefined || (refused.includes(state) && !report.acknowledgesForget)
    ? report
    : { ...report, state };
}

/** Makes one attempt; rejects only on a bug. */
export async function deliver(
  account: ReportReceiver,
  report: Report,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { timerId, message, state, acknowledgesForget, insists = false } = report;
  if (insists) return removeInstead(account, timerId, signal);
  try {
    await account.tell(timerId, { message, ...(state === undefined ? {} : { state }) }, signal);
    return { kind: "delivered" };
  } catch (error) {
    const outcome = outcomeOf(error);
    const refused = outcome.kind === "refused" && REFUSALS_OF_FORGET.includes(outcome.code);
    return acknowledgesForget && refused ? removeInstead(account, timerId, signal) : outcome;
  }
}

/** Services that do not take `completed` for a processed forget take a DELETE (field-notes, rule 4). */
const REFUSALS_OF_FORGET: readonly string[] = ["GUIDE_NOT_FOUND", "GUIDE_NOT_ACCEPTABLE"];

async function removeInstead(
  account: ReportReceiver,
  timerId: string,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  try {
    await account.remove(timerId, signal);
    return { kind: "delivered" };
  } catch (error) {
    return outcomeOf(error);
  }
}

function outcomeOf(error: unknown): DeliveryOutcome {
  if (!(error instanceof RecorderdError)) throw error;
  const { code, message, facts, remedy } = error;
  // A web page is no answer of the service: a proxy in maintenance or a wrong address must lose no report.
  const kind = remedy === "give-up" && facts["html"] !== true ? "refused" : "deferred";
  if (kind === "refused") return { kind, code, text: message };
  const asked = facts["retryAfterMs"];
  return { kind, code, text: message, ...(typeof asked === "number" ? { retryAfterMs: asked } : {}) };
}

type Deferred = Extract<DeliveryOutcome, { readonly kind: "deferred" }>;

function waitAfter({ retryAfterMs = 0 }: Deferred, failures: number, chance: Chance): DurationMs {
  const maxMs = MODEL_LIMITS.guideBackOffMsMax;
  return backOffMs({ failures, firstMs: REPORT_LIMITS.backOffMsMin, maxMs, retryAfterMs }, chance);
}
