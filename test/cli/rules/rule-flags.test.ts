import { Command } from "commander";
import { describe, expect, it } from "vitest";
import {
  CLEARABLE,
  type ClearableFlag,
  changedOrder,
  type RuleFlags,
  withConditions,
} from "../../../src/cli/rules/rule-flags.ts";
import { previewText, ruleDetails, wantsText } from "../../../src/cli/rules/rule-text.ts";
import { HOUR, MINUTE } from "../../../src/model/time.ts";
import type { RulePreview, RuleRequest } from "../../../src/web/guide-api.ts";

const NOTHING: RuleRequest = { name: "Mine", quality: "Prefer HD" };

function parsed(...args: readonly string[]): RuleFlags {
  const command = withConditions(new Command("test")).exitOverride();
  command.configureOutput({ writeErr: () => {} });
  return command.parse(args, { from: "user" }).opts<RuleFlags>();
}
const orderOf = (...args: readonly string[]) => changedOrder(NOTHING, parsed(...args));

/** Each option with a value. */
const ALL = [
  ...["--words", "red boat", "--expression", "^(a|b)+$", "--series", "s7", "--genres", "movie, news"],
  ...["--in", "all", "--without", "omnibus", "--channels", "2,7", "--weekdays", "sat-mon"],
  ...[
    "--between",
    "22:30-1:15",
    "--min-minutes",
    "20",
    "--max-minutes",
    "90",
    "--new-only",
    "--first-airing",
  ],
  ...["--quality", "HD Only", "--keep", "5", "--priority", "70", "--padding", "2,10"],
  ...["--folder", "Kids/Films", "--paused", "--device", "4"],
];
const WHOLE: RuleRequest = {
  name: "Mine",
  words: "red boat",
  expression: "^(a|b)+$",
  seriesId: "s7",
  genres: ["movie", "news"],
  within: "all",
  without: "omnibus",
  channelIds: [2, 7],
  weekdays: [1, 6, 7],
  between: { from: 22 * 60 + 30, until: 75 },
  minMinutes: 20,
  maxMinutes: 90,
  newOnly: true,
  airing: "first",
  quality: "HD Only",
  keep: 5,
  priority: 70,
  beforeMinutes: 2,
  afterMinutes: 10,
  folder: "Kids/Films",
  isPaused: true,
  deviceId: 4,
};

describe("the options of a rule", () => {
  it("set every field of its order", () => {
    expect(orderOf(...ALL)).toEqual(WHOLE);
  });

  it("leave what is not given, and --clear removes a field", () => {
    expect(changedOrder(WHOLE, parsed("--keep", "9"), ["words", "padding", "paused"])).toEqual({
      ...Object.fromEntries(
        Object.entries(WHOLE).filter(
          ([field]) => !["words", "beforeMinutes", "afterMinutes", "isPaused"].includes(field),
        ),
      ),
      keep: 9,
    });
    expect(changedOrder(WHOLE, parsed("--in", "title")).within).toBeUndefined();
  });

  it("can all be cleared, but for quality and device", () => {
    const left = changedOrder(WHOLE, {}, CLEARABLE as readonly ClearableFlag[]);
    expect(left).toEqual({ name: "Mine", quality: "HD Only", deviceId: 4 });
  });

  it.each([
    ["--weekdays", "mon-fri", [1, 2, 3, 4, 5]],
    ["--weekdays", "Sunday", [7]],
    ["--weekdays", "3,fri", [3, 5]],
  ])("%s %s", (flag, text, days) => {
    expect(orderOf(flag, text).weekdays).toEqual(days);
  });

  it.each([
    ["--weekdays", "someday"],
    ["--weekdays", "8"],
    ["--between", "25:00-26:00"],
    ["--between", "18:00"],
    ["--padding", "2"],
    ["--padding", "2,9000"],
    ["--keep", "0"],
    ["--priority", "101"],
    ["--channels", "one"],
    ["--in", "subtitle"],
    ["--words", " "],
  ])("refuse %s %s", (flag, text) => {
    expect(() => parsed(flag, text)).toThrow(/Expected|Allowed/);
  });

  it("end a day at midnight", () => {
    expect(orderOf("--between", "18:00-24:00").between).toEqual({ from: 1080, until: 0 });
  });
});

describe("a rule in words", () => {
  const channels = new Map([[2, "BBC Two"]]);

  it("is one line in the list, and a field per line in its details", () => {
    expect(wantsText(WHOLE, channels)).toBe(
      "words red boat; expression ^(a|b)+$; series s7; genres movie, news; in description too; without omnibus; " +
        "channels BBC Two, channel 7; weekdays mon, sat, sun; between 22:30-01:15; min-minutes 20; max-minutes 90; " +
        "new-only; first-airing",
    );
    const details = new Map(ruleDetails({ ...WHOLE, id: 3 }, channels));
    expect([details.get("id"), details.get("padding"), details.get("keep")]).toEqual(["3", "2,10", "5"]);
    expect(new Map(ruleDetails({ ...NOTHING, id: 3, afterMinutes: 4 }, channels)).get("padding")).toBe(
      "default,4",
    );
  });

  it("has a preview with every outcome, and what it costs", () => {
    const start = Date.UTC(2026, 10, 20, 20);
    const match = (showId: number, more: object = {}) => ({
      showId,
      channelId: 2,
      title: `Show ${showId}`,
      start: start + showId * HOUR,
      stop: start + showId * HOUR + 30 * MINUTE,
      outcome: "records" as const,
      isIdentified: true,
      ...more,
    });
    const preview: RulePreview = {
      matches: [
        match(1, { subtitle: "Home" }),
        match(2, { isIdentified: false }),
        match(3),
        match(4, { outcome: "later", channelId: 9 }),
      ],
      total: 6,
      records: 3,
      unidentified: 1,
      displaced: [{ timerId: "7", title: "News", start, stop: start + HOUR, lostMs: 30 * MINUTE }],
      unplaced: [{ showId: 3, title: "Show 3", start }],
      needsBytes: 20e9,
      freeBytes: 5e9,
    };
    expect(previewText(preview, { channels, timeZone: "UTC" }).split("\n")).toEqual([
      "START             CHANNEL    TITLE         RESULT",
      "2026-11-20 21:00  BBC Two    Show 1: Home  records",
      "2026-11-20 22:00  BBC Two    Show 2        records, episode unknown",
      "2026-11-20 23:00  BBC Two    Show 3        no tuner is free",
      "2026-11-21 00:00  channel 9  Show 4        is not the first airing",
      "and 2 more",
      "",
      "Records 3 of 6 shows in the next two weeks.",
      "The guide does not identify the episodes of 1 of them: repeats are recorded again.",
      "No tuner is free for 1 of them.",
      "“News” (timer 7, 2026-11-20 20:00) loses 30 min because of it.",
      "It needs 20.00 GB; 5.00 GB are free for it: too little.",
    ]);
    expect(previewText({ ...preview, countedUntil: start + HOUR }, { channels, timeZone: "UTC" })).toContain(
      "\nRecords 3 of the first 6 shows, until 2026-11-20 21:00. More match.\n",
    );
    expect(previewText({ ...preview, matches: [], total: 0 }, { channels, timeZone: "UTC" })).toBe(
      "No show in the next two weeks matches.",
    );
  });
});
