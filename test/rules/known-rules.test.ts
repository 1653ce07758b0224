import { describe, expect, it } from "vitest";
import { titleCondition } from "../../src/migration/tvheadend/title-pattern.ts";
import { searchedText } from "../../src/migration/vdr/search-text.ts";
import type { RuleConditions } from "../../src/model/rule.ts";
import type { DescribedShow } from "../../src/rules/airing.ts";
import { compileRule } from "../../src/rules/compiled-rule.ts";
import { localTimeIn } from "../../src/rules/local-time.ts";
import { readRuleOrder } from "../../src/rules/read-order.ts";
import { RuleSet } from "../../src/rules/rule-set.ts";

/*
 * Rules as people write them for other recorders, with shows that they want and shows that they do not want. A show is
 * a title, or title and fields.
 */

type Given = string | (Partial<DescribedShow> & { readonly title: string });
type Case = readonly [rule: RuleConditions, wanted: readonly Given[], others: readonly Given[]];

/** Sunday, 20:15 in Berlin. */
const SUNDAY = Date.UTC(2026, 9, 25, 19, 15);
const at = (hours: number) => SUNDAY + hours * 3_600_000;

function wants(conditions: RuleConditions, given: Given): boolean {
  const order = readRuleOrder({ name: "A rule", ...conditions });
  if ("mistakes" in order) throw new Error(JSON.stringify(order.mistakes));
  const rule = compileRule({ ...order, kind: "rule", id: 1, createdAt: 0, wants: order });
  const show: DescribedShow = {
    ...{ id: 1, channelId: 7, seriesId: "", episodeId: "", start: SUNDAY, durationMinutes: 60 },
    ...{ subtitle: "", desc: "", category: [] },
    ...(typeof given === "string" ? { title: given } : given),
  };
  const place = { isHd: false, networkId: undefined };
  return new RuleSet([rule], localTimeIn("Europe/Berlin")).wanting({ show, ...place }).length === 1;
}

function told(cases: Readonly<Record<string, Case>>): void {
  it.each(Object.entries(cases))("%s", (_name, [rule, wanted, others]) => {
    const named = (given: Given) => (typeof given === "string" ? given : given.title);
    expect(wanted.filter((show) => wants(rule, show)).map(named)).toEqual(wanted.map(named));
    expect(others.filter((show) => wants(rule, show)).map(named)).toEqual([]);
  });
}

describe("a rule of Tvheadend", () => {
  const title = titleCondition;
  told({
    "a title as it is typed": [title("Tatort"), ["Tatort", "TATORT: Im Netz"], ["Der Fall"]],
    "a whole title": [title("^Tatort$"), ["Tatort"], ["Tatort: Im Netz", "Kinder-Tatort"]],
    "a beginning": [title("^Tatort.*"), ["Tatort", "Tatort - Spezial"], ["Der Tatort"]],
    "anything around it": [title(".*Formel 1.*"), ["Motorsport: Formel 1 live"], ["Formel E"]],
    "two titles": [
      title("^The (Simpsons|Orville)$"),
      ["The Simpsons", "The Orville"],
      ["The Simpsons Movie"],
    ],
    "case by a flag": [title("(?i)doctor who"), ["Doctor Who"], ["Doctors"]],
    "a class of characters": [
      title("^Star Trek[: ]"),
      ["Star Trek: Picard", "Star Trek Beyond"],
      ["Star Treks"],
    ],
    "word boundaries": [title("\\bF1\\b"), ["F1: Qualifying"], ["AF1 Squad"]],
    "either of two": [title("Sherlock|Elementary"), ["Elementary", "Sherlock Holmes"], ["House"]],
    "options at the end": [title("^heute(-show| journal)$"), ["heute-show", "heute journal"], ["heute"]],
    "two texts in order": [
      title("Bundesliga.*(Live|Konferenz)"),
      ["Bundesliga: die Konferenz"],
      ["Live: Handball"],
    ],
    "a dot that is meant": [title("Dr\\. House"), ["Dr. House"], ["Dry House"]],
    "an apostrophe of either kind": [title("Grey's Anatomy"), ["Grey's Anatomy", "Grey’s Anatomy"], ["Grey"]],
    numbers: [title("^[0-9]+ Minutes"), ["60 Minutes"], ["Minutes"]],
    "optional spaces": [title("^extra\\s*3$"), ["extra 3", "extra3"], ["extra 30"]],
    umlauts: [title("Küchenschlacht"), ["Die Küchenschlacht", "DIE KUCHENSCHLACHT"], ["Die Küche"]],
    "a mark of new shows": [title("^New: "), ["New: Poldark"], ["Something New: Part 2"]],
    "a text in quotation marks": [
      title('"Wer weiß denn sowas"'),
      ["Wer weiß denn sowas?"],
      ["Wer denn weiß sowas"],
    ],
    "everything of a genre": [{ genres: ["movie"] }, [{ title: "A", category: [{ name: "Movie" }] }], ["B"]],
  });

  it.each(["^(?!.*Wiederholung).*Krimi", "Top Gear(?! America)", "(Tom) und \\1"])(
    "that looks ahead or back is refused with its place: %s",
    (pattern) => {
      const read = readRuleOrder({ name: "A rule", ...title(pattern) });
      expect(read).toMatchObject({ mistakes: [{ field: "expression", problem: /at character \d/ }] });
    },
  );
});

