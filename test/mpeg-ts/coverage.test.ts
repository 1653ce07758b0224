import { describe, expect, it } from "vitest";
import type { Inspection } from "../../src/model/inspection.ts";
import { DEFAULT_COMPLETE_FROM } from "../../src/model/policy.ts";
import { verdictOf } from "../../src/model/verdict.ts";
import { coveredMs, intersection, lengthMs, uncovered, type Window } from "../../src/model/window.ts";
import { evidenceOf } from "../../src/recorder/evidence/evidence.ts";
import { Inspector } from "../../src/recorder/evidence/inspector.ts";
import { generateService } from "../kit/generated-service.ts";
import { plainService, plainStream } from "../kit/plain-service.ts";
import { scriptOf } from "../kit/service-from-wish.ts";
import { NO_PCR_PID, ON_AIR_AT, SERVICE, type ServiceScript } from "../kit/service-script.ts";
import { type ServiceTruth, truthOf } from "../kit/service-truth.ts";
import { serviceWishes } from "../kit/service-wishes.ts";
import { casesOf } from "../lane.ts";
import { fc } from "../properties.ts";

const RUNS = casesOf({ sample: 50, all: 2000 });
/** A PCR dates what is lost, so that a loss is as exact as they are. */
const TOLERANCE_OF_RARE_PCRS_MS = 200;
const SEED = 20_261_122;

function inspect(script: ServiceScript): Inspection {
  const inspector = new Inspector(SERVICE);
  inspector.push(generateService(script));
  inspector.settle();
  return inspector.inspection();
}

/** The parts of `window` in which the report differs from the truth by more than the tolerance. */
function differences(
  said: readonly Window[],
  truth: readonly Window[],
  {
    window,
    open,
    toleranceMs,
  }: { readonly window: Window; readonly open: readonly Window[]; readonly toleranceMs: number },
): readonly Window[] {
  const clear = uncovered(window, open);
  const only = (these: readonly Window[], those: readonly Window[]) =>
    clear.flatMap((part) => uncovered(part, [...uncovered(part, these), ...those]));
  return [...only(said, truth), ...only(truth, said)].filter((piece) => lengthMs(piece) > toleranceMs);
}

/** Everything in which an inspection departs from the truth, in words. */
function departures(found: Inspection, truth: ServiceTruth): readonly string[] {
  const whole = { start: 0, stop: truth.streamMs };
  const within = { window: whole, open: truth.open, toleranceMs: truth.toleranceMs };
  const compare = (
    what: string,
    {
      said,
      is,
      open = truth.open,
    }: { said: readonly Window[]; is: readonly Window[]; open?: readonly Window[] },
  ) =>
    differences(said, is, { ...within, open }).map(
      ({ start, stop }) =>
        `${what}: ${Math.round(start)}–${Math.round(stop)} of ${list(said)}, truth ${list(is)}`,
    );
  const lacks = (kind: "picture" | "sound") => found.lacks.filter((lack) => lack.kind === kind);
  const streams = truth.streams.filter(({ announced }) => announced.length > 0);
  return [
    ...(found.clock === truth.clock ? [] : [`clock: ${found.clock}, truth ${truth.clock}`]),
    ...(Math.abs(found.streamMs - truth.streamMs) <= truth.toleranceMs
      ? []
      : [`length: ${found.streamMs}, truth ${Math.round(truth.streamMs)}`]),
    ...compare("covered", { said: found.spans, is: truth.spans }),
    ...compare("no picture", { said: lacks("picture"), is: truth.lacks.picture }),
    ...compare("no sound", { said: lacks("sound"), is: truth.lacks.sound }),
    ...streams.flatMap((stream) => {
      const track = found.tracks.find(({ pid }) => pid === stream.pid);
      if (track === undefined) return [`PID ${stream.pid}: unknown`];
      const role =
        stream.neverSent || track.isMain === stream.isMain
          ? []
          : [`PID ${stream.pid}: main is ${track.isMain}`];
      const isSparse = stream.kind === "subtitle" || stream.kind === "teletext";
      const { spans: is, open } = stream;
      const isWithin = track.spans.every(({ stop }) => stop <= found.streamMs);
      const late = isWithin ? [] : [`PID ${stream.pid}: there after the end, ${list(track.spans)}`];
      const spans = compare(`PID ${stream.pid}`, { said: track.spans, is, open: [...truth.open, ...open] });
      return [...role, ...late, ...(isSparse ? [] : spans)];
    }),
  ];
}

