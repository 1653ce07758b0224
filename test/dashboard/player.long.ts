import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isTerminal } from "../../src/model/recording.ts";
import { tripletKey } from "../../src/model/service.ts";
import { SECOND } from "../../src/model/time.ts";
import { PACKET_BYTES, pidAt } from "../../src/mpeg-ts/packets.ts";
import { simTriplet } from "../../src/simulator/world.ts";
import type { Portion } from "../kit/generated-service.ts";
import { told } from "../kit/tool.ts";
import { inProcess } from "../main-job/in-process.ts";
import { onAir } from "../main-job/on-air.ts";
import { soon, temporaryFolder, testWorld } from "../main-job/recorder.ts";
import { type Browser, openBrowser, openPage } from "./browser.ts";

const SECONDS = 20;
const PORTION_MS = 20;
/** Chromium decodes slower than real time on a busy machine. */

let browser: Browser;
let recording: Awaited<ReturnType<typeof recorded>>;

beforeAll(async () => {
  recording = await recorded();
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  await recording[Symbol.asyncDispose]();
});

/** A service of the world's first channel as broadcasters send it: groups of pictures that need the group before. */
async function broadcast(file: string): Promise<Buffer> {
  const { onid, tsid, sid } = simTriplet(1);
  const input = ["-f", "lavfi", "-i", `testsrc2=size=320x180:rate=25:duration=${SECONDS}`];
  const sound = ["-f", "lavfi", "-i", `sine=sample_rate=48000:duration=${SECONDS}`];
  const picture = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-b:v", "900k"];
  const groups = ["-g", "25", "-x264-params", "open-gop=1:bframes=3:scenecut=0:b-pyramid=none"];
  const mux = ["-mpegts_original_network_id", `${onid}`, "-mpegts_transport_stream_id", `${tsid}`];
  await told("ffmpeg", {
    args: [
      ...["-v", "error", ...input, ...sound, ...picture, ...groups, "-c:a", "aac", ...mux],
      ...["-mpegts_service_id", `${sid}`, "-f", "mpegts", "-y", file],
    ],
  });
  return await readFile(file);
}

