import { backOffMs } from "../../kit/time/back-off.ts";
import type { Chance, Clock } from "../../kit/time/clock.ts";
import type { WakeSignal } from "../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../model/errors.ts";
import { LIMITS } from "../../model/limits.ts";
import type { GuideAccount } from "../../model/ports.ts";
import type { DeliveryOutcome, Report } from "../../model/report.ts";
import { type DurationMs, SECOND } from "../../model/time.ts";
import type { ReportedState } from "../../model/timer.ts";

/** Who is told. */
type Teller = Pick<GuideAccount, "tell" | "remove">;

export interface DeliveryParts {
  readonly account: Teller;
  /** What waits for delivery, oldest first, and the states that the service refuses. */
  readonly waiting: () => {
    readonly outbox: readonly Report[];
    readonly refusedStates: readonly ReportedState[];
  };
  readonly onOutcome: (seq: number, outcome: DeliveryOutcome) => Promise<void>;
  readonly clock: Clock;
  readonly chance: Chance;
  /** There is something new to deliver. */
  readonly wakeSignal: WakeSignal;
  /** What was put off is tried at once: the service answers again, or somebody has signed in. */
  readonly resume: WakeSignal;
}

/**
 * Delivers what is in the outbox, one report at a time and in order, until the signal is aborted. One that the service fails on
 * lets those after it go first, which are of other timers; while the service cannot be used at all the order stays.
 */
export async function deliveryLoop(parts: DeliveryParts, signal: AbortSignal): Promise<void> {
  // Concluded here, maybe not yet taken out of the document by the engine.
  let concluded = new Set<number>();
  let deferrals = 0;
  let deferredSeq = 0;
  signal.addEventListener("abort", () => parts.wakeSignal.signal(), { once: true });
  while (!signal.aborted) {
    const { outbox, refusedStates } = parts.waiting();
    concluded = new Set(outbox.map(({ seq }) => seq).filter((seq) => concluded.has(seq)));
    const open = outbox.filter(({ seq }) => !concluded.has(seq));
    const report = open.find(({ seq }) => seq > deferredSeq) ?? open[0];
    if (report === undefined) {
      // One promise for all waits, settled at the end, would remember each of them until then.
      await parts.wakeSignal.wait(new Promise(() => {}));
      continue;
    }
    const outcome = await deliver(parts.account, withoutRefused(report, refusedStates), signal);
    if (signal.aborted) return;
    if (outcome.kind === "deferred") {
      deferrals += 1;
      if (!OF_THE_WHOLE_SERVICE.includes(outcome.code)) deferredSeq = report.seq;
      // Until the time has passed, or there is reason to hope.
      await parts.resume.waitFor(waitAfter(outcome, deferrals, parts.chance), { clock: parts.clock, signal });
      continue;
    }
    deferrals = 0;
    concluded.add(report.seq);
    await parts.onOutcome(report.seq, outcome);
    if (open.length > LIMITS.deliveriesQuick) {
      await parts.clock.sleep(LIMITS.deliveryGapMs, signal).catch(() => {});
    }
  }
}

/** Where one report cannot be delivered because of these, no other can. */
const OF_THE_WHOLE_SERVICE: readonly string[] = [
  "GUIDE_NAME_UNRESOLVED",
  "GUIDE_UNREACHABLE",
  "GUIDE_TLS_FAILED",
  "GUIDE_SIGN_IN_NEEDED",
];

function withoutRefused({ state, ...report }: Report, refused: readonly ReportedState[]): Report {
  // An acknowledgement is nothing without its state: there the DELETE takes its place.
  return state === undefined || (refused.includes(state) && !report.acknowledgesForget)
    ? report
    : { ...report, state };
}

/** One try; never fails but for a fault of our own. */
export async function deliver(
  account: Teller,
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
  account: Teller,
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
  // A web page is no answer of the service: a proxy in maintenance, or a wrong address, loses no report.
  const kind = remedy === "give-up" && facts["html"] !== true ? "refused" : "deferred";
  if (kind === "refused") return { kind, code, text: message };
  const asked = facts["retryAfterMs"];
  return { kind, code, text: message, ...(typeof asked === "number" ? { retryAfterMs: asked } : {}) };
}

type Deferred = Extract<DeliveryOutcome, { readonly kind: "deferred" }>;

function waitAfter({ retryAfterMs = 0 }: Deferred, failures: number, chance: Chance): DurationMs {
  const maxMs = LIMITS.guideBackOffMsMax;
  return backOffMs({ failures, firstMs: 2 * SECOND, maxMs, retryAfterMs }, chance);
}
