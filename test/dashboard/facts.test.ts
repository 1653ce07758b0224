import { beforeAll, describe, expect, it } from "vitest";
import { type HistoryLine, LINES, toldLines } from "../../src/dashboard/happened.ts";
import { type Outcome, outcomeOf, outcomeWords } from "../../src/dashboard/parts/verdict.ts";
import { entrySentence, outcomeSentence, resultSentences } from "../../src/dashboard/result-text.ts";
import { setReader } from "../../src/dashboard/state/language.ts";
import { ERRORS, type ErrorCode } from "../../src/model/errors.ts";
import { HEALING_STEPS } from "../../src/model/healing.ts";
import { RECORDING_MOVES, type Recording } from "../../src/model/recording.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/model/time.ts";
import { FACT_KINDS, isSilent } from "../../src/recorder/report/core/why.ts";
import { createReader } from "../../src/words/reader.ts";
import { en } from "../../src/words/texts/en.ts";
import { troubleOf } from "../../src/words/trouble.ts";
import { casesOf } from "../lane.ts";
import { fc } from "../properties.ts";

/** No whole hour from any other zone: a time of another clock shows. Kathmandu is 5 h 45 min ahead of UTC all year. */
const reader = createReader({ language: "en", locale: "en-GB", timeZone: "Asia/Kathmandu", text: en });
const AHEAD_MS = 5 * HOUR + 45 * MINUTE;

beforeAll(() => setReader(reader));

/** Instants are of whole quarters, and nobody says a time by UTC. */
const EIGHT = Date.UTC(2026, 10, 20, 20, 0, 0);
const instant = fc.integer({ min: 0, max: 400 }).map((quarters) => EIGHT + quarters * 15 * MINUTE);
const span = fc.tuple(instant, fc.integer({ min: 1, max: 12 })).map(([start, quarters]) => ({
  start,
  stop: start + quarters * 15 * MINUTE,
}));
const code = fc.constantFrom(...(Object.keys(ERRORS) as ErrorCode[]));
/** A sentence of the engine, by a clock that the reader does not have. */
const ENGINE_TEXT = "The engine says 23:59 sat-1 (TUNER_BUSY).";

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const healing = fc.record({
  repeat: fc.record({ event: span, channelName: fc.constant("Das Erste"), showId: fc.constant("1") }),
  step: fc.constantFrom(...HEALING_STEPS),
  text: fc.constant(ENGINE_TEXT),
  trouble: maybe(fc.record({ code, text: fc.constant(ENGINE_TEXT) })),
});
const count = fc.constantFrom(0, 1, 2130);
const evidence = fc.record({
  file: fc.constant("/recordings/Tatort.ts"),
  eventMs: fc.constantFrom(0, HOUR),
  eventCoveredMs: fc.integer({ min: 0, max: HOUR }),
  continuityErrors: count,
  transportErrors: count,
  scrambledPackets: count,
  damagedPackets: count,
  gaps: fc.array(span, { maxLength: 5 }),
  verdict: maybe(fc.constantFrom("perfect", "good", "damaged", "unusable")),
  clock: maybe(fc.constantFrom("none", "timestamps")),
});
/** More than the engine makes: each text field holds a sentence that no reader may meet. */
const recording = fc
  .record({
    state: fc.constantFrom(...Object.keys(RECORDING_MOVES)),
    event: span,
    beforeMs: fc.constantFrom(0, 15 * MINUTE),
    afterMs: fc.constantFrom(0, 30 * MINUTE),
    trim: maybe(fc.record({ span, text: fc.constant(ENGINE_TEXT) })),
    trouble: maybe(fc.record({ code, text: fc.constant(ENGINE_TEXT) })),
    doubt: maybe(fc.constant(ENGINE_TEXT)),
    clockHoldReason: maybe(fc.constant(ENGINE_TEXT)),
    closing: maybe(
      fc.record({
        since: instant,
        blocker: maybe(fc.record({ since: instant, code, text: fc.constant(ENGINE_TEXT) })),
      }),
    ),
    attempts: fc.constantFrom([], [{ number: 1, tunerId: "sat-1", startedAt: EIGHT }]),
    evidence: maybe(evidence),
    healing: maybe(healing),
  })
  .map(
    ({ beforeMs, afterMs, event, ...rest }) =>
      ({
        id: "r1",
        name: "Tatort",
        tunerId: "sat-1",
        event,
        window: { start: event.start - beforeMs, stop: event.stop + afterMs },
        ...rest,
      }) as unknown as Recording,
  );
const around = fc.record({
  seamMs: maybe(fc.constantFrom(0, 3500)),
  tuner: maybe(fc.record({ quarantine: maybe(fc.record({ since: instant, code, triedAgainAt: instant })) })),
});

/** All times of day that a text says, in minutes. */
function minutesIn(text: string): readonly number[] {
  return Array.from(text.matchAll(/\b(\d\d):(\d\d)\b/g), ([, h, m]) => Number(h) * 60 + Number(m));
}

/** Each of the instants in a value, in minutes of the reader's day. */
function minutesOf(value: unknown): ReadonlySet<number> {
  const found: number[] = [];
  JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === "number" && one > EIGHT - DAY)
      found.push(Math.floor(((one + AHEAD_MS) % DAY) / MINUTE));
    return one;
  });
  return new Set(found);
}

