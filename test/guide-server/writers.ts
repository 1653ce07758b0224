import { expect } from "vitest";
import type { Document } from "../../src/guide-wire/documents.ts";
import { DAY, type EpochMs, formatInstant, SECOND } from "../../src/model/time.ts";

type Timers = Document<"timers">["timers"];

/** The server did not acknowledge a request: nobody knows whether it has carried it out. */
export class Unacknowledged extends Error {}

/** A session, whose requests are acknowledged or fail. */
export interface Session {
  /** @throws Unacknowledged */
  readonly ask: (method: string, path: string, body?: object) => Promise<string>;
  /** The list of timers of a device; `undefined` if it is the one of the last call. @throws Unacknowledged */
  readonly poll: (deviceId: number) => Promise<Timers | undefined>;
}

/** @throws Unacknowledged */
export async function signedIn(
  baseUrl: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<Session> {
  const body = { member: { email_address: email, password } };
  const answer = await acknowledged(`${baseUrl}/login`, { method: "POST", ...asJson(body) });
  const { token } = (JSON.parse(await answer.text()) as Document<"login">).member;
  return sessionOf(baseUrl, { email, token });
}

function sessionOf(
  baseUrl: string,
  { email, token }: { readonly email: string; readonly token: string },
): Session {
  const credentials = new URLSearchParams({ email_address: email, token });
  const url = (path: string) => `${baseUrl}${path}${path.includes("?") ? "&" : "?"}${credentials}`;
  const tags = new Map<number, string>();
  return {
    ask: async (method, path, body) => {
      const answer = await acknowledged(url(path), { method, ...(body === undefined ? {} : asJson(body)) });
      return answer.text();
    },
    poll: async (deviceId) => {
      const headers = { "if-none-match": tags.get(deviceId) ?? "" };
      const answer = await acknowledged(url(`/shows/timers?device_id=${deviceId}`), { headers });
      const text = await answer.text();
      if (answer.status === 304) return undefined;
      tags.set(deviceId, answer.headers.get("etag") ?? "");
      return (JSON.parse(text) as Document<"timers">).timers;
    },
  };
}

function asJson(body: object): RequestInit {
  return { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

const PATIENCE_MS = 60 * SECOND;

/** A refusal by the request's fault is a failure of the test: its writers make no such request. */
async function acknowledged(url: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
    (error: unknown) => {
      throw new Unacknowledged(String(error));
    },
  );
  if (answer.ok || answer.status === 304) return answer;
  const text = await answer.text().catch(() => "");
  const why = `${init.method ?? "GET"} ${new URL(url).pathname}: ${answer.status} ${text}`;
  if (answer.status >= 500 || answer.status === 429) throw new Unacknowledged(why);
  throw new Error(why);
}

interface Order {
  readonly channel_id: number;
  readonly start_time: string;
  readonly duration_minutes: number;
  readonly device_id: number;
  readonly message: string;
}

/** The knowledge of one timer: the messages that the server may hold, and whether it may or must be gone. */
interface Known {
  readonly order: Order;
  readonly messages: ReadonlySet<string>;
  readonly gone: "no" | "maybe" | "yes";
}

/** The changes that a server has acknowledged, and those that it may have carried out. */
export class Ledger {
  readonly #now: EpochMs;
  readonly #channelId: number;
  readonly #known = new Map<string, Known>();
  /** Orders without an answer, by their message. */
  readonly #asked = new Map<string, Order>();
  #booked = 0;
  #acknowledged = 0;
  #look = () => {};

  constructor({ now, channelId }: { readonly now: EpochMs; readonly channelId: number }) {
    this.#now = now;
    this.#channelId = channelId;
  }

  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** Timers that the server has acknowledged. */
  get timers(): number {
    return this.#known.size;
  }

  /** An order that no other equals: the same broadcast booked twice would be one timer. */
  order(message: string, deviceId: number): Order {
    this.#booked += 1;
    const order = {
      channel_id: this.#channelId,
      start_time: formatInstant(this.#now + DAY + this.#booked * SECOND),
      duration_minutes: 60,
      device_id: deviceId,
      message,
    };
    this.#asked.set(message, order);
    return order;
  }

  booked(id: string, order: Order): void {
    expect(this.#known.has(id)).toBe(false);
    this.#asked.delete(order.message);
    this.#known.set(id, { order, messages: new Set([order.message]), gone: "no" });
    this.#count();
  }

  /** A change of the message is on its way. */
  changing(id: string, message: string): void {
    this.#set(id, (known) => ({ messages: new Set([...known.messages, message]) }));
  }

  changed(id: string, message: string): void {
    this.#set(id, () => ({ messages: new Set([message]) }));
    this.#count();
  }

  cancelling(id: string): void {
    this.#set(id, () => ({ gone: "maybe" }));
  }

  cancelled(id: string): void {
    this.#set(id, () => ({ gone: "yes" }));
    this.#count();
  }

  #count(): void {
    this.#acknowledged += 1;
    this.#look();
  }

  #set(id: string, change: (known: Known) => Partial<Known>): void {
    const known = this.#known.get(id);
    if (known !== undefined) this.#known.set(id, { ...known, ...change(known) });
  }

  /** Resolves when so many changes are acknowledged. */
  reaches(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#look = () => {
        if (this.#acknowledged >= count) resolve();
      };
      this.#look();
    });
  }

  /**
   * Checks the list of a device, or of all: no acknowledged change is lost or doubled, and what was not acknowledged is there
   * completely or not at all.
   */
  check(timers: Timers, deviceId?: number): void {
    const found = new Map(timers.map((timer) => [timer.id, timer]));
    expect(found.size).toBe(timers.length);
    const starts = new Set(timers.map(({ start_time }) => start_time));
    expect(starts.size).toBe(timers.length);
    for (const [id, { order, messages, gone }] of this.#known) {
      if (deviceId !== undefined && order.device_id !== deviceId) continue;
      const timer = found.get(id);
      if (isCancelled(timer)) expect([id, gone]).not.toEqual([id, "no"]);
      else {
        expect([id, gone]).not.toEqual([id, "yes"]);
        expect(messages).toContain(timer.message);
        expect(timer).toMatchObject(withoutMessage(order));
      }
    }
    for (const timer of timers) {
      const order = this.#asked.get(timer.message ?? "");
      if (!this.#known.has(timer.id)) expect(timer).toMatchObject(order ?? { id: "of an order" });
    }
  }

  /** Checks the list of all devices, and counts on it from now on: what was not acknowledged will not happen any more. */
  settle(timers: Timers): void {
    this.check(timers);
    const found = new Map(timers.map((timer) => [timer.id, timer]));
    for (const [id, timer] of found) {
      const order = this.#known.get(id)?.order ?? this.#asked.get(timer.message ?? "");
      if (order !== undefined)
        this.#known.set(id, { order, messages: new Set([timer.message ?? ""]), gone: "no" });
    }
    for (const id of this.#known.keys())
      if (isCancelled(found.get(id))) this.#set(id, () => ({ gone: "yes" }));
    this.#asked.clear();
  }
}

/** A timer that a recorder may have is listed for a while after it was cancelled. */
function isCancelled(timer: Timers[number] | undefined): timer is undefined {
  return timer === undefined || timer.action === "forget";
}

function withoutMessage({ message: _message, ...order }: Order): Omit<Order, "message"> {
  return order;
}

/** Books a timer, changes it, and cancels it if `isShort`. @throws Unacknowledged */
export async function writeOnce(
  { ask }: Session,
  {
    ledger,
    name,
    deviceId,
    isShort,
  }: {
    readonly ledger: Ledger;
    readonly name: string;
    readonly deviceId: number;
    readonly isShort: boolean;
  },
): Promise<void> {
  const order = ledger.order(name, deviceId);
  const { timers } = JSON.parse(await ask("POST", "/shows/timers", order)) as Document<"timers">;
  const id = timers[0]?.id ?? "";
  ledger.booked(id, order);
  const message = `${name} told`;
  ledger.changing(id, message);
  await ask("PUT", `/shows/timers/${id}`, { state: "running", message });
  ledger.changed(id, message);
  if (!isShort) return;
  ledger.cancelling(id);
  await ask("DELETE", `/shows/timers/${id}`);
  ledger.cancelled(id);
}
