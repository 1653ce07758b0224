import { describe, expect, it } from "vitest";
import { ERRORS, type ErrorCode } from "../../../../src/model/errors.ts";
import { FLAW_KINDS } from "../../../../src/model/library.ts";
import type { News, NewsFacts } from "../../../../src/model/news.ts";
import { isSound, isTerminal, type Recording, titleOf } from "../../../../src/model/recording.ts";
import { WORK_KINDS, type WorkKind } from "../../../../src/model/set-aside.ts";
import { DAY, type EpochMs, HOUR, MINUTE, SECOND } from "../../../../src/model/time.ts";
import { offsetAt } from "../../../../src/model/zone.ts";
import { endFacts } from "../../../../src/recorder/subsystems/notify/core/end-facts.ts";
import { NOTIFY_LIMITS } from "../../../../src/recorder/subsystems/notify/limits.ts";
import { worded } from "../../../../src/recorder/subsystems/notify/wording.ts";
import { LANGUAGES, type Language } from "../../../../src/words/language.ts";
import { loadReader } from "../../../../src/words/load-reader.ts";
import type { Reader } from "../../../../src/words/reader.ts";
import { shortened } from "../../../../src/words/shortened.ts";
import { casesOf } from "../../../lane.ts";
import { fc } from "../../../properties.ts";
import { finish, step, walk } from "../../engine/runtime/walks.ts";
import { Brain, EIGHT, tuner } from "../../engine/runtime/world.ts";
import { NOW } from "../library/entries.ts";

const ZONES = ["Europe/Berlin", "Asia/Kolkata", "Pacific/Chatham", "America/St_Johns", "UTC"];
const languages = Object.keys(LANGUAGES) as Language[];
const READERS = await Promise.all(
  languages.flatMap((language) => ZONES.map((timeZone) => loadReader({ language, timeZone }))),
);
const BERLIN = await loadReader({ language: "en", timeZone: "Europe/Berlin" });
const SHOW = { name: "Tatort", channelName: "ABC", event: { start: NOW - HOUR, stop: NOW } };

function news(facts: NewsFacts): News {
  return { id: "n", kind: "failed", at: NOW, facts };
}

function words(facts: NewsFacts, now = NOW): readonly string[] {
  const { title, text } = worded(news(facts), { reader: BERLIN, now });
  return [title, ...text.split("\n")];
}

describe("a notification", () => {
  it("says what was recorded of a show, in the zone of the configuration", () => {
    const gaps = [
      { start: NOW - 50 * MINUTE, stop: NOW - 50 * MINUTE + 2 * SECOND },
      { start: NOW - 10 * MINUTE, stop: NOW - 9 * MINUTE, lacks: "picture" },
    ] as const;
    const facts = { is: "recorded", ...SHOW, bytes: 3.6e9, share: 0.99999, errors: 1, gaps } as const;
    expect(words({ ...facts, isWhole: false, code: "STREAM_STALLED" })).toEqual([
      "Recorded with damage: Tatort",
      "Today 20:00–21:00, ABC",
      "99.9% of the programme was recorded (3.6 GB).",
      "One error in picture or sound.",
      "Missing: 20:10:00–20:10:02",
      "No picture: 20:50:00–20:51:00",
      "The reception was interrupted.",
    ]);
    expect(words({ ...facts, isWhole: true, share: 1, errors: 0, gaps: [], code: "STREAM_ENDED" })).toEqual([
      "Recorded: Tatort",
      "Today 20:00–21:00, ABC",
      "100% of the programme was recorded (3.6 GB).",
      "No errors in picture or sound.",
    ]);
  });

  it("names days from the time of sending", () => {
    const facts = { is: "missed", ...SHOW } as const;
    expect(words(facts, NOW + DAY)[1]).toBe("Yesterday 20:00–21:00, ABC");
    expect(worded(news(facts), { reader: BERLIN, now: NOW + DAY }).labels).toEqual({
      subject: "recorderd: Not recorded: Tatort",
      time: "Yesterday 21:00 (Europe/Berlin)",
      entity: "News",
    });
  });

  it("names the recordings that a conflict is with, and what is to be done", () => {
    const holders = [SHOW, { ...SHOW, name: "News" }];
    expect(words({ is: "conflict", ...SHOW, holders, code: "TUNER_BUSY" })).toEqual([
      "Conflict: Tatort",
      "Today 20:00–21:00, ABC",
      "No tuner is free at that time.",
      "The tuners are needed for: Tatort (20:00–21:00) and News (20:00–21:00)",
      "Choose on the dashboard what to record.",
    ]);
    expect(words({ is: "conflict", ...SHOW, holders: [], code: "TUNER_NONE_CAPABLE" })).toEqual([
      "Conflict: Tatort",
      "Today 20:00–21:00, ABC",
      "No tuner can receive this channel.",
    ]);
  });

  it("says why nothing was recorded, and what can be done", () => {
    const details = { file: "/srv/a.ts", system: "EROFS" };
    expect(words({ is: "not-recorded", ...SHOW, hasFlowed: true, code: "WRITE_FAILED", details })).toEqual([
      "Not recorded: Tatort",
      "Today 20:00–21:00, ABC",
      expect.any(String),
      "File: /srv/a.ts",
      "Error code: EROFS",
    ]);
    expect(words({ is: "not-recorded", ...SHOW, hasFlowed: false, code: "TUNER_NO_LOCK" })).toEqual([
      "Not recorded: Tatort",
      "Today 20:00–21:00, ABC",
      "The tuner has no signal. Check the aerial and its cable.",
    ]);
  });

  it("of an earlier recorder keeps its words", () => {
    expect(words({ is: "words", title: "Disk low", text: "The disk is nearly full." })).toEqual([
      "Disk low",
      "The disk is nearly full.",
    ]);
  });
});

