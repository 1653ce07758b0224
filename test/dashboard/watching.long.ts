import { copyFile, readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "../../src/kit/http/password.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import { isTerminal } from "../../src/model/recording.ts";
import { tripletInAddress } from "../../src/model/service.ts";
import { SECOND } from "../../src/model/time.ts";
import { readSecrets, writeSecrets } from "../../src/recorder/config/secrets.ts";
import { indexWhole } from "../../src/recorder/evidence/index-whole.ts";
import { SIM_API_KEY, simTriplet } from "../../src/simulator/world.ts";
import { madeOnce } from "../kit/made-once.ts";
import { type InProcess, inProcess, simTuners } from "../main-job/in-process.ts";
import { soon, type TestWorld, temporaryFolder, testWorld } from "../main-job/recorder.ts";
import { type Browser, openBrowser, openPage, picture, violations } from "./browser.ts";

const EPISODE_SECONDS = 16;
/** A picture of one pixel. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const HOURS = 3;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: TestWorld;
let recorder: InProcess;
let browser: Browser;
let base: string;
/** Ids of the recordings, by title and order. */
let first: string;
let long: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  world = await testWorld(folder.path, 1);
  recorder = await openRecorder("where-needed");
  base = `http://127.0.0.1:${recorder.daemon.webPort}`;
  const start = soon();
  // At the same time: each of them is a recording of its own.
  const shows = [
    { title: "Tides", start, durationMs: EPISODE_SECONDS * SECOND },
    { title: "Tides", start: start + 4 * SECOND, durationMs: 3 * SECOND },
    { title: "The long night", start: start + 8 * SECOND, durationMs: 3 * SECOND },
  ];
  const timers: string[] = [];
  for (const show of shows) timers.push(await world.world.book({ channel: 1, ...show }, world.deviceId));
  const [episode, , night] = await Promise.all(
    timers.map((timer) => recorder.until(timer, ({ state }) => isTerminal(state))),
  );
  first = episode?.id ?? "";
  long = night?.id ?? "";
  await makeLong(night?.evidence?.file ?? "");
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  await recorder[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

function openRecorder(signIn: "where-needed" | "always"): Promise<InProcess> {
  return inProcess(folder.path, world, { tuners: simTuners(world, 1), web: { port: 0, signIn } });
}

/** Replaces the file of a recording by a stream of hours, with its index. */
async function makeLong(file: string): Promise<void> {
  const { onid, tsid, sid } = simTriplet(1);
  const source = `color=c=gray:size=64x36:rate=4:duration=${HOURS * 3600}`;
  const picture = ["-c:v", "libx264", "-preset", "ultrafast", "-g", "16", "-pix_fmt", "yuv420p"];
  const ids = [
    ...["-mpegts_original_network_id", `${onid}`, "-mpegts_transport_stream_id", `${tsid}`],
    ...["-mpegts_service_id", `${sid}`],
  ];
  await copyFile(await madeOnce(["-f", "lavfi", "-i", source, ...picture, ...ids, "-f", "mpegts"]), file);
  const pace = { clock: systemClock(), bytesPerSecond: 1e9 };
  const order = { service: undefined, index: file.replace(/\.ts$/, ".index"), pace, onRead: () => {} };
  await indexWhole(file, order, new AbortController().signal);
}

/** Another device has no storage of the browser in common. */
async function device(): Promise<Page> {
  return (await openPage(browser, { base })).page;
}

async function openDialog(page: Page, id: string): Promise<void> {
  await page.goto(`/recordings#recording/${encodeURIComponent(id)}`);
  await page.getByRole("dialog").waitFor();
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
}

/** The number of the segment that plays at a position. */
function segmentAt(playlist: string, seconds: number): number {
  let end = 0;
  return [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].findIndex(([, length]) => {
    end += Number(length);
    return end > seconds;
  });
}

const positionOf = (page: Page) => page.evaluate<number>("document.querySelector('video').currentTime");

async function isPlayingFrom(page: Page, seconds: number): Promise<void> {
  await expect.poll(() => positionOf(page)).toBeGreaterThan(seconds);
}

async function openPlayer(page: Page, id: string, button = "From the beginning"): Promise<void> {
  await openDialog(page, id);
  await page.getByRole("button", { name: new RegExp(`^(Play|${button})$`) }).click();
  await isPlayingFrom(page, 0.1);
}

const positionsOf = (who: string, id: string) =>
  recorder.daemon.progress.find({ viewer: who, recordingId: id });

describe("playback in the dashboard", () => {
  it("starts with a visible Play button at the top of the dialog", async () => {
    const page = await device();
    await openPlayer(page, first);
    const top = (await page.locator("video").boundingBox())?.y ?? Number.NaN;
    expect(top).toBeGreaterThan(0);
    expect(top).toBeLessThan(150);
    await page.close();
  });

  it("continues on another device where the viewer stopped", async () => {
    const page = await device();
    await openPlayer(page, first);
    await press(page, "Pause");
    await page.evaluate("document.querySelector('video').currentTime = 8");
    await expect.poll(() => positionsOf("household", first)?.seconds).toBe(8);
    await page.close();

    const other = await device();
    await other.goto("/recordings");
    await other.getByRole("img", { name: /^\d+% watched$/ }).waitFor();
    await other.getByRole("button", { name: "unfinished" }).click();
    await other.getByText(/^1 recording,/).waitFor();
    await openDialog(other, first);
    await other.getByRole("button", { name: /^Resume at 0:08$/ }).click();
    await isPlayingFrom(other, 8);
    expect(await positionOf(other)).toBeLessThan(15);
    await other.close();
  });

  it("can be controlled with the keyboard", async () => {
    const page = await device();
    await openPlayer(page, first);
    const state = (name: string) => page.evaluate(`document.querySelector('video').${name}`);
    await page.keyboard.press("k");
    await expect.poll(() => state("paused")).toBe(true);
    await page.keyboard.press("5");
    const half = await positionOf(page);
    expect(half).toBeGreaterThan(6);
    await page.keyboard.press("ArrowLeft");
    expect(await positionOf(page)).toBeCloseTo(half - 5, 1);
    await page.keyboard.press("ArrowRight");
    expect(await positionOf(page)).toBeCloseTo(half, 1);
    await page.keyboard.press("j");
    expect(await positionOf(page)).toBeCloseTo(Math.max(0, half - 10), 1);
    await page.keyboard.press(">");
    await expect.poll(() => state("playbackRate")).toBe(1.25);
    // The choice is drawn after the player has changed.
    const speed = () => page.getByLabel("Speed").locator("option:checked").textContent();
    await expect.poll(speed).toBe("1.25 ×");
    await page.keyboard.press("<");
    await page.keyboard.press("<");
    await expect.poll(() => state("playbackRate")).toBe(0.75);
    await page.keyboard.press("m");
    await expect.poll(() => state("muted")).toBe(true);
    await page.keyboard.press("f");
    await expect.poll(() => page.evaluate("document.fullscreenElement?.className")).toMatch(/^player/);
    await page.keyboard.press("f");
    await expect.poll(() => page.evaluate("document.fullscreenElement")).toBe(null);
    await page.keyboard.press("?");
    await page.getByText("slower or faster").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("slower or faster").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.close();
  });

  it("shows missing parts, and places bitmap subtitles as broadcast", async () => {
    const page = await device();
    const gaps = [{ startSeconds: 8, lengthSeconds: 2 }];
    const subtitles = [{ id: "4112-1", kind: "bitmap", name: "x", language: "en" }];
    const tracks = { audio: [], gaps, isGrowing: false, isLive: false, subtitles };
    const image = { x: 180, y: 432, width: 360, height: 72, png: PIXEL };
    const bitmaps = { width: 720, height: 576, cues: [{ fromMs: 0, toMs: 20_000, images: [image] }] };
    await page.route("**/hls/tracks", (route) => route.fulfill({ json: tracks }));
    await page.route("**/hls/bitmaps-4112-1-*.json", (route) => route.fulfill({ json: bitmaps }));
    await openPlayer(page, first);
    const boxOf = (selector: string) => page.locator(selector).boundingBox();
    // The page takes its final shape when the size of the picture is known.
    const misplaced = async () => {
      const [bar, gap] = await Promise.all([boxOf(".seek-track"), boxOf(".seek-track .gap")]);
      const share = ((gap?.x ?? 0) - (bar?.x ?? 0)) / (bar?.width ?? 1);
      return share - 8 / (await page.evaluate<number>("document.querySelector('video').duration"));
    };
    await expect.poll(misplaced).toBeCloseTo(0, 1);
    expect(await page.getByLabel("Position").getAttribute("title")).toBe("Missing: 2 seconds");
    expect(await page.locator(".bitmaps").count()).toBe(0);
    await page.getByLabel("Subtitles").selectOption("English");
    const height = async () => {
      const [video, shown] = await Promise.all([boxOf("video"), boxOf(".bitmaps img")]);
      return ((shown?.y ?? 0) - (video?.y ?? 0)) / (video?.height ?? 1);
    };
    await expect.poll(height).toBeCloseTo(0.75, 2);
    await page.keyboard.press("c");
    await page.locator(".bitmaps").waitFor({ state: "detached" });
    await page.close();
  });

  it("has accessible controls", async () => {
    const watched = await openPage(browser, { base });
    const { page } = watched;
    await openPlayer(page, first);
    await press(page, "Pause");
    await page.keyboard.press("?");
    expect(await violations(page)).toEqual([]);
    await picture(page, "player");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.keyboard.press("Escape");
    expect(await violations(page)).toEqual([]);
    await picture(page, "player-phone");
    expect(watched.strangers).toEqual([]);
    await page.close();
  });

  it("marks a recording as watched at its end, and plays the next episode", async () => {
    const page = await device();
    await openPlayer(page, first);
    await page.keyboard.press("9");
    await page.evaluate("document.querySelector('video').playbackRate = 2");
    await expect.poll(() => page.evaluate("document.querySelector('video').ended")).toBe(true);
    await page.getByRole("button", { name: "Not watched" }).waitFor();
    expect(positionsOf("household", first)).toMatchObject({ isFinished: true });
    await page.getByRole("link", { name: /^Next episode/ }).click();
    await expect.poll(() => page.url()).not.toContain(encodeURIComponent(first));
    await isPlayingFrom(page, 0.1);
    expect(await positionOf(page)).toBeLessThan(10);
    await page.close();
  });

  it("seeks in a recording of three hours with a single segment", async () => {
    const page = await device();
    const target = 2.5 * 3600;
    const playlist = await (await fetch(`${base}/v1/recordings/${long}/hls/index.m3u8`)).text();
    const wanted = segmentAt(playlist, target);
    let isSeeking = false;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    // After the seek, every other segment waits until it is over.
    await page.route(/\/hls\/\d+\.ts$/, async (route) => {
      if (isSeeking && !route.request().url().endsWith(`/${wanted}.ts`)) await released;
      // The player may have given up a segment that it does not need any more.
      await route.continue().catch(() => {});
    });
    await openPlayer(page, long);
    const seconds = await page.evaluate<number>("document.querySelector('video').duration");
    expect(seconds).toBeGreaterThan(HOURS * 3600 - 10);
    isSeeking = true;
    await page.evaluate(`document.querySelector('video').currentTime = ${target}`);
    await isPlayingFrom(page, target + 0.1);
    release();
    await page.close();
  });

  it("rewinds a live service, and returns to the newest picture", async () => {
    const page = await device();
    await page.goto("/tuners");
    await page.getByText("Watch live").click();
    await page.getByRole("link", { name: /^Watch / }).click();
    const dialog = page.getByRole("dialog", { name: "Sim 1" });
    const frames = () =>
      page.evaluate<number>("document.querySelector('video').getVideoPlaybackQuality().totalVideoFrames");
    await expect.poll(frames).toBeGreaterThan(8 * 25);
    const before = await positionOf(page);
    await press(page, "Pause");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("0");
    expect(await positionOf(page)).toBeLessThan(2);
    await dialog.getByText(/^−\d+:\d\d$/).waitFor();
    await press(page, "Play");
    const rewound = await frames();
    await expect.poll(frames).toBeGreaterThan(rewound + 25);
    await dialog.getByRole("button", { name: "Live", exact: true }).click();
    await isPlayingFrom(page, before);
    const list = await dialog.getByRole("link", { name: "Open in VLC or mpv" }).getAttribute("href");
    expect(await (await fetch(`${base}${list}`)).text()).toContain(`,Sim 1\n${base}/v1/live/`);
    await page.close();
  });

  it("begins a live service with one press where the browser demands one", async () => {
    const page = await device();
    // Safari's rule; whether Chromium has it depends on how it was started.
    await page.addInitScript(`{
      const { play } = HTMLMediaElement.prototype;
      let isPressed = false;
      addEventListener("pointerdown", () => { isPressed = true; }, true);
      HTMLMediaElement.prototype.play = function () {
        return isPressed ? play.call(this) : Promise.reject(new DOMException("", "NotAllowedError"));
      };
    }`);
    await page.goto(`/#live/${tripletInAddress(simTriplet(1))}`);
    const begin = page.locator(".screen").getByRole("button", { name: "Play" });
    await begin.click();
    await begin.waitFor({ state: "detached" });
    const frames = () =>
      page.evaluate<number>("document.querySelector('video').getVideoPlaybackQuality().totalVideoFrames");
    await expect.poll(frames).toBeGreaterThan(25);
    await page.close();
  });

  it("R-27 explains why a live service cannot be watched", async () => {
    const page = await device();
    const message = "No tuner is free: a recording uses it.";
    const refusal = { status: 409, json: { code: "TUNER_BUSY", message } };
    await page.route("**/v1/live/*/hls/*", (route) => route.fulfill(refusal));
    await page.goto("/#live/4112-545-544");
    await page.getByRole("dialog").getByText("No tuner is free").waitFor();
    await page.getByRole("link", { name: "Open in VLC or mpv" }).waitFor();
    await page.close();
  });

  it("keeps each user's position across a restart of the recorder", async () => {
    await recorder.daemon.progress.note(
      { viewer: "household", recordingId: long },
      { seconds: 42, durationSeconds: 10_800 },
    );
    await recorder[Symbol.asyncDispose]();
    const { data } = recorder;
    const users = await Promise.all(
      ["anna", "ben"].map(async (name) => ({ name, passwordHash: await hashPassword("a long password") })),
    );
    recorder = await openRecorder("always");
    await writeSecrets(data, { apiKey: SIM_API_KEY, ...(await readSecrets(data)), web: { users } });
    const session = `http://127.0.0.1:${recorder.daemon.webPort}/v1/session`;
    // The daemon reads new secrets a moment later.
    await expect.poll(async () => (await fetch(session)).json()).toMatchObject({ canSignIn: true });
    expect(positionsOf("household", long)).toMatchObject({ seconds: 42, isFinished: false });
    const path = `http://127.0.0.1:${recorder.daemon.webPort}/v1/recordings/${long}/progress`;
    const as = async (name: string, method: string, body?: object) => {
      const authorization = `Basic ${Buffer.from(`${name}:a long password`).toString("base64")}`;
      const headers = { authorization, "content-type": "application/json" };
      const answer = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      return answer.json();
    };
    await as("anna", "PUT", { seconds: 1000, durationSeconds: 10_800 });
    expect(await as("anna", "GET")).toMatchObject({ seconds: 1000 });
    expect(await as("ben", "GET")).toEqual({ seconds: 0, durationSeconds: 0, isFinished: false });
    expect(await readFile(`${data}/progress.json`, "utf8")).toContain('"household"');
  });
});
