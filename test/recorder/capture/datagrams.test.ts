import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { silentLog } from "../../../src/kit/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { Capture, CaptureOrder } from "../../../src/model/ports.ts";
import { createCapture } from "../../../src/recorder/capture/capture.ts";
import { logFile, segmentFile } from "../../../src/recorder/capture/files.ts";
import { openDatagrams } from "../../../src/recorder/capture/host/datagram-source.ts";
import { FollowedSender } from "../../../src/recorder/capture/host/followed-sender.ts";
import { HOST_LIMITS } from "../../../src/recorder/capture/host/limits.ts";
import { Shares } from "../../../src/recorder/capture/host/shares.ts";
import type { SourceEnd } from "../../../src/recorder/capture/host/source.ts";
import { openInspection } from "../../../src/recorder/evidence/file-inspection.ts";
import { readerAt, sendAll } from "../../datagrams.ts";
import { freeUdpPort } from "../../free-port.ts";
import { run, SERVICE, SHORT } from "./capture-contract.ts";
import { hostFolders } from "./host.ts";
import { rtpPacket } from "./rtsp.ts";
import { ServiceStream } from "./station.ts";

const GROUP = "239.255.83.1";
const DATAGRAM_BYTES = 7 * 188;
/** A sender's report (RFC 3550 §6.4.1), as some senders mix in. */
const RTCP = Buffer.from([0x80, 200, 0, 6, ...Array.from({ length: 24 }, () => 1)]);
const clock = systemClock();
const places = hostFolders();

