import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isTerminal } from "../../src/model/recording.ts";
import { tripletKey } from "../../src/model/service.ts";
import { SECOND } from "../../src/model/time.ts";
import { PACKET_BYTES } from "../../src/mpeg-ts/packets.ts";
import { simTriplet } from "../../src/simulator/world.ts";
import type { Portion } from "../kit/generated-service.ts";
import { told } from "../kit/tool.ts";
import { inProcess } from "../main-job/in-process.ts";
import { onAir } from "../main-job/on-air.ts";
import { soon, temporaryFolder, testWorld } from "../main-job/recorder.ts";
import { type Browser, openBrowser, openPage } from "./browser.ts";

const AIR_SECONDS = 34;
const EVENT_SECONDS = 28;
/** Nothing is sent, in seconds of the stream. */
const [HOLE_FROM, HOLE_TO] = [10, 18];
const PORTION_MS = 20;
/** Chromium decodes slower than real time on a busy machine. */
const PATIENCE = { timeout: 150_000 };

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

/** A service of the world's first channel with a German and an English sound. */
async function broadcast(file: string): Promise<Buffer> {
  const { onid, tsid, sid } = simTriplet(1);
  const sine = (hertz: number) => ["-f", "lavfi", "-i", `sine=frequency=${hertz}:sample_rate=48000`];
  const ids = ["-mpegts_original_network_id", `${onid}`, "-mpegts_transport_stream_id", `${tsid}`];
  await told("ffmpeg", {
    args: [
      ...["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", ...sine(440), ...sine(880)],
      ...["-map", "0:v", "-map", "1:a", "-map", "2:a", "-t", `${AIR_SECONDS}`, "-pix_fmt", "yuv420p"],
      ...["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a", "aac", "-ac", "2"],
      ...["-metadata:s:a:0", "language=ger", "-metadata:s:a:1", "language=eng"],
      ...[...ids, "-mpegts_service_id", `${sid}`, "-f", "mpegts", "-y", file],
    ],
  });
  return await readFile(file);
}

function withHole(stream: Buffer): readonly Portion[] {
  const bytes =
    PACKET_BYTES * Math.ceil((stream.length * PORTION_MS) / (AIR_SECONDS * SECOND * PACKET_BYTES));
  return Array.from({ length: Math.ceil(stream.length / bytes) }, (_, at) => ({
    atMs: at * PORTION_MS,
    bytes: stream.subarray(at * bytes, (at + 1) * bytes),
  })).filter(({ atMs }) => atMs < HOLE_FROM * SECOND || atMs >= HOLE_TO * SECOND);
}

/** A recorder that has begun to record the service. */
async function broadcastingHome() {
  const folder = await temporaryFolder();
  const world = await testWorld(folder.path, 1);
  const stream = await broadcast(join(folder.path, "air.ts"));
  const start = soon();
  const air = await onAir([{ name: "sim-1", portions: withHole(stream) }], start - 2 * SECOND);
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
    base: `http://127.0.0.1:${recorder.daemon.webPort}`,
    ended: () => recorder.until(timerId, ({ state }) => isTerminal(state)),
    async [Symbol.asyncDispose]() {
      await recorder[Symbol.asyncDispose]();
      await air[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function openPlayer(): Promise<Page> {
  const { page } = await openPage(browser, { base: home.base });
  await page.goto(`/#recording/${encodeURIComponent(home.id)}`);
  // The second name stands beside "Resume at" where an earlier test stopped.
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^(Play|From the beginning)$/ })
    .click();
  await page.evaluate("window.watched = document.querySelector('video')");
  await expect.poll(() => page.evaluate("watched.currentTime"), PATIENCE).toBeGreaterThan(0.1);
  return page;
}

describe("a recording that is watched while it grows", () => {
  it("plays over missing data and to its end without an interruption", async () => {
    const page = await openPlayer();
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
    const { evidence } = await home.ended();
    expect(evidence?.gaps.length).toBeGreaterThan(0);
    await page.evaluate("watched.playbackRate = 2");
    await expect.poll(() => page.evaluate("watched.ended"), PATIENCE).toBe(true);
    const seen = await page.evaluate<{ interruptions: readonly string[]; end: number; frames: number }>(
      "({ interruptions, end: watched.currentTime, frames: watched.getVideoPlaybackQuality().totalVideoFrames })",
    );
    expect(seen.interruptions).toEqual([`ended at ${seen.end}`]);
    // The timeline leaves the missing data out.
    const recorded = EVENT_SECONDS - (HOLE_TO - HOLE_FROM);
    expect(seen.end).toBeGreaterThan(recorded - 3);
    expect(seen.frames).toBeGreaterThan(25 * (recorded - 4));
    expect(await page.locator(".player .bad-text").textContent()).toBe("");
    await page.close();
  });
});
