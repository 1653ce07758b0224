import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outcomeOf, outcomeWords } from "../../src/dashboard/parts/verdict.ts";
import { roomHours, spaceMark } from "../../src/dashboard/space-words.ts";
import { setReader } from "../../src/dashboard/state/language.ts";
import { ticksOf } from "../../src/dashboard/timeline-axis.ts";
import { fitted, markedLabel } from "../../src/dashboard/timeline-label.ts";
import type { SpaceFacts } from "../../src/model/space.ts";
import { HOUR } from "../../src/model/time.ts";
import { createReader } from "../../src/words/reader.ts";
import { en } from "../../src/words/texts/en.ts";
import { fc } from "../properties.ts";

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

const GB = 1e9;
const space: SpaceFacts = {
  level: "enough",
  freeBytes: 300 * GB,
  totalBytes: 500 * GB,
  lowBytes: 10 * GB,
  stopBytes: 4.8 * GB,
  reservedBytes: 0,
  bytesPerSecond: 2_000_000,
};

describe("free space", () => {
  it("is told as hours of television", () => {
    expect(roomHours(space)).toBe(41);
    expect(spaceMark(space).text).toBe("Space for about 41 hours");
    expect(spaceMark({ ...space, freeBytes: 5 * GB }).text).toBe("Space for less than an hour");
    expect(roomHours({ ...space, freeBytes: 0 })).toBe(0);
  });

  it("is never enough while the plan fills the disk", () => {
    const level = fc.constantFrom("enough", "low", "full", "offline");
    fc.assert(
      fc.property(level, fc.constantFrom("plan", "pace"), (level, by) => {
        const { tone } = spaceMark({ ...space, level, fills: { at: 1, by } });
        return (tone === "good") === (level === "enough" && by === "pace");
      }),
    );
  });
});

describe("the word about a recording", () => {
  it.each([
    ["completed", "perfect", "perfect"],
    ["completed", "damaged", "damaged"],
    ["completed", undefined, "completed"],
    ["partial", "unusable", "unusable"],
    ["partial", "damaged", "partial"],
    ["failed", "damaged", "failed"],
    ["recording", "damaged", "recording"],
  ] as const)("of one that is %s, with a file that is %s, is %s", (state, verdict, text) => {
    const evidence = verdict === undefined ? undefined : { verdict };
    expect(outcomeWords(outcomeOf({ state, evidence })).text).toBe(text);
  });
});

describe("a label of the timeline", () => {
  // Marks of direction have no width.
  const measure = (text: string) => text.replace(/[\u2068\u2069]/g, "").length * 7;

  it("is never wider than its place", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: -50, max: 400 }), (text, width) => {
        const labels = [fitted(text, width, measure), markedLabel({ mark: "○", name: text }, width, measure)];
        return labels.every((label) => label === "" || measure(label) <= width);
      }),
    );
  });

  it("is whole where it fits, and ends with … where it does not", () => {
    expect(fitted("Tatort", 42, measure)).toBe("Tatort");
    expect(fitted("Tatort", 41, measure)).toBe("Tato…");
    expect(fitted("Tatort", 20, measure)).toBe("");
    expect(markedLabel({ mark: "○", name: "Tatort" }, 35, measure)).toBe("○ Ta…");
    expect(markedLabel({ mark: "○", name: "Tatort" }, 20, measure)).toBe("○");
    expect(markedLabel({ mark: "○", name: "חדשות" }, 42, measure)).toBe("○ \u2068חדש…\u2069");
  });
});
