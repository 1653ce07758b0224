import { describe, expect, it } from "vitest";
import { lengthMs, type Window } from "../../../src/model/window.ts";
import type { InspectedSegment } from "../../../src/mpeg-ts/streams/time-line.ts";
import { evidenceOf } from "../../../src/recorder/evidence/evidence.ts";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";
import { fc } from "../../properties.ts";

const NOTHING = new Inspector(undefined).inspection();
const AT = Date.UTC(2026, 10, 20, 20, 0);
const EVENT = { start: AT, stop: AT + 60_000 };
const WINDOW = { start: AT - 10_000, stop: AT + 80_000 };

/** A segment whose last PCR was written at `writtenAt`, with payload in `spans`, both in ms from the start of the event. */
function segment(writtenAtMs: number, spans: readonly Window[], payloadPackets = 1): InspectedSegment {
  const streamMs = spans.at(-1)?.stop ?? 0;
  const inspection = {
    ...NOTHING,
    clock: "pcr" as const,
    spans,
    streamMs,
    payloadPackets,
    continuityErrors: 2,
    transportErrors: 3,
  };
  return { inspection, writtenAt: AT + writtenAtMs, bytes: 1000 };
}

function evidence(...segments: readonly InspectedSegment[]) {
  return evidenceOf({ segments, event: EVENT, window: WINDOW });
}

