import { describe, expect, it } from "vitest";
import { Collector } from "../../../src/migration/collector.ts";
import type { FoundRecorder, FoundRule } from "../../../src/migration/found.ts";
import { MIGRATION_LIMITS } from "../../../src/migration/limits.ts";
import { openChannelBook } from "../../../src/migration/vdr/channel-book.ts";
import { readSetup } from "../../../src/migration/vdr/setup.ts";
import { readTimers } from "../../../src/migration/vdr/timers.ts";
import { outOfPatience } from "../../patience.ts";
import { OPTIONS } from "../origin.ts";

const CHANNELS =
  "Eins:226500:B7:T:0:257=27:258:0:0:1056:4112:545:0\n:@7\nZwei:226500:B7:T:0:257=27:258:0:0:1057:4112:545:0\n";

function timersIn(text: string, setup = ""): FoundRecorder {
  const into = new Collector();
  const channels = openChannelBook(CHANNELS, { file: "channels.conf", into });
  const options = { ...OPTIONS, signal: outOfPatience() };
  readTimers({ file: "timers.conf", text, channels, setup: readSetup(setup), options, into });
  return into.found();
}

function orderOf(line: string): FoundRule["order"] | undefined {
  return timersIn(line).rules[0]?.order;
}

describe("timers.conf", () => {
  it("names channels by id or number, also ids that channels.conf lacks", () => {
    const timer = (channel: string) =>
      timersIn(`1:${channel}:2026-12-24:2000:2100:50:99:Film:\n`).timers[0]?.channel;
    expect(timer("T-4112-545-1056")).toMatchObject({ name: "Eins", number: 1 });
    expect(timer("7")).toMatchObject({ name: "Zwei", number: 7 });
    expect(timer("S19.2E-1-1101-28106")).toEqual({
      name: "S19.2E-1-1101-28106",
      triplet: { onid: 1, tsid: 1101, sid: 28_106 },
    });
    expect(timer("S19.2E-0-112188-28106")).toEqual({ name: "S19.2E-0-112188-28106" });
  });

  it("ends after midnight where the stop is earlier than the start, by the wall clock", () => {
    const [timer] = timersIn(
      "1:1:2026-12-31:2345:0130:50:99:Gala:\n",
      "MarginStart = 0\nMarginStop = 0\n",
    ).timers;
    expect(timer?.event).toEqual({
      start: Date.UTC(2026, 11, 31, 22, 45),
      stop: Date.UTC(2027, 0, 1, 0, 30),
    });
  });

  it("has the time without the margins of setup.conf, unless it is shorter than they are", () => {
    const [long, short] = timersIn(
      "1:1:2026-12-24:2000:2100:50:99:Long:\n1:1:2026-12-24:2000:2010:50:99:Short:\n",
      "MarginStart = 5\nMarginStop = 15\n",
    ).timers;
    expect(long).toMatchObject({
      event: { start: Date.UTC(2026, 11, 24, 19, 5), stop: Date.UTC(2026, 11, 24, 19, 45) },
      beforeMinutes: 5,
      afterMinutes: 15,
    });
    expect(short?.event).toEqual({ start: Date.UTC(2026, 11, 24, 19), stop: Date.UTC(2026, 11, 24, 19, 10) });
    expect(short?.beforeMinutes).toBeUndefined();
  });

  it("takes a day of the month for the next such day", () => {
    const day = (text: string) =>
      new Date(timersIn(`1:1:${text}:2000:2100:50:99:Film:\n`).timers[0]?.event.start ?? 0);
    expect(day("26").toISOString()).toContain("2026-11-26");
    expect(day("25").toISOString()).toContain("2026-12-25");
  });

  it("leaves out what is over, switched off, or made again by a rule", () => {
    const found = timersIn(
      [
        "1:1:2026-11-01:2000:2100:50:99:Over:",
        "0:1:2026-12-24:2000:2100:50:99:Off:",
        "17:1:2026-12-24:2000:2100:50:99:Spawned:",
        "1:1:2026-12-24:2000:2100:50:99:Searched:<epgsearch><searchtimer>x</searchtimer></epgsearch>",
      ].join("\n"),
    );
    expect(found.timers).toEqual([]);
    expect(found.leftOut).toEqual([{ kind: "timer", name: "Off", why: "It is switched off in VDR." }]);
    expect(found.problems).toEqual([]);
  });

  it("makes a rule of a repeating timer: every show that begins in its time", () => {
    expect(orderOf("1:7:MTWTF--:1858:1930:40:14:Serien~heute:")).toEqual({
      name: "heute",
      expression: ".",
      weekdays: [1, 2, 3, 4, 5],
      between: { from: 18 * 60 + 58, until: 19 * 60 + 20 },
      quality: "Prefer HD",
      priority: 40,
      beforeMinutes: 2,
      afterMinutes: 10,
      folder: "Serien",
    });
    expect(orderOf("0:7:-----SS:2300:0100:50:99:TITLE:")).toMatchObject({
      name: "Zwei",
      isPaused: true,
      weekdays: [6, 7],
      between: { from: 23 * 60, until: 50 },
    });
  });

  it("makes a rule of a pattern timer", () => {
    const expression = (pattern: string) =>
      orderOf(`1:1:MTWTFSS:0000:2359:50:99:{${pattern}}Krimi~TITLE:`)?.expression;
    expect(orderOf("1:1:MTWTFSS:0000:2359:50:99:{@^Tatort}Krimi~TITLE:")).toEqual({
      name: "Tatort",
      expression: "^Tatort",
      quality: "Prefer HD",
      priority: 50,
      folder: "Krimi",
    });
    expect(expression("Wer? (Teil 1)$")).toBe("Wer\\? \\(Teil 1\\)$");
    expect(expression("@*")).toBe(".");
  });

  it("makes a folder of names that disks refuse", () => {
    expect(orderOf('1:1:M------:2000:2100:50:99:..~A/B| "C"~. ~News:')?.folder).toBe("A-B- -C-");
  });

  it("reports broken lines by their numbers, and reads the others", () => {
    const found = timersIn(
      [
        "# a comment",
        "1:1:2026-12-24:2000:2100:50",
        "x:1:2026-12-24:2000:2100:50:99:Film:",
        "1:99:2026-12-24:2000:2100:50:99:Film:",
        "1:1:2026-02-30:2000:2100:50:99:Film:",
        "1:1:2026-12-24:2060:2100:50:99:Film:",
        "1:1:-------:2000:2100:50:99:Film:",
        "1:1:2026-12-24:2000:2100:50:99:Whole:",
      ].join("\r\n"),
    );
    expect(found.timers.map(({ title }) => title)).toEqual(["Whole"]);
    expect(found.problems.map(({ line, what }) => `${line} ${what}`)).toEqual([
      "2 Expected at least 8 fields with colons between, found 6.",
      '3 Expected flags, a whole number; found "x".',
      "4 channels.conf has no channel 99.",
      '5 Expected a date such as 2026-12-24, a whole number; found "2026-02-30".',
      '6 Expected times such as 2015, found "2060" and "2100".',
      '7 Expected a date or weekdays such as MTWTF--, found "-------".',
    ]);
  });

  it("takes the first of 100,000 timers and names others, in bounded time", () => {
    const line = "1:1:2026-12-24:2000:2100:50:99:Film:\n";
    const found = timersIn(line.repeat(100_000));
    expect(found.timers).toHaveLength(MIGRATION_LIMITS.orders);
    expect(found.leftOut).toHaveLength(MIGRATION_LIMITS.named);
  });
});
