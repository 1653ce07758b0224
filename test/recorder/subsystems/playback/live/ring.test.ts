import { describe, expect, it } from "vitest";
import type { FoundPoint } from "../../../../../src/mpeg-ts/streams/access-points.ts";
import { mediaPlaylist } from "../../../../../src/recorder/subsystems/playback/hls/playlist.ts";
import { leadInOf, type Segment } from "../../../../../src/recorder/subsystems/playback/hls/segments.ts";
import { LIVE_LIMITS } from "../../../../../src/recorder/subsystems/playback/live/limits.ts";
import { createRing, type Ring } from "../../../../../src/recorder/subsystems/playback/live/ring.ts";
import { fc } from "../../../../properties.ts";
import { type CheckedPlaylist, checkPlaylist, checkReload } from "../rfc8216.ts";

/** A change of a buffer. Access points are as far apart as those of broadcasters. */
type Step =
  | { readonly kind: "point"; readonly ms: number; readonly packets: number; readonly isNewTable: boolean }
  | { readonly kind: "cut"; readonly ms: number; readonly packets: number }
  | { readonly kind: "clock" }
  | { readonly kind: "file" }
  | { readonly kind: "trim"; readonly keepMs: number; readonly keepBytes: number };

const point: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant("point" as const),
  ms: fc.integer({ min: 400, max: 5000 }),
  packets: fc.integer({ min: 1, max: 5000 }),
  isNewTable: fc.integer({ min: 0, max: 19 }).map((nth) => nth === 0),
});
const cut: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant("cut" as const),
  ms: fc.integer({ min: 1, max: 400 }),
  packets: fc.integer({ min: 1, max: 500 }),
});
const trim: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant("trim" as const),
  keepMs: fc.integer({ min: 0, max: 120_000 }),
  keepBytes: fc.integer({ min: 0, max: 20_000_000 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: point },
  { weight: 3, arbitrary: cut },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "clock" }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: "file" }) },
  { weight: 2, arbitrary: trim },
);
const steps = fc.array(step, { minLength: 1, maxLength: 150 });
/** Enough for breaks to leave. */
const manySteps = fc.array(step, { minLength: 60, maxLength: 60 });

/** Carries out the steps on a ring; `after` is called after each. */
function runOn(all: readonly Step[], after: (ring: Ring) => void): Ring {
  const ring = createRing();
  let [files, atMs, streamMs, offset, pts, table] = [0, 0, 0, 0, 0, 0];
  const begin = () => {
    files += 1;
    [streamMs, offset] = [0, 0];
    ring.begin(`file ${files}`);
  };
  begin();
  for (const step of all) {
    if (step.kind === "file") begin();
    if (step.kind === "clock") pts += 2 ** 32;
    if (step.kind === "trim") ring.trim({ ...step, leastMs: LIVE_LIMITS.leastMs });
    if (step.kind === "cut") {
      [atMs, streamMs, offset] = [atMs + step.ms, streamMs + step.ms, offset + step.packets * 188];
      pts = (pts + step.ms * 90) % 2 ** 33;
      ring.cut({ offset, pts, streamMs });
    }
    if (step.kind === "point") {
      [atMs, streamMs, offset] = [atMs + step.ms, streamMs + step.ms, offset + step.packets * 188];
      pts = (pts + step.ms * 90) % 2 ** 33;
      table += Number(step.isNewTable);
      const found: FoundPoint = { offset, pts, streamMs, check: 0 };
      ring.add(found, Uint8Array.of(table), atMs);
    }
    after(ring);
  }
  return ring;
}

function playlistOf({ segments, removedBreaks }: Ring): CheckedPlaylist {
  const uriOf = ({ number }: Segment) => `${number}.ts`;
  const live = { removedBreaks };
  return checkPlaylist(mediaPlaylist(segments, { isGrowing: true, startedAt: 0, live, uriOf }));
}

describe("the ring of a live service", () => {
  it("gives a valid playlist after each change, and consistent reloads", () => {
    fc.assert(
      fc.property(manySteps, (all) => {
        let before: CheckedPlaylist | undefined;
        runOn(all, (ring) => {
          const now = playlistOf(ring);
          expect([...now.faults, ...(before === undefined ? [] : checkReload(before, now))]).toEqual([]);
          before = now;
        });
      }),
      { numRuns: 15 },
    );
  });

  it("finds the bytes of each segment in one file from its access point on, and has its tables", () => {
    fc.assert(
      fc.property(steps, (all) => {
        runOn(all, (ring) => {
          ring.free(ring.front);
          for (const segment of ring.segments) {
            const { end, tables } = segment;
            const first = segment.first - leadInOf(segment);
            const [from, to] = [ring.place(first), ring.place(end - 1)];
            expect(from?.file).toBe(to?.file);
            expect((to?.position ?? 0) - (from?.position ?? 0)).toBe(end - 1 - first);
            expect(ring.tables[tables]?.length).toBe(1);
          }
        });
      }),
    );
  });

  it("begins and ends the first segment of a file at a cut, and all others at access points", () => {
    fc.assert(
      fc.property(steps, (all) => {
        runOn(all, ({ segments }) => {
          for (const [at, segment] of segments.entries()) {
            const before = segments[at - 1];
            if (leadInOf(segment) === 0) continue;
            const isSecond = before?.number === 0 || before?.isBreak;
            expect([isSecond, segment.isBreak, segment.first]).toEqual([true, false, before?.end]);
            expect(leadInOf(segment)).toBe(segment.first - (before?.first ?? 0));
          }
        });
      }),
    );
  });

  it("releases each file once, and no byte that a segment needs", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const given: string[] = [];
        runOn(all, (ring) => {
          const { files, front } = ring.free(ring.front);
          given.push(...files);
          const needed = ring.segments.map(({ first }) => ring.place(first));
          for (const place of needed) {
            expect(given).not.toContain(place?.file);
            if (place?.file === front?.file)
              expect(place?.position).toBeGreaterThanOrEqual(front?.bytes ?? 0);
          }
        });
        expect(new Set(given).size).toBe(given.length);
      }),
    );
  });

  it("keeps the requested time and size, and never less than players need", () => {
    const points: readonly Step[] = Array.from({ length: 400 }, () => ({
      kind: "point",
      ms: 1000,
      packets: 1000,
      isNewTable: false,
    }));
    const lengthMs = (last: Step) => {
      const { segments } = runOn([...points, last], () => {});
      return segments.reduce((sum, { durationMs }) => sum + durationMs, 0);
    };
    const whole = { kind: "trim", keepMs: 1_000_000, keepBytes: 1_000_000_000 } as const;
    expect(lengthMs(whole)).toBeGreaterThan(390_000);
    expect(Math.abs(lengthMs({ ...whole, keepMs: 100_000 }) - 100_000)).toBeLessThanOrEqual(4000);
    expect(Math.abs(lengthMs({ ...whole, keepBytes: 188_000 * 60 }) - 60_000)).toBeLessThanOrEqual(4000);
    expect(lengthMs({ ...whole, keepBytes: 0 })).toBeGreaterThanOrEqual(LIVE_LIMITS.leastMs);
  });
});
