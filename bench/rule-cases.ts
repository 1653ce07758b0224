import type { RuleOrder } from "../src/model/rule.ts";
import { CHANNELS, WORDS } from "./rule-world.ts";

export type BenchOrder = Omit<RuleOrder, "name" | "quality">;

/** Previews of several kinds of rules. */
export const PREVIEWS: Readonly<Record<string, BenchOrder>> = {
  "words in titles": { words: "harbour night 17" },
  "one word in titles, with conditions": {
    words: "harbour",
    newOnly: true,
    weekdays: [1, 2],
    minMinutes: 30,
  },
  "an expression for titles": { expression: "^(night|winter) .*[0-9]7$" },
  "words in descriptions": { words: "smuggler lantern", within: "all" },
  "a genre on ten channels": { genres: ["Drama"], channelIds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] },
  "an expression for descriptions": { expression: "smugglers? .*lantern", within: "all" },
  "an expression for descriptions, with matches": {
    expression: "(night|bridge) (river|forest)",
    within: "all",
  },
  "an expression for descriptions, without a text": { expression: "\\d+[a-f]+ *\\w$", within: "all" },
  "an expression for descriptions, with single letters": { expression: "z(.)a(.)q$", within: "all" },
  "an expression for descriptions, with letters apart": { expression: "z.*e.*q[^e]*$", within: "all" },
  "an expression for descriptions, with words of any letters": {
    expression: "\\b\\w+(er|en) \\w*k\\b[^,]+(ht|st) (r|f)[a-z]+$",
    within: "all",
  },
  "an expression for descriptions that all have": { expression: "[a-z]+ \\w+", within: "all" },
  "an expression for descriptions that all have, at one hour": {
    expression: "[a-z]+ \\w+",
    within: "all",
    weekdays: [3],
    between: { from: 1200, until: 1260 },
  },
  "a hostile expression": { expression: "(e|n)(.|x){60}(k|q)$|^found", within: "all" },
  "a genre of a quarter of all shows": { genres: ["Drama"] },
  "a word that all descriptions have": { words: "boat", within: "all", newOnly: true },
  "a word that all descriptions have, without another": { words: "boat", within: "all", without: "storm" },
  "a word that all descriptions have, at one hour": {
    words: "boat",
    within: "all",
    weekdays: [3],
    between: { from: 1200, until: 1260 },
  },
  "all titles": { expression: "." },
  "all titles, first airings at the weekend": { expression: ".", airing: "first", weekdays: [6, 7] },
};

/** Lists of rules by the index of each rule. */
export const RULE_LISTS: Readonly<Record<string, (index: number) => BenchOrder>> = {
  rules: mixed,
  "rules for genres": genres,
  "rules for channels and weekdays": places,
  "rules for a word in descriptions": words,
  "rules for expressions": expressions,
};

function wordAt(index: number): string {
  return WORDS[index % WORDS.length] ?? "";
}

/** One of several kinds. */
function kindAt(kinds: readonly BenchOrder[], index: number): BenchOrder {
  return kinds[index % kinds.length] ?? {};
}

/** Nine kinds of rules; one in ten has an expression. */
function mixed(index: number): BenchOrder {
  const [a, b] = [wordAt(index), wordAt(index * 7)];
  const kinds: readonly BenchOrder[] = [
    { words: `${a} ${b} ${index % 400}` },
    { words: `${a} ${index % 400}`, newOnly: true },
    { seriesId: String(1_000_000 + index * 13) },
    { seriesId: String(1_000_000 + index * 17), airing: "first", weekdays: [1, 2, 3] },
    { expression: `^${a} ${b}.*${index % 90}$` },
    { words: `smuggler ${a} ${b}`, within: "all" },
    { words: `${b} ${index % 400}`, between: { from: 1080, until: 60 }, minMinutes: 40 },
    { words: `${a} ${index % 399}`, without: "ferry", keep: 5, folder: "Series" },
    { words: a, genres: ["Drama"], channelIds: [1 + (index % CHANNELS)] },
    { genres: ["Film"], words: `lantern ${a}`, within: "all" },
  ];
  return kindAt(kinds, index);
}

/** Each wants a quarter of all shows, or a part of that. */
function genres(index: number): BenchOrder {
  const wanted = { genres: [["Drama", "Film", "News", "Sport"][index % 4] ?? ""] };
  const kinds: readonly BenchOrder[] = [
    wanted,
    { ...wanted, newOnly: true, weekdays: [1 + (index % 7)] },
    { ...wanted, between: { from: 1080, until: 60 }, minMinutes: 40 },
    { ...wanted, without: wordAt(index) },
    { ...wanted, channelIds: [1 + (index % CHANNELS)] },
  ];
  return kindAt(kinds, index);
}

/** Any show of some places; half of the lists want none, so that all places are looked at. */
function places(index: number): BenchOrder {
  const minute = (index * 47) % 1440;
  const kinds: readonly BenchOrder[] = [
    {
      words: "boat",
      within: "all",
      weekdays: [1 + (index % 7)],
      between: { from: minute, until: (minute + 1) % 1440 },
    },
    { words: "storm", within: "all", channelIds: [1 + (index % CHANNELS)], weekdays: [1 + (index % 7)] },
    {
      expression: ".",
      channelIds: [1 + (index % CHANNELS)],
      between: { from: minute, until: (minute + 1) % 1440 },
    },
    { words: "storm", within: "all", minMinutes: 42 + index },
    { words: "friends", within: "all", channelIds: [1 + (index % CHANNELS)], maxMinutes: 20 },
  ];
  return kindAt(kinds, index);
}

/** Each word is in many descriptions. */
function words(index: number): BenchOrder {
  const common = ["boat", "storm", "friends", "part", "coming"][index % 5] ?? "";
  const kinds: readonly BenchOrder[] = [
    { words: wordAt(index), within: "all" },
    { words: common, within: "all", newOnly: true },
    { words: common, within: "all", without: wordAt(index) },
    { words: String(index), within: "all" },
  ];
  return kindAt(kinds, index);
}

/** Fifty for descriptions, the most that an account may have; the others are for titles. */
function expressions(index: number): BenchOrder {
  const [a, b] = [wordAt(index), wordAt(index * 7)];
  const letter = (at: number) => String.fromCharCode(97 + (at % 26));
  if (index % 10 > 0)
    return kindAt(
      [
        { expression: `^${letter(index)}.*${letter(index * 3)}.*${index % 90}$` },
        { expression: `(${a}|${b}) [a-m]\\w+ .*${index % 10}$` },
        { expression: `\\b${letter(index)}\\w+${letter(index * 5)}\\b.*[13579]$` },
      ],
      index,
    );
  return kindAt(
    [
      { expression: `${letter(index)}.*${letter(index + 7)}\\w*q${index % 9}`, within: "all" },
      { expression: `(${a}|${b}) ${letter(index)}[a-z]+$`, within: "all" },
      { expression: `\\b[${letter(index)}-z]\\w+[xz]\\b.*${index}$`, within: "all" },
    ],
    index / 10,
  );
}
