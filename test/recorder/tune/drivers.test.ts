import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { TunerDriver } from "../../../src/model/ports.ts";
import { multiplexKey, type Triplet } from "../../../src/model/service.ts";
import { openTuners, TunerConfig } from "../../../src/recorder/tune/registry.ts";
import { type Broadcaster, startBroadcaster } from "../../../src/simulator/broadcaster/broadcaster.ts";
import { outOfPatience } from "../../patience.ts";
import { everyMinute, testClip } from "../../simulator/air.ts";
import { portions, ServiceStream, startStation } from "../capture/station.ts";
import { keepsTunerDriverContract, readHttp } from "./driver-contract.ts";

const ONE: Triplet = { onid: 4112, tsid: 545, sid: 1056 };
const TWO: Triplet = { onid: 4112, tsid: 545, sid: 1057 };
const ELSEWHERE: Triplet = { onid: 12_802, tsid: 928, sid: 929 };
const parts = { clock: systemClock(), log: silentLog, folder: "/nowhere", credentials: () => undefined };
const signal = outOfPatience;

async function openOne(config: unknown): Promise<TunerDriver> {
  const [driver] = await openTuners([TunerConfig.parse(config)], parts);
  if (driver === undefined) throw new Error("no driver was opened");
  return driver;
}

/** The driver, and what it reads from, as one thing to dispose. */
function together(driver: TunerDriver, other: AsyncDisposable): TunerDriver {
  let disposed: PromiseLike<void> | undefined;
  return {
    get facts() {
      return driver.facts;
    },
    open: (service, signal) => driver.open(service, signal),
    async [Symbol.asyncDispose]() {
      await driver[Symbol.asyncDispose]();
      disposed ??= other[Symbol.asyncDispose]();
      await disposed;
    },
  };
}

const urlConfig = (url: (path: string) => string) => ({
  kind: "url",
  id: "iptv",
  services: [
    { service: "4112/545/1056", name: "One", url: url("one") },
    { service: "0x1010/0x221/0x421", url: url("two") },
  ],
});

keepsTunerDriverContract({
  name: "url",
  config: () => urlConfig((path) => `http://192.0.2.1/${path}`),
  services: [ONE, TWO],
  read: readHttp,
  build: async () => {
    const station = await startStation({
      one: (_response, air) => air.live(portions(new ServiceStream(ONE), 50)),
      two: (_response, air) => air.live(portions(new ServiceStream(TWO), 50)),
    });
    return together(await openOne(urlConfig(station.url)), station);
  },
});

let air: Broadcaster;
beforeAll(async () => {
  air = await startBroadcaster({
    services: [ONE, TWO, ELSEWHERE].map((triplet) => ({ triplet, name: `Service ${triplet.sid}` })),
    clip: await testClip(),
    schedule: everyMinute,
    ...parts,
  });
});
afterAll(() => air.close());

keepsTunerDriverContract({
  name: "mock",
  config: () => ({ kind: "mock", id: "sim", broadcaster: "http://192.0.2.1:8090" }),
  services: [ONE, TWO],
  read: readHttp,
  build: () => openOne({ kind: "mock", id: "sim", broadcaster: air.baseUrl }),
});

