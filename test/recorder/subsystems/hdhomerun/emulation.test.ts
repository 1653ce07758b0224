import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../../src/kit/log.ts";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import { SECOND } from "../../../../src/model/time.ts";
import { isDeviceId } from "../../../../src/recorder/subsystems/hdhomerun/core/device-id.ts";
import {
  formatPacket,
  PACKET,
  PROTOCOL_PORT,
  parsePacket,
  TAG,
  textField,
  textIn,
} from "../../../../src/recorder/subsystems/hdhomerun/core/packet.ts";
import { HDHOMERUN_LIMITS } from "../../../../src/recorder/subsystems/hdhomerun/limits.ts";
import { discoverServers } from "../../../../src/recorder/tune/discover.ts";
import { openTuners, TunerConfig } from "../../../../src/recorder/tune/registry.ts";
import { told } from "../../../kit/tool.ts";
import { type InProcess, inProcess, simTuners } from "../../../main-job/in-process.ts";
import { pause, soon, type TestWorld, temporaryFolder, testWorld } from "../../../main-job/recorder.ts";
import { ownAddress } from "../../../own-number.ts";
import { outOfPatience } from "../../../patience.ts";
import { readChannelList } from "../../api/m3u-rules.ts";

/** A loopback address of this process alone: the protocol has one port, which others may use at the same time. */
const HOST = ownAddress(127);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: TestWorld;
let recorder: InProcess;
let base: string;
let deviceId: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  world = await testWorld(folder.path, 12);
  recorder = await inProcess(folder.path, world, {
    tuners: simTuners(world, 2),
    hdhomerun: { host: HOST, port: 0, name: "Living room" },
  });
  while (recorder.daemon.hdhomerunPort === undefined) await pause(50);
  base = `http://${HOST}:${recorder.daemon.hdhomerunPort}`;
  while ((await lineup()).length < 12) await pause(50);
  deviceId = (await json<{ DeviceID: string }>("discover.json")).DeviceID;
});

