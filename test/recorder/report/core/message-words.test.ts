import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../../../src/model/errors.ts";
import { MODEL_LIMITS } from "../../../../src/model/limits.ts";
import type { FigureFacts, ReportFacts, ReportSubject } from "../../../../src/model/report-facts.ts";
import { HOUR, MINUTE, SECOND } from "../../../../src/model/time.ts";
import { messageWords } from "../../../../src/recorder/report/core/message-words.ts";
import { LANGUAGES, type Language } from "../../../../src/words/language.ts";
import { loadReader } from "../../../../src/words/load-reader.ts";
import { troubleOf } from "../../../../src/words/trouble.ts";

const AT = Date.UTC(2026, 10, 26, 19, 5);
const span = { start: AT, stop: AT + HOUR };
const languages = Object.keys(LANGUAGES) as Language[];
const readers = new Map(
  await Promise.all(
    languages.map(async (language) => {
      return [language, await loadReader({ language, timeZone: "Asia/Tokyo" })] as const;
    }),
  ),
);
const inWords = (language: Language, content: ReportFacts) => {
  const reader = readers.get(language);
  if (reader === undefined) throw new Error(language);
  return messageWords(content, reader);
};

const holders = [
  { tunerId: "sat-1", name: "Tatort", window: span },
  { tunerId: "sat-2", name: "News", window: { start: AT - HOUR, stop: AT + MINUTE } },
];
const repeat = { event: { start: AT + 3 * HOUR, stop: AT + 4 * HOUR }, channelName: "Arte" };
const busy = (conflict: object) => ({
  code: "TUNER_BUSY" as const,
  text: "in English",
  conflict: { holders, ...conflict },
});
const figures: FigureFacts = {
  eventPercent: 97.5,
  bytes: 3_456_000_000,
  flaws: {
    continuityErrors: 11,
    transportErrors: 12,
    scrambledPackets: 13,
    clockBreaks: 14,
    damagedPackets: 15,
    junkBytes: 16,
  },
  gaps: [
    { start: AT, stop: AT + 10 * SECOND },
    { start: AT + MINUTE, stop: AT + 2 * MINUTE, lacks: "picture" },
    { start: AT + 3 * MINUTE, stop: AT + 4 * MINUTE, lacks: "sound" },
  ],
  tracks: [
    {
      kind: "audio",
      language: "deu",
      codec: "AC-3",
      missing: [{ start: AT + 5 * MINUTE, stop: AT + 6 * MINUTE }],
    },
  ],
  hasPlainName: true,
};
const clean: FigureFacts = { bytes: 900_000_000, flaws: {}, gaps: [], tracks: [], hasPlainName: false };

/** Each kind of message, with what it must name in every language. Times are those of Tokyo, nine hours ahead. */
const MESSAGES: readonly (readonly [ReportSubject, readonly (string | RegExp)[]])[] = [
  [
    {
      is: "scheduled",
      tunerId: "sat-1",
      span,
      doubt: { tunerId: "sat-1", since: AT - HOUR, code: "TUNER_NO_LOCK" },
      trim: {
        text: "in English",
        news: {
          kind: "padding",
          beforeMs: MINUTE,
          afterMs: 2 * MINUTE,
          lateMs: 3000,
          before: "A",
          after: "B",
        },
      },
    },
    [
      "sat-1",
      "04:05–05:05",
      "03:05",
      "TUNER_NO_LOCK",
      /1\s?(min|分)/,
      /2\s?(min|分)/,
      /3\s?(s|秒)/,
      "A",
      "B",
    ],
  ],
  [
    {
      is: "scheduled",
      tunerId: "sat-1",
      span,
      trim: { text: "in English", news: { kind: "beginning", from: AT + MINUTE, holders } },
    },
    ["04:06", "Tatort", "News", "03:05–04:06"],
  ],
  [
    { is: "conflict", trouble: busy({ remedy: { kind: "withdraw", name: "Film" } }) },
    ["sat-2", "Tatort", "Film"],
  ],
  [
    { is: "conflict", trouble: busy({ remedy: { kind: "raise-priority", to: 80, loses: ["X1", "X2"] } }) },
    ["80", "X1", "X2", "04:05–05:05"],
  ],
  [{ is: "conflict", trouble: busy({ remedy: { kind: "add-tuner", like: "dvb-9" } }) }, ["dvb-9"]],
  [{ is: "conflict", trouble: busy({ remedy: { kind: "repeat", repeat } }) }, ["Arte", "27", "07:05"]],
  [{ is: "conflict", trouble: busy({ remedy: { kind: "none" } }) }, ["sat-1"]],
  [{ is: "conflict" }, []],
  [
    { is: "waiting", span, trouble: { code: "STREAM_STALLED", text: "sat-2 stalled.", tunerId: "sat-2" } },
    ["04:05–05:05", "sat-2"],
  ],
  [
    { is: "recording", tunerId: "sat-1", since: AT, lateMs: 40 * SECOND, interruptions: 7 },
    ["sat-1", "04:05", "40", "7"],
  ],
  [{ is: "recorded", verdict: "damaged", figures }, [/97[.,]5/, /3[.,]46/, "04:05–04:05:10"]],
  [{ is: "recorded-part", verdict: "unusable", figures }, ["11", "12", "13", "14", "15", "16"]],
  [
    { is: "recorded-part", verdict: "unusable", figures },
    ["04:06–04:07", "04:08–04:09", "deu, AC-3", "04:10–04:11"],
  ],
  [{ is: "recorded-part", figures: clean }, [/900[.,]0/]],
  [{ is: "not-recorded", hasFlowed: false }, []],
  [{ is: "not-recorded", hasFlowed: true }, []],
  [
    {
      is: "not-recorded",
      hasFlowed: false,
      trouble: { code: "TUNER_NO_LOCK", text: "No lock on sat-2.", tunerId: "sat-2" },
    },
    ["sat-2"],
  ],
  [{ is: "missed", outage: { ...span, asleep: true, boot: "b", sameBoot: true } }, ["04:05–05:05"]],
  [{ is: "missed", outage: { ...span, asleep: false, boot: "b", sameBoot: true } }, ["04:05–05:05"]],
  [{ is: "missed" }, []],
  [{ is: "unfinished", since: AT, trouble: { code: "STORAGE_OFFLINE", text: "" } }, ["04:05"]],
  [{ is: "unfinished", since: AT, trouble: { code: "STORAGE_SLOW", text: "" } }, ["04:05"]],
  [{ is: "unfinished", since: AT, trouble: { code: "NODE_AWAY", text: "" } }, ["04:05"]],
  [{ is: "unfinished", since: AT, trouble: { code: "WRITE_FAILED", text: "No." } }, ["04:05"]],
  [{ is: "clock" }, []],
  [{ is: "withdrawn", isPartKept: true }, []],
  [{ is: "withdrawn", isPartKept: false }, []],
  [{ is: "not-understood", reason: "no start", isOrderKept: true }, ["no start"]],
];

