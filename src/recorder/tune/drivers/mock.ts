import { z } from "zod";
import { createHttpClient, type HttpClient } from "../../../kit/http/http.ts";
import type { Log } from "../../../kit/log.ts";
import { hostOf } from "../../../kit/net/host-of.ts";
import { parseJson } from "../../../kit/text/parse-json.ts";
import { type Clock, withDeadline } from "../../../kit/time/clock.ts";
import { type ErrorCode, RecorderdError } from "../../../model/errors.ts";
import type { TunerDriver, TunerSession } from "../../../model/ports.ts";
import { type Triplet, tripletKey } from "../../../model/service.ts";
import { SECOND } from "../../../model/time.ts";
import { TunerId, WarmUpMs } from "../config-parts.ts";
import { addressAt, httpServices, type TunerKind } from "../kind.ts";

/** One tuner of the simulated broadcaster. */
const MockTunerConfig = z.strictObject({
  kind: z.literal("mock"),
  id: TunerId,
  broadcaster: z
    .url({ protocol: /^http$/, error: "expected an address such as http://127.0.0.1:8090" })
    .describe("Address of the simulated broadcaster."),
  warmUpMs: WarmUpMs.default(2 * SECOND),
});
type MockTunerConfig = z.infer<typeof MockTunerConfig>;

export const mock: TunerKind<MockTunerConfig> = {
  kind: "mock",
  name: "simulated broadcaster",
  isSimulator: true,
  schema: MockTunerConfig,
  open: async (config, parts) => [await mockTuner(config, parts)],
  sources: ({ broadcaster }) => httpServices(broadcaster),
  hosts: ({ broadcaster }) => [hostOf(broadcaster)],
  address: addressAt("broadcaster", {
    label: "Address of the broadcaster",
    example: "http://127.0.0.1:8090",
  }),
};

const Id = z.int().min(0).max(0xffff);
const ServiceList = z.array(
  z.object({
    triplet: z.object({ onid: Id, tsid: Id, sid: Id }),
    name: z.string().default(""),
    path: z.string().regex(/^\/(?!\/)/),
  }),
);

const LIST_BYTES_MAX = 1024 * 1024;
const LIST_MS = 5 * SECOND;

/**
 * Fetches the services on the air at the start, and whenever one is opened. Until the first answer, any service may be on the air.
 * The capture's own request shows whether the tuner is free: an earlier answer could be outdated.
 */
async function mockTuner(
  config: MockTunerConfig,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<TunerDriver> {
  const tuner = new MockTuner(config, clock);
  try {
    await tuner.refresh(new AbortController().signal);
    return tuner;
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    log.warn("the broadcaster does not report its services; recorderd keeps asking", {
      tunerId: config.id,
      code: error.code,
    });
    return Object.assign(tuner, { askAgain: (signal: AbortSignal) => tuner.retry(signal) });
  }
}

class MockTuner implements TunerDriver {
  readonly #config: MockTunerConfig;
  readonly #clock: Clock;
  readonly #http: HttpClient = createHttpClient();
  #services: z.infer<typeof ServiceList> | undefined;
  /** The facts at the last look. */
  #seen: string | undefined;

  constructor(config: MockTunerConfig, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
  }

  get facts() {
    const { id, kind, warmUpMs } = this.#config;
    const services = this.#services;
    return {
      id,
      kind,
      warmUpMs,
      ...(services === undefined
        ? { services: "any" as const }
        : { services: new Set(services.map(({ triplet }) => tripletKey(triplet))), offers: services }),
      servicesAtOnce: () => Number.POSITIVE_INFINITY,
    };
  }

  async open(service: Triplet, signal: AbortSignal): Promise<TunerSession> {
    const { id, broadcaster } = this.#config;
    const key = tripletKey(service);
    const found = (await this.refresh(signal)).find(({ triplet }) => tripletKey(triplet) === key);
    const path = found?.path;
    if (path === undefined) throw this.#failure("TUNER_SERVICE_UNKNOWN", `service ${key} is not on the air`);
    const url = new URL(path, broadcaster);
    url.searchParams.set("tuner", id);
    return { source: { url: url.href, programme: "single" }, async [Symbol.asyncDispose]() {} };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#http.close();
  }

  /** @see TunerDriver.askAgain */
  async retry(signal: AbortSignal): Promise<readonly TunerDriver[] | undefined> {
    try {
      await this.refresh(signal);
      return [];
    } catch (error) {
      if (error instanceof RecorderdError || signal.aborted) return undefined;
      throw error;
    }
  }

  /** @see TunerDriver.lookAgain */
  async lookAgain(signal: AbortSignal): Promise<boolean> {
    if (this.#services === undefined) return false;
    await this.refresh(signal);
    const now = JSON.stringify(this.#services);
    const isNews = now !== this.#seen;
    this.#seen = now;
    return isNews;
  }

  async refresh(outer: AbortSignal): Promise<z.infer<typeof ServiceList>> {
    const timeoutError = () => this.#failure("TUNER_UNREACHABLE", "the broadcaster does not answer");
    const answer = await withDeadline(this.#clock, { ms: LIST_MS, signal: outer, timeoutError }, (signal) =>
      this.#http.request(
        {
          method: "GET",
          url: new URL("/services", this.#config.broadcaster),
          headers: { accept: "application/json" },
          bodyBytesMax: LIST_BYTES_MAX,
        },
        signal,
      ),
    );
    if (answer.kind === "failed") {
      throw this.#failure("TUNER_UNREACHABLE", `the broadcaster cannot be reached (${answer.code})`);
    }
    if (answer.status !== 200) {
      throw this.#failure(codeOf(answer.status), `the broadcaster answers ${answer.status}`);
    }
    this.#services = this.#read(answer.body.toString("utf8"));
    this.#seen ??= JSON.stringify(this.#services);
    return this.#services;
  }

  #read(body: string): z.infer<typeof ServiceList> {
    const list = ServiceList.safeParse(parseJson(body));
    if (!list.success) throw this.#failure("TUNER_UNREACHABLE", "the answer is not from the broadcaster");
    return list.data;
  }

  #failure(code: ErrorCode, what: string): RecorderdError {
    const { id } = this.#config;
    return new RecorderdError(code, `Tuner ${id}: ${what}.`, { tunerId: id });
  }
}

function codeOf(status: number): ErrorCode {
  if (status === 503) return "TUNER_IN_USE";
  return status === 401 || status === 403 ? "TUNER_FORBIDDEN" : "TUNER_UNREACHABLE";
}