function list(spans: readonly Window[]): string {
  return `[${spans.map(({ start, stop }) => `${Math.round(start)}–${Math.round(stop)}`).join(", ")}]`;
}

/** Whether enough of an event is there; `undefined` where the tolerances decide it. */
function completes(truth: ServiceTruth, event: Window): boolean | undefined {
  const gaps = uncovered(event, truth.spans);
  const openMs = truth.open.reduce((sum, span) => sum + lengthMs(intersection(span, event)), 0);
  const isAtEnd = truth.clock === "timestamps" && event.stop > truth.streamMs - truth.toleranceMs;
  const endMs = isAtEnd ? truth.toleranceMs : 0;
  const unsureMs = openMs + endMs + 2 * truth.toleranceMs * gaps.length;
  const spareMs = coveredMs(event, truth.spans) - DEFAULT_COMPLETE_FROM * lengthMs(event);
  return Math.abs(spareMs) < unsureMs ? undefined : spareMs >= 0;
}

/** Whether a recording with this evidence is completed. */
function isCompleted(found: Inspection, event: Window): boolean {
  const onAir = { start: ON_AIR_AT + event.start, stop: ON_AIR_AT + event.stop };
  const segment = { inspection: found, writtenAt: ON_AIR_AT + found.streamMs, bytes: found.bytes };
  const evidence = evidenceOf({ segments: [segment], event: onAir, window: onAir });
  const { eventCoveredMs, eventMs } = evidence;
  const isWhole = eventCoveredMs > 0 && eventCoveredMs >= DEFAULT_COMPLETE_FROM * eventMs;
  const verdict = verdictOf(evidence, DEFAULT_COMPLETE_FROM);
  // Too many flaws make a whole recording a damaged one; nothing makes a part of one good.
  const agrees = isWhole ? verdict !== "unusable" : verdict === "damaged" || verdict === "unusable";
  if (!agrees) throw new Error(`${verdict} at ${eventCoveredMs} of ${eventMs} ms`);
  return isWhole;
}

/** An event somewhere in the stream, by two shares of its length. */
const events = fc.tuple(
  fc.double({ min: 0, max: 0.3, noNaN: true }),
  fc.double({ min: 0.7, max: 1, noNaN: true }),
);

function eventIn({ streamMs }: ServiceTruth, [from, to]: readonly [number, number]): Window {
  return { start: Math.round(from * streamMs), stop: Math.round(to * streamMs) };
}