let folder: string;
let capture: Capture;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-datagrams-"));
  const limits = { ...SHORT, stallMs: 2500 };
  const parts = {
    owner: folder,
    limits,
    ffmpegPath: "/nowhere/ffmpeg",
    clock,
    log: silentLog,
    openInspection,
  };
  capture = createCapture({ ...parts, host: places.of(folder) });
});
afterAll(async () => {
  await places[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

let attempts = 0;
function order(url: string): CaptureOrder {
  attempts += 1;
  const id = `r${attempts}.1`;
  const source = { url, programme: "single" } as const;
  return { id, source, service: SERVICE, file: segmentFile(folder, id), endsBy: clock.now() + 60_000 };
}

/** A second of the service, as datagrams. */
function datagrams(): readonly Buffer[] {
  const stream = new ServiceStream(SERVICE);
  const bytes = Buffer.concat(Array.from({ length: 50 }, () => stream.next()));
  const count = Math.floor(bytes.length / DATAGRAM_BYTES);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * DATAGRAM_BYTES, (index + 1) * DATAGRAM_BYTES),
  );
}

async function sendTo(all: readonly Buffer[], { port, host = "127.0.0.1" }: { port: number; host?: string }) {
  const socket = createSocket("udp4").bind(0, "127.0.0.1");
  await once(socket, "listening");
  socket.setMulticastInterface("127.0.0.1");
  await sendAll(all, { socket, host, port });
  socket.close();
}

/** Sends one datagram from that address, and is sure of it. */
async function sendFrom(address: string, bytes: Uint8Array, port: number): Promise<void> {
  const socket = createSocket("udp4").bind(0, address);
  await once(socket, "listening");
  await new Promise<void>((resolve) => socket.send(bytes, port, "127.0.0.1", () => resolve()));
  socket.close();
}

describe("the capture host keeps every packet, to the last,", () => {
  it.each([
    ["that comes over UDP", "udp", "127.0.0.1", ""],
    ["that comes over RTP although the address says UDP", "udp", "127.0.0.1", "", "rtp"],
    ["that comes over UDP although the address says RTP", "rtp", "127.0.0.1", "", "udp"],
    ["that comes to a multicast group", "udp", GROUP, "?localaddr=127.0.0.1"],
    ["of one sender of a group", "udp", GROUP, "?localaddr=127.0.0.1&sources=127.0.0.1"],
    ["that comes over RTP", "rtp", "127.0.0.1", ""],
    ["that comes over RTP to a multicast group", "rtp", GROUP, "?localaddr=127.0.0.1"],
  ])("%s", async (_what, scheme, host, options, sentAs = scheme) => {
    const port = await freeUdpPort();
    const one = order(`${scheme}://@${host}:${port}${options}`);
    const { end } = await run(capture, one);
    await readerAt(port);
    const all = datagrams();
    const sent =
      sentAs === "rtp" ? [RTCP, ...all.map((each, index) => rtpPacket(each, 65_500 + index)), RTCP] : all;
    await sendTo(sent, { port, host });
    // Nothing more comes: it is ended as stalled.
    expect(await end).toMatchObject({ cause: "STREAM_STALLED" });
    expect((await readFile(one.file)).equals(Buffer.concat(all))).toBe(true);
  });
});

describe("of several senders to one port", () => {
  it("the first one is followed until it has been silent for half a second", () => {
    const sender = new FollowedSender();
    const took = (address: string, nowMs: number) => sender.takes({ address }, nowMs);
    expect([took("a", 0), took("b", 1), took("a", 400), took("b", 899)]).toEqual([true, false, true, false]);
    expect([took("b", 900), took("a", 901), sender.ignored]).toEqual([true, false, 3]);
  });

  it("two are followed that send one synchronisation source, and one that begins another", () => {
    const sender = new FollowedSender();
    expect(sender.takes({ address: "a", source: 1 }, 0)).toBe(true);
    expect(sender.takes({ address: "b", source: 1 }, 1)).toBe(true);
    expect(sender.takes({ address: "b", source: 2 }, 2)).toBe(false);
    expect(sender.takes({ address: "a", source: 3 }, 3)).toBe(true);
    expect(sender.takes({ address: "b", source: 1 }, 4)).toBe(false);
  });

  it("only one gets into the recording", async () => {
    const port = await freeUdpPort();
    const got: Buffer[] = [];
    let done = () => {};
    const two = new Promise<void>((resolve) => {
      done = resolve;
    });
    const feed = {
      bytes: (bytes: Uint8Array, from: number, to: number) => {
        if (got.push(Buffer.from(bytes.subarray(from, to))) === 2) done();
      },
      ended: () => {},
    };
    const share = new Shares().join(HOST_LIMITS.datagramsBurstBytes);
    const source = openDatagrams({ url: `udp://127.0.0.1:${port}` }, feed, { share, nowMs: () => 0 });
    await readerAt(port);
    const [first, foreign, second] = datagrams();
    if (first === undefined || foreign === undefined || second === undefined) throw new Error("too few");
    await sendFrom("127.0.0.1", first, port);
    await sendFrom("127.0.0.2", foreign, port);
    await sendFrom("127.0.0.1", second, port);
    await two;
    expect(Buffer.concat(got).equals(Buffer.concat([first, second]))).toBe(true);
    expect(source.remarks()).toBe("1 packets of other senders were left out");
    source.close();
  });
});

it("RTP packets are sorted, and lost ones are counted in the log", async () => {
  const port = await freeUdpPort();
  const one = order(`rtp://127.0.0.1:${port}`);
  const { end } = await run(capture, one);
  await readerAt(port);
  const all = datagrams();
  // Whole pairs of neighbours: no pause of the sender comes between two that change places.
  const missing = [20, 21, 40, 41];
  const pairs = all
    .map((each, index) => ({ index, packet: rtpPacket(each, index) }))
    .filter(({ index }) => !missing.includes(index))
    // Neighbours change places, but for the first, which says where the stream begins.
    .toSorted((a, b) => (a.index === 0 ? -1 : b.index === 0 ? 1 : (a.index ^ 1) - (b.index ^ 1)));
  await sendTo(
    pairs.map(({ packet }) => packet),
    { port },
  );
  expect(await end).toMatchObject({ cause: "STREAM_STALLED" });
  const kept = all.filter((_, index) => !missing.includes(index));
  expect((await readFile(one.file)).equals(Buffer.concat(kept))).toBe(true);
  expect(await readFile(logFile(one.file), "utf8")).toMatch(
    /4 RTP packets were lost, \d+ arrived early, 0 late/,
  );
});

it.each(["udp", "rtp"])("a flood over %s ends its source with a report", async (scheme) => {
  const port = await freeUdpPort();
  // No look refills the share: it holds the most that may come at once.
  const share = new Shares().join(HOST_LIMITS.datagramsBurstBytes);
  let bytes = 0;
  const ended = new Promise<SourceEnd>((resolve) => {
    const feed = {
      bytes: (_: Uint8Array, from: number, to: number) => {
        bytes += to - from;
      },
      ended: resolve,
    };
    openDatagrams({ url: `${scheme}://127.0.0.1:${port}` }, feed, { share, nowMs: () => 0 });
  });
  await readerAt(port);
  const sender = createSocket("udp4");
  const payload = Buffer.alloc(30_000);
  let sequence = 0;
  const sending = setInterval(() => {
    for (let sent = 0; sent < 20; sent += 1) {
      sender.send(scheme === "rtp" ? rtpPacket(payload, sequence) : payload, port, "127.0.0.1");
      sequence += 1;
    }
  }, 1);
  const end = await ended;
  clearInterval(sending);
  sender.close();
  expect(end).toEqual({
    complaint: "STREAM_EXCESSIVE",
    words: expect.stringContaining("received more than 200 Mbit/s"),
  });
  expect(bytes).toBeLessThan(HOST_LIMITS.datagramsBurstBytes + payload.length);
});

it("a UDP address in use by another program is busy", async () => {
  const socket = createSocket("udp4").bind(0);
  await once(socket, "listening");
  const { end } = await run(capture, order(`udp://127.0.0.1:${socket.address().port}`));
  expect(await end).toMatchObject({ cause: "TUNER_IN_USE" });
  socket.close();
});

it.each([
  ["rtsp://127.0.0.1/", /capture host does not read rtsp: addresses/],
  ["udp://127.0.0.1:1?pkt_size=1316", /option "pkt_size"/],
  ["file:///etc/passwd", /capture host does not read file: addresses/],
])("the host refuses %s with the reason", async (url, message) => {
  await expect(capture.start(order(url))).rejects.toMatchObject({
    code: "CAPTURE_NOT_STARTED",
    message: expect.stringMatching(message),
  });
});
