import { describe, expect, it } from "vitest";
import { ERRORS, type ErrorCode } from "../../../../src/model/errors.ts";
import { MODEL_LIMITS } from "../../../../src/model/limits.ts";
import type { NamedHolder } from "../../../../src/model/plan-news.ts";
import {
  type FigureFacts,
  FLAWS,
  type ReportFacts,
  type ReportSubject,
  type TroubleFacts,
} from "../../../../src/model/report-facts.ts";
import { DAY, type EpochMs, formatTimeOfDay, MINUTE, SECOND } from "../../../../src/model/time.ts";
import type { Window } from "../../../../src/model/window.ts";
import { messageWords, wholeMessage } from "../../../../src/recorder/report/core/message-words.ts";
import { LANGUAGES, type Language } from "../../../../src/words/language.ts";
import { loadReader } from "../../../../src/words/load-reader.ts";
import { casesOf } from "../../../lane.ts";
import { fc } from "../../../properties.ts";
import { finish, step, walk } from "../../engine/runtime/walks.ts";
import { Brain, EIGHT, tuner } from "../../engine/runtime/world.ts";

const AT = Date.UTC(2026, 10, 26, 19, 5);
/** Their minutes differ, so a time of one zone is hardly ever that of another. */
const ZONES = ["Asia/Kolkata", "Pacific/Chatham", "America/St_Johns", "Asia/Kathmandu", "UTC"];
const LANGUAGE_NAMES = Object.keys(LANGUAGES) as Language[];
const READERS = await Promise.all(
  LANGUAGE_NAMES.flatMap((language) => ZONES.map((timeZone) => loadReader({ language, timeZone }))),
);

const at = fc.integer({ min: 0, max: 400 * DAY }).map((ms) => AT + Math.floor(ms / SECOND) * SECOND);
const span: fc.Arbitrary<Window> = fc
  .tuple(at, fc.integer({ min: 1, max: 4000 }))
  .map(([start, minutes]) => ({ start, stop: start + minutes * MINUTE }));
const name = fc
  .array(fc.constantFrom("Tatort", "der", "Nachrichtensendung", "ニュース", "été", "🎬", "–", "NCIS"), {
    minLength: 1,
    maxLength: 30,
  })
  .map((words) => words.join(" "));
