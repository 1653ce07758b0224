import { Agent, type IncomingMessage, request } from "node:http";
import { systemClock } from "../../src/kit/time/clock.ts";
import type { DurationMs } from "../../src/model/time.ts";
import { emailOf, tokenOf } from "./accounts.ts";

const clock = systemClock();

/** A request of an account. */
export interface Asked {
  readonly method?: "GET" | "POST";
  readonly account: number;
  /** Without a query. */
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
}

/** Connections of recorders to a guide server. */
export class Load implements Disposable {
  readonly #baseUrl: string;
  readonly #agent: Agent;
  readonly #atOnce: number;

  constructor(baseUrl: string, atOnce: number) {
    this.#baseUrl = baseUrl;
    this.#atOnce = atOnce;
    this.#agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  }

  /** @throws Error unless the status is one of these */
  ask(
    { method = "GET", account, path, body, headers = {} }: Asked,
    statuses: readonly number[],
  ): Promise<Answered> {
    const query = `email_address=${encodeURIComponent(emailOf(account))}&token=${tokenOf(account)}`;
    const type = body === undefined ? {} : { "content-type": "application/json" };
    return new Promise((resolve, reject) => {
      const order = { method, agent: this.#agent, headers: { ...headers, ...type } };
      const sent = request(`${this.#baseUrl}${path}?${query}`, order, (answer) => {
        answer.resume();
        answer.once("end", () => {
          const status = answer.statusCode ?? 0;
          if (statuses.includes(status)) resolve({ status, headers: answer.headers });
          else reject(new Error(`${method} ${path}: the guide server answers ${status}`));
        });
      });
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  /** Asks as fast as the server answers, as many requests at once as there are connections. @returns the time of each */
  async during(ms: DurationMs, next: () => Promise<unknown>): Promise<readonly number[]> {
    const times: number[] = [];
    const end = performance.now() + ms;
    const askOn = async () => {
      for (let from = performance.now(); from < end; ) {
        await next();
        const until = performance.now();
        times.push(until - from);
        from = until;
      }
    };
    await Promise.all(Array.from({ length: this.#atOnce }, askOn));
    return times;
  }

  /** Asks at this rate while `until` is open, whether earlier requests are answered or not. @returns the time of each */
  async steadily({
    everyMs,
    until,
    next,
  }: {
    readonly everyMs: DurationMs;
    readonly until: AbortSignal;
    readonly next: () => Promise<unknown>;
  }): Promise<readonly number[]> {
    const times: number[] = [];
    const all: Promise<unknown>[] = [];
    while (!until.aborted) {
      const from = performance.now();
      all.push(next().then(() => times.push(performance.now() - from)));
      await clock.sleep(everyMs, until).catch(() => {});
    }
    await Promise.all(all);
    return times;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}
