import type { HttpClient } from "../../../kit/http/http.ts";
import type { Log } from "../../../kit/log.ts";
import { backOffMs } from "../../../kit/time/back-off.ts";
import { type Chance, type Clock, withDeadline } from "../../../kit/time/clock.ts";
import { TIME_LIMITS } from "../../../kit/time/limits.ts";
import { WakeSignal } from "../../../kit/time/wake-signal.ts";
import { type Facts, RecorderdError } from "../../../model/errors.ts";
import type { LedgerFact } from "../../../model/ledger.ts";
import { TRACES_LIMITS } from "./limits.ts";
import { exportRequest } from "./otlp.ts";
import { isFinished, traceOf } from "./spans.ts";

export interface TraceParts {
  readonly url: string;
  readonly http: Pick<HttpClient, "request">;
  /** All facts of a timer in the ledger, oldest first. */
  readonly history: (timerId: string) => Promise<readonly LedgerFact[]>;
  /** The sender's attributes: `service.name` and others. */
  readonly resource: Facts;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

export interface TraceLoop {
  /** Receives facts that are in the ledger now. */
  noteFacts(facts: readonly LedgerFact[]): void;
  /** Sends one trace of each finished recording until the signal is aborted; waiting ones are lost then. */
  run(signal: AbortSignal): Promise<void>;
}

interface Waiting {
  readonly timerId: string;
  readonly recordingId: string;
}

/**
 * Status codes after which the receiver may accept the same trace later; all others are final (OTLP/HTTP, "Retryable
 * Response Codes").
 */
const AGAIN = [429, 502, 503, 504];

/**
 * Sends traces to an OpenTelemetry receiver. Only a limited number of ids waits: the facts are read from the ledger
 * at sending time. Failures never affect a recording.
 */
export function createTraceLoop(parts: TraceParts): TraceLoop {
  const { url, http, history, resource, clock, chance, log } = parts;
  const wakeSignal = new WakeSignal();
  let waiting: readonly Waiting[] = [];
  let failures = 0;

  async function send(body: string, signal: AbortSignal): Promise<"taken" | "refused" | "again"> {
    const timeoutError = () => new RecorderdError("NOTIFY_UNREACHABLE", "no answer in time");
    const request = {
      method: "POST",
      url: new URL(url),
      headers: { "content-type": "application/json" },
      body: Buffer.from(body),
      bodyBytesMax: TRACES_LIMITS.answerBytes,
    } as const;
    const outcome = await withDeadline(
      clock,
      { ms: TRACES_LIMITS.requestMs, signal, timeoutError },
      (deadline) => http.request(request, deadline),
    ).catch((error: unknown) => {
      if (!(error instanceof RecorderdError)) throw error;
      return { kind: "failed", code: "DEADLINE" } as const;
    });
    const isTaken = outcome.kind === "answer" && outcome.status >= 200 && outcome.status < 300;
    const says = outcome.kind === "answer" ? String(outcome.status) : outcome.code;
    if (isTaken) {
      if (failures > 0) log.info("the trace receiver accepts traces again");
      failures = 0;
      return "taken";
    }
    if (outcome.kind === "answer" && !AGAIN.includes(outcome.status)) {
      log.warn("the trace receiver refused a trace", { says });
      return "refused";
    }
    if (failures === 0) log.warn("the trace receiver does not accept traces; retrying", { says });
    failures += 1;
    return "again";
  }

  /** @returns whether it is finished */
  async function sendTrace({ timerId, recordingId }: Waiting, signal: AbortSignal): Promise<boolean> {
    const facts = (await history(timerId)).filter((fact) => fact.recordingId === recordingId);
    const trace = isFinished(facts) ? traceOf(facts, recordingId) : undefined;
    if (trace === undefined) return true;
    return (await send(exportRequest(trace, resource), signal)) !== "again";
  }

  async function tellFirst(first: Waiting, signal: AbortSignal): Promise<void> {
    const isDone = await sendTrace(first, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      log.warn("a trace cannot be built", { ...first, text: String(error) });
      return true;
    });
    if (isDone) waiting = waiting.filter((one) => one !== first);
    else {
      const pauseMs = backOffMs(
        { failures, firstMs: TRACES_LIMITS.retryMs, maxMs: TRACES_LIMITS.retryMsMax },
        chance,
      );
      await clock.sleep(pauseMs, signal);
    }
  }

  return {
    noteFacts: (facts) => {
      const more = facts.flatMap(({ fact, timerId, recordingId }) =>
        /^report-(delivered|refused)$/.test(fact) && timerId !== undefined && recordingId !== undefined
          ? [{ timerId, recordingId }]
          : [],
      );
      if (more.length === 0) return;
      const isNamed = (one: Waiting) => more.some(({ recordingId }) => recordingId === one.recordingId);
      waiting = [...waiting.filter((one) => !isNamed(one)), ...more].slice(-TRACES_LIMITS.waiting);
      wakeSignal.signal();
    },
    run: async (signal) => {
      while (!signal.aborted) {
        const [first] = waiting;
        if (first === undefined) await wakeSignal.waitFor(TIME_LIMITS.waitSliceMs, { clock, signal });
        else await tellFirst(first, signal).catch(() => {});
      }
    },
  };
}