const tunerId = fc.constantFrom("sat-1", "dvb-9", "roof");
const code = fc.constantFrom(...(Object.keys(ERRORS) as ErrorCode[]));
const holder: fc.Arbitrary<NamedHolder> = fc.record({ tunerId, name, window: span });
const holders = fc.array(holder, { maxLength: 12 });
const repeat = fc.record({ event: span, channelName: name });
const remedy = fc.oneof(
  fc.record({ kind: fc.constant("withdraw" as const), name }),
  fc.record({
    kind: fc.constant("raise-priority" as const),
    to: fc.integer({ min: 1, max: 99 }),
    loses: fc.array(name, { maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant("add-tuner" as const), like: tunerId }),
  fc.record({ kind: fc.constant("none" as const) }),
  fc.record({ kind: fc.constant("repeat" as const), repeat }),
);
const conflict = fc.record({ holders, remedy }, { requiredKeys: ["holders"] });
const details = fc.record(
  {
    file: fc.constant("/srv/recordings/a.ts"),
    system: fc.constantFrom("EIO", "EROFS"),
    freeBytes: fc.integer({ min: 0, max: 9e12 }),
    silentMs: fc.integer({ min: 1, max: 400 * MINUTE }),
    clockAheadMs: fc.constantFrom(284 * DAY, -3 * MINUTE),
    message: fc.constant("Input/output error"),
  },
  { requiredKeys: [] },
);
const trouble: fc.Arbitrary<TroubleFacts> = fc.record(
  { code, text: fc.constant("It failed."), details, conflict, tunerId },
  { requiredKeys: ["code", "text"] },
);
const count = fc.integer({ min: 1, max: 100_000 });
const gap = fc
  .tuple(span, fc.constantFrom("picture" as const, "sound" as const, undefined))
  .map(([window, lacks]) => (lacks === undefined ? window : { ...window, lacks }));
const figures: fc.Arbitrary<FigureFacts> = fc.record(
  {
    eventPercent: fc.integer({ min: 0, max: 1000 }).map((share) => share / 10),
    bytes: fc.integer({ min: 0, max: 9e12 }),
    flaws: fc.dictionary(fc.constantFrom(...FLAWS), count),
    gaps: fc.array(gap, { maxLength: 3 }),
    tracks: fc.array(
      fc.record({
        kind: fc.constantFrom("video" as const, "audio" as const),
        codec: fc.constant("AC-3"),
        missing: fc.array(span, { minLength: 1, maxLength: 3 }),
      }),
      { maxLength: 2 },
    ),
    hasPlainName: fc.boolean(),
  },
  { requiredKeys: ["bytes", "flaws", "gaps", "tracks", "hasPlainName"] },
);
const verdict = fc.constantFrom("perfect" as const, "good" as const, "damaged" as const, "unusable" as const);
const outage = fc
  .tuple(span, fc.boolean())
  .map(([window, asleep]) => ({ ...window, asleep, boot: "b", sameBoot: true }));
const padding = fc.record(
  {
    kind: fc.constant("padding" as const),
    beforeMs: fc.integer({ min: 0, max: 30 * MINUTE }),
    afterMs: fc.integer({ min: 0, max: 30 * MINUTE }),
    lateMs: fc.integer({ min: 0, max: 30 * MINUTE }),
    before: name,
    after: name,
  },
  { requiredKeys: ["kind", "beforeMs", "afterMs", "lateMs"] },
);
const beginning = fc.record({ kind: fc.constant("beginning" as const), from: at, holders });
const trim = fc.record({ text: fc.constant("In part."), news: fc.oneof(padding, beginning) });
const doubt = fc.record({ tunerId, since: at, code });
const is = <Is extends ReportSubject["is"]>(value: Is) => fc.constant(value);
const about: fc.Arbitrary<ReportSubject> = fc.oneof(
  fc.record(
    { is: is("scheduled"), tunerId, span, doubt, trim, trouble },
    { requiredKeys: ["is", "tunerId", "span"] },
  ),
  fc.record({ is: is("conflict"), trouble }, { requiredKeys: ["is"] }),
  fc.record({ is: is("waiting"), span, trouble }, { requiredKeys: ["is", "span"] }),
  fc.record(
    { is: is("recording"), tunerId, since: at, lateMs: count, interruptions: fc.nat(40) },
    { requiredKeys: ["is", "tunerId", "since", "interruptions"] },
  ),
  fc.record({ is: is("recorded"), verdict, figures, trouble }, { requiredKeys: ["is", "figures"] }),
  fc.record({ is: is("recorded-part"), verdict, figures, trouble }, { requiredKeys: ["is", "figures"] }),
  fc.record(
    { is: is("not-recorded"), hasFlowed: fc.boolean(), trouble },
    { requiredKeys: ["is", "hasFlowed"] },
  ),
  fc.record({ is: is("missed"), outage, trouble }, { requiredKeys: ["is"] }),
  fc.record({ is: is("clock") }),
  fc.record({ is: is("unfinished"), since: at, trouble }),
  fc.record({ is: is("withdrawn"), isPartKept: fc.boolean() }),
);
const facts: fc.Arbitrary<ReportFacts> = fc.record(
  {
    about,
    repeat: fc
      .tuple(repeat, fc.constantFrom("booked" as const, "healed" as const))
      .map(([one, step]) => ({ ...one, step })),
  },
  { requiredKeys: ["about"] },
);
const reader = fc.constantFrom(...READERS);

const TIME = /\d{1,2}:\d{2}(?::\d{2})?/g;
/** An hour that happens twice has its offset. */
const OFFSET = /UTC[+-]\d{2}:\d{2}/g;

/** All instants anywhere in the facts. */
function instantsOf(value: unknown): readonly EpochMs[] {
  if (typeof value === "number") return value >= AT ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(instantsOf) : [];
}

function timesIn(text: string): readonly string[] {
  return text.replaceAll(OFFSET, "").match(TIME) ?? [];
}

describe("R-28 over random facts", () => {
  it("R-35 a message names the times of its facts in the reader's zone, and no others", () => {
    fc.assert(
      fc.property(facts, reader, (content, one) => {
        const known = instantsOf(content).flatMap((instant) =>
          timesIn(formatTimeOfDay(instant, one.timeZone)),
        );
        for (const time of timesIn(wholeMessage(content, one))) expect(known).toContain(time);
      }),
      { numRuns: casesOf({ sample: 500, all: 2000 }) },
    );
  });

  it("a message is as long as the service takes, and ends after a whole word", () => {
    const words = new Map(
      READERS.map(({ locale }) => [locale, new Intl.Segmenter(locale, { granularity: "word" })]),
    );
    let cut = 0;
    fc.assert(
      fc.property(facts, reader, (content, one) => {
        const [whole, text] = [wholeMessage(content, one), messageWords(content, one)];
        expect(text.length).toBeLessThanOrEqual(MODEL_LIMITS.messageLength);
        expect(text.isWellFormed()).toBe(true);
        if (text === whole) return;
        cut += 1;
        expect(text.endsWith("…")).toBe(true);
        const kept = text.slice(0, -1);
        expect(whole.startsWith(kept)).toBe(true);
        const starts = [...(words.get(one.locale)?.segment(whole) ?? [])].map(({ index }) => index);
        const isWhole = starts.includes(kept.length) || /^[\s\p{P}]/u.test(whole.slice(kept.length));
        expect(isWhole, text.slice(-40)).toBe(true);
      }),
      { numRuns: casesOf({ sample: 500, all: 2000 }) },
    );
    expect(cut).toBeGreaterThan(100);
  });

  it("a message has no hole, and says that there are no errors only where it names none", () => {
    fc.assert(
      fc.property(facts, reader, (content, one) => {
        const text = wholeMessage(content, one);
        expect(text).not.toMatch(/[{}]|report-|undefined|NaN|\bnull\b|\[object| {2}/);
        if (!("figures" in content.about)) return;
        const { flaws, gaps, tracks } = content.about.figures;
        const isClean = Object.keys(flaws).length + gaps.length + tracks.length === 0;
        expect(text.includes(one.say("report-no-errors"))).toBe(isClean);
      }),
      { numRuns: casesOf({ sample: 500, all: 2000 }) },
    );
  });
});

/** Beginnings of English messages that do not fit beside a status. */
const CONTRADICTIONS: Readonly<Record<string, RegExp>> = {
  waiting: /^(Recorded|Not recorded|Recording on|Withdrawn)/,
  running: /^(Recorded|Not recorded|Scheduled|Withdrawn)/,
  completed: /^(?!Recorded,|Recorded:|Withdrawn)|only in part/,
  failed: /^(?!Not recorded|Recorded only in part|Recorded, but not verified)/,
};

it("R-08 after any sequence of events, no message contradicts the status next to it", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, scarce) => {
      const brain = new Brain({ now: EIGHT - MINUTE / 4, ...(scarce ? { tuners: [tuner("a")] } : {}) });
      const look = () => {
        for (const { reported } of Object.values(brain.document.recordings)) {
          const { state, message = "" } = reported ?? {};
          if (state === undefined) continue;
          seen.add(state);
          expect(message).not.toMatch(CONTRADICTIONS[state] ?? /$^/);
        }
      };
      for (const next of steps) {
        walk(brain, next);
        look();
      }
      finish(brain, look);
    }),
    { numRuns: casesOf({ sample: 300, all: 500 }) },
  );
  expect([...seen].sort()).toEqual(["completed", "failed", "running", "waiting"]);
});