describe.each(languages)("R-28 a message in the language %s", (language) => {
  it("names every fact, in the zone of the household, in whole sentences", () => {
    for (const [about, facts] of MESSAGES) {
      const text = inWords(language, { about });
      for (const fact of facts) expect(text).toMatch(typeof fact === "string" ? escaped(fact) : fact);
      expect(text).toMatch(/[.。）)]$|no start$/);
      expect(text).not.toMatch(/[{}]|report-|undefined|NaN|19:05|20:05|in English/);
      expect(text.length).toBeLessThanOrEqual(MODEL_LIMITS.messageLength);
    }
  });

  it("names the repeat that was booked or recorded", () => {
    for (const step of ["booked", "healed"] as const) {
      const text = inWords(language, { about: { is: "conflict" }, repeat: { ...repeat, step } });
      for (const fact of ["Arte", "27", "07:05"]) expect(text).toContain(fact);
    }
  });

  it("is different from the messages with other facts", () => {
    const texts = MESSAGES.map(([about]) => inWords(language, { about }));
    const subjects = new Set(MESSAGES.map(([about]) => JSON.stringify(about)));
    expect(new Set(texts).size).toBe(subjects.size);
  });

  it("is cut after a whole word", () => {
    const many = Array.from({ length: 40 }, (_, at) => ({
      tunerId: `t${at}`,
      name: "Abendschau",
      window: span,
    }));
    const conflict = { holders: many };
    const about = { is: "conflict", trouble: { ...busy({}), conflict } } as const;
    const text = inWords(language, { about });
    expect(text.length).toBeLessThanOrEqual(MODEL_LIMITS.messageLength);
    expect(text.endsWith("…")).toBe(true);
    expect(text).not.toMatch(/Aben?d?s?c?h?a?…$/);
  });
});

it.each(languages.filter((language) => language !== "en"))(
  "in the language %s, a trouble is told by its code, not in English",
  (language) => {
    const code: ErrorCode = "STREAM_STALLED";
    const text = inWords(language, {
      about: { is: "not-recorded", hasFlowed: true, trouble: { code, text: "The stream stopped." } },
    });
    expect(text).not.toContain("The stream");
    const say = readers.get(language)?.say;
    expect(text).toContain(say === undefined ? "" : troubleOf(code, say));
  },
);

it.each(languages.filter((language) => language !== "en"))(
  "in the language %s, a trouble names the values of its details",
  (language) => {
    const details = {
      file: "/srv/a.ts",
      system: "EROFS",
      freeBytes: 2e9,
      silentMs: 35 * SECOND,
      clockAheadMs: -2 * HOUR,
      message: "No space left",
    };
    const trouble = { code: "WRITE_FAILED" as const, text: "in English", details };
    const text = inWords(language, { about: { is: "not-recorded", hasFlowed: true, trouble } });
    for (const fact of [
      "/srv/a.ts",
      "EROFS",
      /2\s?(GB|Go)/,
      /35\s?(s|秒)/,
      /2\s?(h|Std\.|時間)/,
      "No space left",
    ])
      expect(text).toMatch(typeof fact === "string" ? escaped(fact) : fact);
    expect(text).not.toContain("in English");
  },
);

function escaped(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
}
