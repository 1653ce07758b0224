import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import { attemptId } from "../../../../src/model/attempt.ts";
import type { Evidence } from "../../../../src/model/evidence.ts";
import type { Recording } from "../../../../src/model/recording.ts";
import { SECOND } from "../../../../src/model/time.ts";
import { createMountCheck } from "../../../../src/recorder/capture/mount-check.ts";
import { parseNameTemplate } from "../../../../src/recorder/capture/name-template.ts";
import { createRecordingFiles } from "../../../../src/recorder/capture/recording-files.ts";
import { createClosing } from "../../../../src/recorder/engine/runtime/closing-acts.ts";
import { excerptDecoder } from "../../../../src/recorder/evidence/excerpt.ts";
import { openInspection } from "../../../../src/recorder/evidence/file-inspection.ts";
import { wholeReader } from "../../../../src/recorder/evidence/whole-file.ts";
import { casesOf } from "../../../lane.ts";
import { inState } from "../../../model/recordings.ts";
import { fc } from "../../../properties.ts";
import { Brain, EIGHT, timer } from "./world.ts";

const PACKET = 188;
const SERVICE = { onid: 318, tsid: 18_432, sid: 3401 };
const CAPTURE = await readFile("test/fixtures/ts/rai-dvbt-mux.ts");
const { signal } = new AbortController();

/** A part of the capture, cut anywhere. */
interface Cut {
  readonly from: number;
  readonly to: number;
}

interface Published {
  readonly evidence: Evidence;
  readonly file: Buffer;
  readonly sha256: string;
}

/** Closes a recording whose segments are these parts, each step twice as after a crash. */
async function published(parts: readonly Cut[]): Promise<Published> {
  const folder = await mkdtemp(join(tmpdir(), "recorderd-whole-"));
  try {
    await mkdir(join(folder, ".recorderd"));
    const planned: Recording = { ...new Brain().fetch(timer("1")).of("1"), service: SERVICE };
    const shelf = createRecordingFiles({
      folder,
      template: parseNameTemplate("{title}", "UTC"),
      ownership: { fileMode: 0o640, folderMode: 0o750 },
    });
    const attempts: Recording["attempts"][number][] = [];
    for (const [index, { from, to }] of parts.entries()) {
      const [number, startedAt] = [index + 1, EIGHT + index * SECOND];
      const file = shelf.segmentFile(attemptId(planned.id, number));
      await writeFile(file, CAPTURE.subarray(from, to));
      const endedAt = startedAt + SECOND / 2;
      await utimes(file, new Date(endedAt), new Date(endedAt));
      attempts.push({
        number,
        tunerId: "a",
        startedAt,
        flowingAt: startedAt,
        endedAt,
        cause: "CAPTURE_DIED",
      });
    }
    const closing = () =>
      createClosing({
        shelf,
        readWhole: wholeReader(systemClock()),
        decodesExcerpt: excerptDecoder({ ffmpegPath: "ffmpeg", clock: systemClock() }),
        presence: createMountCheck({ folder, isKnown: () => true }),
        sidecars: { json: false, nfo: false, timeZone: "UTC", writtenBy: "recorderd" },
      });
    const recording = inState(planned, "closing", { attempts });
    await using before = closing();
    await before.inspect(recording, signal);
    await using after = closing();
    const found = await after.inspect(recording, signal);
    if (found.kind !== "inspected") throw new Error("it was inspected");
    const { evidence } = found;
    await after.publish({ ...recording, evidence }, signal);
    const done = await after.publish({ ...recording, evidence }, signal);
    if (done.kind !== "published" || done.sha256 === undefined) throw new Error("it was published");
    const left = (await readdir(folder)).filter((name) => name !== ".recorderd");
    expect(left).toHaveLength(1);
    const file = join(folder, left[0] ?? "");
    await using inspection = openInspection(file, undefined);
    expect(await inspection.advance(signal)).toMatchObject({ junkBytes: 0, damagedPackets: 0, tailBytes: 0 });
    return { evidence, file: await readFile(file), sha256: done.sha256 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The packets that must be left: the first part from its beginning, and the whole packets of all others. */
function wholeOf(parts: readonly Cut[]): Buffer {
  return Buffer.concat(
    parts.map(({ from, to }, index) => {
      const first = index === 0 ? from : Math.ceil(from / PACKET) * PACKET;
      return CAPTURE.subarray(first, Math.floor(to / PACKET) * PACKET);
    }),
  );
}

const cut = fc
  .tuple(fc.integer({ min: 0, max: 1_700_000 }), fc.integer({ min: 1_800_000, max: 2_000_000 }))
  .map(([from, length]) => ({ from, to: from + length }));

it("a published file contains every whole packet of its segments and ends with one, wherever they were cut", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(cut, { minLength: 1, maxLength: 3 }), async (parts) => {
      const { evidence, file, sha256 } = await published(parts);
      const head = (PACKET - ((parts[0]?.from ?? 0) % PACKET)) % PACKET;
      const isTrue = sha256 === createHash("sha256").update(file).digest("hex");
      const isKnown = evidence.sha256 === undefined || evidence.sha256 === sha256;
      const isWhole = (file.length - head) % PACKET === 0 && file.equals(wholeOf(parts));
      return isTrue && isKnown && isWhole && evidence.bytes === file.length;
    }),
    { seed: 15, numRuns: casesOf({ sample: 3, all: 12 }) },
  );
});

it("the evidence of a single segment has the SHA-256 of the remaining bytes", async () => {
  const { evidence, file } = await published([{ from: 50, to: 2_000_000 }]);
  expect(evidence.sha256).toBe(createHash("sha256").update(file).digest("hex"));
  expect(evidence.keptBytes).toEqual({ 1: file.length });
});

it("a segment that ends with a whole packet is not cut", async () => {
  const { evidence } = await published([{ from: 0, to: 10_000 * PACKET }]);
  expect(evidence.keptBytes).toBeUndefined();
});
