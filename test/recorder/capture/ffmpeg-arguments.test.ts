import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { CaptureOrder, Source } from "../../../src/model/ports.ts";
import { createCapture } from "../../../src/recorder/capture/capture.ts";
import type { CaptureLimits } from "../../../src/recorder/capture/engine.ts";
import { ffmpegArguments } from "../../../src/recorder/capture/ffmpeg-arguments.ts";
import { logFile, segmentFile } from "../../../src/recorder/capture/files.ts";
import { CAPTURE_LIMITS } from "../../../src/recorder/capture/limits.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { readerAt, sendAll } from "../../datagrams.ts";
import { freeUdpPort } from "../../free-port.ts";
import { captureLoop } from "../../kit/capture-loop.ts";
import { playUdp } from "../../kit/player.ts";
import { run, SERVICE, SHORT } from "./capture-contract.ts";
import { portionsOf, rtpPacket, startRtsp } from "./rtsp.ts";
import { portions, ServiceStream, startStation } from "./station.ts";

const RAI_FILE = "test/fixtures/ts/rai-dvbt-mux.ts";
const RAI = await readFile(RAI_FILE);
const RAI_1 = { onid: 318, tsid: 18_432, sid: 3401 };
const RAI_NEWS = { onid: 318, tsid: 18_432, sid: 3411 };

const clock = systemClock();
const never = new AbortController().signal;
const capture = captureWith(SHORT);

function captureWith(limits: CaptureLimits) {
  const owner = `ffmpeg-arguments-${process.pid}`;
  return createCapture({ owner, ffmpegPath: "ffmpeg", clock, log: silentLog, openInspection, limits });
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-ffmpeg-arguments-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let attempts = 0;
function order(
  url: string,
  { service = SERVICE, programme = "single" }: Partial<Pick<CaptureOrder, "service"> & Source> = {},
) {
  attempts += 1;
  const id = `r${attempts}.1`;
  const endsBy = clock.now() + 60_000;
  return { id, source: { url, programme }, service, file: segmentFile(folder, id), endsBy };
}

async function inspected({ file, service }: CaptureOrder) {
  await using inspection = openInspection(file, service);
  return await inspection.advance(never);
}

describe("a capture of a source with one service", () => {
  it("contains exactly the bytes received over HTTP", async () => {
    await using station = await startStation({
      one: (response, air) => air.live(portions(new ServiceStream(SERVICE), 50), () => response.end()),
    });
    const one = order(station.url("one"));
    expect(await (await run(capture, one)).end).toMatchObject({ cause: "STREAM_ENDED" });
    expect((await readFile(one.file)).equals(station.sent("one"))).toBe(true);
  });

  it("contains exactly the bytes received over UDP, from first to last", async () => {
    const port = await freeUdpPort();
    const one = order(`udp://127.0.0.1:${port}`, { service: RAI_1 });
    const { flowing, end } = await run(capture, one);
    await using _player = await playUdp(captureLoop(RAI, "real"), { host: "127.0.0.1", port, clock });
    await flowing();
    await clock.sleep(1500, never);
    await capture.stop(one.id);
    expect(await end).toMatchObject({ cause: "asked" });
    const recorded = await readFile(one.file);
    const start = RAI.indexOf(recorded.subarray(0, 7 * 188));
    expect(recorded.length).toBeGreaterThan(1_000_000);
    expect(start).toBeGreaterThanOrEqual(0);
    for (let at = 0; at < recorded.length; ) {
      const from = (start + at) % RAI.length;
      const expected = RAI.subarray(from, from + recorded.length - at);
      expect(recorded.subarray(at, at + expected.length).equals(expected)).toBe(true);
      at += expected.length;
    }
  });
});

describe("a capture of one service of a real multiplex", () => {
  /** Sends the capture once, in its own time of 1.4 s. */
  const multiplex = () =>
    startStation({
      mux: (response, air) => {
        const parts = [...chunks(RAI, 300 * 188)];
        air.live(
          () => parts.shift(),
          () => response.end(),
        );
      },
    });

  it.each([
    [RAI_1, ["DVB teletext", "MPEG-1 audio", "MPEG-1 audio", "MPEG-1 audio", "MPEG-2 video"]],
    [RAI_NEWS, ["DVB teletext", "MPEG-1 audio", "MPEG-2 video"]],
  ])(
    "contains service %j, its ids, and all its recordable streams, and no other service",
    async (service, codecs) => {
      await using station = await multiplex();
      const one = order(station.url("mux"), { service, programme: "multi" });
      expect(await (await run(capture, one)).end).toMatchObject({ cause: "STREAM_ENDED" });
      const found = await inspected(one);
      expect(found.services.map(({ triplet }) => triplet)).toEqual([service]);
      expect(found.services[0]?.streams.map(({ codec }) => codec).sort()).toEqual(codecs);
      expect(found).toMatchObject({ continuityErrors: 0, transportErrors: 0, junkBytes: 0, nullPackets: 0 });
      // Nothing of the 1.34 s is missing but what belongs to pictures that were cut off at both ends.
      expect(found.streamMs).toBeGreaterThan(1200);
    },
  );

  it("is refused if the service is missing, and never takes another one", async () => {
    await using station = await multiplex();
    const none = order(station.url("mux"), { service: { ...RAI_1, sid: 999 }, programme: "multi" });
    const { end, flows } = await run(capture, none);
    expect(await end).toMatchObject({ cause: "STREAM_WRONG_SERVICE" });
    expect(flows()).toBe(0);
  });

  it("has no data if the input is no transport stream", async () => {
    await using station = await startStation({
      page: (response) => response.writeHead(200).end("<html>".repeat(10_000)),
    });
    const { end } = await run(capture, order(station.url("page"), { programme: "multi" }));
    expect(await end).toMatchObject({ cause: "STREAM_NO_DATA" });
  });

  it("contains the same over RTP as over HTTP: no RTP headers, and every packet", async () => {
    const loop = captureLoop(RAI, "hidden");
    const sent = loop.packets(0, 40_000);
    await using station = await startStation({
      mux: (response, air) => {
        const parts = [...chunks(sent, 1000 * 188)];
        air.live(
          () => parts.shift(),
          () => response.end(),
        );
      },
    });
    const overHttp = order(station.url("mux"), { service: RAI_1, programme: "multi" });
    await (await run(capture, overHttp)).end;

    const port = await freeUdpPort();
    const overRtp = order(`rtp://127.0.0.1:${port}`, { service: RAI_1, programme: "multi" });
    const { end } = await run(captureWith({ ...SHORT, stallMs: 5000 }), overRtp);
    await readerAt(port);
    await sendRtp(sent, port);
    // Nothing more comes: it is ended as stalled.
    expect(await end).toMatchObject({ cause: "STREAM_STALLED" });

    const [http, rtp] = [await readFile(overHttp.file), await readFile(overRtp.file)];
    // The end of what was sent is still in ffmpeg's hands when it waits for more.
    const length = Math.floor(0.8 * http.length);
    expect(rtp.length).toBeGreaterThan(length);
    expect(rtp.subarray(0, length).equals(http.subarray(0, length))).toBe(true);
  });

  it("can be read over RTSP", async () => {
    await using station = await startRtsp(RAI, 6);
    const one = order(station.url, { service: RAI_NEWS });
    const { end, flows } = await run(capture, one);
    expect(await end).toMatchObject({ cause: "STREAM_ENDED" });
    expect(flows()).toBe(1);
    expect((await inspected(one)).services.map(({ triplet }) => triplet)).toEqual([RAI_NEWS]);
  });

  it("R-39 is read over RTSP with a password that is in no process list and no log", async () => {
    await using station = await startRtsp(RAI, 6, "viewer:s3cret word");
    const url = station.url.replace("rtsp://", "rtsp://viewer:s3cret%20word@");
    const one = order(url, { service: RAI_NEWS });
    const { end, flows } = await run(capture, one);
    const lines = await commandLines();
    expect(lines).toContain(one.file);
    expect(lines).not.toContain("s3cret");
    expect(await end).toMatchObject({ cause: "STREAM_ENDED" });
    expect(flows()).toBe(1);
    expect(await readFile(logFile(one.file), "utf8")).not.toContain("s3cret");
    const stranger = order(station.url, { service: RAI_NEWS });
    expect(await (await run(capture, stranger)).end).not.toMatchObject({ cause: "STREAM_ENDED" });
  });
});

/** The command lines of all processes of this machine, as everybody can read them. */
async function commandLines(): Promise<string> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = names.map((name) => readFile(`/proc/${name}/cmdline`, "utf8").catch(() => ""));
  return (await Promise.all(lines)).join("\n");
}

