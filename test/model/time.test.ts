import { describe, expect, it } from "vitest";
import {
  DAY,
  formatDuration,
  formatInstant,
  formatTimeOfDay,
  HOUR,
  MINUTE,
  parseInstant,
  SECOND,
} from "../../src/model/time.ts";
import { fc } from "../properties.ts";

const two = (n: number) => String(n).padStart(2, "0");
/** Years that have four digits. */
const instant = fc.integer({ min: Date.UTC(1000, 0, 1), max: Date.UTC(9999, 11, 30) });

describe("an instant", () => {
  it("R-35 can be restored from its wire form, to the second", () => {
    const property = fc.property(
      instant,
      (at) => parseInstant(formatInstant(at)) === Math.floor(at / SECOND) * SECOND,
    );
    fc.assert(property);
  });

  it("R-35 is the same in any offset", () => {
    const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });
    const property = fc.property(instant, offset, fc.boolean(), (at, minutes, colon) => {
      const size = Math.abs(minutes);
      const zone = `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}${colon ? ":" : ""}${two(size % 60)}`;
      const local = new Date(at + minutes * MINUTE).toISOString();
      fc.pre(/^\d{4}-/.test(local));
      return parseInstant(local.replace("Z", zone)) === at;
    });
    fc.assert(property);
  });

  it.each([
    { text: "2026-11-20T09:30:00+00:00", is: "2026-11-20T09:30:00.000Z" },
    { text: "2026-11-20T09:30:00Z", is: "2026-11-20T09:30:00.000Z" },
    { text: "2026-11-20T09:30Z", is: "2026-11-20T09:30:00.000Z" },
    { text: "2026-11-20 09:30:00.5Z", is: "2026-11-20T09:30:00.500Z" },
    { text: "2026-11-20t09:30:00,123456789z", is: "2026-11-20T09:30:00.123Z" },
    { text: " 2026-11-20T20:30:00+11:00\n", is: "2026-11-20T09:30:00.000Z" },
    { text: "2026-11-20T20:30:00+1100", is: "2026-11-20T09:30:00.000Z" },
    { text: "2026-11-20 20:30:00 +11", is: "2026-11-20T09:30:00.000Z" },
    { text: "2026-11-20T09:30:00 UTC", is: "2026-11-20T09:30:00.000Z" },
    { text: "20261120T203000+1100", is: "2026-11-20T09:30:00.000Z" },
    { text: "2028-02-29T00:00:00-00:30", is: "2028-02-29T00:30:00.000Z" },
  ])("is read from $text", ({ text, is }) => {
    expect(new Date(parseInstant(text) ?? Number.NaN).toISOString()).toBe(is);
  });

  it.each([
    "2026-11-20T09:30:00",
    "2026-11-20",
    "2026-02-30T00:00:00Z",
    "2027-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "2026-11-00T00:00:00Z",
    "2026-11-20T24:00:00Z",
    "2026-11-20T09:60:00Z",
    "2026-11-20T09:30:60Z",
    "2026-11-20T09:30:00+25:00",
    "2026-1120T09:30:00Z",
    "1795512600",
    "",
    "tomorrow",
  ])("cannot be read from %j", (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  it("is a number or undefined, never NaN, for any text", () => {
    const digits = fc.stringMatching(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/);
    const property = fc.property(fc.oneof(fc.string(), digits), (text) => {
      const at = parseInstant(text);
      return at === undefined || Number.isSafeInteger(at);
    });
    fc.assert(property);
  });
});

describe("a displayed time", () => {
  it.each([
    // The first instant of what comes again, how long it is, and how both read.
    ["Europe/Berlin", Date.UTC(2026, 9, 25, 0, 30), HOUR, "02:30 (UTC+02:00)", "02:30 (UTC+01:00)"],
    ["Europe/London", Date.UTC(2026, 9, 25, 0, 30), HOUR, "01:30 (UTC+01:00)", "01:30 (UTC+00:00)"],
    ["Australia/Sydney", Date.UTC(2026, 3, 4, 15, 30), HOUR, "02:30 (UTC+11:00)", "02:30 (UTC+10:00)"],
    ["America/New_York", Date.UTC(2026, 10, 1, 5, 30), HOUR, "01:30 (UTC-04:00)", "01:30 (UTC-05:00)"],
    ["Australia/Lord_Howe", Date.UTC(2026, 3, 4, 14, 45), HOUR / 2, "01:45 (UTC+11:00)", "01:45 (UTC+10:30)"],
  ])(
    "R-35 in %s names one instant in the night in which clocks are set back",
    (zone, first, ms, one, two) => {
      expect(formatTimeOfDay(first, zone)).toBe(one);
      expect(formatTimeOfDay(first + ms, zone)).toBe(two);
      expect(formatTimeOfDay(first - 2 * HOUR, zone)).toMatch(/^\d\d:\d\d$/);
      expect(formatTimeOfDay(first + 3 * HOUR, zone)).toMatch(/^\d\d:\d\d$/);
    },
  );

  it.each([
    ["Europe/Berlin", Date.UTC(2026, 2, 29, 1, 0), "01:59", "03:00"],
    ["Australia/Sydney", Date.UTC(2026, 9, 3, 16, 0), "01:59", "03:00"],
    ["America/New_York", Date.UTC(2026, 2, 8, 7, 0), "01:59", "03:00"],
  ])("R-35 in %s has no addition in the night in which clocks are set forward", (zone, at, before, after) => {
    expect(formatTimeOfDay(at - MINUTE, zone)).toBe(before);
    expect(formatTimeOfDay(at, zone)).toBe(after);
  });

  it("is in the viewer's zone, with seconds only off the full minute", () => {
    const at = Date.UTC(2026, 10, 20, 9, 28);
    expect(formatTimeOfDay(at, "Australia/Sydney")).toBe("20:28");
    expect(formatTimeOfDay(at + 5 * SECOND, "Europe/Berlin")).toBe("10:28:05");
    expect(formatTimeOfDay(Date.UTC(2026, 10, 20), "UTC")).toBe("00:00");
  });

  it.each([
    { ms: 0, text: "0 s" },
    { ms: 400, text: "0 s" },
    { ms: 90 * SECOND, text: "1 min 30 s" },
    { ms: HOUR, text: "1 h" },
    { ms: HOUR + 2 * SECOND, text: "1 h 2 s" },
    { ms: 59.6 * SECOND, text: "1 min" },
    { ms: -5 * MINUTE, text: "5 min" },
    { ms: 2 * DAY - MINUTE, text: "47 h 59 min" },
    { ms: 2 * DAY, text: "2 days" },
    { ms: 284 * DAY + 4 * HOUR + 20 * MINUTE, text: "284 days 4 h" },
    { ms: 3 * DAY - SECOND, text: "3 days" },
    { ms: 2 * DAY - 1, text: "2 days" },
  ])("is $text for $ms ms", ({ ms, text }) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
