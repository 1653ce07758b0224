import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isTerminal } from "../../src/model/recording.ts";
import { tripletInAddress, tripletKey } from "../../src/model/service.ts";
import { SECOND } from "../../src/model/time.ts";
import { simTriplet } from "../../src/simulator/world.ts";
import { type Browser, openBrowser, openPage } from "../dashboard/browser.ts";
import { broadcast, PITCHES, portionsOf } from "../dashboard/two-sounds.ts";
import { bitmapStream } from "../kit/bitmap-encoder.ts";
import { boxed, fillerUnits, pageUnits, teletextStream } from "../kit/teletext-encoder.ts";
import { inProcess } from "../main-job/in-process.ts";
import { onAir } from "../main-job/on-air.ts";
import { soon, temporaryFolder, testWorld } from "../main-job/recorder.ts";

/** Long enough for a busy machine: live television is watched after the recording. */
const AIR_SECONDS = 240;
const EVENT_SECONDS = 26;
const TEXT = "Mind the gap";
const SUBTITLES_EVERY_MS = 1000;
/** Chromium decodes slower than real time on a busy machine. */
const PATIENCE = { timeout: 90_000 };

let browser: Browser;
let home: Awaited<ReturnType<typeof openHome>>;

beforeAll(async () => {
  browser = await openBrowser();
  home = await openHome();
});

afterAll(async () => {
  await browser.close();
  await home[Symbol.asyncDispose]();
});

/** Subtitles that are always shown, once as teletext and once as bitmaps. */
async function writeSubtitles(folder: string): Promise<readonly string[]> {
  const times = Array.from(
    { length: (AIR_SECONDS * SECOND) / SUBTITLES_EVERY_MS },
    (_, at) => at * SUBTITLES_EVERY_MS,
  );
  const page = [...pageUnits({ page: "888", rows: { 22: boxed(TEXT, [0x06]) } }), ...fillerUnits(8)];
  const region = {
    id: 1,
    x: 180,
    y: 432,
    depth: 2,
    fill: 1,
    width: 360,
    height: 72,
    pixels: [[1, 1]],
  } as const;
  const set = { display: { width: 720, height: 576 }, regions: [region] };
  const files = [
    {
      name: "teletext.ts",
      bytes: teletextStream(
        times.map((ms) => ({ ms, units: page })),
        { pid: 0x130 },
      ),
    },
    {
      name: "bitmaps.ts",
      bytes: bitmapStream(
        times.map((ms) => ({ ms, set })),
        { pid: 0x131 },
      ),
    },
  ];
  for (const { name, bytes } of files) await writeFile(join(folder, name), bytes);
  return files.map(({ name }) => join(folder, name));
}

