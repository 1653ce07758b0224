import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/model/time.ts";
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
