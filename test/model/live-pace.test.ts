import { describe, expect, it } from "vitest";
import { isUndatable, outrunsLive, playedMs } from "../../src/model/live-pace.ts";
import { HOUR, MINUTE, SECOND } from "../../src/model/time.ts";

describe("the pace of a source", () => {
  it("is that of a broadcast after a burst at the start, and with a clock that is wrong by 1 % for hours", () => {
    expect(outrunsLive(60 * SECOND, 0)).toBe(false);
    expect(outrunsLive(60 * SECOND + 12.12 * HOUR, 12 * HOUR)).toBe(false);
  });

  it("is that of no broadcast for a film, even through a slow connection", () => {
    expect(outrunsLive(2 * MINUTE, SECOND)).toBe(true);
    expect(outrunsLive(4 * MINUTE, 2 * MINUTE)).toBe(true);
  });

  it("counts picture and sound that came, not what a clock jumped over", () => {
    const spans = [
      { start: 0, stop: 20_000 },
      { start: 500_000, stop: 510_000 },
    ];
    expect(playedMs({ spans })).toBe(30_000);
  });
});

describe("the dates of a segment", () => {
  const calm = (played: number, elapsedMs: number) => isUndatable(played, { elapsedMs, wasExcessive: false });

  it("come from its write time, even by a file server whose clock is wrong by minutes", () => {
    expect(calm(HOUR, HOUR)).toBe(false);
    expect(calm(HOUR, HOUR - 20 * MINUTE)).toBe(false);
    expect(calm(HOUR, -MINUTE)).toBe(false);
  });

  it("come from nothing if hours passed within seconds", () => {
    expect(calm(HOUR, 5 * SECOND)).toBe(true);
  });

  it("come from nothing at a lower pace if the capture ended for it, but do after an hour that was live", () => {
    const ended = (played: number, elapsedMs: number) =>
      isUndatable(played, { elapsedMs, wasExcessive: true });
    expect(calm(3.2 * MINUTE, 2 * MINUTE)).toBe(false);
    expect(ended(3.2 * MINUTE, 2 * MINUTE)).toBe(true);
    expect(ended(HOUR + 8 * MINUTE, HOUR)).toBe(false);
  });
});
