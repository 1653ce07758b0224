import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { Inspection } from "../../../src/model/inspection.ts";
import { MPEG_TS_LIMITS } from "../../../src/mpeg-ts/limits.ts";
import { ByteRateCounter } from "../../../src/mpeg-ts/streams/byte-rate.ts";
import { integrityOfFile } from "../../../src/recorder/evidence/file-integrity.ts";
import { Inspector } from "../../../src/recorder/evidence/inspector.ts";
import { integrityOf, type WrittenSegment } from "../../../src/recorder/evidence/integrity.ts";
import { EVIDENCE_LIMITS } from "../../../src/recorder/evidence/limits.ts";
import { join, PidWriter, pat, payload, pmt, unit } from "../../kit/ts-builder.ts";
import { casesOf } from "../../lane.ts";
import { fc } from "../../properties.ts";

const NOTHING = new Inspector(undefined).inspection();
const AT = Date.UTC(2026, 10, 20, 20, 0);
const WINDOW = { start: AT, stop: AT + 60_000 };

/** A segment of one PID with payload from end to end, whose last PCR was written at `untilMs`. */
function segment(
  number: number,
  lengthMs: number,
  untilMs: number,
  more: Partial<Inspection> = {},
): WrittenSegment {
  const inspection: Inspection = {
    ...NOTHING,
    packets: 100,
    payloadPackets: 90,
    pids: [pid(256, 100)],
    spans: [{ start: 0, stop: lengthMs }],
    streamMs: lengthMs,
    rate: { spanMs: 1000, bytes: new Array<number>(Math.ceil(lengthMs / 1000)).fill(125_000) },
    ...more,
  };
  return { number, inspection, writtenAt: AT + untilMs, bytes: 18_800 };
}

function pid(number: number, packets: number, errors = 0) {
  const none = { transportErrors: 0, scrambledPackets: 0, duplicates: 0 };
  return { pid: number, packets, continuityErrors: errors, ...none };
}

