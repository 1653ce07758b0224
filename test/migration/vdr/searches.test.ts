import { describe, expect, it } from "vitest";
import { Collector } from "../../../src/migration/collector.ts";
import type { FoundRecorder } from "../../../src/migration/found.ts";
import { openChannelBook } from "../../../src/migration/vdr/channel-book.ts";
import { readSearches } from "../../../src/migration/vdr/searches.ts";

const CHANNELS = [1, 2, 3]
  .map((sid) => `Channel ${sid}:226500:B7:T:0:257=27:258:0:0:${sid}:4112:545:0\n`)
  .join("");

/** Fields of epgsearch.conf from 1 on; others are as epgsearch writes them by default. */
function line(fields: Readonly<Record<number, string>>): string {
  const usual =
    "0:Film:0:::0:0:0:0:1:0:0:0:::1:0:0:0::50:99:2:10:0:0:0::1:0:1:1:1:0:0:0:0:1:0:0::1:0:0:0:0:0:0:0:0:0:90::0";
  return usual
    .split(":")
    .map((value, at) => fields[at + 1] ?? value)
    .join(":");
}

function searchesIn(text: string, { groups = "", blacklists = "" } = {}): FoundRecorder {
  const into = new Collector();
  const channels = openChannelBook(CHANNELS, { file: "channels.conf", into });
  readSearches({ file: "epgsearch.conf", text, channels, groups, blacklists, into });
  return into.found();
}

const order = (fields: Readonly<Record<number, string>>) => searchesIn(line(fields)).rules[0]?.order;
const notes = (fields: Readonly<Record<number, string>>) => searchesIn(line(fields)).rules[0]?.notes;

