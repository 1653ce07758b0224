import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Triplet } from "../../../src/model/service.ts";
import type { FoundPoint } from "../../../src/mpeg-ts/streams/access-points.ts";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";

const run = promisify(execFile);
const PICTURE = ["-f", "lavfi", "-i", "testsrc2=size=192x108:rate=25:duration=8"];
const SOUND = ["-f", "lavfi", "-i", "sine=sample_rate=48000:duration=8"];

/** How an encoder of its own makes key frames about each second. */
const STREAMS: Readonly<Record<string, readonly string[]>> = {
  "H.264 with IDR pictures": ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "2"],
  "H.264 with open groups": [
    "-c:v",
    "libx264",
    "-g",
    "30",
    "-x264-params",
    "open-gop=1:bframes=3:scenecut=0",
  ],
  "MPEG-2": ["-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-b:v", "800k"],
  "H.265": ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "keyint=25:log-level=none"],
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "access-points-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function pointsOf(parts: readonly Uint8Array[], service?: Triplet) {
  const found: (FoundPoint & { readonly tables: Uint8Array })[] = [];
  const inspector = new Inspector(service, {
    accessPoint: (point, tables) => found.push({ ...point, tables }),
  });
  for (const part of parts) inspector.push(part);
  inspector.settle();
  return found;
}

/** Key frames by ffprobe, as `offset pts`. */
async function keyFrames(file: string, select = "v:0"): Promise<readonly string[]> {
  const args = ["-v", "error", "-select_streams", select, "-show_entries", "packet=pts,pos,flags"];
  const { stdout } = await run("ffprobe", [...args, "-of", "csv=p=0", file], { maxBuffer: 2 ** 26 });
  const rows = stdout
    .trim()
    .split("\n")
    .map((row) => row.split(","));
  return rows.filter(([, , flags]) => flags?.startsWith("K")).map(([pts, pos]) => `${pos} ${pts}`);
}

const texts = (points: readonly FoundPoint[]) => points.map(({ offset, pts }) => `${offset} ${pts}`);

describe("access points", () => {
  it.each(Object.entries(STREAMS))("of %s are the key frames that ffprobe finds", async (name, options) => {
    const file = join(folder, `${name}.ts`);
    await run("ffmpeg", ["-v", "error", ...PICTURE, ...SOUND, "-pix_fmt", "yuv420p", ...options, "-y", file]);
    const found = texts(pointsOf([await readFile(file)]));
    expect(found.length).toBeGreaterThan(5);
    expect(found).toEqual(await keyFrames(file));
  });

  it.each([3401, 3402, 3403, 3410, 3411])(
    "of service %i of a broadcast multiplex are key frames",
    async (sid) => {
      const file = "test/fixtures/ts/rai-dvbt-mux.ts";
      const found = texts(pointsOf([await readFile(file)], { onid: 318, tsid: 18_432, sid }));
      const keys = await keyFrames(file, `p:${sid}:v:0`);
      // The first one may come before the PMT.
      expect(keys.length - found.length).toBeLessThanOrEqual(1);
      expect(found).toEqual(keys.slice(-found.length));
    },
  );
});