describe("the integrity report", () => {
  it("adds up the counts of each PID over all segments", () => {
    const report = integrityOf(
      [
        segment(1, 20_000, 20_000, { pids: [pid(256, 100, 2), pid(17, 5)] }),
        segment(2, 30_000, 60_000, { pids: [pid(256, 50, 1), { ...pid(257, 8), scrambledPackets: 2 }] }),
      ],
      WINDOW,
    );
    expect(report.pids).toEqual([
      { ...pid(17, 5), scrambledShare: 0 },
      { ...pid(256, 150, 3), scrambledShare: 0 },
      { ...pid(257, 8), scrambledPackets: 2, scrambledShare: 0.25 },
    ]);
    expect(report).toMatchObject({ packets: 200, payloadPackets: 180 });
  });

  it("R-28 places gaps by wall clock and by file time", () => {
    const torn = segment(1, 20_000, 20_000, {
      spans: [
        { start: 0, stop: 5000 },
        { start: 8000, stop: 20_000 },
      ],
    });
    const report = integrityOf([torn, segment(3, 30_000, 55_000)], WINDOW);
    expect(report.gaps).toEqual([
      { start: AT + 5000, stop: AT + 8000, streamMs: 5000 },
      { start: AT + 20_000, stop: AT + 25_000, streamMs: 20_000 },
      { start: AT + 55_000, stop: AT + 60_000, streamMs: 50_000 },
    ]);
    expect(report.segments).toEqual([
      { attempt: 1, bytes: 18_800, start: AT, stop: AT + 20_000, streamMs: 0 },
      { attempt: 3, bytes: 18_800, start: AT + 25_000, stop: AT + 55_000, streamMs: 20_000 },
    ]);
  });

  it("has room for the time between two segments if the clock goes on, as players have it", () => {
    const clockEnds = (fromMs: number, toMs: number) => ({ first: fromMs * 27_000, last: toMs * 27_000 });
    const first = segment(1, 20_000, 20_000, { clockEnds: clockEnds(0, 20_000) });
    const second = segment(3, 30_000, 55_300, { clockEnds: clockEnds(25_000, 55_000), clockBreaks: [1000] });
    const report = integrityOf([first, second], WINDOW);
    expect(report.segments.map(({ streamMs }) => streamMs)).toEqual([0, 25_000]);
    expect(report.gaps).toEqual([
      { start: AT + 20_000, stop: AT + 25_000, streamMs: 20_000 },
      { start: AT + 55_000, stop: AT + 60_000, streamMs: 55_000 },
    ]);
    expect(report.clockBreaks).toEqual([26_000]);
  });

  it("places clock breaks in the time of the whole file", () => {
    const report = integrityOf(
      [
        segment(1, 20_000, 20_000, { clockBreaks: [1000] }),
        segment(2, 30_000, 60_000, { clockBreaks: [0, 7000] }),
      ],
      WINDOW,
    );
    expect(report.clockBreaks).toEqual([1000, 20_000, 27_000]);
  });

  it("names each PID, and keeps names that a short segment lacks", async () => {
    const inspector = new Inspector({ onid: 318, tsid: 18_432, sid: 3401 });
    inspector.push(await readFile("test/fixtures/ts/rai-dvbt-mux.ts"));
    inspector.settle();
    const { streamMs } = inspector.inspection();
    const real = segment(1, streamMs, streamMs, inspector.inspection());
    const bare = segment(2, 100, 30_000, { services: [{ sid: 3401, streams: [] }] });
    const { pids, services } = integrityOf([real, bare], WINDOW);
    expect(pids.find((each) => each.pid === 512)).toMatchObject({ kind: "video", codec: "MPEG-2 video" });
    expect(pids.find((each) => each.pid === 650)).toMatchObject({ kind: "audio", language: "ita" });
    expect(services.find(({ sid }) => sid === 3401)).toMatchObject({ name: "Rai 1", provider: "Rai" });
    expect(services.find(({ sid }) => sid === 3401)?.streams.length).toBeGreaterThan(1);
  });

  it("lists a limited number of gaps, the longest", () => {
    const spans = Array.from({ length: 3000 }, (_, index) => ({
      start: index * 20,
      stop: index * 20 + 19 - (index % 2),
    }));
    const report = integrityOf([segment(1, 60_000, 60_000, { spans })], WINDOW);
    expect(report.gaps).toHaveLength(EVIDENCE_LIMITS.reportedGaps);
    expect(report.gaps.every(({ start, stop }) => stop - start === 2)).toBe(true);
  });

  it("omits the bit rate if there was no clock", () => {
    expect(integrityOf([segment(1, 0, 0, { spans: [] })], WINDOW).bitRate).toBeUndefined();
    expect(integrityOf([], WINDOW)).toMatchObject({ packets: 0, segments: [] });
  });

  it("shows the bit rate over the time of all segments, and none between them", () => {
    const { bitRate } = integrityOf([segment(1, 3000, 3000), segment(2, 2000, 7000)], WINDOW);
    expect(bitRate).toEqual({
      from: AT,
      spanMs: 1000,
      bitsPerSecond: [1e6, 1e6, 1e6, 0, 0, 1e6, 1e6],
    });
  });

  it("has all bytes in its bit rate, in a limited number of spans for any duration", () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 4_000_000 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(lengths, (each) => {
        let untilMs = 0;
        const segments = each.map((lengthMs, index) => {
          untilMs += lengthMs + 3000;
          const rate = new ByteRateCounter();
          for (let at = 0; at < lengthMs; ) {
            at = Math.min(lengthMs, at + Math.ceil(lengthMs / 50));
            rate.add(at, 1000);
          }
          return segment(index + 1, lengthMs, untilMs, { rate: rate.rate });
        });
        const put = segments.flatMap(({ inspection }) => inspection.rate.bytes).reduce((a, b) => a + b, 0);
        const { bitRate } = integrityOf(segments, WINDOW);
        const { from = 0, spanMs = 1, bitsPerSecond = [] } = bitRate ?? {};
        const to = Math.max(...segments.map(({ writtenAt }) => writtenAt));
        const found = bitsPerSecond.reduce(
          (sum, bits, index, { length }) =>
            sum + (bits / 8000) * (index === length - 1 ? to - from - index * spanMs : spanMs),
          0,
        );
        // Each span is rounded to a bit per second.
        return (
          bitsPerSecond.length <= MPEG_TS_LIMITS.rateSpans && Math.abs(found - put) <= 1 + (to - from) / 8000
        );
      }),
      { examples: [[[4_000_000]], [[1001]], [[1250]], [[1251]], [[1]]] },
    );
  });
});

