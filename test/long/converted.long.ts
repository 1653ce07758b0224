import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Browser, openBrowser } from "../dashboard/browser.ts";
import { openStage, type Stage } from "../recorder/subsystems/playback/player-stage.ts";

const SECONDS = 20;
/** Chromium decodes slower than real time on a busy machine. */
const PATIENCE = { timeout: 240_000 };

let browser: Browser;
let stage: Stage;

beforeAll(async () => {
  stage = await openStage(SECONDS);
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  await stage[Symbol.asyncDispose]();
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
  const page = await browser.newPage({ baseURL: stage.base });
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
