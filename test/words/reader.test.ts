import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/model/time.ts";
import { createSay } from "../../src/words/catalogue.ts";
import { LANGUAGES, type Language } from "../../src/words/language.ts";
import { loadReader } from "../../src/words/load-reader.ts";
import { createReader } from "../../src/words/reader.ts";

const NOW = Date.parse("2026-11-25T12:00:00Z");
const TODAY: Readonly<Record<Language, readonly [alone: string, inside: string]>> = {
  en: ["Today", "today"],
  de: ["Heute", "heute"],
  es: ["Hoy", "hoy"],
  fr: ["Aujourd’hui", "aujourd’hui"],
  it: ["Oggi", "oggi"],
  ja: ["今日", "今日"],
};
const DAYS: Readonly<Record<Language, readonly [days: string, hours: string]>> = {
  en: ["3 days", " 4 h"],
  de: ["3 Tage", " 4 h"],
  es: ["3 días", " 4 h"],
  fr: ["3 jours", " 4 h"],
  it: ["3 giorni", " 4 h"],
  ja: ["3日", "4時間"],
};
const readerOf = (language: Language) => loadReader({ language, timeZone: "Europe/Berlin" });

describe.each(Object.keys(LANGUAGES) as Language[])("a reader of %s", (language) => {
  it("reads the day with a capital only at the beginning of a text", async () => {
    const reader = await readerOf(language);
    const event = { start: NOW, stop: NOW + HOUR };
    const [alone, inside] = TODAY[language];
    expect(reader.when(event, NOW)).toMatch(new RegExp(`^${alone}`));
    expect(reader.at(NOW, NOW)).toMatch(new RegExp(`^${alone}`));
    const sentence = reader.say("result-planned", { when: reader.inside.when(event, NOW) });
    expect(sentence).toContain(inside);
    if (alone !== inside) expect(sentence).not.toContain(alone);
  });

  it("reads hours, minutes and seconds as its language joins them", async () => {
    const { duration } = await readerOf(language);
    const text = duration(HOUR + 2 * MINUTE + 3 * SECOND);
    expect(text.replaceAll("\u202f", " ")).toBe(language === "ja" ? "1時間2分3秒" : "1 h 2 min 3 s");
  });

  it("reads two days and more as days and hours", async () => {
    const { duration, spoken } = await readerOf(language);
    const [days, hours] = DAYS[language];
    expect(duration(72 * HOUR)).toBe(days);
    expect(duration(3 * DAY + 4 * HOUR + 2 * MINUTE).replaceAll("\u202f", " ")).toBe(days + hours);
    expect(duration(3 * DAY - SECOND)).toBe(days);
    expect(duration(47 * HOUR)).toMatch(/^47/);
    expect(spoken(72 * HOUR)).toMatch(/^3\D+$/);
  });
});

it.each([
  ["en-US", "9:05 AM", "9:05:30 AM"],
  ["en-GB", "09:05", "09:05:30"],
  ["de", "09:05", "09:05:30"],
  ["ja", "09:05", "09:05:30"],
])(
  "a reader of %s reads the hours of its clock, with a zero only among twenty-four",
  (locale, clock, exact) => {
    const language = "en";
    const reader = createReader({ language, locale, timeZone: "Europe/Berlin", text: "" });
    const at = Date.parse("2026-11-25T08:05:30Z");
    const plain = (text: string) => text.replaceAll("\u202f", " ");
    expect([reader.clock(at), reader.exact(at), reader.timeOfDay(545)].map(plain)).toEqual([
      clock,
      exact,
      clock,
    ]);
  },
);

/** In order: before the night's clock change, the hour that comes twice, and after it. */
const NIGHTS = [
  ["Europe/Berlin", "en-GB", "2026-10-24T23:30:00Z", ["01:30", "02:30 CEST", "02:30 CET", "03:30"]],
  ["Europe/Vienna", "de-AT", "2026-10-24T23:30:00Z", ["01:30", "02:30 MESZ", "02:30 MEZ", "03:30"]],
  ["America/Toronto", "fr-CA", "2026-11-01T04:30:00Z", ["00 h 30", "01 h 30 HAE", "01 h 30 HNE", "02 h 30"]],
  // By half an hour: the other quarter to two comes between these.
  ["Australia/Lord_Howe", "en-AU", "2026-04-04T14:15:00Z", ["1:15 am", "1:45 am LHST", "2:45 am", "3:45 am"]],
  // Clocks are set forward, or never.
  ["Europe/Berlin", "en-GB", "2026-03-29T00:30:00Z", ["01:30", "03:30", "04:30", "05:30"]],
  ["Asia/Kathmandu", "en-GB", "2026-10-24T23:30:00Z", ["05:15", "06:15", "07:15", "08:15"]],
] as const;

describe.each(NIGHTS)("R-35 in %s, a reader of %s", (timeZone, locale, from, clocks) => {
  const readerAt = () => createReader({ language: "en", locale, timeZone, text: "" });

  it("can tell the two times apart that clocks show one after the other", () => {
    const { clock } = readerAt();
    const shown = clocks.map((_, hour) =>
      clock(Date.parse(from) + hour * HOUR).replace(/[\u202f\u00a0]/g, " "),
    );
    expect(shown).toEqual(clocks);
  });

  it("never reads the same of two instants of a night", () => {
    const { exact } = readerAt();
    const start = Date.parse(from) - 6 * HOUR;
    const shown = Array.from({ length: 22 * 12 }, (_, at) => exact(start + at * 5 * MINUTE));
    expect(new Set(shown).size).toBe(shown.length);
  });
});

describe("a sentence", () => {
  const say = createSay({
    locale: "en",
    text: "\nuntil-then = Until { $time }.\nof-two = { $name } ({ $time })\n",
  }) as (key: string, values: Readonly<Record<string, string>>) => string;

  it("ends with one full stop, also behind an abbreviation", () => {
    expect(say("until-then", { time: "9:05 a.m." })).toBe("Until 9:05 a.m.");
    expect(say("until-then", { time: "the end..." })).toBe("Until the end....");
    expect(say("until-then", { time: "../end" })).toBe("Until ../end.");
  });

  it("keeps together what runs from right to left, and marks nothing else", () => {
    expect(say("of-two", { name: "חדשות 7", time: "20:15" })).toBe("\u2068חדשות 7\u2069 (20:15)");
    expect(say("of-two", { name: "News 7", time: "20:15" })).toBe("News 7 (20:15)");
    const { list } = createReader({ language: "en", locale: "en", timeZone: "UTC", text: "" });
    expect(list(["חדשות", "News", "مسلسل"])).toBe("\u2068חדשות\u2069, News, and \u2068مسلسل\u2069");
  });
});
