import { describe, expect, it } from "vitest";
import { MINUTE } from "../../src/model/time.ts";
import {
  contains,
  coveredMs,
  intersection,
  lengthMs,
  merged,
  overlaps,
  padded,
  shared,
  uncovered,
  type Window,
} from "../../src/model/window.ts";
import { fc } from "../properties.ts";

const END = 24;
const MILLISECONDS = Array.from({ length: END }, (_, at) => at);

/** Also windows that are empty, or end before they begin. */
const anyWindow = fc.record({ start: fc.nat(END), stop: fc.nat(END) });
const window = anyWindow.map(({ start, stop }) => ({
  start: Math.min(start, stop),
  stop: Math.max(start, stop),
}));
const windows = fc.array(anyWindow, { maxLength: 8 });

/** The law that everything is measured by: a window is the set of its milliseconds. */
const inside = (spans: readonly Window[]) => MILLISECONDS.filter((at) => spans.some((s) => contains(s, at)));
const same = (a: readonly number[], b: readonly number[]) => a.join() === b.join();

describe("a window", () => {
  it("includes its start but not its stop", () => {
    const nine = { start: 9, stop: 10 };
    expect([8, 9, 10].map((at) => contains(nine, at))).toEqual([false, true, false]);
  });

  it("is as long as its milliseconds", () => {
    fc.assert(fc.property(anyWindow, (a) => lengthMs(a) === inside([a]).length));
  });

  it("R-25 does not overlap an adjacent window", () => {
    expect(overlaps({ start: 1, stop: 2 }, { start: 2, stop: 3 })).toBe(false);
  });

  it("overlaps another exactly if they share a millisecond, in either order", () => {
    const property = fc.property(window, window, (a, b) => {
      fc.pre(lengthMs(a) > 0 && lengthMs(b) > 0);
      const shared = inside([a]).some((at) => contains(b, at));
      return overlaps(a, b) === shared && overlaps(b, a) === shared;
    });
    fc.assert(property);
  });

  it("intersects another in their common part", () => {
    const property = fc.property(window, window, (a, b) =>
      same(
        inside([intersection(a, b)]),
        inside([a]).filter((at) => contains(b, at)),
      ),
    );
    fc.assert(property);
  });

  it("is wider by its padding, and unchanged without padding", () => {
    expect(
      padded({ start: 10 * MINUTE, stop: 20 * MINUTE }, { beforeMs: MINUTE, afterMs: 3 * MINUTE }),
    ).toEqual({
      start: 9 * MINUTE,
      stop: 23 * MINUTE,
    });
    fc.assert(
      fc.property(
        window,
        (a) => JSON.stringify(padded(a, { beforeMs: 0, afterMs: 0 })) === JSON.stringify(a),
      ),
    );
  });
});

describe("spans of a recording", () => {
  it("intersect others in the common parts, in order", () => {
    const property = fc.property(windows, windows, (a, b) => {
      const both = shared(merged(a), merged(b));
      const sorted = both.every((span, index) => (both[index - 1]?.stop ?? span.start) <= span.start);
      const inBoth = inside(a).filter((at) => inside(b).includes(at));
      return sorted && both.every((span) => lengthMs(span) > 0) && same(inside(both), inBoth);
    });
    fc.assert(property);
  });

  it("merge into sorted windows with a gap between any two", () => {
    const property = fc.property(windows, (spans) => {
      const out = merged(spans);
      const apart = out.every((span, index) => {
        const before = out[index - 1];
        return lengthMs(span) > 0 && (before === undefined || before.stop < span.start);
      });
      return apart && same(inside(out), inside(spans));
    });
    fc.assert(property);
  });

  it("merge to the same result in any order, and merging twice changes nothing", () => {
    const property = fc.property(windows, (spans) => {
      const once = JSON.stringify(merged(spans));
      return (
        once === JSON.stringify(merged([...spans].reverse())) &&
        once === JSON.stringify(merged(merged(spans)))
      );
    });
    fc.assert(property);
  });

  it("R-04 cover each millisecond of a window at most once", () => {
    const property = fc.property(window, windows, (whole, spans) => {
      const held = inside([whole]).filter((at) => spans.some((span) => contains(span, at)));
      return coveredMs(whole, spans) === held.length;
    });
    fc.assert(property);
  });

  it("R-28 leave exactly the rest uncovered, in order", () => {
    const property = fc.property(window, windows, (whole, spans) => {
      const gaps = uncovered(whole, spans);
      const rest = inside([whole]).filter((at) => !spans.some((span) => contains(span, at)));
      return (
        same(inside(gaps), rest) &&
        gaps.every((gap) => lengthMs(gap) > 0) &&
        JSON.stringify(merged(gaps)) === JSON.stringify(gaps)
      );
    });
    fc.assert(property);
  });

  it("R-04 and their gaps together make the window", () => {
    const property = fc.property(window, windows, (whole, spans) => {
      const missing = uncovered(whole, spans).reduce((sum, gap) => sum + lengthMs(gap), 0);
      return coveredMs(whole, spans) + missing === lengthMs(whole);
    });
    fc.assert(property);
  });
});
