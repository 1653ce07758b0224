import { describe, expect, it } from "vitest";
import { dayOf, instantAt, localTimeAt, minuteOf, weekdayOf } from "../../src/migration/local-time.ts";
import { DAY, HOUR } from "../../src/model/time.ts";

const BERLIN = "Europe/Berlin";

describe("local times of another recorder", () => {
  it("follow the clock through its changes", () => {
    for (const [date, hour, utc] of [
      ["2026-03-29", 1, "2026-03-29T00:00:00.000Z"],
      ["2026-03-29", 3, "2026-03-29T01:00:00.000Z"],
      ["2026-10-25", 1, "2026-10-24T23:00:00.000Z"],
      ["2026-10-25", 4, "2026-10-25T03:00:00.000Z"],
    ] as const) {
      const at = instantAt({ day: dayOf(date) ?? 0, minute: hour * 60 }, BERLIN);
      expect(new Date(at).toISOString()).toBe(utc);
      expect(localTimeAt(at, BERLIN)).toEqual({ day: dayOf(date), minute: hour * 60 });
    }
  });

  it("are the same instants as the system says, at each hour of a year", () => {
    const format = new Intl.DateTimeFormat("en-GB", { timeZone: BERLIN, hour: "2-digit", minute: "2-digit" });
    const start = Date.UTC(2026, 0, 1);
    for (let at = start; at < start + 365 * DAY; at += 7 * HOUR) {
      const { minute } = localTimeAt(at, BERLIN);
      const text = [Math.floor(minute / 60), minute % 60]
        .map((part) => String(part).padStart(2, "0"))
        .join(":");
      expect(text).toBe(format.format(at));
    }
  });

  it("are only dates and times that there are", () => {
    expect(dayOf("2026-02-29")).toBeUndefined();
    expect(dayOf("2026-2-1")).toBeUndefined();
    expect(weekdayOf(dayOf("2026-11-25") ?? 0)).toBe(3);
    expect(minuteOf("0905")).toBe(545);
    expect(minuteOf("905")).toBe(545);
    expect(minuteOf("2400")).toBeUndefined();
    expect(minuteOf("1260")).toBeUndefined();
  });
});
