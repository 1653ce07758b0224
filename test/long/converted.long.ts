import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createWebServer, type WebRoute, type WebServer } from "../../src/kit/http/web-server.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import type { PlaybackApi, Watched } from "../../src/recorder/api/daemon-api.ts";
import { RECORDING_HLS } from "../../src/recorder/api/hls-family.ts";
import { hlsRoutes } from "../../src/recorder/api/hls-routes.ts";
import { renditionRoutes } from "../../src/recorder/api/rendition-routes.ts";
import {
  type Conversions,
  createConversions,
} from "../../src/recorder/subsystems/playback/conversion/conversions.ts";
import { createHls } from "../../src/recorder/subsystems/playback/hls/hls.ts";
import { createRenditions } from "../../src/recorder/subsystems/playback/hls/renditions.ts";
import { PLAYBACK_LIMITS } from "../../src/recorder/subsystems/playback/limits.ts";
import { refused } from "../../src/web/route.ts";
import { openBrowser } from "../dashboard/browser.ts";
import { type FileSource, fileSource, writeBroadcast } from "../recorder/subsystems/playback/file-source.ts";

const SECONDS = 20;
/** Recordings by id: their picture and their two languages. */
const RECORDINGS = {
  mpeg2: {},
  h264: {
    // Closed groups: at an open one, Chromium fails after a seek, and the player of the page begins again.
    picture: ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "2"],
    sounds: ["aac", "aac"],
  },
} as const;

/** Chromium decodes slower than real time on a busy machine. */
const PATIENCE = { timeout: 240_000 };

let folder: string;
let browser: Browser;
let server: WebServer;
let conversions: Conversions;
let base: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-converted-"));
  const sources = new Map<string, FileSource>();
  for (const [id, form] of Object.entries(RECORDINGS)) {
    const file = join(folder, `${id}.ts`);
    await writeBroadcast(file, { seconds: SECONDS, ...form });
    sources.set(id, await fileSource(file));
  }
  const clock = systemClock();
  const { signal } = new AbortController();
  const sourceOf = (watched: Watched) => {
    const recordingId = "recordingId" in watched ? watched.recordingId : "";
    const source = sources.get(recordingId);
    if (source === undefined) throw new Error(`no recording ${recordingId}`);
    return source;
  };
  const place = join(folder, "converted");
  const ffmpegPath = "ffmpeg";
  conversions = createConversions({
    folder: place,
    viewersMax: 1,
    ffmpegPath,
    usesHardware: false,
    niceness: PLAYBACK_LIMITS.convertNiceness,
    clock,
    signal,
  });
  const renditions = createRenditions({ sourceOf, conversions, clock, signal });
  const playing = { renditions, hls: createHls({ sourceOf, clock }) } as unknown as PlaybackApi;
  const script = await readFile("node_modules/hls.js/dist/hls.min.js");
  const page = '<!doctype html><video muted></video><script src="/hls.js"></script>';
  const files: readonly WebRoute[] = [
    {
      method: "GET",
      path: "/",
      handle: async () => ({ status: 200, headers: { "content-type": "text/html" }, body: page }),
    },
    {
      method: "GET",
      path: "/hls.js",
      handle: async () => ({ status: 200, headers: { "content-type": "text/javascript" }, body: script }),
    },
  ];
  const routes = [
    ...files,
    ...hlsRoutes({ playing }, RECORDING_HLS),
    ...renditionRoutes({ playing }, RECORDING_HLS),
  ];
  const refuse = () => refused(404, "no-route", "There is nothing here.");
  server = createWebServer({ routes, refuse, bodyBytesMax: 1000, clock });
  base = `http://127.0.0.1:${(await server.listen({ host: "127.0.0.1", port: 0 })).port}`;
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
  await conversions[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

interface Played {
  readonly position: number;
  readonly pictures: number;
  /** Samples of the sound, in bytes. */
  readonly sound: number;
  readonly faults: readonly string[];
}

async function played(page: Page): Promise<Played> {
  return await page.evaluate<Played>(`({
    position: video.currentTime,
    pictures: video.getVideoPlaybackQuality().totalVideoFrames,
    sound: video.webkitAudioDecodedByteCount,
    faults,
  })`);
}

it.each([
  ["MPEG-2 with MP2 and AC-3, converted", "mpeg2", "/converted/audio-258-"],
  ["H.264 with two tracks of AAC, as it was broadcast", "h264", "/hls/audio-258-"],
])("hls.js plays %s in Chromium, seeks, and changes the language", async (_, id, address) => {
  const page = await browser.newPage({ baseURL: base });
  await page.goto("/");
  await page.evaluate(`
    window.faults = [];
    window.video = document.querySelector("video");
    window.player = new Hls({ startPosition: 0 });
    player.on(Hls.Events.ERROR, (_, { details, fatal, error }) => {
      // Others are no failures: requests of the old language that it aborts, and a beginning without sound.
      if (fatal || /Parsing|Append|Codec/.test(details)) faults.push(details + " " + error);
    });
    video.addEventListener("error", () => faults.push(video.error.message));
    player.loadSource("/v1/recordings/${id}/hls/master.m3u8?video=h264&audio=aac&viewer=chromium1");
    player.attachMedia(video);
    player.on(Hls.Events.MANIFEST_PARSED, () => video.play());
  `);
  await expect.poll(async () => (await played(page)).pictures, PATIENCE).toBeGreaterThan(20);
  expect(await page.evaluate("player.audioTracks.map(({ name, lang }) => [name, lang])")).toEqual([
    ["German", "de"],
    ["English", "en"],
  ]);
  for (const target of [13.3, 4.2]) {
    const before = await played(page);
    await page.evaluate(`video.currentTime = ${target}`);
    await expect.poll(async () => (await played(page)).position, PATIENCE).toBeGreaterThan(target + 0.5);
    expect((await played(page)).pictures).toBeGreaterThan(before.pictures);
  }
  const before = await played(page);
  await page.evaluate("player.audioTrack = 1");
  await page.evaluate("video.playbackRate = 2");
  await expect.poll(async () => (await played(page)).position, PATIENCE).toBeGreaterThan(SECONDS - 3);
  const after = await played(page);
  expect(after.sound).toBeGreaterThan(before.sound);
  expect(await page.evaluate("player.audioTrack")).toBe(1);
  const requests = "performance.getEntriesByType('resource').map(({ name }) => name)";
  expect((await page.evaluate<string[]>(requests)).some((name) => name.includes(address))).toBe(true);
  expect(after.faults).toEqual([]);
  await page.close();
});
