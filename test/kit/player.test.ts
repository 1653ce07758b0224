import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/kit/time/clock.ts";
import type { Inspection } from "../../src/model/inspection.ts";
import { hasPcr, payloadAt, pcrAt, pidAt } from "../../src/mpeg-ts/packets.ts";
import { Inspector } from "../../src/recorder/evidence/inspector.ts";
import { freeUdpPort } from "../free-port.ts";
import { ownAddress } from "../own-number.ts";
import { captureLoop } from "./capture-loop.ts";
import { playHttp, playUdp } from "./player.ts";
import { told } from "./tool.ts";

const RAI = readFileSync("test/fixtures/ts/rai-dvbt-mux.ts");
const PACKETS = RAI.length / 188;
const CLOCK_WRAP = 2 ** 33;
const AT = Date.UTC(2026, 10, 20, 9, 30);

function inspect(bytes: Uint8Array): Inspection {
  const inspector = new Inspector(undefined);
  inspector.push(bytes);
  inspector.settle();
  return inspector.inspection();
}

/** So many loops of the capture, from its begin. */
function loops(seams: "real" | "hidden", count: number): Buffer {
  const stream = captureLoop(RAI, seams);
  const first = Math.ceil(stream.indexAt(AT) / PACKETS) * PACKETS;
  return stream.packets(first, first + count * PACKETS);
}

describe("a capture played as a loop", () => {
  it("is unchanged with real seams: the same bytes again and again", () => {
    expect(loops("real", 2).equals(Buffer.concat([RAI, RAI]))).toBe(true);
    expect(inspect(loops("real", 2)).continuityErrors).toBeGreaterThan(0);
    expect(inspect(loops("real", 3)).clockBreaks).toHaveLength(2);
  });

  it("has no seam for counters and clocks if they are rewritten", () => {
    const once = inspect(RAI);
    const found = inspect(loops("hidden", 4));
    expect(found).toMatchObject({ continuityErrors: 0, clockBreaks: [], junkBytes: 0, transportErrors: 0 });
    expect(found.services).toEqual(once.services);
    expect(found.streamMs / once.streamMs).toBeGreaterThan(3.9);
  });

  it("keeps the distance of PTS and DTS to its clock, even at the seam", () => {
    const stream = captureLoop(RAI, "hidden");
    const distances = [0, 1000, 24_286, 24_287].map((loop) => {
      const { pcr, pts, dts } = firstStamps(stream.packets(loop * PACKETS, (loop + 1) * PACKETS));
      return [(pts - pcr + CLOCK_WRAP) % CLOCK_WRAP, (dts - pcr + CLOCK_WRAP) % CLOCK_WRAP];
    });
    expect(new Set(distances.map(String)).size).toBe(1);
    expect(distances[0]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(distances[0]?.[1]).toBeLessThan(2 * 90_000);
  });

  it("keeps the pace of its clock", () => {
    const stream = captureLoop(RAI, "hidden");
    const packetsPerSecond = stream.indexAt(AT + 1000) - stream.indexAt(AT);
    expect((packetsPerSecond * 188 * 8) / 1e6).toBeCloseTo(22.4, 1);
  });
});

/** On PID 512, the clock and picture of Rai 1: the first PCR, and PTS and DTS of the first picture with both, in 90 kHz. */
function firstStamps(bytes: Buffer): { readonly pcr: number; readonly pts: number; readonly dts: number } {
  const packets = Array.from({ length: bytes.length / 188 }, (_, index) =>
    bytes.subarray(index * 188, (index + 1) * 188),
  ).filter((packet) => (packet.readUInt16BE(1) & 0x1fff) === 512);
  const clock = packets.find((packet) => hasPcr(packet, 0)) ?? bytes;
  const picture = packets.find((packet) => {
    const at = payloadAt(packet, 0);
    return at < 160 && packet.readUIntBE(at, 3) === 1 && ((packet[at + 7] ?? 0) & 0xc0) === 0xc0;
  });
  const pes = picture?.subarray(payloadAt(picture, 0)) ?? bytes;
  return { pcr: Math.floor(pcrAt(clock, 0) / 300), pts: stamp(pes, 9), dts: stamp(pes, 14) };
}

/** ISO/IEC 13818-1 §2.4.3.7. */
function stamp(pes: Buffer, at: number): number {
  const bits = [...pes.subarray(at, at + 5)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return Number.parseInt(bits.slice(4, 7) + bits.slice(8, 23) + bits.slice(24, 39), 2);
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-player-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Records with ffmpeg, bytes as they are, until there is a megabyte. */
async function recorded(url: string, name: string): Promise<Buffer> {
  const file = join(folder, name);
  const input = ["-f", "data", "-raw_packet_size", "1316", "-i", url];
  const output = ["-map", "0", "-c", "copy", "-f", "data", "-fs", "1000000", file];
  await told("ffmpeg", { args: ["-v", "error", "-nostdin", ...input, ...output] });
  return readFile(file);
}

/**
 * Whole datagrams of the capture. A busy machine loses most of them when the sender catches up, and the rest need not have a
 * table: a megabyte has one PAT.
 */
function expectStream(bytes: Buffer): void {
  expect(bytes.length).toBeGreaterThanOrEqual(1_000_000);
  expect(inspect(bytes)).toMatchObject({ junkBytes: 0, transportErrors: 0 });
  const known = pidsOf(RAI);
  expect([...pidsOf(bytes)].filter((pid) => !known.has(pid))).toEqual([]);
}

function pidsOf(bytes: Buffer): ReadonlySet<number> {
  return new Set(Array.from({ length: bytes.length / 188 }, (_, index) => pidAt(bytes, index * 188)));
}

describe("the player", () => {
  const stream = captureLoop(RAI, "hidden");
  const clock = systemClock();

  it("sends to an ffmpeg that listens on a UDP port", async () => {
    await using player = await playUdp(stream, { host: "127.0.0.1", port: await freeUdpPort(), clock });
    expectStream(await recorded(player.url, "unicast.ts"));
  });

  it("sends to two ffmpegs at once over multicast on loopback", async () => {
    const port = await freeUdpPort();
    await using player = await playUdp(stream, { host: ownAddress(239), port, clock });
    const both = await Promise.all([recorded(player.url, "one.ts"), recorded(player.url, "two.ts")]);
    for (const bytes of both) expectStream(bytes);
  });

  it("serves any number of readers over HTTP", async () => {
    await using player = await playHttp(stream, clock);
    const all = await Promise.all([1, 2, 3].map(() => fetched(player.url, 1_000_000)));
    for (const bytes of all) {
      expect(inspect(bytes)).toMatchObject({ transportStreamId: 18_432, continuityErrors: 0, junkBytes: 0 });
    }
  });
});

async function fetched(url: string, length: number): Promise<Buffer> {
  const [response] = (await once(get(url, { agent: false }), "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  let got = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    got += chunk.length;
    if (got >= length) break;
  }
  return Buffer.concat(chunks);
}
