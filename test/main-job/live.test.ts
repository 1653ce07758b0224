import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHttpClient } from "../../src/kit/http/http.ts";
import { isTerminal, type Recording } from "../../src/model/recording.ts";
import { tripletKey } from "../../src/model/service.ts";
import { SECOND } from "../../src/model/time.ts";
import { simTriplet } from "../../src/simulator/world.ts";
import { told } from "../kit/tool.ts";
import { type CheckedPlaylist, checkPlaylist, checkReload } from "../recorder/subsystems/playback/rfc8216.ts";
import { type InProcess, inProcess, simTuners } from "./in-process.ts";
import { onSimulator, pause, soon, type TestWorld, temporaryFolder, testWorld } from "./recorder.ts";

/** A channel of the first multiplex, and one of the second. */
const [WATCHED, RECORDED] = [1, 5];
const CHANNELS = 5;
const WEB = { port: 0, signIn: "where-needed" };
/** Shorter than those of people, and long enough for a busy machine. */
const LIMITS = {
  idleMs: 8 * SECOND,
  lookMs: SECOND / 5,
  trimMs: SECOND,
  leastMs: 5 * SECOND,
  endShownMs: SECOND,
};
/** No player stops in the middle of a playlist as short as these limits make it. */
const TOO_SHORT = "§6.2.2: segments were removed from a playlist that lasts less than three target durations";

function addressOf(port: number | undefined, channel = WATCHED): string {
  const service = tripletKey(simTriplet(channel)).replaceAll("/", "-");
  return `http://127.0.0.1:${port}/v1/live/${service}/hls/index.m3u8`;
}

async function textAt(url: string): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
}

async function segmentAt(playlist: string, uri: string): Promise<Buffer | undefined> {
  const answer = await fetch(new URL(uri, playlist));
  const body = Buffer.from(await answer.arrayBuffer());
  return answer.ok ? body : undefined;
}