afterAll(async () => {
  await recorder[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

interface Entry {
  readonly GuideNumber: string;
  readonly GuideName: string;
  readonly URL: string;
}

async function json<T>(path: string): Promise<T> {
  return (await (await fetch(`${base}/${path}`)).json()) as T;
}

const lineup = () => json<readonly Entry[]>("lineup.json");
const status = () => json<readonly { readonly VctNumber?: string }[]>("status.json");
const isIdle = async () => (await status()).every(({ VctNumber }) => VctNumber === undefined);

/** Its limits are a second or two, which a busy machine needs for less. */
const GAVE_UP = /^(no devices found|unable to connect to device|communication error)/;

/** The output of hdhomerun_config, asked again when it gave up. */
async function config(...args: readonly string[]): Promise<string> {
  const patience = outOfPatience();
  for (;;) {
    const { out, err } = await told("hdhomerun_config", { args });
    const text = (out + err).trim();
    if (!GAVE_UP.test(text)) return text;
    patience.throwIfAborted();
  }
}

/** The services of a packet that holds a PAT; none of any other packet. */
function servicesIn(packet: Buffer): readonly number[] {
  if (packet[0] !== 0x47 || packet.readUInt16BE(1) !== 0x4000) return [];
  const end = 8 + (packet.readUInt16BE(6) & 0xfff) - 4;
  return Array.from({ length: (end - 13) / 4 }, (_, index) => packet.readUInt16BE(13 + 4 * index));
}

/** A client that reads until it is told to stop. */
async function watch(path: string) {
  const leave = new AbortController();
  const answer = await fetch(`${base}${path}`, { signal: leave.signal });
  const reader = answer.body?.getReader();
  return {
    status: answer.status,
    error: answer.headers.get("x-hdhomerun-error"),
    read: () => reader?.read(),
    /** Reads to the end. @returns whether it was a proper one */
    end: async () => {
      try {
        while ((await reader?.read())?.done === false);
        return "whole";
      } catch {
        return "broken off";
      }
    },
    leave: () => leave.abort(),
  };
}

describe("the description of the device", () => {
  it("has its name, tuners and addresses, and a permanent id", async () => {
    expect(await json("discover.json")).toMatchObject({
      FriendlyName: "Living room",
      DeviceID: expect.stringMatching(/^[0-9A-F]{8}$/),
      TunerCount: 2,
      BaseURL: base,
      LineupURL: `${base}/lineup.json`,
    });
    expect(isDeviceId(deviceId)).toBe(true);
    expect(JSON.parse(await readFile(join(recorder.data, "hdhomerun.json"), "utf8"))).toEqual({ deviceId });
    for (const path of ["device.xml", "capability"])
      expect(await (await fetch(`${base}/${path}`)).text()).toContain(
        `<serialNumber>${deviceId}</serialNumber>`,
      );
  });

  it("lists the channels that a tuner receives, with their addresses", async () => {
    const [first] = await lineup();
    expect(first).toEqual({ GuideNumber: "1", GuideName: "Sim 1", URL: `${base}/auto/v1` });
    const [tuning] = await json<readonly object[]>("lineup.json?tuning");
    expect(tuning).toMatchObject({ OriginalNetworkID: 4112, TransportStreamID: 545, ProgramNumber: 544 });
  });

  it("lists them as XML and for players, too", async () => {
    const [first] = await lineup();
    const xml = await (await fetch(`${base}/lineup.xml`)).text();
    expect(xml.replace(/>\s+</g, "><")).toContain(
      `<Lineup><Program><GuideNumber>1</GuideNumber><GuideName>Sim 1</GuideName><URL>${first?.URL}</URL></Program>`,
    );
    const list = await fetch(`${base}/lineup.m3u`);
    expect(list.headers.get("content-type")).toContain("mpegurl");
    const { entries } = readChannelList(await list.text());
    expect(entries.map(({ url }) => url)).toEqual((await lineup()).map(({ URL }) => URL));
    expect(entries[0]?.attributes).toMatchObject({ "tvg-id": "1", "tvg-chno": "1", "tvg-name": "Sim 1" });
  });

  it.each([
    ["/Discover.JSON", "application/json"],
    ["/LINEUP.json?show=found", "application/json"],
    ["/Lineup.xml", "application/xml"],
    ["/lineup.M3U", "audio/x-mpegurl"],
    ["/DEVICE.xml", "application/xml"],
    ["/Auto/V1", "video/mpeg"],
  ])("answers HEAD %s, whatever the case of its letters", async (path, type) => {
    const answer = await fetch(base + path, { method: "HEAD" });
    expect([answer.status, answer.headers.get("content-type")?.split(";")[0]]).toEqual([200, type]);
  });

  it("offers a scan that ends at once, and the guide", async () => {
    expect(await json("lineup_status.json")).toMatchObject({ ScanInProgress: 0, ScanPossible: 1 });
    const scan = await fetch(`${base}/lineup.post?scan=start&source=Antenna`, { method: "POST" });
    expect(scan.status).toBe(200);
    const guide = await (await fetch(`${base}/v1/guide.xml`)).text();
    for (const { GuideNumber } of await lineup()) expect(guide).toContain(`<channel id="${GuideNumber}">`);
  });

  it("is refused to pages of other sites", async () => {
    const answer = await fetch(`${base}/lineup.json`, { headers: { origin: "http://elsewhere.example" } });
    expect(answer.status).toBe(403);
  });
});

describe("hdhomerun_config", () => {
  it("discovers the recorder", async () => {
    expect(await config("discover", HOST)).toBe(`hdhomerun device ${deviceId} found at ${HOST}`);
  });

  it("reads variables, and gets a clear error for others", async () => {
    expect(await config(HOST, "get", "/sys/model")).toBe("recorderd");
    expect(await config(HOST, "get", "/tuner0/status")).toMatch(/^ch=none lock=none /);
    expect(await config(HOST, "get", "/tuner1/streaminfo")).toBe("none");
    expect(await config(HOST, "get", "/tuner1/lockkey")).toBe("none");
    expect(await config(HOST, "get", "/tuner7/status")).toBe("ERROR: unknown getset variable");
    expect(await config(HOST, "set", "/tuner0/channel", "auto:226500000")).toMatch(/^ERROR: invalid channel/);
    expect(await config(HOST, "set", "/tuner0/vchannel", "99")).toBe("ERROR: invalid virtual channel");
    expect(await config(HOST, "get", "help")).toContain("/tuner<n>/vchannel");
  });

  it("locks a tuner, which others then cannot set until the lock is forced", async () => {
    expect(await config(HOST, "set", "/tuner1/lockkey", "4711")).toBe("");
    expect(await config(HOST, "get", "/tuner1/lockkey")).toBe("127.0.0.1");
    expect(await config(HOST, "set", "/tuner1/vchannel", "1")).toBe("ERROR: resource locked by 127.0.0.1");
    expect(await config(HOST, "key", "4711", "set", "/tuner1/vchannel", "1")).toBe("");
    expect(await config(HOST, "set", "/tuner1/lockkey", "force")).toBe("");
    expect(await config(HOST, "set", "/tuner1/vchannel", "none")).toBe("");
  });

  it("saves a channel from datagrams, and frees the tuner at its end", async () => {
    const file = join(folder.path, "saved.ts");
    expect(await config(HOST, "set", "/tuner0/vchannel", "1")).toBe("");
    const save = () => spawn("hdhomerun_config", [HOST, "save", "0", file]);
    let saving = save();
    const savedBytes = async () => {
      // It has given up before the stream began.
      if (saving.exitCode !== null) saving = save();
      return (await readFile(file).catch(() => "")).length;
    };
    await expect.poll(savedBytes).toBeGreaterThan(200_000);
    expect(await config(HOST, "get", "/tuner0/streaminfo")).toMatch(/^544: 1 Sim 1\n/);
    expect(await config(HOST, "get", "/tuner0/target")).toMatch(/^udp:\/\/127\.0\.0\.1:\d+$/);
    const ended = once(saving, "close");
    saving.kill("SIGINT");
    await ended;
    await expect.poll(isIdle).toBe(true);
    const saved = await readFile(file);
    expect(saved.length % 188).toBe(0);
    const { out } = await told("ffprobe", { args: ["-v", "error", "-show_streams", file] });
    expect(out).toMatch(/^codec_type=video$/m);
  });
});

describe("our own driver", () => {
  it("finds the recorder, its tuners and its channels, and receives one", async () => {
    const signal = outOfPatience();
    const targets = {
      satip: { address: HOST, port: 9 },
      hdhomerun: { address: HOST, port: PROTOCOL_PORT },
    };
    const search = { clock: systemClock(), forMs: 2 * SECOND, from: ["127.0.0.1"], targets };
    const found = await discoverServers(search, signal);
    expect(found).toMatchObject([{ kind: "hdhomerun", address: base, name: deviceId, tuners: 2 }]);
    const config = TunerConfig.parse({
      kind: "hdhomerun",
      id: "own",
      address: base,
      originalNetworkId: 4112,
    });
    const parts = { clock: systemClock(), log: silentLog, folder: folder.path, credentials: () => undefined };
    const drivers = await openTuners([config], parts);
    expect(drivers).toHaveLength(2);
    await drivers[0]?.lookAgain?.(signal);
    const session = await drivers[0]?.open({ onid: 4112, tsid: 545, sid: 544 }, signal);
    expect(session?.source).toMatchObject({ url: `${base}/auto/v1` });
    await session?.[Symbol.asyncDispose]();
    for (const driver of drivers) await driver[Symbol.asyncDispose]();
  });
});

describe("a stream", () => {
  it("plays in ffmpeg for the duration in its address, next to another one; a third gets 805", async () => {
    const other = await watch("/tuner1/v5");
    expect((await other.read())?.value?.[0]).toBe(0x47);
    const copy = join(folder.path, "played.ts");
    const args = ["-v", "error", "-i", `${base}/auto/v1?duration=4`, "-map", "0", "-c", "copy", "-y", copy];
    const player = spawn("ffmpeg", args, { stdio: ["ignore", "ignore", "pipe"] });
    const played = once(player, "close");
    await expect.poll(status).toMatchObject([{ VctNumber: "1" }, { VctNumber: "5" }]);
    expect(await watch("/auto/v9")).toMatchObject({ status: 503, error: "805 All Tuners In Use" });
    expect(await watch("/tuner1/v9")).toMatchObject({ status: 503, error: "804 Tuner In Use" });
    expect(await config(HOST, "set", "/tuner1/vchannel", "9")).toBe("ERROR: resource locked by 127.0.0.1");
    expect((await played)[0]).toBe(0);
    expect((await readFile(copy)).length).toBeGreaterThan(188 * 100);
    other.leave();
    await expect.poll(isIdle).toBe(true);
    await expect.poll(leases).toBe(0);
  });

  it.each(["/auto/v77", "/auto/ch473000000", "/tuner2/v1", "/tunerx/v1"])("at %s gets 801", async (path) => {
    expect(await watch(path)).toMatchObject({ status: 404, error: "801 Unknown Channel" });
  });

  it("changes the channel at once, over HTTP and as datagrams, if no other tuner is free", async () => {
    const other = await watch("/auto/v5");
    for (const channel of ["v1", "v9", "v2"]) {
      const viewer = await watch(`/auto/${channel}`);
      expect([channel, viewer.status]).toEqual([channel, 200]);
      viewer.leave();
    }
    await expect.poll(async () => (await status())[1]?.VctNumber).toBeUndefined();
    const socket = createSocket("udp4");
    const services = new Set<number>();
    socket.on("message", (bytes) => {
      for (let at = 0; at < bytes.length; at += 188)
        for (const service of servicesIn(bytes.subarray(at, at + 188))) services.add(service);
    });
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    const control = connect(PROTOCOL_PORT, HOST);
    const set = async (name: string, value: string) => {
      const fields = [textField(TAG.name, `${name}\0`), textField(TAG.value, `${value}\0`)];
      control.write(formatPacket({ type: PACKET.getSetRequest, fields }));
      const [reply] = (await once(control, "data")) as [Buffer];
      const packet = parsePacket(reply);
      return packet && (textIn(packet, TAG.error) ?? textIn(packet, TAG.value));
    };
    const target = `udp://127.0.0.1:${socket.address().port}`;
    for (const channel of ["1", "9"]) {
      expect(await set("/tuner1/vchannel", channel)).toBe(channel);
      expect(await set("/tuner1/target", target)).toBe(target);
      await expect.poll(() => services.has(0x220 + Number(channel) - 1)).toBe(true);
    }
    // With its target, as devices do.
    expect(await set("/tuner1/vchannel", "2")).toBe("2");
    await expect.poll(() => services.has(0x221)).toBe(true);
    control.destroy();
    other.leave();
    await expect.poll(isIdle).toBe(true);
    socket.close();
  });

  it("that a client leaves while it is tuned frees its tuner", async () => {
    const leave = new AbortController();
    const left = fetch(`${base}/auto/v1`, { signal: leave.signal }).catch(() => "left");
    await expect.poll(isIdle).toBe(false);
    leave.abort();
    expect(await left).toBe("left");
    await expect.poll(isIdle).toBe(true);
    await expect.poll(leases).toBe(0);
  });

  it("R-27 ends when a recording needs its tuner, and the recording is whole", async () => {
    const paths = ["/auto/v1", "/auto/v5"];
    const viewers = await Promise.all(paths.map(watch));
    expect(viewers.map(({ status }) => status)).toEqual([200, 200]);
    const ends = viewers.map(async (viewer, index) => ({ path: paths[index], how: await viewer.end() }));
    const show = { channel: 9, title: "Needs a tuner", start: soon(), durationMs: 8 * SECOND };
    const timerId = await world.world.book(show, world.deviceId);
    const { path, how } = await Promise.race(ends);
    expect(how).toBe("broken off");
    await recorder.until(timerId, ({ state }) => state === "recording");
    expect(await status()).toContainEqual({ Resource: expect.any(String) });
    // One of the emulated tuners is free, but none of the pool.
    expect(await watch(path ?? "")).toMatchObject({ status: 503, error: "805 All Tuners In Use" });
    const { evidence } = await recorder.until(timerId, ({ state }) => state === "completed");
    expect(evidence).toMatchObject({ verdict: "perfect" });
    for (const viewer of viewers) viewer.leave();
    await Promise.all(ends);
    await expect.poll(isIdle).toBe(true);
  });
});

const leases = () => recorder.daemon.snapshot().tuners.flatMap(({ leases }) => leases).length;

describe("hostile input", () => {
  it("in datagrams gets no answer, and a flood of requests gets no more than the limit", async () => {
    const socket = createSocket("udp4");
    let answers = 0;
    socket.on("message", () => {
      answers += 1;
    });
    const send = (bytes: Uint8Array) =>
      new Promise<void>((resolve) => socket.send(bytes, PROTOCOL_PORT, HOST, () => resolve()));
    const request = Buffer.from("0002000c0104ffffffff0204ffffffff73cc7d8f", "hex");
    for (let at = 0; at < request.length; at += 1) {
      const broken = Buffer.from(request);
      broken[at] = (broken[at] ?? 0) ^ 0x55;
      await send(broken);
      await send(request.subarray(0, at));
    }
    await send(Buffer.alloc(60_000, 0xff));
    // The answer to a request of another client comes after all that.
    expect(await config("discover", HOST)).toContain(deviceId);
    expect(answers).toBe(0);
    const began = performance.now();
    for (let count = 0; count < 500; count += 1) await send(request);
    const { datagramsAtOnce, datagramsPerSecond } = HDHOMERUN_LIMITS;
    await expect.poll(() => answers).toBeGreaterThan(0);
    await expect.poll(() => config("discover", HOST)).toContain(deviceId);
    const seconds = (performance.now() - began) / SECOND;
    expect(answers).toBeLessThanOrEqual(datagramsAtOnce + datagramsPerSecond * seconds + 1);
    socket.close();
  });

  it.each([
    ["no packet", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
    ["a packet without an end", Buffer.from([0, 4, 0xff, 0xff])],
    ["a discovery request", Buffer.from("0002000c0104ffffffff0204ffffffff73cc7d8f", "hex")],
  ])("on a control connection, %s, closes it, and the next client is served", async (_name, bytes) => {
    const socket = connect(PROTOCOL_PORT, HOST);
    socket.on("error", () => {});
    socket.end(bytes);
    await once(socket.resume(), "close");
    await expect.poll(() => config(HOST, "get", "/sys/model")).toBe("recorderd");
  });
});