describe("a search of epgsearch", () => {
  /** @param mode 0 phrase, 1 all, 2 any, 3 exactly, 4 expression; @param where title, subtitle, description */
  const search = (term: string, mode: number, where = "1:0:0"): RuleConditions => {
    const found = searchedText(["", "1", term, "0", "", "", "0", "", "0", String(mode), ...where.split(":")]);
    if ("cannot" in found) throw new Error(found.cannot);
    return found.conditions;
  };
  told({
    "a phrase": [
      search("Inspector Barnaby", 0),
      ["Inspector Barnaby", "Neu: Inspector Barnaby"],
      ["Barnaby Inspector"],
    ],
    "a phrase with signs": [
      search("Wer wird Millionär?", 0),
      ["Wer wird Millionär? Spezial"],
      ["Wer wird Millionar"],
    ],
    "a phrase with a colon": [search("ZDF-History| Rom", 0), ["ZDF-History: Rom"], ["ZDF-History"]],
    "all words": [search("Snooker WM", 1), ["WM: Snooker, Finale"], ["Snooker"]],
    "any word": [search("Loriot Erhardt", 2), ["Loriot", "Heinz Erhardt"], ["Otto"]],
    exactly: [search("Nano", 3), ["nano"], ["nano spezial"]],
    "an expression": [
      search("^Polizeiruf (110!^pipe^!112)", 4),
      ["Polizeiruf 110: Kain"],
      ["Der Polizeiruf 110"],
    ],
    "an expression with a pipe": [search("Wilsberg!^pipe^!Tatort", 4), ["Wilsberg"], ["Krimi"]],
    "a text anywhere": [
      search("Hercule Poirot", 0, "1:1:1"),
      [{ title: "A", desc: "Mit Hercule Poirot." }],
      ["Poirot"],
    ],
    "without a blacklist": [
      { ...search("Wilsberg", 0), without: 'Hörfassung "mit Gebärdensprache"' },
      ["Wilsberg", "Wilsberg mit Freunden"],
      ["Wilsberg (Hörfassung)", { title: "Wilsberg", desc: "Mit Gebärdensprache" }],
    ],
    "an evening, longer than a series": [
      { ...search("Columbo", 0), between: { from: 20 * 60, until: 0 }, minMinutes: 80 },
      [{ title: "Columbo", durationMinutes: 90 }],
      ["Columbo", { title: "Columbo", durationMinutes: 90, start: at(4) }],
    ],
    "on Sundays": [
      { ...search("Tatort", 0), weekdays: [7] },
      ["Tatort"],
      [{ title: "Tatort", start: at(24) }],
    ],
  });
});

