import { describe, expect, it } from "vitest";
import { StreamClock } from "../../../src/mpeg-ts/streams/stream-clock.ts";
import { TICKS_PER_MS } from "../../kit/ts-builder.ts";
import { fc } from "../../properties.ts";

/** Nothing depends on the clock here. */
const NOBODY = { jumped: () => {}, inserted: () => {} };
const WRAP = 2 ** 33 * 300;

/** A clock that saw PCRs at these times, with payload between all of them. */
function clock(...timesMs: readonly number[]): StreamClock {
  return clockThatSays(false, timesMs);
}

function clockThatSays(signalled: boolean, timesMs: readonly number[]): StreamClock {
  const made = new StreamClock(NOBODY);
  for (const ms of timesMs) {
    made.read({ ticks: (ms * TICKS_PER_MS + WRAP) % WRAP, signalled });
  }
  return made;
}

/** Every 40 ms from one time to another, both included. */
function steady(fromMs: number, toMs: number): readonly number[] {
  return Array.from({ length: Math.floor((toMs - fromMs) / 40) + 1 }, (_, index) => fromMs + index * 40);
}

describe("the clock of a stream", () => {
  it("continues with the values, even if every packet announces a new clock", () => {
    const made = clockThatSays(true, steady(-2000, 2000));
    expect(made.spans).toEqual([{ start: 0, stop: 4000 }]);
    expect([made.positionMs, made.breaks]).toEqual([4000, []]);
  });

  it("continues over its wrap", () => {
    const wrapped = clock(...steady(-2000, 2000));
    expect(wrapped.positionMs).toBe(4000);
    expect(wrapped.spans).toEqual([{ start: 0, stop: 4000 }]);
    expect(wrapped.breaks).toEqual([]);
  });

  it("shows a jump ahead of more than 500 ms as missing time", () => {
    const gapped = clock(...steady(0, 1000), ...steady(4000, 5000));
    expect(gapped.spans).toEqual([
      { start: 0, stop: 1000 },
      { start: 4000, stop: 5000 },
    ]);
    expect(gapped.positionMs).toBe(5000);
    expect(gapped.breaks).toEqual([]);
  });

  describe.each([true, false])("that jumps ahead by 3 s, announced: %s", (signalled) => {
    /** Readings each 40 ms, two of the clock before the loss shows on another PID. */
    const jumped = (losses: (atMs: number) => number) => {
      const made = new StreamClock(NOBODY);
      for (const ms of [...steady(0, 1000), ...steady(4000, 6000)]) {
        const pace = { packets: ms, losses: losses(ms) };
        made.read({ ticks: ms * TICKS_PER_MS, signalled: signalled && ms === 4000, pace });
      }
      return made;
    };

    it("misses nothing if no counter breaks", () => {
      const made = jumped(() => 7);
      expect(made.spans).toEqual([{ start: 0, stop: 3000 }]);
      expect(made.breaks).toEqual(signalled ? [] : [1000]);
    });

    it.each([4000, 4040, 4120, 4900])("misses 3 s if one breaks at %i ms", (fromMs) => {
      const made = jumped((ms) => (ms < fromMs ? 7 : 8));
      expect(made.spans).toEqual([
        { start: 0, stop: 1000 },
        { start: 4000, stop: 6000 },
      ]);
      expect(made.breaks).toEqual([]);
    });

    it("misses nothing if one breaks later", () => {
      expect(jumped((ms) => (ms < 5500 ? 7 : 8)).positionMs).toBe(3000);
    });
  });

  it("R-04 shows such a jump even if the stream announces a new clock, because data may be lost there", () => {
    const found = clock(...steady(0, 1000));
    found.read({ ticks: 4000 * TICKS_PER_MS, signalled: true });
    for (const ms of steady(4040, 5000)) {
      found.read({ ticks: ms * TICKS_PER_MS, signalled: false });
    }
    expect(found.spans).toEqual([
      { start: 0, stop: 1000 },
      { start: 4000, stop: 5000 },
    ]);
    expect([found.positionMs, found.breaks]).toEqual([5000, []]);
  });

  it("shows no gap for 500 ms", () => {
    expect(clock(0, 500, 1000).spans).toEqual([{ start: 0, stop: 1000 }]);
  });

  it("breaks at a backward or absurd jump, and continues from its last value", () => {
    const back = clock(...steady(5000, 6000), ...steady(0, 1000));
    expect(back.breaks).toEqual([1000]);
    expect(back.spans).toEqual([{ start: 0, stop: 2000 }]);
    const absurd = clock(...steady(0, 1000), ...steady(3_600_000, 3_601_000));
    expect(absurd.breaks).toEqual([1000]);
    expect(absurd.positionMs).toBe(2000);
  });

  it("ignores one damaged value", () => {
    for (const wrong of [-3000, 3000, 300_000, 90_000_000]) {
      for (const signalled of [false, true]) {
        const found = clockThatSays(signalled, [...steady(0, 1000), wrong, ...steady(1040, 2000)]);
        expect(found.positionMs).toBe(2000);
        expect(found.breaks).toEqual([]);
        expect(found.spans).toEqual([{ start: 0, stop: 2000 }]);
      }
    }
  });

  it("may restart if the stream announces it", () => {
    const signalled = clock(...steady(5000, 6000));
    signalled.read({ ticks: 0, signalled: true });
    signalled.read({ ticks: 40 * TICKS_PER_MS, signalled: false });
    expect(signalled.positionMs).toBe(1040);
    expect(signalled.breaks).toEqual([]);
    expect(signalled.spans).toEqual([{ start: 0, stop: 1040 }]);
  });

  describe.each([true, false])("with an announced restart: %s", (signalled) => {
    /** With five seconds of each clock. */
    const anew = () => {
      const found = clock(...steady(100_000, 105_000));
      found.read({ ticks: 0, signalled });
      for (const ms of steady(40, 5000)) {
        found.read({ ticks: ms * TICKS_PER_MS, signalled: false });
      }
      return found;
    };
    const breaks = signalled ? [] : [5000];

    it("R-04 counts an earlier loss as missing, measured with the broadcast time", () => {
      const found = anew();
      // The broadcast time was read three seconds into the stream, and is read again now.
      found.elapsed(7000 + 8000, 3000);
      expect(found.spans).toEqual([
        { start: 0, stop: 5000 },
        { start: 13_000, stop: 18_000 },
      ]);
      expect([found.positionMs, found.breaks]).toEqual([18_000, breaks]);
      // Once only.
      found.elapsed(60_000, 3000);
      expect(found.positionMs).toBe(18_000);
    });

    it.each([
      ["continues within about a second", 7000 + 2000, 3000],
      ["was set", 7000 + 3_600_000, 3000],
      ["first came after the restart", 1000 + 8000, 9000],
    ])("misses nothing if the broadcast time %s", (_what, elapsedMs, fromMs) => {
      const found = anew();
      found.elapsed(elapsedMs, fromMs);
      expect(found.spans).toEqual([{ start: 0, stop: 10_000 }]);
    });
  });

  it("misses nothing by the broadcast time while its own clock continues", () => {
    const found = clock(...steady(0, 5000));
    found.elapsed(20_000, 1000);
    expect(found.spans).toEqual([{ start: 0, stop: 5000 }]);
  });

  it("keeps its spans in order, apart and within its length for any PCRs", () => {
    const steps = fc.array(fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: -1e7, max: 1e7 })), {
      maxLength: 100,
    });
    fc.assert(
      fc.property(steps, (list) => {
        let at = 1e8;
        const found = clock(...list.map((step) => (at += step)));
        const bounds = found.spans.flatMap(({ start, stop }) => [start, stop]);
        const inOrder = bounds.every((each, index) => each >= (bounds[index - 1] ?? 0));
        return inOrder && (bounds.at(-1) ?? 0) <= found.positionMs;
      }),
    );
  });
});
