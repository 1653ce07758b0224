import { expect, it } from "vitest";
import { MPEG_TS_LIMITS } from "../../../src/mpeg-ts/limits.ts";
import { ServiceTimeline } from "../../../src/mpeg-ts/streams/service-timeline.ts";
import { Spans, TICKS_PER_MS } from "../../../src/mpeg-ts/streams/spans.ts";
import { fc } from "../../properties.ts";

/** Inserts time into a list of windows, as the sentence says: what is later moves, and a span around the instant is cut. */
function inserted(spans: readonly (readonly [number, number])[], at: number, lost: number) {
  return spans.flatMap(([start, stop]) => {
    if (stop <= at) return [{ start, stop }];
    if (start >= at) return [{ start: start + lost, stop: stop + lost }];
    return [
      { start, stop: at },
      { start: at + lost, stop: stop + lost },
    ];
  });
}

it("spans after missing time move by it, and those before it stay", () => {
  const step = fc.integer({ min: 1, max: 20 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(step, step), { maxLength: 8 }),
      fc.integer({ min: 0, max: 200 }),
      step,
      (steps, at, lost) => {
        const spans = new Spans();
        let end = 0;
        const list = steps.map(([pause, length]) => {
          const start = end + pause;
          end = start + length;
          spans.add(start * TICKS_PER_MS, end * TICKS_PER_MS);
          return [start, end] as const;
        });
        spans.insert(at * TICKS_PER_MS, lost * TICKS_PER_MS);
        expect(spans.windows).toEqual(inserted(list, at, lost));
      },
    ),
  );
});

it("missing time near the end costs the same, however many spans come before it", () => {
  const spans = new Spans();
  const begin = process.cpuUsage();
  for (let number = 0; number < MPEG_TS_LIMITS.spans; number += 1) {
    const start = 10 * number * TICKS_PER_MS;
    spans.add(start, start + TICKS_PER_MS);
    for (let again = 0; again < 4; again += 1) spans.insert(start + TICKS_PER_MS, 0);
  }
  const { user, system } = process.cpuUsage(begin);
  expect(spans.windows).toHaveLength(MPEG_TS_LIMITS.spans);
  expect((user + system) / 1e6).toBeLessThan(2);
});

it("spans beyond the limit do not count, and the last one before them does not reach to the end instead", () => {
  const spans = new Spans(3);
  const add = (ms: number) => spans.add(ms * TICKS_PER_MS, (ms + 1) * TICKS_PER_MS);
  for (const ms of [0, 10, 20]) add(ms);
  expect(spans.windowsTo(25 * TICKS_PER_MS).at(-1)).toEqual({ start: 20, stop: 25 });
  add(30);
  expect(spans.windowsTo(35 * TICKS_PER_MS).at(-1)).toEqual({ start: 20, stop: 21 });
});

it("spans of the first two streams of a kind are all there, and those of further ones up to their limit", () => {
  const pids = [0x100, 0x101, 0x102];
  const streams = pids.map((pid) => ({ pid, streamType: 3, kind: "audio" as const, codec: "MPEG-1 audio" }));
  const timeline = new ServiceTimeline({ kind: "pcr", pid: 0x100 }, { crc: 0, pcrPid: 0x100, streams });
  const count = MPEG_TS_LIMITS.spansOfExtra + 50;
  let ticks = 0;
  const pass = (ms: number) => {
    ticks += ms * TICKS_PER_MS;
    timeline.apply({ kind: "pcr", pid: 0x100, ticks, signalled: false });
  };
  for (let number = 0; number < count; number += 1) {
    pass(2000);
    pass(40);
    for (const pid of pids) timeline.apply({ kind: "unit", pid, stamp: ticks });
    pass(40);
  }
  const { tracks } = timeline.facts({ wasScrambled: () => false, isRadio: false });
  expect(tracks.map(({ spans }) => spans.length)).toEqual([count, count, MPEG_TS_LIMITS.spansOfExtra]);
});