describe("bytes over time", () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 10_000_000 }), fc.nat(10_000)), {
    maxLength: 60,
  });

  it("are complete, in a limited number of spans, none of which begins after the last byte", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const counter = new ByteRateCounter();
        let untilMs = 0;
        for (const [stepMs, bytes] of list) {
          untilMs += stepMs;
          counter.add(untilMs, bytes);
        }
        const { spanMs, bytes } = counter.rate;
        const put = list.reduce((sum, [, amount]) => sum + amount, 0);
        const found = bytes.reduce((sum, amount) => sum + amount, 0);
        return (
          bytes.length === Math.ceil(untilMs / spanMs) &&
          bytes.length <= MPEG_TS_LIMITS.rateSpans &&
          Math.abs(found - put) <= bytes.length
        );
      }),
    );
  });

  it("are spread evenly over the time of their arrival", () => {
    const counter = new ByteRateCounter();
    counter.add(500, 100);
    counter.add(2500, 2000);
    expect(counter.rate).toEqual({ spanMs: 1000, bytes: [600, 1000, 500] });
  });
});

describe("the bit rate of a constant stream", () => {
  const PACKETS_PER_SECOND = 4758;
  const BITS_PER_SECOND = PACKETS_PER_SECOND * 188 * 8;

  /** Packets at that rate, with a PCR in each n-th of them, and other packets before the first PCR and after the last. */
  function sent({ packets, every, before, after }: Record<"packets" | "every" | "before" | "after", number>) {
    const [clock, other] = [new PidWriter(256), new PidWriter(257)];
    const tables = [
      ...new PidWriter(0).sections(pat(1, { programmes: [[1, 32]] })),
      ...new PidWriter(32).sections(pmt({ sid: 1, pcrPid: 256, streams: [{ type: 2, pid: 256 }] })),
    ];
    const count = Math.floor((packets - 1) / every) * every + 1;
    const timed = Array.from({ length: count }, (_, index) =>
      index % every === 0
        ? clock.next({
            pcr: Math.round((index / PACKETS_PER_SECOND) * 27_000_000),
            payload: unit(index).subarray(0, 100),
          })
        : // The tables come late: by then there were some PCRs.
          (tables[index - 2 * every - 1] ?? other.next({ payload: payload(index) })),
    );
    const untimed = (length: number) =>
      Array.from({ length }, (_, index) => other.next({ payload: payload(index) }));
    return join([...untimed(before), ...timed, ...untimed(after)]);
  }

  it("is that rate in every span, at both ends too", () => {
    const shape = fc.record({
      packets: fc.integer({ min: 5000, max: 20_000 }),
      every: fc.integer({ min: 20, max: 400 }),
      before: fc.nat(500),
      after: fc.nat(500),
    });
    fc.assert(
      fc.property(shape, (each) => {
        const bytes = sent(each);
        const inspector = new Inspector(undefined);
        inspector.push(bytes);
        inspector.settle();
        const { bitRate } = integrityOfFile(inspector.inspection(), { bytes: bytes.length, sha256: "" });
        const rates = bitRate?.bitsPerSecond ?? [];
        return rates.length > 0 && rates.every((rate) => Math.abs(rate / BITS_PER_SECOND - 1) <= 0.005);
      }),
      { seed: 11, numRuns: casesOf({ sample: 8, all: 25 }) },
    );
  });
});
