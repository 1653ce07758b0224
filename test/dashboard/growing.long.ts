import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isTerminal } from "../../src/model/recording.ts";
import { tripletKey } from "../../src/model/service.ts";
import { SECOND } from "../../src/model/time.ts";
import { simTriplet } from "../../src/simulator/world.ts";
import type { Portion } from "../kit/generated-service.ts";
import { casesOf } from "../lane.ts";
import { inProcess } from "../main-job/in-process.ts";
import { onAir } from "../main-job/on-air.ts";
import { soon, temporaryFolder, testWorld } from "../main-job/recorder.ts";
import { checkPlaylist } from "../recorder/subsystems/playback/rfc8216.ts";
import { type Browser, openBrowser, openPage } from "./browser.ts";
import { broadcast, portionsOf } from "./two-sounds.ts";

const AIR_SECONDS = 34;
const EVENT_SECONDS = 28;
/** Nothing is sent, in seconds of the stream. */
const [HOLE_FROM, HOLE_TO] = [10, 18];
const HOLES = (["away", "silent"] as const).slice(0, casesOf({ sample: 1, all: 2 }));

let browser: Browser;
let home: Awaited<ReturnType<typeof broadcastingHome>>;

beforeAll(async () => {
  browser = await openBrowser();
  home = await broadcastingHome();
});

afterAll(async () => {
  await browser.close();
  await home[Symbol.asyncDispose]();
});

function withHole(stream: Buffer): readonly Portion[] {
  return portionsOf(stream, AIR_SECONDS).filter(
    ({ atMs }) => atMs < HOLE_FROM * SECOND || atMs >= HOLE_TO * SECOND,
  );
}

/** A service that is silent for a while, or one that refuses its readers meanwhile. */
async function programmeWith(
  hole: (typeof HOLES)[number],
  at: { readonly channel: number; readonly folder: string },
) {
  const { channel, folder } = at;
  const name = `sim-${channel}`;
  const stream = await broadcast(channel, { file: join(folder, `${hole}.ts`), seconds: AIR_SECONDS });
  return hole === "silent"
    ? { name, portions: withHole(stream) }
    : {
        name,
        portions: portionsOf(stream, AIR_SECONDS),
        awayMs: [HOLE_FROM * SECOND, HOLE_TO * SECOND] as const,
      };
}

