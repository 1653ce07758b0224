import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/kit/time/clock.ts";
import { multiplexKey, type Triplet } from "../../../src/model/service.ts";
import type { Tuning } from "../../../src/recorder/tune/channel-lists/list.ts";
import { satipQuery } from "../../../src/recorder/tune/satip-query.ts";
import { trySatip } from "../../../src/recorder/tune/satip-stream.ts";
import type { Broadcaster } from "../../../src/simulator/broadcaster/broadcaster.ts";
import { outOfPatience } from "../../patience.ts";
import { broadcast } from "../../simulator/air.ts";
import {
  ELSEWHERE,
  ON_AIR,
  ONE,
  type Receivers,
  receivers,
  type Trouble,
  TWO,
  vdrList,
} from "./fakes/air.ts";
import { fakeSatip } from "./fakes/satip.ts";
import { recordedFrom } from "./recorded.ts";
import { keepsServerContract, openAll } from "./server-contract.ts";

const _clock = systemClock();
const signal = outOfPatience;

/** The broadcaster's PIDs: picture, sound. */
function pidsOf({ sid }: Triplet): string {
  const pmt = sid === TWO.sid ? 0x110 : 0x100;
  return `${pmt + 1}:${pmt + 2}`;
}

let folder = "";
let channelList = "";
let air: Broadcaster;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-satip-"));
  channelList = join(folder, "channels.conf");
  const inSpace = "In space:11493:HC23M5O35S1:S19.2E:22000:1:1:0:0:1:1:1:0\n";
  await writeFile(channelList, vdrList(ON_AIR, pidsOf) + inSpace);
  air = await broadcast(ON_AIR);
});
afterAll(async () => {
  await air.close();
  await rm(folder, { recursive: true, force: true });
});

const multiplexAt = (service: Triplet) => `${air.baseUrl}/multiplex/${multiplexKey(service)}`;
const fake = (held: Receivers, options: { readonly trouble?: Trouble } = {}) =>
  fakeSatip(held, multiplexAt, options);
const config = ({ port }: { readonly port: number }) => ({
  kind: "satip",
  id: "t",
  host: "127.0.0.1",
  rtspPort: port,
  channelList,
  sharesMultiplex: true,
  sources: [13],
});

keepsServerContract({
  kind: "satip",
  fake,
  config,
  shares: true,
  hasPasswords: false,
  forbidden: "TUNER_SERVICE_UNKNOWN",
  reception: { input: "frontend 2", isLocked: true, strengthPercent: 80, qualityPercent: 80 },
  read: async (url) => {
    const outcome = await trySatip(url, { patience: new AbortController().signal }, signal());
    return outcome.kind === "flows" ? outcome.payload : new Uint8Array(0);
  },
});