async function filesOf(recordings: string): Promise<readonly string[]> {
  return await readdir(join(recordings, ".recorderd-live")).catch(() => []);
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: TestWorld;
let recorder: InProcess;
let url: string;
/** The playlist as a player reloads it, from the first one to the last. */
const reloads: CheckedPlaylist[] = [];
/** Complaints of ffmpeg while it plays from the oldest part. */
let played = "";
let filesOfTwo: readonly string[] = [];
/** The playlist that ended. */
let last = "";
let recording: Recording;
/** A request while the recording has the tuner, and the last segment of the buffer then. */
let refused: Awaited<ReturnType<typeof textAt>> | undefined;
let kept: Buffer | undefined;
let resumed: CheckedPlaylist;

async function reload(): Promise<CheckedPlaylist> {
  const { status, text } = await textAt(url);
  expect([status, text]).toEqual([200, expect.stringContaining("#EXTM3U")]);
  last = text;
  const playlist = checkPlaylist(text);
  reloads.push(playlist);
  return playlist;
}

beforeAll(async () => {
  folder = await temporaryFolder();
  home = await testWorld(folder.path, CHANNELS);
  // Recordings need more space than there is: buffers are as short as they can be.
  const space = { lowBytes: 2 ** 52, stopBytes: 0 };
  const more = { tuners: simTuners(home, 1), web: WEB, space, liveLimits: LIMITS };
  recorder = await inProcess(folder.path, home, more);
  url = addressOf(recorder.daemon.webPort);
  await Promise.all([reload(), textAt(url)]);
  filesOfTwo = await filesOf(recorder.recordings);
  // Until the first segment has left.
  while ((await reload()).segments[0]?.sequence === 0) await pause(SECOND / 2);
  const args = ["-v", "error", "-live_start_index", "0", "-i", url, "-t", "4", "-f", "null", "-"];
  played = (await told("ffmpeg", { args })).err;
  const show = { channel: RECORDED, title: "Match", start: soon(), durationMs: 8 * SECOND };
  const timerId = await home.world.book(show, home.deviceId);
  while (!(await reload()).isComplete) await pause(SECOND / 2);
  for (let answer = await textAt(url); answer.status === 200; answer = await textAt(url)) {
    last = answer.text;
    await pause(SECOND / 4);
  }
  refused = await textAt(url);
  kept = await segmentAt(url, reloads.at(-1)?.segments.at(-1)?.uri ?? "");
  let again = refused;
  for (; again.status !== 200; again = await textAt(url)) await pause(SECOND / 4);
  resumed = checkPlaylist(again.text);
  recording = await recorder.until(timerId, ({ state }) => isTerminal(state));
});

afterAll(async () => {
  await recorder[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

describe("live television over HLS", () => {
  it("has a valid playlist at every reload", () => {
    expect(reloads.flatMap(({ faults }) => faults)).toEqual([]);
    for (const [at, each] of reloads.slice(1).entries())
      expect(checkReload(reloads[at] ?? each, each).filter((fault) => fault !== TOO_SHORT)).toEqual([]);
    expect(reloads[0]?.type).toBeUndefined();
  });

  it("plays in ffmpeg from its oldest segment without an error", () => {
    expect(played).toBe("");
  });

  it("is received once for all its viewers", () => {
    expect(filesOfTwo.filter((name) => name.endsWith(".ts.part"))).toHaveLength(1);
  });

  it("keeps its segment numbers while old segments are removed", () => {
    const { segments = [] } = reloads.at(-1) ?? {};
    expect(segments[0]?.sequence).toBeGreaterThan(0);
    for (const { uri, sequence } of segments) expect(uri).toBe(`${sequence}.ts`);
  });

  it("R-27 yields its tuner to a recording without a gap, and its playlist ends with the reason", () => {
    expect(recording.attempts).toHaveLength(1);
    expect(recording.evidence).toMatchObject({ gaps: [], continuityErrors: 0 });
    expect(last).toContain("# TUNER_BUSY: Tuner sim-1 is needed for a recording.\n#EXT-X-ENDLIST");
    expect(refused?.status).toBe(409);
    expect(JSON.parse(refused?.text ?? "")).toMatchObject({ code: "TUNER_BUSY" });
  });

  it("plays its buffer during the recording, and continues afterwards", () => {
    expect(kept?.length).toBeGreaterThan(0);
    expect(resumed.faults).toEqual([]);
    const [before, after] = [reloads.at(-1)?.segments ?? [], resumed.segments];
    expect(after.at(-1)?.sequence).toBeGreaterThan(before.at(-1)?.sequence ?? 0);
    const breaks = after.filter(({ discontinuity }) => discontinuity).length + resumed.discontinuitySequence;
    expect(breaks).toBe(1);
    expect(resumed.isComplete).toBe(false);
  });

  it("leaves no file after its last viewer, and opens no tuner for a segment request", async () => {
    while ((await filesOf(recorder.recordings)).length > 0) await pause(SECOND / 4);
    expect((await fetch(new URL("0.ts", url))).status).toBe(404);
    expect(await filesOf(recorder.recordings)).toEqual([]);
  });
});

describe("live television of a killed recorder", () => {
  it("leaves neither a capture nor a file after the restart", async () => {
    await using room = await temporaryFolder();
    await using killed = await onSimulator(room.path, home);
    await killed.start();
    await using http = createHttpClient({ socketPath: killed.socket });
    const playlist = new URL(addressOf(80));
    const request = { method: "GET", url: playlist, headers: {}, bodyBytesMax: 10_000 } as const;
    const answer = await http.request(request, new AbortController().signal);
    expect(answer).toMatchObject({ kind: "answer", status: 200 });
    await killed.kill();
    // The capture host writes the log when a capture has ended.
    while (!(await filesOf(killed.recordings)).some((name) => name.endsWith(".log")))
      await pause(SECOND / 10);
    await killed.start();
    expect(await filesOf(killed.recordings)).toEqual([]);
  });
});