/** A recording that misses packets of picture and sound. */
async function recorded() {
  const folder = await temporaryFolder();
  const home = await testWorld(folder.path, 1);
  const stream = await broadcast(join(folder.path, "air.ts"));
  const start = soon();
  const air = await onAir([{ name: "sim-1", portions: lossy(stream) }], start - 2 * SECOND);
  const service = tripletKey(simTriplet(1));
  const recorder = await inProcess(folder.path, home, {
    tuners: [{ kind: "url", id: "url-1", services: [{ service, url: air.url("sim-1") }] }],
    web: { port: 0, signIn: "where-needed" },
  });
  const show = { channel: 1, title: "Match", start, durationMs: (SECONDS - 4) * SECOND };
  const timerId = await home.world.book(show, home.deviceId);
  await recorder.until(timerId, ({ state }) => isTerminal(state));
  return {
    base: `http://127.0.0.1:${recorder.daemon.webPort}`,
    async [Symbol.asyncDispose]() {
      await recorder[Symbol.asyncDispose]();
      await air[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A stream at an even pace, without every 907th packet unless that is one of a table. */
function lossy(stream: Buffer): readonly Portion[] {
  const packets = Array.from({ length: stream.length / PACKET_BYTES }, (_, number) =>
    stream.subarray(number * PACKET_BYTES, (number + 1) * PACKET_BYTES),
  );
  const isReceived = (packet: Buffer, number: number) => pidAt(packet, 0) < 0x100 || number % 907 !== 500;
  const inPortion = Math.ceil((packets.length * PORTION_MS) / (SECONDS * SECOND));
  return Array.from({ length: Math.ceil(packets.length / inPortion) }, (_, at) => {
    const first = at * inPortion;
    const some = packets
      .slice(first, first + inPortion)
      .filter((packet, number) => isReceived(packet, first + number));
    return { atMs: at * PORTION_MS, bytes: Buffer.concat(some) };
  });
}

async function openPlayer(): Promise<Page> {
  const { page } = await openPage(browser, { base: recording.base });
  await page.goto("/timers");
  await page.getByRole("button", { name: "All", exact: true }).click();
  await page.getByRole("link", { name: /^Match/ }).click();
  const dialog = page.getByRole("dialog", { name: "Match" });
  // The second name stands beside "Resume at 0:10" where an earlier test ended.
  await dialog.getByRole("button", { name: /^(Play|From the beginning)$/ }).click();
  await page.evaluate("window.watched = document.querySelector('video')");
  await expect.poll(() => page.evaluate("watched.currentTime")).toBeGreaterThan(0.2);
  return page;
}

/** The failure of a picture that the browser cannot decode: no recording has one at a known time. */
const FAIL_TO_DECODE = `
  Object.defineProperty(watched, "error", { configurable: true, value: { code: MediaError.MEDIA_ERR_DECODE } });
  watched.dispatchEvent(new Event("error"));
  delete watched.error;
`;

describe("the player, for a recording with open GOPs and lost packets", () => {
  it("plays to the end", async () => {
    const page = await openPlayer();
    await page.evaluate("watched.playbackRate = 4");
    await expect.poll(() => page.evaluate("watched.ended")).toBe(true);
    const left = await page.evaluate<number>("watched.duration - watched.currentTime");
    expect(left).toBeLessThan(1);
    expect(await page.locator(".player .bad-text").textContent()).toBe("");
    await page.close();
  });

  it("seeks", async () => {
    const page = await openPlayer();
    // On a busy machine, a recording begins late.
    const duration = await page.evaluate<number>("watched.duration");
    for (const share of [0.7, 0.2, 0.5]) {
      const target = share * duration;
      // The page notes each position: on a busy machine, the test looks seconds later.
      await page.evaluate(`{
        watched.currentTime = ${target};
        window.shown = [];
        watched.ontimeupdate = () => shown.push(watched.currentTime);
      }`);
      const isPlayedThere = () =>
        page.evaluate<boolean>(`shown.some((at) => at > ${target + 0.4} && at < ${target + 6})`);
      await expect.poll(isPlayedThere).toBe(true);
      expect(await page.locator(".player .bad-text").textContent()).toBe("");
    }
    await page.close();
  });

  it("goes on where the viewer seeks while it begins again, at the same speed", async () => {
    const page = await openPlayer();
    const [from, to] = [0.7, 0.2].map((share) => share * (SECONDS - 6)) as [number, number];
    await page.evaluate(`watched.currentTime = ${from}`);
    const position = () => page.evaluate<number>("watched.currentTime");
    await expect.poll(position).toBeGreaterThan(from + 0.4);
    await page.evaluate("watched.playbackRate = 0.5");
    await page.evaluate(`${FAIL_TO_DECODE} watched.currentTime = ${to};`);
    await expect.poll(() => page.evaluate("watched.readyState")).toBeGreaterThan(2);
    await expect.poll(position).toBeGreaterThan(to + 0.2);
    expect(await position()).toBeLessThan(from);
    expect(await page.evaluate("watched.playbackRate")).toBe(0.5);
    await page.close();
  });

  it("stays paused where decoding fails in a pause", async () => {
    const page = await openPlayer();
    await page.evaluate("watched.pause()");
    const at = await page.evaluate<number>("watched.currentTime");
    await page.evaluate(FAIL_TO_DECODE);
    await expect.poll(() => page.evaluate("watched.readyState")).toBeGreaterThan(1);
    expect(await page.evaluate("watched.paused")).toBe(true);
    expect(await page.evaluate("watched.currentTime")).toBeCloseTo(at, 1);
    await page.close();
  });
});