/** A whole text in the reader's time: none of the engine's, no code, no hole, not cut. */
function isWellWorded(text: string, from: unknown): boolean {
  const times = minutesOf(from);
  return (
    text !== "" &&
    !text.includes("engine") &&
    !/[A-Z]{3,}_[A-Z]|undefined|NaN|Invalid|[{}]|…|<\/?[a-z]+>/.test(text) &&
    !/^[a-z]+(-[a-z]+)+$/.test(text) &&
    minutesIn(text).every((minutes) => times.has(minutes))
  );
}

const GOOD = ["Recorded completely", "The recording is complete"];
const BAD = ["unusable", "Nothing was recorded", "was not recorded"];

describe("R-35 what a household reads of a recording", () => {
  it("is in the reader's time, whole, and never the engine's sentence", () => {
    fc.assert(
      fc.property(recording, around, (one, other) =>
        resultSentences(one, other).every((text) => isWellWorded(text, [one, other])),
      ),
      { numRuns: casesOf({ sample: 150, all: 500 }) },
    );
  });

  it("agrees with the chip: a good chip says that it is complete, a bad one that nothing of use is there", () => {
    fc.assert(
      fc.property(recording, (one) => {
        const { tone } = outcomeWords(outcomeOf(one));
        const says = (words: readonly string[]) => words.some((word) => outcomeSentence(one).includes(word));
        return says(GOOD) === (tone === "good") && says(BAD) === (tone === "bad");
      }),
      { numRuns: casesOf({ sample: 150, all: 500 }) },
    );
  });

  it("agrees with the chip also where only the library knows the recording", () => {
    const outcomes = ["perfect", "good", "damaged", "unusable", "completed", "partial", "cancelled"] as const;
    for (const outcome of outcomes) {
      const text = entrySentence(outcome);
      expect(isWellWorded(text, []), text).toBe(true);
      const { tone } = outcomeWords(outcome);
      expect([outcome, GOOD.some((words) => text.includes(words))]).toEqual([outcome, tone === "good"]);
      expect([outcome, BAD.some((words) => text.includes(words))]).toEqual([outcome, tone === "bad"]);
    }
  });

  it.each<[string, string | undefined, Outcome]>([
    ["completed", "damaged", "damaged"],
    ["completed", "unusable", "unusable"],
    ["completed", undefined, "completed"],
    ["partial", "unusable", "unusable"],
    ["partial", "damaged", "partial"],
    ["cancelled", "good", "cancelled"],
  ])("a %s recording with the verdict %s is %s", (state, verdict, outcome) => {
    const one = { state, ...(verdict === undefined ? {} : { evidence: { verdict } }) } as Recording;
    expect(outcomeOf(one)).toBe(outcome);
  });

  it("has a text for each code of a failure, without the code", () => {
    const texts = Object.keys(ERRORS).map((one) => troubleOf(one, reader.say));
    expect(texts.filter((text) => !isWellWorded(text, []) || !text.endsWith("."))).toEqual([]);
    expect(troubleOf("OF_ANOTHER_VERSION", reader.say)).toBe(troubleOf("toString", reader.say));
  });
});

describe("R-10 what happened, for a household", () => {
  it("has a text for each kind of fact, or leaves it to engineers on purpose", () => {
    expect(Object.keys(LINES).sort()).toEqual([...FACT_KINDS].sort());
    const silent = FACT_KINDS.filter((kind) => isSilent(kind));
    expect(silent.filter((kind) => LINES[kind]?.({}) !== undefined)).toEqual([]);
  });

  const value = fc.oneof(
    instant,
    fc.integer({ min: -1000, max: 1000 }),
    fc.constantFrom(ENGINE_TEXT, "asked", "picture", "sound", "missed", "person", "healed", "moved"),
    fc.boolean(),
    code,
  );
  const KEYS = ["cause", "code", "step", "to", "lacks", "actor", "byMs", "asleep", "attempt"] as const;
  const line = fc.record({
    at: instant,
    fact: fc.constantFrom(...FACT_KINDS, "of-another-version", "toString"),
    facts: fc
      .tuple(
        fc.record(
          { start: instant, stop: instant, offSince: instant, tuner: fc.constant("sat-1") },
          { requiredKeys: [] },
        ),
        fc.dictionary(fc.constantFrom(...KEYS), value),
        fc.record({ text: fc.constant(ENGINE_TEXT), message: fc.constant(ENGINE_TEXT) }),
      )
      .map((parts) => Object.assign({}, ...parts)),
    text: fc.constant(ENGINE_TEXT),
  });

  it("is in the reader's time, whole, and never the engine's sentence", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) =>
        toldLines(lines as readonly HistoryLine[]).every(({ text }) => isWellWorded(text, lines)),
      ),
      { numRuns: casesOf({ sample: 300, all: 1000 }) },
    );
  });

  it("says once what happened several times in a row", () => {
    const failed = (seconds: number): HistoryLine => ({
      at: EIGHT + seconds * SECOND,
      fact: "attempt-ended",
      facts: { attempt: "r1.1", cause: "TUNER_IN_USE", text: ENGINE_TEXT },
      text: ENGINE_TEXT,
    });
    const lines = toldLines([failed(0), failed(1), failed(2)]);
    expect(lines).toEqual([
      { at: EIGHT, text: "An attempt to record failed. Another program uses the tuner. (3 times)" },
    ]);
  });
});