describe("a satip tuner", () => {
  it("provides as many tuners as its server describes", async () => {
    await using server = await fake(receivers({ count: 2, shared: true }));
    const drivers = await openAll({ ...config(server), description: server.description });
    expect(drivers.map(({ facts }) => facts.id)).toEqual(["t", "t#2"]);
  });

  it("does not receive a satellite outside its inputs", async () => {
    await using server = await fake(receivers({ count: 1, shared: true }));
    const [driver] = await openAll(config(server));
    await expect(driver?.open({ onid: 1, tsid: 1, sid: 1 }, signal())).rejects.toMatchObject({
      code: "TUNER_SERVICE_UNKNOWN",
    });
  });

  it("releases its tuner after a failure has been explained", async () => {
    const held = receivers({ count: 1, shared: false });
    await using server = await fake(held);
    const [driver] = await openAll(config(server));
    const session = await driver?.open(ONE, signal());
    expect(await session?.explain?.(signal())).toBeUndefined();
    expect(held.inUse()).toBe(0);
    expect(server.requests.at(-1)).toMatch(/^TEARDOWN rtsp:\/\/127\.0\.0\.1:\d+\/stream=1$/);
  });

  it("does not request PID lists for a service that the multiplex does not name", async () => {
    const held = receivers({ count: 1, shared: true });
    await using server = await fake(held);
    const gone = join(folder, "gone.conf");
    await writeFile(gone, "Gone:226500:B7C34D0G16I999M64S0T8Y0:T:0:257:258:0:0:999:4112:545:0\n");
    const [driver] = await openAll({ ...config(server), channelList: gone, pids: "listed" });
    const opening = driver?.open({ onid: 4112, tsid: 545, sid: 999 }, signal());
    await expect(opening).rejects.toMatchObject({ code: "TUNER_SERVICE_UNKNOWN" });
    expect(held.inUse()).toBe(0);
  });

  it("distinguishes a busy, silent server from one without reception", async () => {
    const held = receivers({ count: 1, shared: true });
    await using server = await fakeSatip(held, multiplexAt, { manner: "tvheadend" });
    const release = held.take(ELSEWHERE, "a viewer");
    const [driver] = await openAll(config(server));
    await using session = await driver?.open(ONE, signal());
    expect(await session?.explain?.(signal())).toMatchObject({ code: "TUNER_IN_USE" });
    release?.();
    expect(await session?.explain?.(signal())).toBeUndefined();
  });

  it("treats packets without payload, as from minisatip, as no reception", async () => {
    await using server = await fakeSatip(receivers({ count: 1, shared: true }), multiplexAt, {
      manner: "minisatip",
      trouble: "no lock",
    });
    const [driver] = await openAll(config(server));
    await using session = await driver?.open(ONE, signal());
    expect(await session?.explain?.(signal())).toMatchObject({ code: "TUNER_NO_LOCK" });
  });

  it("names what a server may not know that forbids a request: it has no users", async () => {
    await using server = await fake(receivers({ count: 1, shared: true }), { trouble: "forbidden" });
    const [driver] = await openAll(config(server));
    await using session = await driver?.open(ONE, signal());
    const refusal = await session?.explain?.(signal());
    expect(refusal?.message).toMatch(/answers 403.*pids: listed/);
    expect(refusal?.message).not.toMatch(/user/);
  });

  it("R-20 does not wait for a frequency that its server does not know", async () => {
    await using server = await fake(receivers({ count: 1, shared: true }));
    const unknown = join(folder, "unknown.conf");
    await writeFile(unknown, "Gone:200500:B7C34D0G16I999M64S0T8Y0:T:0:257:258:0:0:1056:4112:545:0\n");
    const [driver] = await openAll({ ...config(server), channelList: unknown });
    await using session = await driver?.open(ONE, signal());
    expect(await session?.explain?.(signal())).toMatchObject({ code: "TUNER_SERVICE_UNKNOWN" });
  });

  it("never requests whole multiplexes if PID lists are configured: the PMT completes the channel list", async () => {
    await using server = await fake(receivers({ count: 1, shared: true }));
    const bare = join(folder, "bare.conf");
    await writeFile(bare, "One:226500:B7C34D0G16I999M64S0T8Y0:T:0:0:0:0:0:1056:4112:545:0\n");
    const [driver] = await openAll({ ...config(server), channelList: bare, pids: "listed" });
    await using session = await driver?.open(ONE, signal());
    expect(session?.source.url).toMatch(/&pids=0,16,17,18,20,256,257,258$/);
    expect(server.requests.filter((request) => request.includes("pids=all"))).toEqual([]);
  });

  it.each(["all", "listed"])(
    "R-22 records two services of one multiplex at once, with %s PIDs",
    async (pids) => {
      await using server = await fake(receivers({ count: 1, shared: true }));
      const [driver] = await openAll({ ...config(server), pids });
      if (driver === undefined) throw new Error("no driver was opened");
      for (const found of await recordedFrom(driver, [ONE, TWO], join(folder, pids))) {
        expect(found.payloadPackets).toBeGreaterThan(0);
        expect(found.continuityErrors).toBe(0);
        expect(found.named).toEqual(found.service);
        expect(found.reception?.isLocked).toBe(true);
      }
    },
  );
});