describe("the evidence of a recording", () => {
  it("R-04 compares stream time with the time of writing", () => {
    const found = evidence(segment(50_000, [{ start: 0, stop: 60_000 }]));
    expect(found).toEqual({
      bytes: 1000,
      segments: 1,
      eventMs: 60_000,
      eventCoveredMs: 50_000,
      windowMs: 90_000,
      windowCoveredMs: 60_000,
      firstAt: AT - 10_000,
      lastAt: AT + 50_000,
      continuityErrors: 2,
      transportErrors: 3,
      scrambledPackets: 0,
      clockBreaks: 0,
      damagedPackets: 0,
      junkBytes: 0,
      flawedMs: 0,
      gaps: [{ start: AT + 50_000, stop: AT + 80_000 }],
    });
  });

  it("tells the errors of tables, which multiplexers may not count, from those of streams", () => {
    const service = {
      sid: 1,
      pmtPid: 0x40,
      streams: [{ pid: 0x50, streamType: 27, kind: "video", codec: "" }],
    } as const;
    const facts = { packets: 9, transportErrors: 2, scrambledPackets: 0, duplicates: 0 };
    const pids = [0, 0x12, 0x40, 0x50, 0x60].map((pid, at) => ({
      pid,
      continuityErrors: 10 ** at,
      ...facts,
    }));
    const whole = segment(80_000, [{ start: 0, stop: 90_000 }]);
    const told = (pmtPid: number) => {
      const inspection = {
        ...whole.inspection,
        pids,
        continuityErrors: 11_111,
        transportErrors: 10,
        services: [{ ...service, pmtPid }],
      };
      const { continuityErrors, transportErrors, tableErrors } = evidence({ ...whole, inspection });
      return [continuityErrors, transportErrors, tableErrors];
    };
    expect(told(0x40)).toEqual([11_000, 4, 117]);
    expect(told(0x50)).toEqual([11_100, 6, 15]);
  });

  it("R-28 shows the gaps within a segment and between segments, in order of time", () => {
    const torn = segment(20_000, [
      { start: 0, stop: 10_000 },
      { start: 12_000, stop: 30_000 },
    ]);
    const found = evidence(torn, segment(80_000, [{ start: 0, stop: 55_000 }]));
    expect(found.gaps).toEqual([
      { start: AT, stop: AT + 2000 },
      { start: AT + 20_000, stop: AT + 25_000 },
    ]);
    expect(found).toMatchObject({
      eventCoveredMs: 53_000,
      windowCoveredMs: 83_000,
      segments: 2,
      bytes: 2000,
    });
  });

  describe("of segments with one common clock", () => {
    const TICKS_PER_MS = 27_000;
    const WRAP = 2 ** 33 * 300;
    /** From and to by the stream's clock, which stands at 0 two seconds into the event; written so much later. */
    function clocked(fromMs: number, toMs: number, delayMs: number): InspectedSegment {
      const ticks = (ms: number) => ((ms - 2000) * TICKS_PER_MS + WRAP) % WRAP;
      const plain = segment(toMs + delayMs, [{ start: 0, stop: toMs - fromMs }]);
      const clockEnds = { first: ticks(fromMs), last: ticks(toMs) };
      return { ...plain, inspection: { ...plain.inspection, clockEnds } };
    }
    const gapsOf = (...segments: readonly InspectedSegment[]) =>
      evidence(...segments).gaps.map(({ start, stop }) => [start - AT, stop - AT]);

    it("R-28 measures a gap to the millisecond despite late writes, and dates it by the promptest segment", () => {
      const [first, second] = [clocked(-10_000, 1500, 4), clocked(1777, 80_000, 900)];
      expect(gapsOf(first, second)).toEqual([[1504, 1781]]);
      expect(gapsOf(clocked(-10_000, 1500, 700), clocked(1777, 80_000, 4))).toEqual([[1504, 1781]]);
    });

    it("counts common parts once", () => {
      const found = evidence(clocked(-10_000, 5000, 0), clocked(3000, 80_000, 800));
      expect(found).toMatchObject({ eventCoveredMs: 60_000, gaps: [] });
    });

    it("dates each by its own write time if each begins where the clock of the one before began", () => {
      // Each connection lasts 10 s, and the source starts an encoder, and so a clock, for each.
      const restarted = [0, 10_000, 20_000].map((fromMs, index) => {
        const own = clocked(fromMs, fromMs + 9500, 10);
        const clock = (ms: number) => (1400 + 30 * index + ms) * TICKS_PER_MS;
        return {
          ...own,
          inspection: { ...own.inspection, clockEnds: { first: clock(0), last: clock(9500) } },
        };
      });
      expect(gapsOf(...restarted).slice(1, -1)).toEqual([
        [9510, 10_010],
        [19_510, 20_010],
      ]);
      expect(evidence(...restarted).eventCoveredMs).toBe(28_510);
    });

    it("counts a part once that a source sends again from its buffer, faster than live", () => {
      const again = clocked(-10_000, 30_000, 0);
      const found = evidence(clocked(-10_000, 5000, 0), again);
      expect(found).toMatchObject({ gaps: [{ start: AT + 30_000, stop: AT + 80_000 }] });
      expect(found.firstAt).toBe(AT - 10_000);
    });

    it("dates each by its own write time if a segment restarts its clock", () => {
      const other = clocked(1777, 80_000, 900);
      const anew = { ...other.inspection, clockEnds: { first: 5e9, last: 7e9 } };
      expect(gapsOf(clocked(-10_000, 1500, 4), { ...other, inspection: anew })).toEqual([[1504, 2677]]);
    });
  });

  it("R-05 proves nothing without payload or without a clock", () => {
    const found = evidence(segment(80_000, [{ start: 0, stop: 90_000 }], 0), segment(80_000, []));
    expect(found).toMatchObject({
      eventCoveredMs: 0,
      windowCoveredMs: 0,
      gaps: [WINDOW],
      continuityErrors: 4,
    });
    expect(found.firstAt).toBeUndefined();
  });

  it("R-04 proves nothing by packets that came faster than a broadcast, and dates the others as without them", () => {
    const fast = { ...segment(20_000, [{ start: 0, stop: 90_000 }]), undatable: true } as const;
    expect(evidence(fast)).toMatchObject({ eventCoveredMs: 0, windowCoveredMs: 0, gaps: [WINDOW] });
    expect(evidence(fast).firstAt).toBeUndefined();
    const live = segment(80_000, [{ start: 0, stop: 55_000 }]);
    const { gaps, firstAt, eventCoveredMs } = evidence(live);
    expect(evidence(fast, live)).toMatchObject({ gaps, firstAt, eventCoveredMs });
  });

  it("counts as whole if its ends miss less than the distance of two PCRs, and no more", () => {
    expect(evidence(segment(79_900, [{ start: 0, stop: 89_800 }]))).toMatchObject({
      windowCoveredMs: 90_000,
      gaps: [],
    });
    expect(evidence(segment(79_899, [{ start: 0, stop: 89_900 }]))).toMatchObject({
      windowCoveredMs: 89_899,
    });
  });

  it("reports no gap without a clock", () => {
    const plain = segment(80_000, []);
    const found = evidence({ ...plain, inspection: { ...plain.inspection, clock: "none" } });
    expect(found).toMatchObject({ eventCoveredMs: 0, gaps: [], clock: "none" });
  });

  it("distinguishes a part without picture from a part without data", () => {
    const plain = segment(80_000, [
      { start: 0, stop: 20_000 },
      { start: 40_000, stop: 90_000 },
    ]);
    const lacks = [{ kind: "picture", start: 25_000, stop: 40_000 }] as const;
    expect(evidence({ ...plain, inspection: { ...plain.inspection, lacks } }).gaps).toEqual([
      { start: AT + 10_000, stop: AT + 15_000 },
      { start: AT + 15_000, stop: AT + 30_000, lacks: "picture" },
    ]);
  });

  it("reports the loss of another sound, and does not count it as missing", () => {
    const plain = segment(80_000, [{ start: 0, stop: 90_000 }]);
    const announced = [{ start: 0, stop: 90_000 }];
    const sound = { streamType: 3, kind: "audio", codec: "MPEG-1 audio", announced } as const;
    const tracks = [
      { ...sound, pid: 257, language: "eng", isMain: true, spans: announced },
      { ...sound, pid: 258, language: "deu", isMain: false, spans: [{ start: 0, stop: 40_000 }] },
      { ...sound, pid: 259, language: "fra", isMain: false, spans: [] },
    ];
    const found = evidence({ ...plain, inspection: { ...plain.inspection, tracks } });
    expect(found).toMatchObject({ eventCoveredMs: 60_000, gaps: [] });
    expect(found.incompleteTracks).toMatchObject([
      {
        pid: 258,
        isMain: false,
        eventCoveredMs: 30_000,
        missing: [{ start: AT + 30_000, stop: AT + 80_000 }],
      },
      { pid: 259, eventCoveredMs: 0, neverSent: true },
    ]);
  });

  it("contains at most 20 gaps", () => {
    const spans = Array.from({ length: 40 }, (_, index) => ({
      start: index * 2000,
      stop: index * 2000 + 1000,
    }));
    expect(evidence(segment(80_000, spans)).gaps).toHaveLength(20);
  });

  // Spans of up to 20 segments anywhere around the window.
  const segments = fc.array(
    fc
      .tuple(
        fc.integer({ min: -30_000, max: 120_000 }),
        fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 8 }),
      )
      .map(([writtenAtMs, lengths]) => {
        const bounds = lengths.map((_, index) => lengths.slice(0, index + 1).reduce((a, b) => a + b, 0));
        const spans = bounds.flatMap((stop, index) =>
          index % 2 === 1 ? [{ start: bounds[index - 1] ?? 0, stop }] : [],
        );
        return segment(writtenAtMs, spans);
      }),
    { maxLength: 8 },
  );

  it("covers between nothing and everything", () => {
    fc.assert(
      fc.property(segments, (list) => {
        const { eventMs, eventCoveredMs, windowMs, windowCoveredMs } = evidence(...list);
        return (
          eventCoveredMs >= 0 &&
          eventCoveredMs <= eventMs &&
          windowCoveredMs >= 0 &&
          windowCoveredMs <= windowMs
        );
      }),
    );
  });

  it("has gaps that complete the covered part to the window", () => {
    fc.assert(
      fc.property(segments, (list) => {
        const { gaps, windowMs, windowCoveredMs } = evidence(...list);
        const missing = gaps.reduce((sum, gap) => sum + lengthMs(gap), 0);
        return gaps.length === 20 || missing + windowCoveredMs === windowMs;
      }),
    );
  });

  it("never proves less with one segment more", () => {
    fc.assert(
      fc.property(segments, segments, (list, more) => {
        const less = evidence(...list);
        const all = evidence(...list, ...more);
        return all.eventCoveredMs >= less.eventCoveredMs && all.windowCoveredMs >= less.windowCoveredMs;
      }),
    );
  });

  it("does not depend on the order of the segments", () => {
    fc.assert(
      fc.property(segments, (list) => {
        return JSON.stringify(evidence(...list)) === JSON.stringify(evidence(...list.toReversed()));
      }),
    );
  });
});
