import { expect, it } from "vitest";
import { MPEG_TS_LIMITS } from "../../../src/mpeg-ts/limits.ts";
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
