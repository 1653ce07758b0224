import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import {
  candidates,
  chooseEncoder,
  SOFTWARE,
} from "../../../../src/recorder/subsystems/playback/conversion/encoder.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-encoder-"));
  for (const name of ["dev/dri", "empty"]) await mkdir(join(folder, name), { recursive: true });
  for (const name of ["dri/card0", "dri/renderD129", "dri/renderD128", "video11"])
    await writeFile(join(folder, "dev", name), "");
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The name of the chosen encoder, if trials of these encoders succeed. */
async function chosen(working: readonly string[]): Promise<string | undefined> {
  const ffmpegPath = join(folder, "ffmpeg");
  const cases = working.map((name) => `*" ${name} "*) exit 0;;`).join(" ");
  await writeFile(ffmpegPath, `#!/bin/sh\ncase "$*" in ${cases} esac\nexit 1\n`);
  await chmod(ffmpegPath, 0o755);
  const { signal } = new AbortController();
  const parts = { ffmpegPath, env: { PATH: "/usr/bin:/bin" }, clock: systemClock(), signal };
  return (await chooseEncoder(await candidates(join(folder, "dev")), parts)).name;
}

it("a machine without devices encodes in software, without a trial", async () => {
  expect(await candidates(join(folder, "empty"))).toEqual([SOFTWARE]);
});

it("the first device whose trial succeeds is used", async () => {
  const found = await candidates(join(folder, "dev"));
  expect(found.map(({ name, device }) => [name, device.at(-1)])).toEqual([
    ["h264_vaapi", join(folder, "dev/dri/renderD128")],
    ["h264_vaapi", join(folder, "dev/dri/renderD129")],
    ["h264_v4l2m2m", undefined],
    ["libx264", undefined],
  ]);
  expect(await chosen(["h264_vaapi", "h264_v4l2m2m"])).toBe("h264_vaapi");
  expect(await chosen(["h264_v4l2m2m"])).toBe("h264_v4l2m2m");
  expect(await chosen([])).toBe("libx264");
});
