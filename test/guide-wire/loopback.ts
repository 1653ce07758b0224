import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createGuideClient, type GuideClient } from "../../src/guide-wire/client.ts";
import type { GuideClientOptions } from "../../src/guide-wire/exchange.ts";
import { createHttpClient } from "../../src/kit/http/http.ts";
import { type Clock, sleepBy, whenAtBy } from "../../src/kit/time/clock.ts";

/** 2026-11-20T09:00:00Z */
export const NOW = Date.UTC(2026, 10, 20, 9);

/** A timer as it goes over the wire, half an hour ahead. */
export const TIMER = {
  id: "7",
  name: "News",
  device_id: 1,
  channel_id: 2,
  show_id: 3,
  start_time: "2026-11-20T09:30:00+00:00",
  duration_minutes: 30,
  action: "record",
  state: "waiting",
};

/** Stands still until the test moves it; a sleeper wakes once it has gone far enough. */
class ManualClock implements Clock {
  #at = 0;
  readonly #sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();

  now() {
    return NOW + this.#at;
  }

  monotonicMs() {
    return this.#at;
  }

  readonly sleep = sleepBy((ms, wake) => this.after(ms, wake));
  readonly whenAt = whenAtBy({ now: () => this.now(), after: (ms, wake) => this.after(ms, wake) });

  after(ms: number, wake: () => void): () => void {
    const sleeper = { until: this.#at + ms, wake };
    this.#sleepers.add(sleeper);
    return () => this.#sleepers.delete(sleeper);
  }

  advance(ms: number): void {
    this.#at += ms;
    for (const sleeper of this.#sleepers) {
      if (sleeper.until > this.#at) continue;
      this.#sleepers.delete(sleeper);
      sleeper.wake();
    }
  }

  get sleepers(): number {
    return this.#sleepers.size;
  }
}

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Answering = (seen: Seen, response: ServerResponse) => void;

export interface Loopback extends AsyncDisposable {
  readonly origin: string;
  readonly seen: readonly Seen[];
}

/** A server on loopback that answers as the test says and remembers its requests. */
export async function loopback(answering: Answering): Promise<Loopback> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://x");
      const one: Seen = {
        method: request.method ?? "",
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      seen.push(one);
      answering(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const API_KEY = "k3y/+ secret";
export const CREDENTIALS = { email: "viewer+tv@example.org", token: "t0ken&=secret" };

export interface Side extends AsyncDisposable {
  readonly client: GuideClient;
  readonly clock: ManualClock;
}

/** A client of `baseUrl`, signed in by default. */
export function clientOf(baseUrl: string, more: Partial<GuideClientOptions> = {}): Side {
  const http = createHttpClient();
  const clock = new ManualClock();
  const client = createGuideClient({
    baseUrl,
    apiKey: API_KEY,
    applicationVersion: "recorderd/test",
    wire: "json",
    http,
    clock,
    credentials: () => CREDENTIALS,
    ...more,
  });
  return { client, clock, [Symbol.asyncDispose]: () => http.close() };
}

/** A signal that is never aborted. */
export const signal = new AbortController().signal;

/** The error with which `work` is rejected. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => new Error("it was not rejected"),
    (error: unknown) => error,
  );
}

/** How often others could have their turn while something was done. */
export async function turnsDuring<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly turns: number }> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    if (isOver) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  const value = await work();
  isOver = true;
  return { value, turns };
}
