import { anyAbort, type Clock, withDeadline } from "../../kit/time/clock.ts";
import type { ErrorCode, RecorderdError } from "../../model/errors.ts";
import type { Source } from "../../model/ports.ts";
import { isUnknownMultiplex, type Triplet } from "../../model/service.ts";
import { type DurationMs, SECOND } from "../../model/time.ts";
import { TABLE_PIDS } from "./config-parts.ts";
import { TUNE_LIMITS } from "./limits.ts";
import { pmtPidIn, streamPidsIn } from "./pat.ts";
import { type SatipOutcome, type SatipRequest, trySatip } from "./satip-stream.ts";
import { type Refusal, type ServerInput, serverWords } from "./server-tuners.ts";

/** Wait for a first packet when a failure is explained. */
const EXPLAIN_MS = 3 * SECOND;
/** Wait for a PAT or PMT: time to lock to a satellite, then ten tables a second. */
const TABLES_MS = 8 * SECOND;

interface SatipTrialParts {
  readonly failure: (code: ErrorCode, what: string) => RecorderdError;
  readonly late: () => RecorderdError;
  /** The state of the server's own tuners. */
  readonly inputs: (signal: AbortSignal) => Promise<readonly ServerInput[]>;
  /** The number of multiplexes that it receives at once. */
  readonly count: () => number;
  readonly clock: Clock;
}

/** Requests streams for a moment: to complete a source, or to explain why nothing comes. */
export class SatipTrials {
  readonly #parts: SatipTrialParts;

  constructor(parts: SatipTrialParts) {
    this.#parts = parts;
  }

  /** Completes the PIDs of a channel list: the PMT's from the PAT, missing streams from the PMT. */
  async completed(source: Source, service: Triplet, signal: AbortSignal): Promise<Source> {
    const { sid } = service;
    const [base = "", listed = ""] = source.url.split("&pids=");
    if (listed === "all" || isUnknownMultiplex(service)) return source;
    const pidsFrom = <T>(pids: string, read: (payload: Uint8Array) => T | undefined) =>
      this.#readTables({ url: `${base}&pids=${pids}`, service, read }, signal);
    const pmtPid = await pidsFrom("0", (payload) => pmtPidIn(payload, sid));
    const named = listed.split(",").map(Number);
    const own =
      named.length > TABLE_PIDS.length
        ? []
        : await pidsFrom(`0,${pmtPid}`, (payload) => streamPidsIn(payload, { pmtPid, sid }));
    return { ...source, url: `${base}&pids=${[...new Set([...named, pmtPid, ...own])].join(",")}` };
  }

  /** @returns `undefined` if the server would send the stream now */
  async whyNot({ url }: Source, service: Triplet, signal: AbortSignal): Promise<Refusal | undefined> {
    return await this.#meaningOf(await this.#try(url, { ms: EXPLAIN_MS }, signal), service, signal);
  }

  /** Receives tables until `read` returns a value. */
  async #readTables<T>(
    {
      url,
      service,
      read,
    }: {
      readonly url: string;
      readonly service: Triplet;
      readonly read: (payload: Uint8Array) => T | undefined;
    },
    signal: AbortSignal,
  ): Promise<T> {
    const { failure } = this.#parts;
    const isEnough = (payload: Uint8Array) => read(payload) !== undefined;
    const outcome = await this.#try(url, { ms: TABLES_MS, isEnough }, signal);
    const refusal = await this.#meaningOf(outcome, service, signal);
    if (refusal !== undefined) throw failure(refusal.code, refusal.text ?? serverWords(refusal.code));
    const found = outcome.kind === "flows" ? read(outcome.payload) : undefined;
    if (found !== undefined) return found;
    throw failure("TUNER_SERVICE_UNKNOWN", `the multiplex does not name the service ${service.sid} there`);
  }

  async #try(
    url: string,
    { ms, isEnough }: { readonly ms: DurationMs } & Pick<SatipRequest, "isEnough">,
    signal: AbortSignal,
  ): Promise<SatipOutcome> {
    const { clock, late } = this.#parts;
    const over = new AbortController();
    const ended = new AbortController();
    using either = anyAbort([signal, ended.signal]);
    const patience = clock.sleep(ms, either.signal).then(() => over.abort());
    patience.catch(() => {});
    const deadline = { ms: ms + TUNE_LIMITS.answerMs, signal, timeoutError: late };
    try {
      return await withDeadline(clock, deadline, (both) =>
        trySatip(url, { patience: over.signal, ...(isEnough && { isEnough }) }, both),
      );
    } finally {
      ended.abort();
    }
  }

  /**
   * Some servers answer 200 without a free tuner and send nothing. Their other active streams distinguish that from missing
   * reception.
   */
  async #meaningOf(
    outcome: SatipOutcome,
    service: Triplet,
    signal: AbortSignal,
  ): Promise<Refusal | undefined> {
    if (outcome.kind !== "silent") return refusalOf(outcome);
    const inputs = await this.#parts.inputs(signal);
    const others = inputs.filter(({ isLocked, holds }) => isLocked && !holds(service));
    return { code: others.length < this.#parts.count() ? "TUNER_NO_LOCK" : "TUNER_IN_USE" };
  }
}

function refusalOf(outcome: Exclude<SatipOutcome, { kind: "silent" }>): Refusal | undefined {
  switch (outcome.kind) {
    case "unreachable":
      return { code: "TUNER_UNREACHABLE" };
    case "flows":
      return undefined;
    case "refused":
      return refusalBy(outcome.status);
  }
}

/**
 * SAT>IP 1.2 §3.5.12: 503 means that no tuner is free; some servers answer 404 to PLAY instead. 400 means an impossible request, 403
 * one with a value that the server does not know: such servers have no users. Tvheadend answers 405 to an unknown frequency.
 */
function refusalBy(status: number): Refusal {
  switch (status) {
    case 401:
      return { code: "TUNER_CREDENTIALS_WRONG" };
    case 400:
    case 403: {
      const text = `its server answers ${status}: it cannot do what is asked. Correct the tuning in the channel list, or set pids: listed if it sends no whole multiplexes`;
      return { code: "TUNER_SERVICE_UNKNOWN", text };
    }
    case 405:
      return { code: "TUNER_SERVICE_UNKNOWN" };
    case 404:
    case 453:
    case 503:
      return { code: "TUNER_IN_USE" };
    default:
      return { code: "TUNER_NO_LOCK", text: `its server answers ${status} to the request for the stream` };
  }
}
