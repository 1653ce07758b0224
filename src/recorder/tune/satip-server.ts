import { acceptsConnections } from "../../kit/http/accepts.ts";
import { createHttpClient } from "../../kit/http/http.ts";
import { connectRtsp, type RtspAnswer } from "../../kit/net/rtsp.ts";
import { type Clock, withDeadline } from "../../kit/time/clock.ts";
import { type ErrorCode, RecorderdError } from "../../model/errors.ts";
import type { Source } from "../../model/ports.ts";
import type { Triplet } from "../../model/service.ts";
import { TUNE_LIMITS } from "./limits.ts";
import { inAddress } from "./satip-places.ts";
import { satipInputs } from "./satip-reception.ts";
import type { ServerInput } from "./server-tuners.ts";

const DESCRIPTION_BYTES_MAX = 256 * 1024;
const TUNERS_MAX = 64;

interface SatipServerParts {
  readonly tunerId: string;
  readonly host: string;
  readonly rtspPort: number;
  readonly clock: Clock;
}

/** Requests about a SAT>IP server as a whole, without a session. */
export class SatipServer {
  readonly #parts: SatipServerParts;
  readonly #http = createHttpClient();

  constructor(parts: SatipServerParts) {
    this.#parts = parts;
  }

  get tunerId(): string {
    return this.#parts.tunerId;
  }

  failure(code: ErrorCode, what: string): RecorderdError {
    const { tunerId } = this.#parts;
    return new RecorderdError(code, `Tuner ${tunerId}: ${what}.`, { tunerId });
  }

  late(): RecorderdError {
    return this.failure("TUNER_UNREACHABLE", `${this.#parts.host} does not answer in time`);
  }

  answers(signal: AbortSignal): Promise<boolean> {
    const { host, rtspPort: port, clock } = this.#parts;
    return acceptsConnections({ host, port }, { clock, signal });
  }

  /**
   * The number of its tuners in the description; `undefined` if it is not described.
   *
   * @throws RecorderdError TUNER_UNREACHABLE if the server does not answer
   */
  tuners(description: string | undefined, signal: AbortSignal): Promise<number | undefined> {
    return this.#inTime(signal, async (within) => {
      await this.#request("OPTIONS", within);
      return description === undefined ? undefined : await this.#described(new URL(description), within);
    });
  }

  /** The state of its tuners that stream. @throws RecorderdError TUNER_UNREACHABLE if the server does not answer */
  inputs(
    sourceOf: (service: Triplet) => Source | undefined,
    signal: AbortSignal,
  ): Promise<readonly ServerInput[]> {
    return this.#inTime(signal, async (within) => {
      const { status, body } = await this.#request("DESCRIBE", within);
      // 404: no stream is active.
      return status === 200 ? satipInputs(body, sourceOf) : [];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#http.close();
  }

  #inTime<T>(signal: AbortSignal, work: (within: AbortSignal) => Promise<T>): Promise<T> {
    const deadline = { ms: TUNE_LIMITS.answerMs, signal, timeoutError: () => this.late() };
    return withDeadline(this.#parts.clock, deadline, work);
  }

  async #request(method: "OPTIONS" | "DESCRIBE", signal: AbortSignal): Promise<RtspAnswer> {
    const { host, rtspPort: port } = this.#parts;
    try {
      await using client = await connectRtsp({ host, port }, signal);
      const url = `rtsp://${inAddress(host)}:${port}/`;
      return await client.request({ method, url, headers: { Accept: "application/sdp" } }, signal);
    } catch {
      signal.throwIfAborted();
      throw this.failure("TUNER_UNREACHABLE", `no SAT>IP server answers at ${host}, port ${port}`);
    }
  }

  /** `DVBT-2,DVBS2-4`: the sum of the tuners. */
  async #described(url: URL, signal: AbortSignal): Promise<number | undefined> {
    const request = { method: "GET", url, headers: {}, bodyBytesMax: DESCRIPTION_BYTES_MAX } as const;
    const answer = await this.#http.request(request, signal);
    const text = answer.kind === "answer" && answer.status === 200 ? answer.body.toString("utf8") : "";
    const capabilities = /X_SATIPCAP[^>]{0,200}>([^<]*)</.exec(text)?.[1] ?? "";
    const tuners = [...capabilities.matchAll(/-(\d+)/g)].reduce((sum, [, digits]) => sum + Number(digits), 0);
    return tuners === 0 ? undefined : Math.min(TUNERS_MAX, tuners);
  }
}