const READER = fc.constantFrom(...READERS.map(readable));

/** A failing run names the reader, and does not print its functions. */
function readable(reader: Reader): Reader {
  const name = () => `${reader.language} in ${reader.timeZone}`;
  return Object.assign({}, reader, { [fc.toStringMethod]: name });
}

/** Without digits: each time of day in a text is ours. */
const WORD = fc.string({ unit: fc.constantFrom(..."abcdeéßñ"), minLength: 1, maxLength: 12 });
const NAME = fc.array(WORD, { minLength: 1, maxLength: 60, size: "max" }).map((parts) => parts.join(" "));
const INSTANT = fc.integer({ min: NOW - 300 * DAY, max: NOW + 300 * DAY });
const WINDOW = fc
  .tuple(INSTANT, fc.integer({ min: SECOND, max: 5 * HOUR }))
  .map(([start, lengthMs]) => ({ start, stop: start + lengthMs }));
const CODE = fc.constantFrom(...(Object.keys(ERRORS) as ErrorCode[]));
const SHOWS = { name: NAME, channelName: NAME, event: WINDOW };
const BYTES = fc.integer({ min: 0, max: 1e12 });
const DETAILS = fc.record(
  {
    file: NAME,
    system: fc.constantFrom("EIO", "EROFS"),
    freeBytes: BYTES,
    silentMs: fc.integer({ min: 1, max: 3 * DAY }),
    clockAheadMs: fc.constantFrom(284 * DAY, -3 * MINUTE),
    message: NAME,
  },
  { requiredKeys: [] },
);
const REASON = { code: CODE, details: DETAILS };
const GAP = fc.record(
  { window: WINDOW, lacks: fc.constantFrom("picture", "sound") },
  { requiredKeys: ["window"] },
);

type Kinds = { readonly [Is in Exclude<NewsFacts["is"], "words">]: fc.Arbitrary<object> };
/** The values of each kind of news: the compiler wants all of them. */
const VALUES: Kinds = {
  recorded: fc.record(
    {
      ...SHOWS,
      isWhole: fc.boolean(),
      bytes: BYTES,
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      errors: fc.nat(),
      gaps: fc
        .array(GAP, { maxLength: 3 })
        .map((gaps) => gaps.map(({ window, ...lack }) => ({ ...window, ...lack }))),
      ...REASON,
    },
    { requiredKeys: ["name", "channelName", "event", "isWhole", "bytes", "errors", "gaps"] },
  ),
  "not-recorded": fc.record(
    { ...SHOWS, hasFlowed: fc.boolean(), ...REASON },
    { requiredKeys: ["name", "channelName", "event", "hasFlowed"] },
  ),
  missed: fc.record({ ...SHOWS, ...REASON }, { requiredKeys: ["name", "channelName", "event"] }),
  conflict: fc.record(
    { ...SHOWS, holders: fc.array(fc.record({ name: NAME, event: WINDOW }), { maxLength: 4 }), ...REASON },
    { requiredKeys: ["name", "channelName", "event", "holders"] },
  ),
  "repeat-booked": fc.record(SHOWS),
  healed: fc.record(SHOWS),
  "file-flaw": fc.record(
    { name: NAME, flaw: fc.constantFrom(...FLAW_KINDS), file: NAME, wasBytes: BYTES, bytes: BYTES },
    { requiredKeys: ["name", "flaw", "file", "wasBytes"] },
  ),
  disk: fc.record({ level: fc.constantFrom("low", "full", "offline") }),
  store: fc.record({ code: fc.constantFrom("DISK_FULL", "DISK_LOW", "STORE_WRITE_FAILED") }),
  "sign-in": fc.constant({}),
  "guide-failed": fc.record({ since: INSTANT, code: CODE }),
  "guide-shrunk": fc.record({ listed: fc.nat(), held: fc.nat() }),
  secrets: fc.record({ usesEarlier: fc.boolean() }),
  tuner: fc.record({ tunerId: WORD, code: CODE }),
  clock: fc.constant({}),
  "woke-late": fc.record({ wantedAt: INSTANT, cameAt: INSTANT }),
  "set-aside": fc.record({
    work: fc.record({ kind: fc.constantFrom(...(Object.keys(WORK_KINDS) as WorkKind[])), subject: WORD }),
    forMs: fc.integer({ min: HOUR, max: DAY }),
  }),
  test: fc.constant({}),
};
const FACTS = fc
  .oneof(...Object.entries(VALUES).map(([is, values]) => values.map((of) => ({ is, ...of }))))
  .map((facts) => facts as NewsFacts);

