import assert from "node:assert";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Log } from "../../kit/log.ts";
import { type Clock, waitUntil } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { type MultiplexKey, multiplexKey, type Triplet, tripletKey } from "../../model/service.ts";
import { type EpochMs, SECOND } from "../../model/time.ts";
import type { Clip } from "./clip.ts";
import { layOut } from "./lane.ts";
import { sendTo } from "./listener.ts";
import { type Damage, type Mishap, type RequestMishap, ServiceMishaps } from "./mishaps.ts";
import { type Air, Multiplex } from "./multiplex.ts";
import type { Schedule } from "./present-following.ts";
import type { AiredService } from "./tables.ts";

/** More streams at once are refused with 503. */
const STREAMS_MAX = 256;
const FIRST_PID = 0x100;
const PIDS_PER_SERVICE = 0x10;

export interface BroadcasterOptions {
  /** Services with the same ONID and TSID form a multiplex, at most 32 each. */
  readonly services: readonly { readonly triplet: Triplet; readonly name: string }[];
  /** The picture and sound of every service. */
  readonly clip: Clip;
  readonly schedule: Schedule;
  readonly clock: Clock;
  readonly log: Log;
  /** A loopback address; 127.0.0.1 when absent. */
  readonly host?: string;
  /** 0 or absent: any free port. */
  readonly port?: number;
}

/** A broadcaster with receivers on the network. Disposing it twice is harmless. */
export interface Broadcaster extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly baseUrl: string;
  openStreams(): number;
  /** Adds a fault to the stream of one service; its multiplex stays intact. */
  misbehave(service: Triplet, mishap: Mishap): void;
  /** The damage so far. */
  damage(service: Triplet): Readonly<Damage>;
  /** Ends every stream abruptly, as a dead station would. */
  close(): Promise<void>;
}

/** One entry of `GET /services`. */
interface ServiceEntry {
  readonly triplet: Triplet;
  readonly name: string;
  /** Below `baseUrl`. */
  readonly path: string;
}

/**
 * Puts services on the air over HTTP, in real time:
 *
 * - `GET /services`: JSON, a list of `ServiceEntry`
 * - `GET /service/ONID/TSID/SID`: one service, endless
 * - `GET /multiplex/ONID/TSID`: all services of one multiplex
 *
 * With `?tuner=NAME` a stream holds that tuner, which can hold one multiplex: streams of that multiplex share it, another one
 * is refused with 503 until the last of them has ended. Refusals are JSON: `{ "reason": … }`.
 *
 * @throws RecorderdError ADDRESS_IN_USE
 */
export async function startBroadcaster(options: BroadcasterOptions): Promise<Broadcaster> {
  const { host = "127.0.0.1", port = 0 } = options;
  const station = new Station(options);
  const server = createServer((request, response) => station.answer(request, response));
  await listen(server, { host, port });
  const address = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= station.close(server);
    return closed;
  };
  return {
    baseUrl: `http://${host}:${address.port}`,
    openStreams: () => station.openStreams,
    misbehave: (service, mishap) => station.misfortuneOf(service).add(mishap),
    damage: (service) => station.misfortuneOf(service).damage,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new RecorderdError(
      "ADDRESS_IN_USE",
      `the broadcaster cannot listen on ${host}:${port}: something else does`,
      { host, port },
      { cause: error },
    );
  }
}

/** A stream that clients can request. */
interface Programme {
  readonly multiplex: Multiplex;
  readonly key: MultiplexKey;
  /** Absent for a whole multiplex. */
  readonly misfortune?: ServiceMishaps;
}

type SlowOrWrong = Extract<RequestMishap, { readonly kind: "slow-start" | "wrong-service" }>;

interface Refusal {
  readonly status: number;
  readonly reason: string;
}

class Station {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #entries: readonly ServiceEntry[];
  readonly #programmes: ReadonlyMap<string, Programme>;
  /** The multiplex of each tuner in use, by tuner name, with its number of streams. */
  readonly #tuners = new Map<string, { readonly key: MultiplexKey; streams: number }>();
  readonly #ended = new AbortController();
  #streams = 0;

  constructor({ services, clip, schedule, clock, log }: BroadcasterOptions) {
    this.#clock = clock;
    this.#log = log;
    this.#entries = services.map(({ triplet, name }) => ({ triplet, name, path: servicePath(triplet) }));
    this.#programmes = programmes(services, { lane: layOut(clip), schedule });
  }

  get openStreams(): number {
    return this.#streams;
  }

