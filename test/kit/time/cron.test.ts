import { getTasks } from "node-cron";
import { describe, expect, it } from "vitest";
import { parseSchedule } from "../../../src/kit/time/cron.ts";
import { fc } from "../../properties.ts";

const at = (iso: string) => Date.parse(iso);
const iso = (ms: number) => new Date(ms).toISOString();

function runs(expression: string, timeZone: string, from: string, count: number): readonly string[] {
  const schedule = parseSchedule(expression, timeZone);
  const found: string[] = [];
  for (let after = at(from); found.length < count; ) {
    after = schedule.next(after);
    found.push(iso(after));
  }
  return found;
}

describe("a schedule", () => {
  it("occurs strictly after the given instant", () => {
    const { next } = parseSchedule("*/5 * * * *");
    expect(iso(next(at("2026-11-20T09:30:00Z")))).toBe("2026-11-20T09:35:00.000Z");
    expect(iso(next(at("2026-11-20T09:29:59.999Z")))).toBe("2026-11-20T09:30:00.000Z");
    expect(iso(next(at("2026-11-20T09:59:30Z")))).toBe("2026-11-20T10:00:00.000Z");
  });

  it.each([
    { expression: "0 4 * * *", after: "2026-11-20T09:30:00Z", next: "2026-11-21T04:00:00.000Z" },
    { expression: "@hourly", after: "2026-11-20T09:30:00Z", next: "2026-11-20T10:00:00.000Z" },
    { expression: "15 30 6 * * 1-5", after: "2026-11-20T06:30:15Z", next: "2026-11-23T06:30:15.000Z" },
    { expression: "0 0 29 2 *", after: "2026-01-01T00:00:00Z", next: "2028-02-29T00:00:00.000Z" },
    { expression: "0 0 29 2 *", after: "2096-03-01T00:00:00Z", next: "2104-02-29T00:00:00.000Z" },
    { expression: "59 23 L * *", after: "2026-11-20T09:30:00Z", next: "2026-11-30T23:59:00.000Z" },
    { expression: "0 12 * * 1#2", after: "2026-11-20T09:30:00Z", next: "2026-12-14T12:00:00.000Z" },
    { expression: "*/7 * * * *", after: "2026-12-31T23:56:00Z", next: "2027-01-01T00:00:00.000Z" },
  ])("$expression after $after is $next", ({ expression, after, next }) => {
    expect(iso(parseSchedule(expression).next(at(after)))).toBe(next);
  });

  it("R-35 skips a local time that the spring change leaves out, on that day only", () => {
    expect(runs("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 2)).toEqual([
      "2026-03-28T01:30:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ]);
    expect(runs("30 2 * * *", "Australia/Sydney", "2026-10-03T00:00:00Z", 2)).toEqual([
      "2026-10-04T15:30:00.000Z",
      "2026-10-05T15:30:00.000Z",
    ]);
  });

  it("R-35 occurs twice at a local time that the autumn change repeats", () => {
    expect(runs("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 3)).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-25T01:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
    ]);
    expect(runs("45 1 * * *", "Australia/Lord_Howe", "2026-04-04T12:00:00Z", 3)).toEqual([
      "2026-04-04T14:45:00.000Z",
      "2026-04-04T15:15:00.000Z",
      "2026-04-05T15:15:00.000Z",
    ]);
  });

  it("R-35 keeps an interval of five minutes through both changes", () => {
    for (const from of ["2026-03-28T23:00:00Z", "2026-10-24T23:00:00Z"]) {
      const found = runs("*/5 * * * *", "Europe/Berlin", from, 48);
      expect(found).toEqual(found.map((_, index) => iso(at(from) + (index + 1) * 300_000)));
    }
  });

  it("agrees with a search second by second", () => {
    const zones = fc.constantFrom("UTC", "Europe/Berlin", "Asia/Kathmandu", "Australia/Lord_Howe");
    const minute = fc.integer({ min: 0, max: 59 });
    const hour = fc.integer({ min: 0, max: 23 });
    const nights = fc.constantFrom(
      at("2026-03-28T20:00:00Z"),
      at("2026-10-03T12:00:00Z"),
      at("2026-10-24T20:00:00Z"),
    );
    fc.assert(
      fc.property(zones, minute, hour, nights, (zone, m, h, from) => {
        const format = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "short" });
        const wanted = `${String(h).padStart(2, "0")}:${String(m).padStart(2, "0")}`;
        let slow = from + 60_000;
        while (format.format(slow) !== wanted) slow += 60_000;
        return parseSchedule(`${m} ${h} * * *`, zone).next(from) === slow;
      }),
      { numRuns: 25 },
    );
  });

  it("leaves nothing in node-cron's list of tasks", () => {
    parseSchedule("*/5 * * * *");
    expect(getTasks().size).toBe(0);
  });

  it.each([
    { expression: "61 * * * *", says: "61" },
    { expression: "every five minutes", says: "every five minutes" },
    { expression: "* * * *", says: "5 or 6 fields" },
    { expression: "", says: "expected a cron expression" },
    { expression: "0 0 30 2 *", says: "impossible" },
    { expression: "0 0 L-30 2 *", says: "no day matches" },
  ])("refuses $expression with CONFIG_INVALID", ({ expression, says }) => {
    expect(() => parseSchedule(expression)).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining(says) }),
    );
  });
});
