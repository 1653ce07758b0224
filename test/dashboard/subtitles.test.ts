import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Stage } from "../recorder/subsystems/playback/player-stage.ts";
import { FROM_MS, openSubtitleStage, TEXT, TO_MS } from "../recorder/subsystems/playback/subtitle-stage.ts";
import { type Browser, openBrowser } from "./browser.ts";

let browser: Browser;
let stage: Stage;

beforeAll(async () => {
  stage = await openSubtitleStage();
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  await stage[Symbol.asyncDispose]();
});

interface SeenCue {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

describe("subtitles in a browser", () => {
  it("show the text of each teletext page at its time", async () => {
    const page = await browser.newPage({ baseURL: stage.base });
    await page.goto("/");
    const seen = () =>
      page.evaluate<readonly SeenCue[]>(
        "[...(video.textTracks[0]?.cues ?? [])].map(({ startTime: from, endTime: to, text }) => ({ from, to, text }))",
      );
    const last = async () => Math.max(0, ...(await seen()).map(({ to }) => to));
    await expect.poll(last).toBeGreaterThan((TO_MS - 200) / 1000);
    const cues = await seen();
    expect(Math.abs(Math.min(...cues.map(({ from }) => from)) - FROM_MS / 1000)).toBeLessThan(0.1);
    expect(Math.abs((await last()) - TO_MS / 1000)).toBeLessThan(0.1);
    // Cues that go on in the next segment are in both.
    const lengthMs = cues.reduce((sum, { from, to }) => sum + 1000 * (to - from), 0);
    expect(Math.abs(lengthMs - (TO_MS - FROM_MS))).toBeLessThan(10);
    await page.evaluate("video.currentTime = 3.2");
    const shown = () => page.evaluate("video.textTracks[0].activeCues[0]?.getCueAsHTML().textContent");
    await expect.poll(shown).toBe(TEXT);
    await page.evaluate("video.currentTime = 5");
    await expect.poll(shown).toBeUndefined();
    await page.close();
  });
});