  async close(server: Server): Promise<void> {
    this.#ended.abort();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const [path = "", query = ""] = (request.url ?? "").split("?", 2);
    if (request.method === "GET" && path === "/services") {
      json(response, 200, this.#entries);
      return;
    }
    const programme = request.method === "GET" ? this.#programmes.get(path) : undefined;
    const tuner = new URLSearchParams(query).get("tuner");
    const refusal = this.#refusal(programme, tuner);
    if (programme === undefined || refusal !== undefined) {
      const { status, reason } = refusal ?? UNKNOWN;
      json(response, status, { reason });
      return;
    }
    const mishap = programme.misfortune?.request();
    if (mishap?.kind === "half-open") return;
    if (mishap?.kind === "refused") {
      json(response, mishap.status, { reason: "refused by a mishap" });
      return;
    }
    void this.#stream(response, { programme, tuner, mishap });
  }

  misfortuneOf(service: Triplet): ServiceMishaps {
    const misfortune = this.#programmes.get(servicePath(service))?.misfortune;
    assert(misfortune !== undefined, `service ${tripletKey(service)} is not on the air`);
    return misfortune;
  }

  #refusal(programme: Programme | undefined, tuner: string | null): Refusal | undefined {
    if (programme === undefined) return UNKNOWN;
    if (this.#streams >= STREAMS_MAX) {
      return { status: 503, reason: `${STREAMS_MAX} streams are open, no more are served` };
    }
    const held = tuner === null ? undefined : this.#tuners.get(tuner);
    if (held === undefined || held.key === programme.key) return undefined;
    return { status: 503, reason: `tuner ${tuner} holds multiplex ${held.key}, not ${programme.key}` };
  }

  async #stream(
    response: ServerResponse,
    {
      programme,
      tuner,
      mishap,
    }: {
      readonly programme: Programme;
      readonly tuner: string | null;
      readonly mishap: SlowOrWrong | undefined;
    },
  ): Promise<void> {
    const { multiplex, key, misfortune } = programme;
    const clock = this.#clock;
    const ended = new AbortController();
    const signal = AbortSignal.any([this.#ended.signal, ended.signal]);
    this.#take(tuner, key);
    try {
      response.writeHead(200, { "content-type": "video/mp2t", "cache-control": "no-store" });
      response.flushHeaders();
      if (mishap?.kind === "slow-start") await clock.sleep(mishap.ms, signal);
      const now = clock.now();
      breakOff(response, { at: misfortune?.breaksOffAt(now) ?? Number.POSITIVE_INFINITY, clock, signal });
      const wrong =
        mishap?.kind === "wrong-service" ? misfortune?.wrongServiceStream(mishap.service) : undefined;
      const stream = wrong ?? misfortune?.stream(multiplex, now) ?? multiplex;
      const from = stream.indexAt(now);
      misfortune?.damage.began.push(stream.instantOf(from));
      const end = await sendTo(response, { stream, from, clock, signal: this.#ended.signal });
      if (end === "behind")
        this.#log.warn("a listener was too slow and was disconnected", { multiplex: key });
    } catch (error) {
      if (!this.#ended.signal.aborted)
        this.#log.error("a stream ended with an error", { text: String(error) });
    } finally {
      ended.abort();
      response.destroy();
      this.#release(tuner);
    }
  }

  #take(tuner: string | null, key: MultiplexKey): void {
    this.#streams += 1;
    if (tuner === null) return;
    const held = this.#tuners.get(tuner) ?? { key, streams: 0 };
    held.streams += 1;
    this.#tuners.set(tuner, held);
  }

  #release(tuner: string | null): void {
    this.#streams -= 1;
    const held = tuner === null ? undefined : this.#tuners.get(tuner);
    if (tuner === null || held === undefined) return;
    held.streams -= 1;
    if (held.streams === 0) this.#tuners.delete(tuner);
  }
}

const UNKNOWN: Refusal = { status: 404, reason: "no such service or multiplex; see GET /services" };

/** Ends a response abruptly, as a dead station would. */
function breakOff(
  response: ServerResponse,
  { at, clock, signal }: { readonly at: EpochMs; readonly clock: Clock; readonly signal: AbortSignal },
): void {
  if (at === Number.POSITIVE_INFINITY) return;
  void waitUntil(clock, at, { sliceMs: SECOND, signal }).then(
    () => response.destroy(),
    // The reader has disconnected already.
    () => {},
  );
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function servicePath(triplet: Triplet): string {
  return `/service/${tripletKey(triplet)}`;
}

/** By path. A service has the same PIDs alone and in its multiplex. */
function programmes(services: BroadcasterOptions["services"], air: Air): ReadonlyMap<string, Programme> {
  const byMultiplex = new Map<MultiplexKey, readonly AiredService[]>();
  for (const { triplet, name } of services) {
    const key = multiplexKey(triplet);
    const others = byMultiplex.get(key) ?? [];
    const pmt = FIRST_PID + others.length * PIDS_PER_SERVICE;
    const aired = { triplet, name, pids: { pmt, picture: pmt + 1, sound: pmt + 2 } };
    byMultiplex.set(key, [...others, aired]);
  }
  const all = new Map<string, Programme>();
  for (const [key, aired] of byMultiplex) {
    all.set(`/multiplex/${key}`, { key, multiplex: new Multiplex(aired, air) });
    for (const service of aired) {
      assert(!all.has(servicePath(service.triplet)), `service ${tripletKey(service.triplet)} is there twice`);
      const misfortune = new ServiceMishaps(service, air);
      all.set(servicePath(service.triplet), { key, multiplex: new Multiplex([service], air), misfortune });
    }
  }
  return all;
}
