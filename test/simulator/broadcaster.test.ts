import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Log, silentLog } from "../../src/kit/log.ts";
import { type EpochMs, SECOND } from "../../src/model/time.ts";
import { Inspector } from "../../src/recorder/evidence/inspector.ts";
import {
  type Broadcaster,
  type BroadcasterOptions,
  startBroadcaster,
} from "../../src/simulator/broadcaster/broadcaster.ts";
import type { Clip } from "../../src/simulator/broadcaster/clip.ts";
import { createVirtualClock, type VirtualClock } from "../../src/simulator/virtual-clock.ts";
import { everyMinute, testClip } from "./air.ts";

const AT: EpochMs = Date.UTC(2026, 10, 20, 9, 30);
const SERVICES = [
  { triplet: { onid: 318, tsid: 18_432, sid: 3401 }, name: "Erstes" },
  { triplet: { onid: 318, tsid: 18_432, sid: 3402 }, name: "Zweites" },
  { triplet: { onid: 318, tsid: 18_433, sid: 3401 }, name: "Drittes" },
];
const FIRST = "/service/318/18432/3401";
const SAME_MULTIPLEX = "/service/318/18432/3402";
const OTHER_MULTIPLEX = "/service/318/18433/3401";
const PACKETS_PER_SECOND = 625;
const PACKET_BYTES = 188;

let clip: Clip;
beforeAll(async () => {
  clip = await testClip();
});

