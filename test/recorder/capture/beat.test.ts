import { expect, it } from "vitest";
import { untilNextBeat } from "../../../src/recorder/capture/beat.ts";
import { fc } from "../../properties.ts";

const EVERY_MS = 2000;
const instants = fc.double({ min: 0, max: 1e9, noNaN: true });

it("captures that began at any times read their files at the same instants", () => {
  fc.assert(
    fc.property(instants, (nowMs) => {
      const beats = (nowMs + untilNextBeat(EVERY_MS, nowMs)) / EVERY_MS;
      expect(beats).toBeCloseTo(Math.round(beats), 6);
    }),
  );
});

it("a timer that fires early brings no second look, and no look comes much later than usual", () => {
  fc.assert(
    fc.property(instants, (nowMs) => {
      const pauseMs = untilNextBeat(EVERY_MS, nowMs);
      expect(pauseMs).toBeGreaterThan(25);
      expect(pauseMs).toBeLessThanOrEqual(EVERY_MS + 50);
    }),
  );
  expect(untilNextBeat(EVERY_MS, 3999.5)).toBe(2000.5);
  expect(untilNextBeat(EVERY_MS, 4000.5)).toBe(1999.5);
});
