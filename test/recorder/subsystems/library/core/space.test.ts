import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../../src/model/time.ts";
import { emptyLibrary } from "../../../../../src/recorder/subsystems/library/core/document.ts";
import {
  addToLibrary,
  newcomers,
  withoutForgotten,
} from "../../../../../src/recorder/subsystems/library/core/intake.ts";
import { LIBRARY_CORE_LIMITS } from "../../../../../src/recorder/subsystems/library/core/limits.ts";
import { learn, rateOf } from "../../../../../src/recorder/subsystems/library/core/rates.ts";
import { type SpaceQuestion, spaceFacts } from "../../../../../src/recorder/subsystems/library/core/space.ts";
import { fc } from "../../../../properties.ts";
import { ended, NOW, recording } from "../entries.ts";

const SERVICE = { onid: 1, tsid: 1, sid: 1 };

describe("the data rate of a service", () => {
  it("R-31 is learnt from its recordings", () => {
    const rates = learn({}, ended("a"), NOW);
    expect(rateOf(rates)(SERVICE)).toBe(1_000_000);
  });

  it("follows a service that changes its bit rate", () => {
    const one = ended("a");
    const twice = { ...one, evidence: { ...one.evidence, bytes: 7_200_000_000 } } as typeof one;
    let rates = learn({}, one, NOW);
    for (let count = 0; count < 30; count += 1) rates = learn(rates, twice, NOW);
    expect(rateOf(rates)(SERVICE)).toBeGreaterThan(1_950_000);
  });

  it("is the mean of the others for a service without recordings", () => {
    const rates = learn({}, ended("a"), NOW);
    expect(rateOf(rates)({ ...SERVICE, sid: 9 })).toBe(1_000_000);
    expect(rateOf({})(SERVICE)).toBe(1_000_000);
    expect(rateOf({ ...rates, "1/1/2": { bytesPerSecond: 3_000_000, samples: 1, at: NOW } })()).toBe(
      2_000_000,
    );
  });

  it("is stored for a limited number of services: the oldest are removed", () => {
    let rates = {};
    for (let sid = 0; sid <= LIBRARY_CORE_LIMITS.learntServices; sid += 1) {
      rates = learn(rates, { ...ended("a"), service: { ...SERVICE, sid } }, NOW + sid);
    }
    expect(Object.keys(rates)).toHaveLength(LIBRARY_CORE_LIMITS.learntServices);
    expect(rates).not.toHaveProperty(["1/1/0"]);
  });
});

function ask(options: Partial<SpaceQuestion> = {}) {
  return spaceFacts({
    disk: { freeBytes: 10_000_000, totalBytes: 20_000_000 },
    marks: { lowBytes: 2_000_000, stopBytes: 1_000_000 },
    recordings: [],
    bytesPerSecond: () => 1000,
    now: NOW,
    ...options,
  });
}

describe("the forecast", () => {
  it("R-31 reserves the space of the plan: of a running recording, the rest", () => {
    const runs = recording("r", {
      state: "recording",
      window: { start: NOW - HOUR, stop: NOW + 10 * MINUTE },
    });
    const { reservedBytes } = ask({ recordings: [runs, recording("p"), ended("e")] });
    expect(reservedBytes).toBe(600 * 1000 + 3600 * 1000);
  });

  it("R-31 names the instant at which the plan reaches the stop mark", () => {
    // 9 MB of room: 5.4 MB by two at once from 21:00 on, at 2 kB/s; then 3.6 MB at 1 kB/s.
    const plan = [
      recording("a", { window: { start: NOW + HOUR, stop: NOW + HOUR + 45 * MINUTE } }),
      recording("b", { window: { start: NOW + HOUR, stop: NOW + HOUR + 3 * HOUR } }),
    ];
    expect(ask({ recordings: plan }).fills).toEqual({
      at: NOW + HOUR + 45 * MINUTE + 3_600 * SECOND,
      by: "plan",
    });
  });

  it("continues at the pace of a plan that fits", () => {
    const { fills } = ask({ recordings: [recording("p")] });
    // 3.6 MB in the day to come leave 5.4 MB, which last one and a half such days.
    expect(fills).toEqual({ at: NOW + 2 * HOUR + 1.5 * DAY, by: "pace" });
  });

  it("is empty without a plan, and now without space", () => {
    expect(ask().fills).toBeUndefined();
    expect(ask({ disk: { freeBytes: 900_000, totalBytes: 1 } })).toMatchObject({
      level: "full",
      fills: { at: NOW },
    });
  });

  it("R-32 distinguishes a missing disk from a full one", () => {
    const marks = { lowBytes: 2, stopBytes: 1 };
    expect(spaceFacts({ marks, recordings: [], bytesPerSecond: () => 1, now: NOW }).level).toBe("offline");
  });

  it("is never later with more planned", () => {
    const window = fc.record({ start: fc.nat(1000), length: fc.integer({ min: 1, max: 500 }) });
    const plan = fc.array(window, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(plan, (all) => {
        const recordings = all.map(({ start, length }, index) =>
          recording(String(index), {
            window: { start: NOW + start * MINUTE, stop: NOW + (start + length) * MINUTE },
          }),
        );
        const at = (some: typeof recordings) => {
          const { fills } = ask({ recordings: some });
          return fills?.by === "plan" ? fills.at : Number.POSITIVE_INFINITY;
        };
        return at(recordings) <= at(recordings.slice(1));
      }),
    );
  });
});

describe("the library", () => {
  const plan = { timers: {}, recordings: { a: ended("a"), b: recording("b") } };

  it("adds a recording once, when it has ended with a file", () => {
    expect(newcomers(plan, emptyLibrary()).map(({ id }) => id)).toEqual(["a"]);
    const facts = { timer: undefined, jobs: [], now: NOW };
    const one = ended("a");
    const judged = { ...one, evidence: { ...one.evidence, verdict: "damaged" } } as typeof one;
    const library = addToLibrary(emptyLibrary(), judged, facts);
    expect(library.entries["a"]).toMatchObject({
      verdict: "damaged",
      file: "/recordings/a.ts",
      bytes: 3_600_000_000,
      protected: false,
    });
    expect(newcomers(plan, library)).toEqual([]);
    expect(addToLibrary(library, ended("a"), facts)).toBe(library);
  });

  it("keeps a recording that left the plan until it is deleted", () => {
    const library = addToLibrary(emptyLibrary(), ended("a"), { timer: undefined, jobs: [], now: NOW });
    const none = { timers: {}, recordings: {} };
    expect(withoutForgotten(library, none)).toBe(library);
    const deleted = { at: NOW, actor: "person", reason: "asked", done: true } as const;
    const held = library.entries["a"];
    if (held === undefined) throw new Error("it was taken in");
    const without = { ...library, entries: { a: { ...held, deleted } } };
    // Its hooks have not run yet.
    expect(withoutForgotten(without, none)).toBe(without);
    const heard = { ...without, heard: { a: "deleted" as const } };
    expect(withoutForgotten(heard, plan)).toBe(heard);
    expect(withoutForgotten(heard, none)).toMatchObject({ entries: {}, heard: {} });
  });
});
