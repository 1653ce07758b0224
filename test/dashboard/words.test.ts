import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR } from "../../src/model/time.ts";

const { env } = process;
const zone = env["TZ"];
let words: typeof import("../../src/dashboard/words.ts");
let axis: typeof import("../../src/dashboard/timeline-axis.ts");
beforeAll(async () => {
  env["TZ"] = "Europe/Berlin";
  words = await import("../../src/dashboard/words.ts");
  axis = await import("../../src/dashboard/timeline-axis.ts");
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
    expect(words.dayText(next ?? 0, at ?? 0)).toBe("Tomorrow");
    expect(words.dayText(later ?? 0, at ?? 0)).not.toBe("Tomorrow");
    expect(words.dayText(at ?? 0, next ?? 0)).toBe("Yesterday");
  });

  it("the timeline shows each hour once", () => {
    const start = Date.parse("2026-03-28T23:00:00Z");
    const at = axis.ticksOf({ start, stop: start + 6 * HOUR }, 120).map((tick) => tick.at);
    expect(at).toEqual([...new Set(at)]);
    expect(at).toHaveLength(7);
  });
});