/** A recorder that has begun to record a service with each of the holes. */
async function broadcastingHome() {
  const folder = await temporaryFolder();
  const world = await testWorld(folder.path, 2);
  const channels = HOLES.map((_, at) => at + 1);
  const programmes = [];
  for (const [at, hole] of HOLES.entries())
    programmes.push(await programmeWith(hole, { channel: at + 1, folder: folder.path }));
  const start = soon();
  const air = await onAir(programmes, start - 2 * SECOND);
  const tuner = (channel: number) => ({
    kind: "url",
    id: `url-${channel}`,
    services: [{ service: tripletKey(simTriplet(channel)), url: air.url(`sim-${channel}`) }],
  });
  const recorder = await inProcess(folder.path, world, {
    tuners: channels.map(tuner),
    web: { port: 0, signIn: "where-needed" },
  });
  const recordings = [];
  for (const channel of channels) {
    const show = { channel, title: "Regatta", start, durationMs: EVENT_SECONDS * SECOND };
    const timerId = await world.world.book(show, world.deviceId);
    const ended = () => recorder.until(timerId, ({ state }) => isTerminal(state));
    recordings.push({ timerId, ended });
  }
  const begun = await Promise.all(
    recordings.map(async ({ timerId, ended }) => {
      const { id } = await recorder.until(timerId, ({ state }) => state === "recording");
      return { id, ended };
    }),
  );
  return {
    recordings: new Map(HOLES.map((hole, at) => [hole, begun[at]])),
    base: `http://127.0.0.1:${recorder.daemon.webPort}`,
    async [Symbol.asyncDispose]() {
      await recorder[Symbol.asyncDispose]();
      await air[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function openPlayer(id: string): Promise<Page> {
  const { page } = await openPage(browser, { base: home.base });
  await page.goto(`/#recording/${encodeURIComponent(id)}`);
  // The second name stands beside "Resume at" where an earlier test stopped.
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^(Play|From the beginning)$/ })
    .click();
  await page.evaluate("window.watched = document.querySelector('video')");
  await expect.poll(() => page.evaluate("watched.currentTime")).toBeGreaterThan(0.1);
  return page;
}

/** The playlist: for each break, by how much the time of day goes on beyond the time of the playlist. */
async function jumpsOf(id: string): Promise<readonly number[]> {
  const answer = await fetch(`${home.base}/v1/recordings/${encodeURIComponent(id)}/hls/index.m3u8`);
  const { segments, faults } = checkPlaylist(await answer.text());
  expect(faults).toEqual([]);
  let [shownMs, begunAt] = [0, 0];
  return segments.flatMap(({ dateTime, seconds }) => {
    const missingMs = dateTime === undefined ? 0 : dateTime - begunAt - shownMs;
    if (begunAt === 0) begunAt = dateTime ?? 0;
    else shownMs += dateTime === undefined ? 0 : missingMs;
    shownMs += seconds * SECOND;
    return dateTime === undefined || dateTime === begunAt ? [] : [missingMs / SECOND];
  });
}

describe("a recording that is watched while it grows", () => {
  it.each(HOLES)("plays over missing data (%s) and to its end without an interruption", async (which) => {
    const recording = home.recordings.get(which);
    if (recording === undefined) throw new Error(`${which} was not recorded`);
    const { id, ended } = recording;
    const page = await openPlayer(id);
    await page.evaluate(`
      window.interruptions = [];
      window.last = watched.currentTime;
      for (const name of ["ended", "emptied", "error"])
        watched.addEventListener(name, () => interruptions.push(name + " at " + watched.currentTime));
      watched.addEventListener("timeupdate", () => {
        if (watched.currentTime < last) interruptions.push("back to " + watched.currentTime);
        last = watched.currentTime;
      });
    `);
    const { evidence } = await ended();
    expect(evidence?.gaps.length).toBeGreaterThan(0);
    // Silence may end an attempt too.
    if (which === "away") expect(evidence?.segments).toBe(2);
    await page.evaluate("watched.playbackRate = 2");
    // The first page was opened before the gap: its bar shows what the playlist knows since.
    await expect.poll(() => page.locator(".seek-bar .gap").count()).toBe(1);
    const [gap] = evidence?.gaps.filter(({ start }) => start > (evidence.firstAt ?? 0)) ?? [];
    const missing = ((gap?.stop ?? 0) - (gap?.start ?? 0)) / SECOND;
    expect(missing).toBeGreaterThan(HOLE_TO - HOLE_FROM - 1);
    const jumps = await jumpsOf(id);
    expect(jumps).toHaveLength(1);
    // A group of pictures lasts a second, and one that is cut is left out.
    expect(Math.abs((jumps[0] ?? 0) - missing)).toBeLessThan(1.5);
    await expect.poll(() => page.evaluate("watched.ended")).toBe(true);
    const seen = await page.evaluate<{ interruptions: readonly string[]; end: number; frames: number }>(
      "({ interruptions, end: watched.currentTime, frames: watched.getVideoPlaybackQuality().totalVideoFrames })",
    );
    expect(seen.interruptions).toEqual([`ended at ${seen.end}`]);
    // The timeline leaves the missing data out.
    const recorded = EVENT_SECONDS - missing;
    expect(seen.end).toBeGreaterThan(recorded - 3);
    expect(seen.frames).toBeGreaterThan(25 * (recorded - 4));
    expect(await page.locator(".player .bad-text").textContent()).toBe("");
    await page.close();
  });
});
