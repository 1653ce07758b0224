import { stat } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isTerminal } from "../../src/model/recording.ts";
import { HOUR, SECOND } from "../../src/model/time.ts";
import { PLAYBACK_LIMITS } from "../../src/recorder/subsystems/playback/limits.ts";
import { told } from "../kit/tool.ts";
import { type CheckedPlaylist, checkPlaylist, checkReload } from "../recorder/subsystems/playback/rfc8216.ts";
import { type InProcess, inProcess, simTuners } from "./in-process.ts";
import { pause, soon, type TestWorld, temporaryFolder, testWorld } from "./recorder.ts";

const SHOW_MS = 14 * SECOND;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: TestWorld;
let recorder: InProcess;
let playlistUrl: string;
/** The playlist as a player reloads it, from the first one with segments to the last. */
const reloads: CheckedPlaylist[] = [];
let file: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  home = await testWorld(folder.path);
  const web = { port: 0, signIn: "where-needed" };
  recorder = await inProcess(folder.path, home, { tuners: simTuners(home, 1), web });
  const show = { channel: 1, title: "Match", start: soon(), durationMs: SHOW_MS };
  const timerId = await home.world.book(show, home.deviceId);
  const { id } = await recorder.until(timerId, ({ state }) => state === "recording");
  const base = `http://127.0.0.1:${recorder.daemon.webPort}/v1/recordings/${id}`;
  playlistUrl = `${base}/hls/index.m3u8`;
  const reload = async () => {
    const answer = await fetch(playlistUrl);
    const playlist = answer.ok ? checkPlaylist(await answer.text()) : undefined;
    if (playlist !== undefined && playlist.segments.length > 0) reloads.push(playlist);
    return playlist;
  };
  // Until the playlist is complete, as players do.
  while ((await reload())?.isComplete !== true) await pause(SECOND / 2);
  const ended = await recorder.until(timerId, ({ state }) => isTerminal(state));
  file = ended.evidence?.file ?? "";
});

afterAll(async () => {
  await recorder[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** Decodes everything. @returns the number of pictures, and what ffmpeg complains about */
async function decoded(input: string): Promise<{ readonly pictures: number; readonly complaints: string }> {
  const args = ["-v", "error", "-i", input, "-map", "0:v:0", "-map", "0:a:0", "-f", "framehash", "-"];
  const { out, err } = await told("ffmpeg", { args });
  return { pictures: out.split("\n").filter((line) => line.startsWith("0,")).length, complaints: err };
}

function linesOf(complaints: string): readonly string[] {
  return complaints.replace(/ @ 0x[0-9a-f]+/g, "").split("\n");
}

describe("a recording over HLS", () => {
  it("has a valid playlist at every reload, during the recording and afterwards", () => {
    expect(reloads.flatMap(({ faults }) => faults)).toEqual([]);
    for (const [at, reload] of reloads.slice(1).entries())
      expect(checkReload(reloads[at] ?? reload, reload)).toEqual([]);
    expect(reloads[0]?.isComplete).toBe(false);
    const [first, last] = [reloads[0]?.segments.length ?? 0, reloads.at(-1)?.segments.length ?? 0];
    expect(first).toBeLessThan(last);
  });

  it("decodes to the same pictures as the file, except for a cut last one, and without other errors", async () => {
    const [bySegments, byFile] = await Promise.all([decoded(playlistUrl), decoded(file)]);
    // A recording begins and ends within a picture; its segments begin with a whole one.
    const complaints = linesOf(byFile.complaints);
    expect(linesOf(bySegments.complaints).filter((line) => !complaints.includes(line))).toEqual([]);
    expect([byFile.pictures, byFile.pictures - 1]).toContain(bySegments.pictures);
    const seconds = reloads.at(-1)?.segments.reduce((sum, segment) => sum + segment.seconds, 0) ?? 0;
    expect(seconds).toBeGreaterThan(SHOW_MS / SECOND);
    expect(Math.abs(seconds - byFile.pictures / 25)).toBeLessThan(0.5);
  });

  it("can be decoded from every segment, and contains the file's bytes once", async () => {
    const { segments = [] } = reloads.at(-1) ?? {};
    let bytes = 0;
    for (const [at, { uri }] of segments.entries()) {
      const url = new URL(uri, playlistUrl).href;
      const body = Buffer.from(await (await fetch(url)).arrayBuffer());
      const { err } = await told("ffmpeg", {
        args: ["-v", "error", "-i", "-", "-f", "null", "-"],
        input: body,
      });
      if (at < segments.length - 1) expect(err).toBe("");
      // PAT and PMT of one packet each.
      bytes += body.length - 2 * 188;
    }
    const { size } = await stat(file);
    expect(bytes).toBeGreaterThan(size - 1_000_000);
    expect(bytes).toBeLessThanOrEqual(size);
  });

  it("is refused at once while its show is hours away", async () => {
    const show = { channel: 1, title: "Later", start: soon() + HOUR, durationMs: SHOW_MS };
    const timerId = await home.world.book(show, home.deviceId);
    const { id } = await recorder.until(timerId, ({ state }) => state === "planned");
    const base = `http://127.0.0.1:${recorder.daemon.webPort}/v1/recordings/${id}`;
    const begun = performance.now();
    for (const path of ["hls/index.m3u8", "hls/tracks", "thumbnail"])
      expect((await fetch(`${base}/${path}`)).status, path).toBe(404);
    expect(performance.now() - begun).toBeLessThan(PLAYBACK_LIMITS.firstSegmentWaitMs);
  });

  it("has no segment after the last one or under another name", async () => {
    const statusOf = async (uri: string) => (await fetch(new URL(uri, playlistUrl))).status;
    expect(await statusOf(`${reloads.at(-1)?.segments.length}.ts`)).toBe(404);
    expect(await statusOf("x.ts")).toBe(400);
  });
});