it("a UDP address in use by another program is busy", async () => {
  const socket = createSocket("udp4").bind(0);
  await once(socket, "listening");
  const { end } = await run(capture, order(`udp://127.0.0.1:${socket.address().port}`));
  expect(await end).toMatchObject({ cause: "TUNER_IN_USE" });
  socket.close();
});

it("an address without a profile is refused", () => {
  expect(() => ffmpegArguments(order("concat:/etc/passwd"), CAPTURE_LIMITS)).toThrow(/"concat:" addresses/);
});

it("a server that redirects to a local file gets no data of it recorded", async () => {
  const station = await startStation({
    leads: (response) => response.writeHead(302, { location: pathToFileURL(RAI_FILE).href }).end(),
  });
  const asked = order(station.url("leads"));
  const { end } = await run(capture, asked);
  expect(await end).not.toMatchObject({ cause: "asked" });
  expect((await readFile(asked.file).catch(() => Buffer.alloc(0))).length).toBe(0);
  await station[Symbol.asyncDispose]();
});

it("a file is read only as a transport stream, in a loop, at its own speed", () => {
  const args = ffmpegArguments(order("file:///srv/a%20b.ts", { programme: "multi" }), CAPTURE_LIMITS).join(
    " ",
  );
  expect(args).toContain("-stream_loop -1 -re");
  expect(args).toContain("-f mpegts -i file:/srv/a b.ts -map 0:p:");
});

async function sendRtp(bytes: Buffer, port: number): Promise<void> {
  const socket = createSocket("udp4");
  const packets = [...portionsOf(bytes)].map(rtpPacket);
  await sendAll(packets, { socket, host: "127.0.0.1", port });
  socket.close();
}

function* chunks(bytes: Buffer, length: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}