describe("epgsearch.conf", () => {
  it("makes a rule of a search timer", () => {
    expect(searchesIn(line({})).rules).toEqual([
      {
        id: "search 0",
        channels: [],
        order: {
          name: "Film",
          expression: "Film",
          quality: "Prefer HD",
          priority: 50,
          beforeMinutes: 2,
          afterMinutes: 10,
        },
        notes: [],
      },
    ]);
  });

  it.each([
    ["a phrase", { 2: "C++| Teil!^pipe^!1", 9: "0" }, { expression: "C\\+\\+: Teil\\|1" }],
    ["all words", { 2: "Tatort, Münster", 9: "1" }, { words: "Tatort Münster" }],
    ["one of some words", { 2: "Doku;Natur a.b", 9: "2" }, { expression: "Doku|Natur|a\\.b" }],
    ["the whole title", { 2: "Law & Order", 9: "3" }, { expression: "^Law & Order$" }],
    ["an expression", { 2: "^Columbo!^pipe^!Alte$", 9: "4" }, { expression: "^Columbo|Alte$" }],
    ["the description too", { 12: "1" }, { expression: "Film", within: "all" }],
  ])("looks for %s", (_, fields, conditions) => {
    expect(order(fields)).toMatchObject(conditions);
  });

  it.each([
    ["similar texts", { 9: "5" }, "It also finds similar texts, which rules here cannot do."],
    ["an unknown way", { 9: "8" }, "Its way of searching (8) is unknown."],
    ["no text", { 2: " " }, "It searches for no text."],
    ["nothing but categories", { 10: "0" }, "It searches by categories of epgsearch only."],
    ["all texts as one", { 9: "3", 12: "1" }, "It compares title, subtitle and description as one text."],
    ["announcements", { 26: "1" }, "epgsearch only announces its shows, or switches to them."],
  ])("leaves out a search for %s", (_, fields, why) => {
    const found = searchesIn(line(fields));
    expect(found.rules).toEqual([]);
    expect(found.leftOut).toMatchObject([{ kind: "rule", why }]);
  });

  it("keeps time, length, weekdays and folder, and pauses what is switched off", () => {
    expect(order({ 3: "1", 4: "2200", 5: "0130" })).toMatchObject({ between: { from: 1320, until: 90 } });
    expect(order({ 13: "1", 14: "0060", 15: "0130" })).toMatchObject({ minMinutes: 60, maxMinutes: 90 });
    expect(order({ 17: "1", 18: "0" })?.weekdays).toEqual([7]);
    expect(order({ 17: "1", 18: "3" })?.weekdays).toEqual([3]);
    expect(order({ 17: "1", 18: "-65" })?.weekdays).toEqual([6, 7]);
    expect(order({ 17: "1", 18: "-127" })?.weekdays).toBeUndefined();
    expect(order({ 20: "Krimi~%Category%~Alt" })?.folder).toBe("Krimi/Alt");
    expect(order({ 16: "0" })?.isPaused).toBe(true);
  });

  it("keeps channels: a range, one, and a group", () => {
    const names = (fields: Readonly<Record<number, string>>) =>
      searchesIn(line(fields), { groups: "Good|T-4112-545-1|T-4112-545-3\n" }).rules[0]?.channels.map(
        ({ name }) => name,
      );
    expect(names({ 6: "1", 7: "T-4112-545-1|T-4112-545-2" })).toEqual(["Channel 1", "Channel 2"]);
    expect(names({ 6: "1", 7: "T-4112-545-3" })).toEqual(["Channel 3"]);
    expect(names({ 6: "2", 7: "Good" })).toEqual(["Channel 1", "Channel 3"]);
  });

  it("excludes the words of blacklists, and says which texts it cannot exclude", () => {
    const blacklists = "0:Wiederholung:0\n1:New York:0\n2:^Best of:0\n";
    const found = searchesIn(`${line({ 40: "2" })}\n${line({ 40: "1", 41: "0" })}`, { blacklists });
    expect(found.rules.map((rule) => rule.order.without)).toEqual([
      'Wiederholung "New York"',
      "Wiederholung",
    ]);
    expect(found.rules.map((rule) => rule.notes)).toEqual([
      [
        'It is paused, because it would record more shows than before: rules here cannot have the blacklist "^Best of", which has more than words.',
      ],
      [],
    ]);
    expect(found.rules.map((rule) => rule.order.isPaused)).toEqual([true, undefined]);
  });

  it("says what it cannot keep", () => {
    expect(notes({ 25: "1", 29: "0", 36: "30", 39: "5" })).toEqual([
      "It does not use VPS.",
      "It records each episode once.",
      "Recordings are not deleted after 30 days.",
      "It does not pause after 5 recordings.",
    ]);
  });

  it("pauses a rule that would want more", () => {
    const lacking = (fields: Readonly<Record<number, string>>) => [
      order(fields)?.isPaused,
      notes(fields)?.[0],
    ];
    const note = "It is paused, because it would record more shows than before: rules here cannot have";
    expect(lacking({ 6: "3" })).toEqual([true, `${note} the limit to free channels.`]);
    expect(lacking({ 16: "2" })).toEqual([true, `${note} a first and last day.`]);
    expect(lacking({ 27: "1" })).toEqual([true, `${note} categories of epgsearch.`]);
  });

  it("reports broken lines by their numbers, and reads the others", () => {
    const found = searchesIn(
      [
        "1:Film:0",
        line({ 3: "1", 4: "9999" }),
        line({ 6: "2", 7: "Nowhere" }),
        line({ 13: "1", 14: "x" }),
        line({ 17: "1", 18: "9" }),
        line({ 1: "x" }),
        line({ 2: "Whole" }),
      ].join("\n"),
    );
    expect(found.rules.map((rule) => rule.order.name)).toEqual(["Whole"]);
    expect(found.problems.map(({ line: number, what }) => `${number} ${what}`)).toEqual([
      "1 Expected at least 11 fields with colons between, found 3.",
      "2 Expected two times such as 2015.",
      '3 epgsearchchangrps.conf has no channel group "Nowhere".',
      "4 Expected two lengths such as 0130.",
      '5 Expected a weekday from -127 to 6, found "9".',
      '6 Expected the id of a search, a whole number; found "x".',
    ]);
  });
});
