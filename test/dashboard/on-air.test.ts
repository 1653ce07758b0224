import { describe, expect, it } from "vitest";
import { onAirAt } from "../../src/dashboard/on-air.ts";
import { primeTimeOf } from "../../src/dashboard/prime-time.ts";
import { HOUR, MINUTE } from "../../src/model/time.ts";

const shows = [
  { id: 1, start: 0, stop: HOUR },
  { id: 2, start: HOUR, stop: 2 * HOUR },
  { id: 3, start: 3 * HOUR, stop: 4 * HOUR },
];
const idsAt = (at: number) => {
  const { now, later } = onAirAt(shows, at);
  return [now?.id, ...later.map(({ id }) => id)];
};

describe("what is on", () => {
  it("is the show whose time it is, and all that follows, also over a gap", () => {
    expect(idsAt(0)).toEqual([1, 2, 3]);
    expect(idsAt(HOUR - 1)).toEqual([1, 2, 3]);
    expect(idsAt(HOUR)).toEqual([2, 3]);
    expect(idsAt(2 * HOUR)).toEqual([undefined, 3]);
    expect(idsAt(3 * HOUR)).toEqual([3]);
    expect(onAirAt([], HOUR)).toEqual({ now: undefined, later: [] });
  });

  it("is the later of two shows whose times overlap", () => {
    const late = { start: 30 * MINUTE, stop: 90 * MINUTE };
    expect(onAirAt([{ start: 0, stop: HOUR }, late], 45 * MINUTE).now).toBe(late);
  });
});

describe("the evening's main programme", () => {
  it.each([
    ["de", 20.25],
    ["de-AT", 20.25],
    ["de-CH", 20],
    ["es", 21],
    ["fr-BE", 21],
    ["it", 21],
    ["ja-JP", 19],
    ["en-GB", 20],
    ["pt", 20],
  ])("begins in %s at %d hours", (locale, hours) => expect(primeTimeOf(locale)).toBe(hours * HOUR));
});