/** All instants in a value. */
function instantsIn(value: unknown): readonly EpochMs[] {
  if (typeof value === "number") return value > NOW / 2 ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(instantsIn) : [];
}

/** `20:15:30`, without the formatter that is tested. */
function timeIn(at: EpochMs, zone: string): string {
  return new Date(at + offsetAt(at, zone)).toISOString().slice(11, 19);
}

describe("the words of any news in any language", () => {
  it("have no time of another zone", () => {
    fc.assert(
      fc.property(FACTS, READER, INSTANT, (facts, reader, now) => {
        const { title, text, labels } = worded({ ...news(facts), at: now }, { reader, now });
        const ours = [now, ...instantsIn(facts)].map((at) => timeIn(at, reader.timeZone));
        const told = `${title}\n${text}\n${labels.subject}\n${labels.time}`.match(/\d+:\d+(:\d+)?/g) ?? [];
        return told.every((time) => ours.some((our) => our.startsWith(time)));
      }),
    );
  });

  it("are whole: a title of one line, then lines with text, each value in its place", () => {
    fc.assert(
      fc.property(FACTS, READER, INSTANT, (facts, reader, now) => {
        const { title, text } = worded(news(facts), { reader, now });
        const lines = [title, ...text.split("\n")];
        return lines.every((line) => line.trim() !== "" && !/[{}\r]|notification-|undefined|NaN/.test(line));
      }),
    );
  });
});

/** The title beside the end of a recording. */
function titleKey(recording: Recording) {
  if (recording.state === "failed" || recording.state === "missed") return "notification-not-recorded-title";
  return isSound(recording) ? "notification-recorded-title" : "notification-damaged-title";
}

it("R-08 after any sequence of events, no notification contradicts the status of its recording", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), READER, (steps, scarce, reader) => {
      const brain = new Brain({ now: EIGHT - MINUTE / 4, ...(scarce ? { tuners: [tuner("a")] } : {}) });
      const look = () => {
        for (const recording of Object.values(brain.document.recordings)) {
          const facts = endFacts(recording);
          // A cancelled recording is no news, whatever its file holds.
          expect(facts === undefined).toBe(!isTerminal(recording.state) || recording.state === "cancelled");
          if (facts === undefined) continue;
          const { state } = recording;
          seen.add(state);
          const key = titleKey(recording);
          const { title, text } = worded(news(facts), { reader, now: brain.now });
          expect(title).toBe(reader.say(key, { name: titleOf(recording) }));
          expect(text.includes(reader.say("notification-missed"))).toBe(
            state === "missed" && !recording.trouble,
          );
          if (state !== "failed") expect(text).not.toContain(reader.say("notification-nothing-left"));
          if (key === "notification-not-recorded-title") expect(text).not.toContain("%");
          // The show, its share and its errors: a trouble that left no trace is over.
          if (key === "notification-recorded-title") expect(text.split("\n")).toHaveLength(3);
        }
      };
      for (const next of steps) {
        walk(brain, next);
        look();
      }
      finish(brain, look);
    }),
    { numRuns: casesOf({ sample: 70, all: 200 }) },
  );
  expect([...seen].sort()).toEqual(["completed", "missed"]);
});

describe("a long name", () => {
  it("ends after a whole word, and says that it goes on", () => {
    fc.assert(
      fc.property(NAME, (name) => {
        const short = shortened(name, NOTIFY_LIMITS.nameLength);
        if (short === name) return name.length <= NOTIFY_LIMITS.nameLength;
        const kept = short.slice(0, -1);
        return short.length <= NOTIFY_LIMITS.nameLength && short.endsWith("…") && name.startsWith(`${kept} `);
      }),
    );
  });

  it("ends after a whole word in a language without spaces", () => {
    const short = shortened(
      "東京の天気とニュース".repeat(NOTIFY_LIMITS.nameLength),
      NOTIFY_LIMITS.nameLength,
    );
    expect(short).toMatch(/(東京|の|天気|と|ニュース)…$/);
    expect(short.length).toBeLessThanOrEqual(NOTIFY_LIMITS.nameLength);
  });

  it("of a single word is shortened as well", () => {
    expect(shortened("é".repeat(NOTIFY_LIMITS.nameLength + 1), NOTIFY_LIMITS.nameLength)).toMatch(/^é+…$/);
  });
});