describe("a rule of EPGStation", () => {
  told({
    "a word inside of a title": [{ words: "アニメ" }, ["劇場版アニメ祭り", "アニメ"], ["アニマル"]],
    "two words": [{ words: "劇場版 コナン" }, ["劇場版「名探偵コナン 紺青の拳」"], ["名探偵コナン"]],
    "a mark in brackets": [{ words: "[新]" }, ["[新]相棒 season25"], ["相棒 season25"]],
    "a word to ignore": [
      { words: "相棒", without: "再放送 [再]" },
      ["相棒 season25"],
      ["相棒 [再]", "相棒（再放送）"],
    ],
    "letters of full width": [{ words: "NHKスペシャル" }, ["ＮＨＫスペシャル「海」"], ["NHKニュース"]],
    "kana of half width": [{ words: "ニュース" }, ["ﾆｭｰｽ7"], ["ニュー"]],
    "letters beside signs": [{ words: "season25 相棒" }, ["相棒 season25 #1"], ["相棒 season24"]],
    "a name with a number": [{ words: "ニュース7" }, ["NHKニュース7"], ["NHKニュース9"]],
    "a text of the description": [
      { words: "宮崎駿", within: "all" },
      [{ title: "映画", desc: "監督：宮崎駿" }],
      ["宮崎"],
    ],
    "an expression": [
      { expression: "^(?:\\[新\\])?相棒" },
      ["[新]相棒 season25", "相棒"],
      ["帰ってきた相棒"],
    ],
    "a genre and a length": [
      { words: "映画", genres: ["アニメ・特撮"], minMinutes: 80 },
      [{ title: "映画ドラえもん", durationMinutes: 110, category: [{ name: "アニメ・特撮" }] }],
      [
        { title: "映画", durationMinutes: 110 },
        { title: "映画", category: [{ name: "アニメ・特撮" }] },
      ],
    ],
    "late at night": [
      { words: "アニメ", between: { from: 23 * 60, until: 2 * 60 } },
      [
        { title: "深夜アニメ", start: at(3) },
        { title: "深夜アニメ", start: at(5) },
      ],
      ["夕方アニメ", { title: "深夜アニメ", start: at(6) }],
    ],
    "a phrase": [{ words: '"ガイア の夜明け"' }, ["ガイア の夜明け"], ["の夜明け ガイア"]],
    "Thai words": [{ words: "ข่าว" }, ["ข่าวภาคค่ำ"], ["ละคร"]],
  });
});

describe("a power rule of MythTV", () => {
  told({
    "a title like a beginning": [{ expression: "^nova" }, ["NOVA: Mars"], ["Supernova"]],
    "a title and a subtitle": [
      { expression: "^house .*(finale|wedding)", within: "all" },
      [{ title: "House", subtitle: "Season Finale" }],
      ["House"],
    ],
    "a description": [
      { words: "oscar", within: "all", genres: ["movie"] },
      [{ title: "A", desc: "Won an Oscar.", category: [{ name: "movie" }] }],
      [{ title: "B", desc: "Won an Oscar." }],
    ],
    "not a title": [{ words: "top gear", without: '"top gear america"' }, ["Top Gear"], ["Top Gear America"]],
    "not a common word alone": [
      { words: "soccer", without: '"best of"' },
      ["Soccer: best goals of 2026"],
      ["Best of Soccer"],
    ],
    "an hour": [
      { words: "news", between: { from: 18 * 60, until: 21 * 60 } },
      ["News"],
      [{ title: "News", start: at(1) }],
    ],
    "weekend mornings": [
      { words: "cartoon", weekdays: [6, 7], between: { from: 6 * 60, until: 12 * 60 } },
      [{ title: "Cartoon", start: at(-10) }],
      ["Cartoon", { title: "Cartoon", start: at(14) }],
    ],
    "a channel": [
      { words: "panorama", channelIds: [7] },
      ["Panorama"],
      [{ title: "Panorama", channelId: 8 }],
    ],
    "an hour of length": [
      { words: "horizon", minMinutes: 50, maxMinutes: 70 },
      ["Horizon"],
      [{ title: "Horizon", durationMinutes: 30 }],
    ],
    "a series": [{ seriesId: "42" }, [{ title: "Whatever", seriesId: "42" }], ["Whatever"]],
    "any of many films": [
      { expression: "^(alien|aliens|blade runner|brazil|dune|gattaca|her|metropolis|moon|solaris|stalker)$" },
      ["Moon", "Blade Runner"],
      ["Moonlight", "Alien Worlds"],
    ],
    "a name with an accent": [{ words: "amelie" }, ["Die fabelhafte Welt der Amélie"], ["Amelia"]],
    "a year in brackets": [{ expression: "dune \\(1984\\)" }, ["Dune (1984)"], ["Dune (2021)"]],
  });
});