describe("a url tuner with a channel list", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "recorderd-list-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const listed = async (file: string, ...entries: readonly string[]) => {
    await writeFile(file, `#EXTM3U\n${entries.join("\n")}\n`);
    return openOne({
      kind: "url",
      id: "iptv",
      channelList: file,
      services: [{ service: "1/2/3", url: "http://192.0.2.1/own" }],
    });
  };
  const ABC = '#EXTINF:-1 tvg-chno="7",ABC\nhttp://192.0.2.1/live/1';
  const SBS = '#EXTINF:-1 tvg-id="1/2/3",SBS\nhttp://192.0.2.1/live/2';

  it("offers its entries by name and number, under ids that stay whatever else changes", async () => {
    const file = join(folder, "list.m3u");
    const driver = await listed(
      file,
      ABC,
      SBS,
      "#EXTINF:-1,Clip\nrtsp://192.0.2.1/3",
      "#EXTINF:-1,ABC\nudp://127.0.0.1:5000",
    );
    const { offers = [], servicesAtOnce } = driver.facts;
    expect(offers).toMatchObject([
      { name: "ABC", lcn: 7 },
      { name: "SBS", triplet: { onid: 1, tsid: 2, sid: 3 } },
      { name: "Clip" },
      { name: "ABC" },
      { name: "" },
    ]);
    expect(new Set(offers.map(({ triplet }) => multiplexKey(triplet))).size).toBe(4);
    const atOnce = offers.map(({ triplet }) => servicesAtOnce(multiplexKey(triplet)));
    const many = Number.POSITIVE_INFINITY;
    expect(atOnce).toEqual([many, many, many, 1, many]);
    const abc = offers[0]?.triplet ?? ONE;
    expect((await driver.open(abc, signal())).source).toEqual({
      url: "http://192.0.2.1/live/1",
      programme: "sole",
    });
    const own = await driver.open({ onid: 1, tsid: 2, sid: 3 }, signal());
    expect(own.source).toEqual({ url: "http://192.0.2.1/own", programme: "single" });
    expect(await driver.lookAgain?.(signal())).toBe(false);
    await listed(file, SBS, "#EXTINF:-1,A.B.C.\nhttp://198.51.100.1/moved");
    expect(await driver.lookAgain?.(signal())).toBe(true);
    expect((await driver.open(abc, signal())).source.url).toBe("http://198.51.100.1/moved");
  });

  it("uses the first of several entries for one service", async () => {
    const spare = '#EXTINF:-1 tvg-id="9/9/9",X spare\nhttp://192.0.2.1/spare';
    const { open } = await listed(
      join(folder, "spare.m3u"),
      spare.replace("spare\n", "\n").replace("spare", "x"),
      spare,
    );
    expect((await open({ onid: 9, tsid: 9, sid: 9 }, signal())).source.url).toBe("http://192.0.2.1/x");
  });

  it("R-20 says whether its addresses are those of several servers", async () => {
    const file = join(folder, "servers.m3u");
    const severalOf = async (...entries: readonly string[]) =>
      (await listed(file, ...entries)).facts.hasSeveralServers;
    expect(await severalOf(ABC, SBS)).toBeUndefined();
    expect(await severalOf(ABC, "#EXTINF:-1,SBS\nhttp://198.51.100.1/live/2")).toBe(true);
    expect(await severalOf(ABC, "#EXTINF:-1,SBS\nhttp://192.0.2.1:8080/live/2")).toBe(true);
  });

  it.each([
    ["rtp://192.0.2.1@232.1.1.1:5004", "rtp://232.1.1.1:5004?sources=192.0.2.1"],
    [
      "udp://192.0.2.1@239.1.1.1:5004?localaddr=192.0.2.9",
      "udp://239.1.1.1:5004?localaddr=192.0.2.9&sources=192.0.2.1",
    ],
    ["udp://@239.1.1.1:5004", "udp://@239.1.1.1:5004"],
    ["udp://name@239.1.1.1:5004", "udp://name@239.1.1.1:5004"],
  ])("joins a group with the sender that %s names", async (address, url) => {
    const { open, facts } = await listed(join(folder, "sender.m3u"), `#EXTINF:-1,Sent\n${address}`);
    const sent = facts.offers?.find(({ name }) => name === "Sent")?.triplet ?? ONE;
    expect((await open(sent, signal())).source.url).toBe(url);
  });

  it("has the fields of the request that the list gives, for addresses with requests", async () => {
    const agent = "#EXTVLCOPT:http-user-agent=VLC";
    const file = join(folder, "agent.m3u");
    const { open, facts } = await listed(
      file,
      `${ABC}|Referer=http://a/`,
      agent,
      "rtsp://192.0.2.1/3",
      SBS,
      agent,
    );
    const sources = [];
    for (const { triplet } of facts.offers ?? []) sources.push((await open(triplet, signal())).source);
    expect(sources.map(({ headers }) => headers)).toEqual([
      { Referer: "http://a/" },
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("gives every entry a multiplex of its own, for each is a connection", async () => {
    const entries = Array.from(
      { length: 5000 },
      (_, at) => `#EXTINF:-1,Channel ${at % 4000}\nhttp://192.0.2.1/${at}`,
    );
    const { offers = [] } = (await listed(join(folder, "many.m3u"), ...entries)).facts;
    expect(new Set(offers.map(({ triplet }) => multiplexKey(triplet))).size).toBe(5001);
  });

  it("needs a list or a service", () => {
    expect(() => TunerConfig.parse({ kind: "url", id: "iptv" })).toThrow(
      /at least one service, or a channelList/,
    );
  });
});

describe("a url tuner", () => {
  const addressed = (url: string, more: object = {}) => ({
    kind: "url",
    id: "iptv",
    services: [{ service: "1/2/3", url }],
    ...more,
  });

  it("provides as many tuners as its count, each with its own id", async () => {
    const config = TunerConfig.parse(addressed("http://127.0.0.1/x", { count: 3 }));
    const drivers = await openTuners([config], parts);
    expect(drivers.map(({ facts }) => facts.id)).toEqual(["iptv", "iptv#2", "iptv#3"]);
  });

  it.each([
    ["udp://127.0.0.1:5000", 1],
    ["rtp://192.0.2.7:5004", 1],
    ["udp://@239.1.2.3:5000", Number.POSITIVE_INFINITY],
    ["rtp://[ff15::7]:5004", Number.POSITIVE_INFINITY],
    ["rtsp://127.0.0.1/x", Number.POSITIVE_INFINITY],
    ["http://127.0.0.1/x", Number.POSITIVE_INFINITY],
  ])("delivers at once from the multiplex at %s: %d", async (url, atOnce) => {
    const { facts } = await openOne(addressed(url));
    expect(facts.servicesAtOnce("1/2")).toBe(atOnce);
    expect(facts.servicesAtOnce("7/7")).toBe(Number.POSITIVE_INFINITY);
  });

  it("classifies a source as in the table", async () => {
    const services = [{ service: "1/2/3", url: "udp://@239.1.2.3:5000", programme: "multi" }];
    const driver = await openOne(addressed("", { services }));
    await using session = await driver.open({ onid: 1, tsid: 2, sid: 3 }, signal());
    expect(session.source).toEqual({ url: "udp://@239.1.2.3:5000", programme: "multi" });
  });

  it.each([
    [addressed("ftp://127.0.0.1/x"), "services.0.url"],
    [addressed("udp://127.0.0.1"), "services.0.url"],
    [addressed("not an address"), "services.0.url"],
    [addressed("udp://127.0.0.1:5000", { count: 2 }), "count"],
    [addressed("http://127.0.0.1/x", { count: 65 }), "count"],
    [addressed("http://127.0.0.1/x", { id: "iptv#2" }), "id"],
    [addressed("http://127.0.0.1/x", { color: "red" }), ""],
    [addressed("x", { services: [] }), "services"],
    [addressed("x", { services: [{ service: "1/2", url: "http://127.0.0.1/x" }] }), "services.0.service"],
    [
      addressed("x", {
        services: [
          { service: "1/2/3", url: "http://127.0.0.1/x" },
          { service: "0x1/0x2/0x3", url: "http://127.0.0.1/y" },
        ],
      }),
      "services.1.service",
    ],
  ])("is refused at the place of the mistake: %j", (config, place) => {
    const issues = TunerConfig.safeParse(config).error?.issues ?? [];
    expect(issues.map(({ path }) => path.join("."))).toEqual([place]);
  });
});

describe("a mock tuner", () => {
  it("knows the services on the air", async () => {
    await using driver = await openOne({ kind: "mock", id: "sim", broadcaster: air.baseUrl });
    expect(driver.facts.services).toEqual(new Set(["4112/545/1056", "4112/545/1057", "12802/928/929"]));
  });

  it("holds one multiplex: the broadcaster refuses another one on the same tuner", async () => {
    await using driver = await openOne({ kind: "mock", id: "sim", broadcaster: air.baseUrl });
    await using session = await driver.open(ONE, signal());
    const ended = new AbortController();
    const held = await fetch(session.source.url, { signal: ended.signal });
    await using elsewhere = await driver.open(ELSEWHERE, signal());
    expect((await fetch(elsewhere.source.url)).status).toBe(503);
    await using sibling = await driver.open(TWO, signal());
    expect((await readHttp(sibling.source.url)).length).toBeGreaterThan(0);
    ended.abort();
    await held.body?.cancel().catch(() => {});
  });

  it("uses no tuner before it opens a session", async () => {
    await using driver = await openOne({ kind: "mock", id: "sim2", broadcaster: air.baseUrl });
    const before = air.openStreams();
    await using _session = await driver.open(ONE, signal());
    expect(air.openStreams()).toBe(before);
  });

  it("may have any service while the broadcaster is unreachable, and asks again when opened", async () => {
    await using driver = await openOne({ kind: "mock", id: "sim", broadcaster: "http://127.0.0.1:1" });
    expect(driver.facts.services).toBe("any");
    await expect(driver.open(ONE, signal())).rejects.toMatchObject({ code: "TUNER_UNREACHABLE" });
  });

  it.each([
    [503, "[]", "TUNER_IN_USE"],
    [401, "[]", "TUNER_FORBIDDEN"],
    [404, "[]", "TUNER_UNREACHABLE"],
    [200, "<html>", "TUNER_UNREACHABLE"],
    [200, '[{"triplet":{"onid":4112,"tsid":545,"sid":1056},"path":"//elsewhere/x"}]', "TUNER_UNREACHABLE"],
    [200, "[]", "TUNER_SERVICE_UNKNOWN"],
  ])("turns %d with %s of its broadcaster into %s", async (status, body, code) => {
    await using server = await answering((_request, response) => response.writeHead(status).end(body));
    await using driver = await openOne({ kind: "mock", id: "sim", broadcaster: server.url });
    await expect(driver.open(ONE, signal())).rejects.toMatchObject({ code });
  });
});

async function answering(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
