import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { broadcastDesk } from "../../../../src/guide-wire/broadcast.ts";
import { createGuideClient } from "../../../../src/guide-wire/client.ts";
import type { WireFormat } from "../../../../src/guide-wire/codec.ts";
import { createHttpClient } from "../../../../src/kit/http/http.ts";
import { silentLog } from "../../../../src/kit/log.ts";
import { DAY, type EpochMs, SECOND } from "../../../../src/model/time.ts";
import { GuideTables } from "../../../../src/mpeg-ts/tables/guide-tables.ts";
import { inspecting } from "../../../../src/recorder/evidence/file-inspection.ts";
import { Gatherer } from "../../../../src/recorder/subsystems/gather/gatherer.ts";
import { GATHER_LIMITS } from "../../../../src/recorder/subsystems/gather/limits.ts";
import { type Hosted, hosted } from "../../../guide-server/hosted.ts";

const FOLDER = "test/fixtures/ts";
/** When the captures were made, by their own tables. */
const FRENCH_AT = Date.UTC(2019, 0, 22, 12, 51);
const RAI_AT = Date.UTC(2022, 0, 16, 10);

const signal = new AbortController().signal;

interface Fact {
  readonly tsid: number;
  readonly sid: number;
  readonly eventId: number;
  readonly start: EpochMs;
  readonly seconds: number;
  readonly title: string;
}

/** The facts that GStreamer reads from the event tables of the same bytes. */
async function factsOf(name: string): Promise<readonly Fact[]> {
  const text = await readFile(`${FOLDER}/${name}.events.tsv`, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [, tsid, sid, eventId, start = "", seconds, title = ""] = line.split("\t");
      return {
        tsid: Number(tsid),
        sid: Number(sid),
        eventId: Number(eventId),
        start: Date.parse(start),
        seconds: Number(seconds),
        // Listings are read this way too: several blanks are one.
        title: title.replace(/\s+/g, " ").trim(),
      };
    });
}

interface World extends AsyncDisposable {
  readonly guide: Hosted;
  readonly gatherer: Gatherer;
  /** Paths of the requests that were made. */
  readonly asked: readonly string[];
  /** Has a capture written, portion by portion, and looked at as it grows. */
  record(name: string): Promise<void>;
  /** Lets the gatherer have its turn until it waits again. */
  turn(): Promise<void>;
}

async function world(
  at: EpochMs,
  { wire = "json" as WireFormat, allowSignUp = false, spoil = 0 } = {},
): Promise<World> {
  const guide = await hosted({ at, allowSignUp });
  const http = createHttpClient();
  const asked: string[] = [];
  let left = spoil;
  let over = new AbortController();
  const client = createGuideClient({
    baseUrl: guide.baseUrl,
    apiKey: "k",
    applicationVersion: "recorderd/test",
    wire,
    clock: guide.clock,
    credentials: () => guide,
    http: {
      ...http,
      request: (order, until) => {
        asked.push(order.url.pathname);
        if (order.url.pathname !== "/broadcast_guide" || left === 0) return http.request(order, until);
        left -= 1;
        return Promise.resolve({ kind: "failed", cause: "unreachable", code: "ECONNREFUSED" });
      },
    },
  });
  const gatherer = new Gatherer({
    desk: broadcastDesk(client),
    newTables: () => new GuideTables({ eventsMax: GATHER_LIMITS.events }),
    clock: {
      ...guide.clock,
      after: () => {
        queueMicrotask(() => over.abort());
        return () => {};
      },
    },
    chance: () => 0.5,
    log: silentLog,
  });
  const folder = await mkdtemp(join(tmpdir(), "recorderd-gather-"));
  const open = inspecting({ tap: gatherer });
  return {
    guide,
    gatherer,
    asked,
    record: async (name) => {
      const bytes = await readFile(`${FOLDER}/${name}.ts`);
      const file = join(folder, `${name}.ts`);
      await writeFile(file, "");
      await using inspection = open(file, undefined);
      for (let from = 0; from < bytes.length; from += 300_000) {
        await appendFile(file, bytes.subarray(from, from + 300_000));
        await inspection.advance(signal);
      }
    },
    turn: async () => {
      over = new AbortController();
      await gatherer.run(over.signal);
    },
    [Symbol.asyncDispose]: async () => {
      await http.close();
      await guide[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

describe("EIT from a recording", () => {
  it.each([
    ["french-dvbt-si", FRENCH_AT, 4, "json"],
    ["french-dvbt-si", FRENCH_AT, 4, "xml"],
    ["rai-dvbt-mux", RAI_AT, 18_432, "json"],
  ] as const)(
    "becomes the guide server's shows: %s, event for event as in another reader",
    async (name, at, tsid, wire) => {
      await using here = await world(at, { wire });
      await here.turn();
      await here.record(name);
      await here.turn();
      const { channels } = (await here.guide.ask({ method: "GET", path: "/regions/1/channels" })).read(
        "channels",
      );
      const { shows } = (await here.guide.ask({ method: "GET", path: "/shows" })).read("shows");
      const sidOf = new Map(
        channels.flatMap(({ id, dvb = [] }) =>
          dvb
            .filter((each) => each.transport_stream_id === tsid)
            .map((each) => [id, each.service_id] as const),
        ),
      );
      const shown = shows
        .filter(({ channel_id }) => sidOf.has(channel_id))
        .map(({ channel_id, eit_id, start_unix = 0, stop_unix = 0, title }) =>
          [sidOf.get(channel_id), eit_id, start_unix, stop_unix - start_unix, title].join("\t"),
        );
      const wanted = (await factsOf(name))
        .filter((fact) => fact.tsid === tsid && fact.start + fact.seconds * SECOND > at)
        .map(({ sid, eventId, start, seconds, title }) =>
          [sid, eventId, start / SECOND, Math.round(seconds / 60) * 60, title].join("\t"),
        );
      expect(wanted.length).toBeGreaterThan(5);
      expect([...shown].sort()).toEqual([...wanted].sort());
    },
  );

  it("is sent once while unchanged, and again after a day", async () => {
    await using here = await world(FRENCH_AT);
    await here.turn();
    await here.record("french-dvbt-si");
    await here.turn();
    const { events } = here.gatherer.status;
    expect(events).toBeGreaterThan(300);
    await here.record("french-dvbt-si");
    await here.turn();
    expect(here.gatherer.status.events).toBe(events);
    await here.guide.clock.advance(DAY);
    await here.turn();
    await here.record("french-dvbt-si");
    await here.turn();
    expect(here.gatherer.status.events).toBe(2 * events);
  });

  it("is not sent to a service that does not accept EIT", async () => {
    await using here = await world(FRENCH_AT, { allowSignUp: true });
    await here.turn();
    await here.record("french-dvbt-si");
    await here.turn();
    expect(here.asked).toEqual(["/user/settings"]);
    expect(here.gatherer.status).toEqual({ isTaken: false, events: 0 });
  });

  it("is kept while the service is unreachable, and sent later", async () => {
    await using here = await world(FRENCH_AT, { spoil: 2 });
    await here.turn();
    await here.record("french-dvbt-si");
    await here.turn();
    await here.turn();
    expect(here.gatherer.status.events).toBe(0);
    await here.turn();
    expect(here.gatherer.status.events).toBeGreaterThan(300);
  });
});