const open: Broadcaster[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function onAir(
  options: Partial<BroadcasterOptions> = {},
): Promise<{ readonly broadcaster: Broadcaster; readonly clock: VirtualClock }> {
  const clock = createVirtualClock(AT);
  const parts = { services: SERVICES, clip, schedule: everyMinute, clock, log: silentLog };
  const broadcaster = await startBroadcaster({ ...parts, ...options });
  open.push(broadcaster);
  return { broadcaster, clock };
}

async function request(broadcaster: Broadcaster, path: string): Promise<IncomingMessage> {
  const [response] = await once(get(`${broadcaster.baseUrl}${path}`, { agent: false }), "response");
  return response;
}

async function answer(
  broadcaster: Broadcaster,
  path: string,
): Promise<{ readonly status: number | undefined; readonly body: unknown }> {
  const response = await request(broadcaster, path);
  const chunks = await response.toArray();
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

/** Collects what comes; `until` waits for so many bytes. */
class Reader {
  readonly response: IncomingMessage;
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(response: IncomingMessage) {
    this.response = response;
    response.on("error", () => {});
    response.on("data", (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#length += chunk.length;
    });
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  async until(length: number): Promise<Buffer> {
    while (this.#length < length) await once(this.response, "data");
    return this.bytes;
  }
}

async function listen(broadcaster: Broadcaster, path: string): Promise<Reader> {
  return new Reader(await request(broadcaster, path));
}

describe("the broadcaster", () => {
  it("lists its services with the path of each", async () => {
    const { broadcaster } = await onAir();
    const { status, body } = await answer(broadcaster, "/services");
    expect(status).toBe(200);
    expect(body).toEqual([
      { ...SERVICES[0], path: FIRST },
      { ...SERVICES[1], path: SAME_MULTIPLEX },
      { ...SERVICES[2], path: OTHER_MULTIPLEX },
    ]);
  });

  it("sends a second of stream in a second, beginning with the current packet", async () => {
    const { broadcaster, clock } = await onAir();
    await clock.advance(3 * SECOND);
    const reader = await listen(broadcaster, FIRST);
    expect(reader.response.headers["content-type"]).toBe("video/mp2t");
    await clock.advance(SECOND);
    const bytes = await reader.until(PACKETS_PER_SECOND * PACKET_BYTES);
    expect(bytes.length).toBe(PACKETS_PER_SECOND * PACKET_BYTES);
    const inspector = new Inspector(SERVICES[0]?.triplet);
    inspector.push(bytes);
    const { firstTime, services, continuityErrors } = inspector.inspection();
    expect(firstTime).toEqual({ utc: AT + 3 * SECOND, streamMs: 0 });
    expect(services).toMatchObject([{ triplet: SERVICES[0]?.triplet, name: "Erstes" }]);
    expect(continuityErrors).toBe(0);
  });

  it("sends the same bytes to all readers, even after a restart at the same address", async () => {
    const { broadcaster, clock } = await onAir();
    const early = await listen(broadcaster, FIRST);
    await clock.advance(2 * SECOND);
    const late = await listen(broadcaster, FIRST);
    await clock.advance(2 * SECOND);
    const all = await early.until(4 * PACKETS_PER_SECOND * PACKET_BYTES);
    const half = await late.until(2 * PACKETS_PER_SECOND * PACKET_BYTES);
    expect(all.subarray(half.length).equals(half)).toBe(true);

    const port = Number(new URL(broadcaster.baseUrl).port);
    await broadcaster.close();
    const again = await onAir({ port });
    expect(again.broadcaster.baseUrl).toBe(broadcaster.baseUrl);
    const second = await listen(again.broadcaster, FIRST);
    await again.clock.advance(4 * SECOND);
    expect((await second.until(all.length)).equals(all)).toBe(true);
  });

  it("sends all services of a multiplex in one stream", async () => {
    const { broadcaster, clock } = await onAir();
    const reader = await listen(broadcaster, "/multiplex/318/18432");
    await clock.advance(2 * SECOND);
    const inspector = new Inspector(undefined);
    inspector.push(await reader.until(4 * PACKETS_PER_SECOND * PACKET_BYTES));
    const { services, continuityErrors } = inspector.inspection();
    expect(services.map(({ name }) => name)).toEqual(["Erstes", "Zweites"]);
    expect(continuityErrors).toBe(0);
  });

  it("answers 404 for unknown services", async () => {
    const { broadcaster } = await onAir();
    for (const path of ["/", "//", "/service/318/18432/1", "/multiplex/1/1", "/service/318", "/%"]) {
      expect((await answer(broadcaster, path)).status).toBe(404);
    }
  });

  it("reports an address in use", async () => {
    const { broadcaster } = await onAir();
    const port = Number(new URL(broadcaster.baseUrl).port);
    await expect(onAir({ port })).rejects.toMatchObject({ code: "ADDRESS_IN_USE" });
  });

  it("counts its open streams, and ends them when it closes, however often it is closed", async () => {
    const { broadcaster } = await onAir();
    const readers = [await listen(broadcaster, FIRST), await listen(broadcaster, OTHER_MULTIPLEX)];
    expect(broadcaster.openStreams()).toBe(2);
    const ended = readers.map(
      ({ response }) => new Promise<void>((resolve) => response.once("close", () => resolve())),
    );
    await broadcaster.close();
    await broadcaster.close();
    await Promise.all(ended);
    expect(broadcaster.openStreams()).toBe(0);
    expect(readers.map(({ response }) => response.complete)).toEqual([false, false]);
  });
});

describe("a tuner of the broadcaster", () => {
  it("receives one multiplex and shares it among its services", async () => {
    const { broadcaster } = await onAir();
    const first = await listen(broadcaster, `${FIRST}?tuner=a`);
    const second = await listen(broadcaster, `${SAME_MULTIPLEX}?tuner=a`);
    const { status, body } = await answer(broadcaster, `${OTHER_MULTIPLEX}?tuner=a`);
    expect([first.response.statusCode, second.response.statusCode, status]).toEqual([200, 200, 503]);
    expect(body).toEqual({ reason: "tuner a holds multiplex 318/18432, not 318/18433" });
  });

  it("is not used by streams of another tuner, or of none", async () => {
    const { broadcaster } = await onAir();
    for (const path of [`${FIRST}?tuner=a`, `${OTHER_MULTIPLEX}?tuner=b`, OTHER_MULTIPLEX]) {
      expect((await listen(broadcaster, path)).response.statusCode).toBe(200);
    }
  });

  it("is free again after its last stream has ended", async () => {
    const { broadcaster, clock } = await onAir();
    const readers = [
      await listen(broadcaster, `${FIRST}?tuner=a`),
      await listen(broadcaster, `${FIRST}?tuner=a`),
    ];
    for (const [index, reader] of readers.entries()) {
      expect((await answer(broadcaster, `${OTHER_MULTIPLEX}?tuner=a`)).status).toBe(503);
      reader.response.destroy();
      while (broadcaster.openStreams() > 1 - index) await clock.advance(20);
    }
    expect((await listen(broadcaster, `${OTHER_MULTIPLEX}?tuner=a`)).response.statusCode).toBe(200);
  });
});

describe("a slow reader", () => {
  function recording(): { readonly log: Log; readonly warnings: string[] } {
    const warnings: string[] = [];
    return { log: { ...silentLog, warn: (message) => warnings.push(message) }, warnings };
  }

  it("loses nothing while it is less than 10 s behind", async () => {
    // So many services that no socket holds the stream until a reader comes.
    const services = Array.from({ length: 8 }, (_, place) => ({
      triplet: { onid: 1, tsid: 1, sid: place + 1 },
      name: `Programm ${place + 1}`,
    }));
    const { broadcaster, clock } = await onAir({ services });
    const response = await request(broadcaster, "/multiplex/1/1");
    await clock.advance(8 * SECOND);
    const reader = new Reader(response);
    while (reader.length < 8 * 8 * PACKETS_PER_SECOND * PACKET_BYTES) await clock.advance(20);
    const inspector = new Inspector(undefined);
    inspector.push(reader.bytes);
    expect(inspector.inspection()).toMatchObject({ continuityErrors: 0, junkBytes: 0, clockBreaks: [] });
  });

  it("is disconnected when it is further behind", async () => {
    const { log, warnings } = recording();
    const { broadcaster, clock } = await onAir({ log });
    const response = await request(broadcaster, FIRST);
    // Nothing is ever read; what the sockets hold is bounded, so it falls behind for good.
    response.on("error", () => {});
    while (broadcaster.openStreams() > 0) await clock.advance(SECOND);
    expect(warnings).toEqual(["a listener was too slow and was disconnected"]);
  });
});
