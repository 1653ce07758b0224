import { describe, expect, it } from "vitest";
import {
  agreedAheadMs,
  judgeClock,
  offsetOfBroadcast,
  offsetOfServerTime,
  othersAheadMs,
  type TimeBeliefs,
} from "../../src/model/clock-trust.ts";
import { DAY, HOUR, SECOND } from "../../src/model/time.ts";

const NOW = Date.UTC(2026, 10, 20, 20);
const RIGHT = { min: -SECOND, max: SECOND };
const aheadBy = (ms: number) => ({ min: ms - SECOND, max: ms + SECOND });

function judged(beliefs: Partial<TimeBeliefs>) {
  return judgeClock({ kernel: "silent", ...beliefs }, 30 * SECOND);
}

describe("R-36 the machine's clock", () => {
  it("is trusted without any other source", () => {
    expect(judged({})).toEqual({ trusted: true, isConfirmed: false });
  });

  it("is not trusted while NTP is enabled but has not set it, until another source confirms it", () => {
    expect(judged({ kernel: "unsynchronised" })).toMatchObject({ trusted: false });
    expect(judged({ kernel: "unsynchronised", guide: RIGHT })).toMatchObject({ trusted: true });
  });

  it("is replaced for event times by a trusted source if it cannot be right", () => {
    const own = { now: 5 * DAY, trustedAt: undefined as number | undefined };
    const YEARS = 20_780 * DAY;
    const told = (beliefs: Partial<TimeBeliefs>, more: Partial<typeof own> = {}) =>
      othersAheadMs({ kernel: "silent", ...beliefs }, 30 * SECOND, { ...own, ...more });
    expect(told({ guide: aheadBy(YEARS) })).toBe(YEARS);
    expect(told({ guide: aheadBy(YEARS), broadcast: aheadBy(YEARS + HOUR) })).toBe(YEARS + HOUR);
    // The recorder's last trusted time is later than the time it shows now.
    expect(told({ guide: aheadBy(400 * DAY) }, { now: NOW, trustedAt: NOW + 399 * DAY })).toBe(400 * DAY);
    // It may be right: others, even two of them, only contradict it.
    const both = { guide: aheadBy(-YEARS), broadcast: aheadBy(-YEARS) };
    expect(told({ ...both, kernel: "unsynchronised", doubt: "set" }, { now: NOW })).toBeUndefined();
    // Somebody speaks for it, or it is wrong by hours.
    expect(told({ guide: aheadBy(YEARS), broadcast: RIGHT })).toBeUndefined();
    expect(told({ guide: aheadBy(YEARS), kernel: "synchronised" })).toBeUndefined();
    expect(told({ guide: aheadBy(HOUR), kernel: "unsynchronised" })).toBeUndefined();
    // The recorder has lived later than that.
    expect(
      told({ guide: aheadBy(-DAY * 400), doubt: "set" }, { now: NOW, trustedAt: NOW - DAY }),
    ).toBeUndefined();
  });

  it.each([284 * DAY, -284 * DAY, HOUR, -3 * 60 * SECOND])(
    "is replaced by two sources that agree and contradict it by %d ms",
    (ms) => {
      const told = (witnesses: Parameters<typeof agreedAheadMs>[0]) => agreedAheadMs(witnesses, 30 * SECOND);
      const [guide, broadcast, ntp] = [aheadBy(ms), aheadBy(ms + 2 * SECOND), { min: ms, max: ms }];
      expect(told({ guide, broadcast })).toBe(ms + 2 * SECOND);
      expect(told({ guide, ntp })).toBe(ms);
      expect(told({ broadcast, ntp })).toBe(ms);
      // Two that agree outvote a third that is wrong in its own way.
      expect(told({ guide: aheadBy(ms - DAY), broadcast, ntp })).toBe(ms);
      // One alone, or two that are wrong in different ways, move nothing.
      expect(told({ guide })).toBeUndefined();
      expect(told({ broadcast })).toBeUndefined();
      expect(told({ ntp })).toBeUndefined();
      expect(told({ guide, broadcast: aheadBy(ms + DAY) })).toBeUndefined();
      // The guide service or the broadcast bears the clock out.
      expect(told({ guide: RIGHT, broadcast, ntp })).toBeUndefined();
      expect(told({ guide, broadcast: RIGHT, ntp })).toBeUndefined();
      // An earlier setting by NTP says nothing for the present one.
      expect(told({ guide, broadcast, ntp: { min: 0, max: 0 } })).toBe(ms + 2 * SECOND);
    },
  );

  it("is not replaced within the tolerance", () => {
    const near = aheadBy(25 * SECOND);
    expect(agreedAheadMs({ guide: near, broadcast: near }, 30 * SECOND)).toBeUndefined();
  });

  it("is not trusted if the only other source contradicts it", () => {
    const { trusted, text } = judged({ guide: aheadBy(-365 * DAY) });
    expect(trusted).toBe(false);
    expect(text).toBe("the guide service's clock is 365 days behind");
    expect(judged({ kernel: "unsynchronised", broadcast: aheadBy(HOUR) }).trusted).toBe(false);
  });

  it("is trusted against one source if a synchronised kernel or another source confirms it; the wrong one is named", () => {
    const liar = { guide: aheadBy(DAY) };
    const text = "the guide service's clock is 24 h ahead";
    expect(judged({ ...liar, kernel: "synchronised" })).toMatchObject({ trusted: true, text });
    expect(judged({ ...liar, broadcast: RIGHT }).trusted).toBe(true);
    expect(judged({ broadcast: aheadBy(-DAY), guide: RIGHT }).trusted).toBe(true);
  });

  it("is not trusted against two sources that agree, whatever the kernel reports; if they differ, the kernel decides", () => {
    const both = { guide: aheadBy(HOUR), broadcast: aheadBy(HOUR + 10 * SECOND) };
    expect(judged({ ...both, kernel: "synchronised" }).trusted).toBe(false);
    const apart = { guide: aheadBy(HOUR), broadcast: aheadBy(2 * HOUR) };
    expect(judged({ ...apart, kernel: "synchronised" }).trusted).toBe(true);
    expect(judged(apart).trusted).toBe(false);
  });

  it("stays doubted until a source confirms it", () => {
    expect(judged({ doubt: "it was set" })).toMatchObject({ trusted: false, text: "it was set" });
    expect(judged({ doubt: "it was set", guide: RIGHT })).toEqual({ trusted: true, isConfirmed: true });
  });
});

describe("R-36 the clock difference from a Date header", () => {
  const reading = { serverTime: NOW, askedAt: NOW, answeredAt: NOW + 4 * SECOND, tookMs: 4 * SECOND };

  it("is a range: the duration of the answer plus the second that the header cuts off", () => {
    expect(offsetOfServerTime(reading)).toEqual({ min: -4 * SECOND, max: SECOND });
  });

  it("is unknown if it is absurd, or if our clock was set during the answer", () => {
    expect(offsetOfServerTime({ ...reading, serverTime: 0 })).toBeUndefined();
    expect(offsetOfServerTime({ ...reading, serverTime: Date.UTC(2345, 0, 1) })).toBeUndefined();
    expect(offsetOfServerTime({ ...reading, answeredAt: NOW + HOUR })).toBeUndefined();
  });

  it("allows for a broadcast that is on the air a little earlier than on disk", () => {
    expect(offsetOfBroadcast(NOW - 3 * SECOND, NOW)).toEqual({ min: -3 * SECOND, max: 2 * SECOND });
  });
});