describe("the request to a SAT>IP server", () => {
  const cases: readonly (readonly [Tuning, string | undefined])[] = [
    [
      {
        system: "DVB-S2",
        frequencyHz: 11_493_750_000,
        polarization: "H",
        symbolRate: 22_000_000,
        modulation: "8PSK",
        fec: "2/3",
        rollOff: 35,
        pilot: true,
        orbit: 192,
      },
      "src=2&freq=11493.75&pol=h&ro=0.35&msys=dvbs2&mtype=8psk&plts=on&sr=22000&fec=23",
    ],
    [
      {
        system: "DVB-S",
        frequencyHz: 12_551_500_000,
        polarization: "V",
        symbolRate: 22_000_000,
        fec: "5/6",
        orbit: 130,
      },
      "src=1&freq=12551.5&pol=v&msys=dvbs&sr=22000&fec=56",
    ],
    [{ system: "DVB-S", frequencyHz: 12_551_500_000, orbit: -300 }, undefined],
    [
      { system: "DVB-S2", frequencyHz: 12_648_000_000, polarization: "V", orbit: 130, streamId: 5 },
      "src=1&freq=12648&pol=v&msys=dvbs2&isi=5",
    ],
    [
      { system: "DVB-S2", frequencyHz: 12_648_000_000, polarization: "V", orbit: 130, streamId: 0 },
      "src=1&freq=12648&pol=v&msys=dvbs2",
    ],
    [
      {
        system: "DVB-T2",
        frequencyHz: 690_000_000,
        bandwidthHz: 8_000_000,
        modulation: "QAM256",
        transmissionMode: "32K",
        guardInterval: "19/256",
        streamId: 1,
      },
      "freq=690&bw=8&msys=dvbt2&tmode=32k&mtype=256qam&gi=19256&plp=1",
    ],
    [
      {
        system: "DVB-C",
        frequencyHz: 466_000_000,
        symbolRate: 6_900_000,
        modulation: "QAM256",
        inversion: false,
      },
      "freq=466&msys=dvbc&mtype=256qam&sr=6900&specinv=0",
    ],
    [{ system: "ATSC", frequencyHz: 569_000_000 }, undefined],
  ];
  it.each(cases)("for %j is %s", (tuning, query) => {
    expect(satipQuery(tuning, [13, 19.2])).toBe(query);
  });
});

describe("the trial of a stream", () => {
  it("takes only whole packets: whatever else reaches the port hides no table", async () => {
    const good = Buffer.alloc(188, 0x47);
    const rtp = (payload: Buffer, version = 2) =>
      Buffer.concat([Buffer.from([version << 6, 33]), Buffer.alloc(10), payload]);
    const junk = [
      Buffer.alloc(0),
      Buffer.from("x"),
      rtp(Buffer.alloc(1, 0x47)),
      rtp(Buffer.alloc(189, 0x47)),
      rtp(Buffer.alloc(188, 0)),
      rtp(good, 0),
    ];
    const sender = createSocket("udp4");
    const server = createServer((socket) => {
      socket.on("data", (data) => {
        const text = String(data);
        const [, sequence] = /CSeq: (\d+)/.exec(text) ?? [];
        socket.write(`RTSP/1.0 200 OK\r\nCSeq: ${sequence}\r\nSession: 1\r\ncom.ses.streamID: 1\r\n\r\n`);
        const [, found] = /client_port=(\d+)/.exec(text) ?? [];
        if (found !== undefined) port = Number(found);
        if (!text.startsWith("PLAY")) return;
        for (const each of [...junk, rtp(good), ...junk, rtp(good)]) sender.send(each, port, "127.0.0.1");
      });
    });
    let port = 0;
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = `satip://127.0.0.1:${(server.address() as AddressInfo).port}/?freq=1&pids=0`;
    const isEnough = (payload: Uint8Array) => payload.length >= 2 * 188;
    const outcome = await trySatip(url, { patience: new AbortController().signal, isEnough }, signal());
    expect(outcome).toEqual({ kind: "flows", payload: Buffer.concat([good, good]) });
    sender.close();
    server.close();
  });
});
