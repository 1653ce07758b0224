import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStage, type PlayerStage } from "../player-stage.ts";
import { FROM_MS, openSubtitleStage, TEXT } from "../subtitle-stage.ts";
import { openWebKit } from "./webkit.ts";

/** Named only by `npm run test:peers`: `npm test` installs Chromium alone. */
const driver = process.env["RECORDERD_WEBKIT"] || undefined;
const SECONDS = 20;
/** It decodes slower than real time on a busy machine. */
const PATIENCE = { timeout: 120_000 };
const DEVICE = "video=h264&audio=aac&viewer=webkit-0001";

interface Played {
  readonly position: number;
  readonly length: number;
  /** Decoded pictures; WebKit counts anew after a seek. */
  readonly pictures: number;
  readonly faults: readonly string[];
}

describe.skipIf(driver === undefined)("WebKit (needs webkit2gtk-driver: npm run test:peers)", () => {
  let stage: PlayerStage;

  beforeAll(async () => {
    stage = await openStage(SECONDS);
  });

  afterAll(() => stage[Symbol.asyncDispose]());

  it.each([
    ["a recording of H.264 by itself", "h264", "index.m3u8", "itself"],
    ["H.264 with a choice of languages by itself", "h264", `master.m3u8?${DEVICE}`, "itself"],
    ["converted MPEG-2 by itself", "mpeg2", `converted/index.m3u8?${DEVICE}`, "itself"],
    ["H.264 with a choice of languages by hls.js", "h264", `master.m3u8?${DEVICE}`, "hls.js"],
    ["converted MPEG-2 with a choice of languages by hls.js", "mpeg2", `master.m3u8?${DEVICE}`, "hls.js"],
  ])("plays %s, and seeks in it", async (_, id, playlist, player) => {
    await using webKit = await openWebKit(driver ?? "");
    const played = () =>
      webKit.run<Played>(`return {
        position: video.currentTime,
        length: video.duration,
        pictures: video.getVideoPlaybackQuality().totalVideoFrames,
        faults,
      }`);
    await webKit.open(stage.base);
    await webKit.run(`
      window.faults = [];
      window.video = document.querySelector("video");
      video.addEventListener("error", () => faults.push(String(video.error.message)));
      const address = "/v1/recordings/${id}/hls/${playlist}";
      if ("${player}" === "itself") {
        video.src = address;
        video.play();
        return;
      }
      const player = new Hls({ startPosition: 0 });
      player.on(Hls.Events.ERROR, (_, { details, fatal, error }) => {
        if (fatal || /Parsing|Append|Codec/.test(details)) faults.push(details + " " + error);
      });
      player.loadSource(address);
      player.attachMedia(video);
      player.on(Hls.Events.MANIFEST_PARSED, () => video.play());
    `);
    await expect.poll(async () => (await played()).pictures, PATIENCE).toBeGreaterThan(20);
    for (const target of [13.3, 4.2]) {
      await webKit.run(`video.currentTime = ${target}`);
      await expect.poll(async () => (await played()).position, PATIENCE).toBeGreaterThan(target + 0.5);
      const { position, length, pictures } = await played();
      expect(position).toBeLessThan(length);
      expect(pictures).toBeGreaterThan(5);
    }
    const { length, faults } = await played();
    expect(faults).toEqual([]);
    expect(Math.abs(length - SECONDS)).toBeLessThan(0.5);
  });

  it("plays a growing recording by hls.js to the end of what is there, and on when more comes", async () => {
    await using webKit = await openWebKit(driver ?? "");
    const source = stage.sources.get("h264");
    // The first access points, one for each second.
    source?.grow(3);
    await webKit.open(stage.base);
    await webKit.run(`
      window.ends = 0;
      window.video = document.querySelector("video");
      video.addEventListener("ended", () => { window.ends += 1; });
      window.player = new Hls({ startPosition: 0, liveDurationInfinity: true });
      player.loadSource("/v1/recordings/h264/hls/index.m3u8");
      player.attachMedia(video);
      player.on(Hls.Events.MANIFEST_PARSED, () => video.play());
    `);
    const seen = () => webKit.run<{ at: number; ends: number }>("return { at: video.currentTime, ends }");
    await expect.poll(async () => (await seen()).at, PATIENCE).toBeGreaterThan(1.5);
    source?.grow(12);
    await expect.poll(async () => (await seen()).at, PATIENCE).toBeGreaterThan(6);
    expect((await seen()).ends).toBe(0);
    source?.grow();
  });

  it("shows subtitles by hls.js at their time", async () => {
    await using subtitled = await openSubtitleStage();
    await using webKit = await openWebKit(driver ?? "");
    await webKit.open(subtitled.base);
    const shown = () =>
      webKit.run<string | null>(
        "return video.textTracks[0]?.activeCues?.[0]?.getCueAsHTML().textContent ?? null",
      );
    await expect.poll(() => webKit.run("return video.readyState"), PATIENCE).toBeGreaterThan(1);
    await webKit.run(`video.currentTime = ${FROM_MS / 1000 + 0.7}`);
    await expect.poll(shown, PATIENCE).toBe(TEXT);
    await webKit.run("video.currentTime = 5");
    await expect.poll(shown, PATIENCE).toBe(null);
  });
});
