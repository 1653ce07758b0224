import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setReader } from "../../src/dashboard/state/language.ts";
import { ticksOf } from "../../src/dashboard/timeline-axis.ts";
import { HOUR } from "../../src/model/time.ts";
import { createReader } from "../../src/words/reader.ts";
import { en } from "../../src/words/texts/en.ts";

const reader = createReader({ language: "en", locale: "en-GB", timeZone: "Europe/Berlin", text: en });

// The timeline's axis follows the browser's zone.
const { env } = process;
const zone = env["TZ"];
beforeAll(() => {
  env["TZ"] = "Europe/Berlin";
  setReader(reader);
});
afterAll(() => {
  if (zone === undefined) delete env["TZ"];
  else env["TZ"] = zone;
});

describe("R-35 on the nights of clock changes", () => {
  it.each([
    // Sunday has 23 hours: a day of 24 later it is Monday.
    { now: "2026-03-28T22:30:00Z", tomorrow: "2026-03-29T18:00:00Z", after: "2026-03-30T00:30:00+02:00" },
    // Sunday has 25 hours: a day of 24 later it is still Sunday.
    { now: "2026-10-24T22:30:00Z", tomorrow: "2026-10-26T18:00:00Z", after: "2026-10-27T00:30:00Z" },
  ])("tomorrow is only the day after $now", ({ now, tomorrow, after }) => {
    const [at, next, later] = [now, tomorrow, after].map(Date.parse);
    expect(reader.day(next ?? 0, at ?? 0)).toBe("Tomorrow");
    expect(reader.day(later ?? 0, at ?? 0)).not.toBe("Tomorrow");
    expect(reader.day(at ?? 0, next ?? 0)).toBe("Yesterday");
  });

  it("the timeline shows each hour once", () => {
    const start = Date.parse("2026-03-28T23:00:00Z");
    const at = ticksOf({ start, stop: start + 6 * HOUR }, 120).map((tick) => tick.at);
    expect(at).toEqual([...new Set(at)]);
    expect(at).toHaveLength(7);
  });
});