/** A recorder that has begun to record a service with two sounds and two kinds of subtitles. */
async function openHome() {
  const folder = await temporaryFolder();
  const world = await testWorld(folder.path, 1);
  const streams = await writeSubtitles(folder.path);
  const file = join(folder.path, "air.ts");
  const portions = portionsOf(await broadcast(1, { file, seconds: AIR_SECONDS, streams }), AIR_SECONDS);
  const start = soon();
  const air = await onAir([{ name: "sim-1", portions }], start - 2 * SECOND);
  const service = tripletKey(simTriplet(1));
  const recorder = await inProcess(folder.path, world, {
    tuners: [{ kind: "url", id: "url-1", services: [{ service, url: air.url("sim-1") }] }],
    web: { port: 0, signIn: "where-needed" },
  });
  const show = { channel: 1, title: "Regatta", start, durationMs: EVENT_SECONDS * SECOND };
  const timerId = await world.world.book(show, world.deviceId);
  const { id } = await recorder.until(timerId, ({ state }) => state === "recording");
  return {
    id,
    ended: () => recorder.until(timerId, ({ state }) => isTerminal(state)),
    base: `http://127.0.0.1:${recorder.daemon.webPort}`,
    async [Symbol.asyncDispose]() {
      await recorder[Symbol.asyncDispose]();
      await air[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Listens to what the page has decoded. */
const LISTEN = `{
  window.watched = document.querySelector("video");
  const context = new AudioContext();
  window.analyser = new AnalyserNode(context, { fftSize: 8192, smoothingTimeConstant: 0 });
  context.createMediaElementSource(watched).connect(analyser);
  void context.resume();
}`;

/** The loudest pitch of the decoded sound, in hertz; 0 if it is silent. */
const PITCH = `(() => {
  const levels = new Float32Array(analyser.frequencyBinCount);
  analyser.getFloatFrequencyData(levels);
  const loudest = levels.indexOf(Math.max(...levels));
  return levels[loudest] < -80 ? 0 : Math.round((loudest * analyser.context.sampleRate) / analyser.fftSize);
})()`;

async function hears(page: Page, hertz: number): Promise<void> {
  const apart = async () => Math.abs((await page.evaluate<number>(PITCH)) - hertz);
  await expect.poll(apart, PATIENCE).toBeLessThan(15);
}

async function openRecording(hasTouch = false): Promise<Page> {
  const size = hasTouch ? { width: 390, height: 844 } : {};
  const { page } = await openPage(browser, { base: home.base, hasTouch, ...size });
  await page.goto(`/#recording/${encodeURIComponent(home.id)}`);
  const play = page.getByRole("dialog").getByRole("button", { name: /^(Play|From the beginning)$/ });
  await (hasTouch ? play.tap() : play.click());
  await isPlaying(page);
  return page;
}

async function openLive(): Promise<Page> {
  const { page } = await openPage(browser, { base: home.base });
  await page.goto(`/#live/${tripletInAddress(simTriplet(1))}`);
  await isPlaying(page);
  return page;
}

async function isPlaying(page: Page): Promise<void> {
  const position = () => page.evaluate<number>("document.querySelector('video')?.currentTime ?? 0");
  await expect.poll(position, PATIENCE).toBeGreaterThan(0.1);
  await page.evaluate(LISTEN);
}

const choiceOf = (page: Page, name: string) => page.getByRole("combobox", { name, exact: true });

/** Chooses both kinds of subtitles, and none. */
async function choosesSubtitles(page: Page): Promise<void> {
  const choice = choiceOf(page, "Subtitles");
  await expect.poll(() => choice.locator("option").allTextContents(), PATIENCE).toHaveLength(3);
  const [none = "", text = "", bitmaps = ""] = await choice.locator("option").allTextContents();
  expect([none, bitmaps]).toEqual(["Subtitles off", "French"]);
  expect(text).toMatch(/^German/);
  await choice.selectOption(text);
  const shown = () =>
    page.evaluate(
      "[...watched.textTracks].filter(({ mode }) => mode === 'showing').map((track) => track.activeCues?.[0]?.getCueAsHTML().textContent)",
    );
  await expect.poll(shown, PATIENCE).toEqual([TEXT]);
  await choice.selectOption(bitmaps);
  await expect.poll(() => page.locator(".bitmaps img").count(), PATIENCE).toBe(1);
  expect(await shown()).toEqual([]);
  await choice.selectOption(none);
  await page.locator(".bitmaps").waitFor({ state: "detached" });
}

describe("the tracks of the player", () => {
  it("change what is heard and read in a growing recording, by keyboard", async () => {
    const page = await openRecording();
    await hears(page, PITCHES.german);
    const sound = choiceOf(page, "Audio track");
    expect(await sound.locator("option").allTextContents()).toEqual([
      "German",
      "English (audio description)",
    ]);
    await page.keyboard.press("a");
    await hears(page, PITCHES.english);
    await expect.poll(() => sound.inputValue(), PATIENCE).toBe("1");
    await sound.focus();
    await page.keyboard.press("ArrowUp");
    await hears(page, PITCHES.german);
    await choosesSubtitles(page);
    await page.close();
  });

  it("change them in a finished recording, by thumb", async () => {
    await home.ended();
    const page = await openRecording(true);
    // It must not end while a busy machine takes its time.
    await page.evaluate("watched.loop = true");
    await hears(page, PITCHES.german);
    await choiceOf(page, "Audio track").tap();
    await choiceOf(page, "Audio track").selectOption("English (audio description)");
    await hears(page, PITCHES.english);
    await choosesSubtitles(page);
    await page.close();
  });

  it("change them in live television, by mouse", async () => {
    await home.ended();
    const page = await openLive();
    await hears(page, PITCHES.german);
    await choiceOf(page, "Audio track").click();
    await choiceOf(page, "Audio track").selectOption("English (audio description)");
    await hears(page, PITCHES.english);
    await choosesSubtitles(page);
    await page.close();
  });
});
