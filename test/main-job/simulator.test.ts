import { execFile, spawn } from "node:child_process";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { findMarked } from "../../src/kit/process/marked-process.ts";
import { HOST_MARK } from "../../src/recorder/capture/host/protocol.ts";
import type { SimulationResult } from "../../src/simulator/simulate.ts";
import { IS_LONG } from "../lane.ts";
import { shareClip } from "../simulator/air.ts";
import { temporaryFolder } from "./recorder.ts";

const run = promisify(execFile);
const MAIN = join(import.meta.dirname, "../../dist/main.js");

async function simulated(...flags: readonly string[]): Promise<SimulationResult> {
  const { stdout } = await run(process.execPath, [MAIN, "simulate", "--once", "--json", ...flags]);
  return JSON.parse(stdout);
}

it("npm start before the setup names the setup command, in one line", async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, "scripts"));
  const start = join(folder.path, "scripts/start.mjs");
  await copyFile(join(import.meta.dirname, "../../scripts/start.mjs"), start);
  await expect(run(process.execPath, [start])).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: "start: nothing is built yet, run: npm run setup\n",
  });
});

it("recorderd simulate names the folder of the recordings at its end", async () => {
  await using folder = await temporaryFolder();
  await shareClip(folder.path);
  const child = spawn(process.execPath, [MAIN, "simulate", "--data", folder.path]);
  let out = "";
  let isTold = false;
  for await (const text of child.stdout.setEncoding("utf8")) {
    out += text;
    // Once: a second signal would end the process before it has written anything.
    if (!isTold && out.includes("booked")) isTold = child.kill("SIGINT");
  }
  expect(out.trimEnd().split("\n").at(-1)).toBe(
    `stopped         recordings are in ${folder.path}/recordings`,
  );
});

describe.concurrent.each(IS_LONG ? ["json", "xml"] : ["xml"])("recorderd simulate --wire %s", (wire) => {
  it.concurrent("R-04 R-05 records a booked show whole, verifies the file, and reports that to the service", async () => {
    await using folder = await temporaryFolder();
    await shareClip(folder.path);
    const result = await simulated("--wire", wire, "--seconds", "6", "--data", folder.path);
    const left = (await findMarked(HOST_MARK)).filter(({ mark }) => mark.startsWith(folder.path));
    expect(left, "capture hosts that wait for more").toEqual([]);
    expect(result.recordings).toHaveLength(1);
    const [recording] = result.recordings;
    expect(recording).toMatchObject({
      state: "completed",
      continuityErrors: 0,
      startedLateMs: 0,
      segments: 1,
    });
    expect(recording?.coverage).toBeGreaterThanOrEqual(0.99);
    expect(result.service[0]?.states).toEqual(["waiting", "running", "completed"]);

    const { stdout } = await run("ffprobe", [
      ...["-v", "quiet", "-count_frames", "-show_entries", "stream=codec_name,nb_read_frames", "-of", "json"],
      recording?.file ?? "",
    ]);
    const streams: readonly { codec_name: string; nb_read_frames?: string }[] = JSON.parse(stdout).streams;
    // 25 pictures a second in a window of 8 s; those before the first key picture cannot be decoded.
    const pictures = streams.find(({ codec_name }) => codec_name === "h264")?.nb_read_frames;
    expect(Number(pictures)).toBeGreaterThanOrEqual(7 * 25);
    expect(streams.map(({ codec_name }) => codec_name)).toContain("aac");
  });
});
