import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NULL_PID, PACKET_BYTES, pidAt } from "../../../../src/mpeg-ts/packets.ts";
import type { FoundCut, FoundPoint } from "../../../../src/mpeg-ts/streams/access-points.ts";
import { stampStepMs } from "../../../../src/mpeg-ts/streams/pes.ts";
import { Inspector } from "../../../../src/recorder/evidence/inspector.ts";
import {
  decodablePackets,
  firstDecodablePackets,
} from "../../../../src/recorder/subsystems/playback/hls/segment-packets.ts";
import {
  createSegmenter,
  leadInOf,
  type Segment,
} from "../../../../src/recorder/subsystems/playback/hls/segments.ts";
import { told } from "../../../kit/tool.ts";
import { writeBroadcast } from "./file-source.ts";

const AFTER_MS = 250;

let folder: string;
let broadcast: Buffer;
let points: readonly FoundPoint[];
let cuts: readonly FoundCut[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-cut-"));
  const file = join(folder, "broadcast.ts");
  const picture = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-g", "50", "-sc_threshold", "0"];
  await writeBroadcast(file, { seconds: 5, picture });
  broadcast = await readFile(file);
  ({ points, cuts } = foundIn(broadcast));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function foundIn(bytes: Buffer) {
  const [found, ends]: [FoundPoint[], FoundCut[]] = [[], []];
  const inspector = new Inspector(undefined, {
    accessPoint: (point) => found.push(point),
    firstCut: { afterMs: AFTER_MS, found: (cut) => ends.push(cut) },
  });
  inspector.push(bytes);
  inspector.settle();
  return { points: found, cuts: ends };
}

/** The first group of pictures as one segment, and as two. */
function segments(): { readonly whole: Segment; readonly parts: readonly [Segment, Segment] } {
  const [whole, divided] = [createSegmenter(), createSegmenter()];
  const [first, second] = points.map((point) => ({ ...point, isBreak: false, tables: 0 }));
  const [cut] = cuts;
  if (first === undefined || second === undefined || cut === undefined) throw new Error("nothing was found");
  for (const each of [whole, divided]) each.push(first);
  const [one, two, all] = [divided.cut(cut), divided.push(second), whole.push(second)];
  if (one === undefined || two === undefined || all === undefined) throw new Error("no segment ended");
  return { whole: all, parts: [one, two] };
}

const sourceOf = (bytes: Buffer) => ({
  async *read({ first, last }: { readonly first: number; readonly last: number }) {
    yield Buffer.from(bytes.subarray(first, last + 1));
  },
});

async function joined(packets: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const some of packets) all.push(some);
  return Buffer.concat(all);
}

const PTS = ["-select_streams", "v", "-show_entries", "frame=pts", "-of", "csv=p=0"];

/** The times of the pictures that ffmpeg decodes. */
async function shown(bytes: Buffer): Promise<readonly number[]> {
  const { out } = await told("ffprobe", { args: ["-v", "quiet", ...PTS, "-"], input: bytes });
  return out
    .split("\n")
    .map(Number)
    .filter((pts) => pts > 0);
}

describe("the first segment of a live service", () => {
  it("ends once, at the first picture of which no earlier one is shown later", () => {
    const [first] = points;
    expect(cuts).toHaveLength(1);
    const lengthMs = (cuts[0]?.streamMs ?? 0) - (first?.streamMs ?? 0);
    expect(lengthMs).toBeGreaterThanOrEqual(AFTER_MS);
    expect(lengthMs).toBeLessThan(2 * AFTER_MS);
    expect(stampStepMs(first?.pts ?? 0, cuts[0]?.pts ?? 0)).toBeGreaterThan(0);
    expect(cuts[0]?.offset).toBeLessThan(points[1]?.offset ?? 0);
  });

  it("holds together with the second one the packets of one segment, whatever is damaged", async () => {
    const { whole, parts } = segments();
    const video = pidAt(broadcast, whole.first);
    for (let at = whole.first; at < whole.end; at += PACKET_BYTES) {
      // Its loss also makes the picture before it doubtful, which the first part has already as whole.
      if (pidAt(broadcast, at) !== video || at === parts[1].first) continue;
      const damaged = Buffer.from(broadcast);
      damaged.writeUInt16BE(NULL_PID, at + 1);
      const source = sourceOf(damaged);
      const apart = [];
      for (const part of parts) {
        const own = await joined(decodablePackets(source, part));
        expect(own).toHaveLength(part.end - part.first);
        apart.push(own);
      }
      const all = await joined(decodablePackets(source, whole));
      expect([at, Buffer.concat(apart).equals(all)]).toEqual([at, true]);
    }
  });

  it("is decoded first for a decoder that begins with the second one", async () => {
    const { whole, parts } = segments();
    const [, second] = parts;
    expect([leadInOf(whole), leadInOf(second)]).toEqual([0, second.first - whole.first]);
    const source = sourceOf(broadcast);
    const begun = await joined(firstDecodablePackets(source, second));
    expect(begun.equals(await joined(decodablePackets(source, whole)))).toBe(true);
  });

  it("takes its last picture with it: all pictures of the second one are shown later", async () => {
    const { whole, parts } = segments();
    const [one] = parts;
    const beginning = broadcast.subarray(0, whole.first);
    const [early, all] = await Promise.all(
      [one.end, whole.end].map((end) =>
        shown(Buffer.concat([beginning, broadcast.subarray(whole.first, end)])),
      ),
    );
    expect(early?.length).toBeGreaterThan(0);
    expect(all?.slice(0, early?.length)).toEqual(early);
  });
});
