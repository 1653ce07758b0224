import { describe, expect, it } from "vitest";
import { playerMsAt } from "../../../../src/recorder/subsystems/playback/hls/player-time.ts";

/** Ten seconds, twenty minutes without data, and ten seconds. */
const SEGMENTS = [
  { startMs: 0, durationMs: 6000 },
  { startMs: 6000, durationMs: 4000 },
  { startMs: 1_210_000, durationMs: 10_000 },
];

describe("an instant of a recording on a player's timeline", () => {
  it.each([
    ["before the recording", -5000, 0],
    ["in the first part", 7000, 7000],
    ["where data is missing", 600_000, 10_000],
    ["after missing data", 1_213_000, 13_000],
    ["after the recording", 9_000_000, 20_000],
  ])("%s", (_, atMs, shownMs) => {
    expect(playerMsAt(SEGMENTS, atMs)).toBe(shownMs);
  });
});