describe("R-04 the coverage of a service with a known truth", () => {
  it("matches it to 100 ms, per stream and as a whole, and completes a recording exactly if it suffices", () => {
    let decided = 0;
    const property = fc.property(serviceWishes, events, (wish, shares) => {
      const script = scriptOf(wish);
      const truth = truthOf(script);
      const found = inspect(script);
      const event = eventIn(truth, shares);
      const wrong = departures(found, truth);
      if (wrong.length > 0) throw new Error(wrong.join("\n"));
      const should = completes(truth, event);
      if (should !== undefined) decided += 1;
      return should === undefined || isCompleted(found, event) === should;
    });
    fc.assert(property, { numRuns: RUNS, seed: SEED });
    // In most cases the tolerances leave nothing open.
    expect(decided).toBeGreaterThan(0.7 * RUNS);
  });

  const drifting = { meanMs: 700, swingMs: 400, periodMs: 20_000 };
  const tv = [
    plainStream(0x100, "h264", { lead: drifting }),
    plainStream(0x200, "mp2", { unitMs: 24, lead: drifting }),
  ];
  const own = { pcrPid: 0x1f0, pcrsOn: 0x1f0 };

  it.each([
    ["a new clock", { jumps: [{ atMs: 14_000, byMs: -5000, signalled: false }] }],
    ["a loss", { losses: [{ start: 14_000, stop: 15_000 }] }],
    [
      "PCRs that move from one stream to another, and a PMT that names neither",
      {
        maps: [
          { fromMs: 0, streams: [0, 1], pcrPid: NO_PCR_PID, pcrsOn: 0x100 },
          { fromMs: 9000, streams: [0, 1], pcrPid: NO_PCR_PID, pcrsOn: 0x200 },
        ],
      },
    ],
    [
      "the return of a sound that had been withdrawn",
      {
        maps: [
          { fromMs: 0, streams: [0, 1], ...own },
          { fromMs: 6000, streams: [0], ...own },
          { fromMs: 12_000, streams: [0, 1], ...own },
        ],
      },
    ],
  ] satisfies readonly (readonly [string, Partial<ServiceScript>])[])(
    "misses no more than the real gap: %s, if DTS and PCR drift apart",
    (_what, more) => {
      const script = plainService(tv, more);
      expect(departures(inspect(script), truthOf(script))).toEqual([]);
    },
  );

  it("misses nothing if picture and sound jump ahead together, without PCRs and without a loss", () => {
    const nowhere = [{ fromMs: 0, streams: [0, 1], pcrPid: NO_PCR_PID }];
    const jumps = [{ atMs: 10_000, byMs: 60_000, signalled: false }];
    const found = inspect(plainService(tv, { maps: nowhere, jumps }));
    expect(found).toMatchObject({
      clock: "timestamps",
      lacks: [],
      spans: [{ start: 0, stop: found.streamMs }],
    });
    expect(Math.abs(found.streamMs - 20_000)).toBeLessThan(1500);
  });

  it("continues with the sound during a gap of PCRs and pictures", () => {
    const picture = plainStream(0x100, "h264", { outages: [{ start: 8000, stop: 9700 }] });
    const nowhere = [{ fromMs: 0, streams: [0, 1], pcrPid: NO_PCR_PID }];
    const script = plainService([picture, plainStream(0x200, "mp2", { unitMs: 24 })], { maps: nowhere });
    const { lacks, clock } = inspect(script);
    expect(clock).toBe("timestamps");
    expect(lacks.map(({ kind }) => kind)).toEqual(["picture"]);
  });

  const isWhole = (found: Inspection) => {
    expect(found).toMatchObject({ clockBreaks: [], lacks: [] });
    expect(found.spans).toEqual([{ start: 0, stop: found.streamMs }]);
    expect(Math.abs(found.streamMs - plainService(tv).durationMs)).toBeLessThan(1500);
  };

  it.each([520, 1000, 1500, 2000, 5000])(
    "is that of the picture and the sound if PCRs come only every %i ms",
    (pcrEveryMs) => isWhole(inspect(plainService(tv, { pcrEveryMs }))),
  );

  it.each([
    [300, 700, 400, 640],
    [460, 560, 480, 520, 540],
    [100, 1000, 560, 240, 1400],
    [400, 900],
    [80, 80, 80, 600],
  ])("is that of the picture and the sound if PCRs come after %i, %i … ms in turn", (...pcrStepsMs) => {
    isWhole(inspect(plainService(tv, { pcrStepsMs })));
  });

  it.each([700, 1000, 1400])("misses a loss of %i ms between rare PCRs", (lostMs) => {
    const losses = [{ start: 9000, stop: 9000 + lostMs }];
    const found = inspect(plainService(tv, { pcrStepsMs: [600, 520, 640], losses }));
    const missing = uncovered({ start: 0, stop: found.streamMs }, found.spans);
    const missedMs = missing.reduce((sum, gap) => sum + lengthMs(gap), 0);
    expect(Math.abs(missedMs - lostMs)).toBeLessThan(TOLERANCE_OF_RARE_PCRS_MS);
  });
});
