import { describe, expect, it } from "vitest";
import type { AccessIndex, AccessPoint } from "../../../../src/model/access-index.ts";
import { mediaPlaylist } from "../../../../src/recorder/subsystems/playback/hls/playlist.ts";
import { segmentsOf } from "../../../../src/recorder/subsystems/playback/hls/segments.ts";
import { PLAYBACK_LIMITS } from "../../../../src/recorder/subsystems/playback/limits.ts";
import { fc } from "../../../properties.ts";
import { checkPlaylist, checkReload } from "./rfc8216.ts";

type Points = Pick<AccessIndex, "points" | "isGrowing" | "bytes" | "durationMs">;

/** Points a step apart, from these distances. */
function pointsAt(
  steps: readonly {
    readonly ms: number;
    readonly packets: number;
    readonly isBreak: boolean;
    readonly tables: number;
  }[],
): readonly AccessPoint[] {
  let [offset, streamMs, tables] = [0, 0, 0];
  return steps.map(({ ms, packets, isBreak, tables: change }) => {
    offset += packets * 188;
    streamMs += ms;
    tables += change;
    return { offset, streamMs, isBreak, tables, pts: (streamMs * 90) % 2 ** 33 };
  });
}

/** Access points like those of broadcasters: every 0.4 to 5 s, sometimes after missing data. */
const recordings: fc.Arbitrary<Points> = fc
  .array(
    fc.record({
      ms: fc.integer({ min: 400, max: 5000 }),
      packets: fc.integer({ min: 1, max: 5000 }),
      isBreak: fc.integer({ min: 0, max: 9 }).map((nth) => nth === 0),
      tables: fc.integer({ min: 0, max: 19 }).map((nth) => Number(nth === 0)),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((steps) => {
    const points = pointsAt(steps);
    const last = points.at(-1);
    return {
      points,
      isGrowing: false,
      bytes: (last?.offset ?? 0) + 188_000,
      durationMs: (last?.streamMs ?? 0) + 900,
    };
  });

const playlistOf = (recording: Points) =>
  mediaPlaylist(segmentsOf(recording), {
    isGrowing: recording.isGrowing,
    startedAt: Date.UTC(2026, 10, 24, 19),
    uriOf: ({ number }) => `${number}.ts`,
  });

describe("segments of a recording", () => {
  it("contain every byte from the first access point to the end once, and begin at access points", () => {
    fc.assert(
      fc.property(recordings, (recording) => {
        const segments = segmentsOf(recording);
        const starts = new Set(recording.points.map(({ offset }) => offset));
        expect(segments[0]?.first).toBe(recording.points[0]?.offset);
        expect(segments.at(-1)?.end).toBe(recording.bytes);
        for (const [at, { first, end }] of segments.entries()) {
          expect(starts).toContain(first);
          expect(end).toBeGreaterThan(first);
          if (at > 0) expect(first).toBe(segments[at - 1]?.end);
        }
      }),
    );
  });

  it("never change while the recording grows or once it is finished", () => {
    fc.assert(
      fc.property(recordings, fc.nat(60), (recording, count) => {
        const points = recording.points.slice(0, count + 1);
        const growing = segmentsOf({ ...recording, points, isGrowing: true });
        expect(segmentsOf(recording).slice(0, growing.length)).toEqual(growing);
      }),
    );
  });

  it("last no longer than the target duration, and contain no break", () => {
    fc.assert(
      fc.property(recordings, (recording) => {
        for (const { first, end, durationMs } of segmentsOf(recording)) {
          expect(durationMs).toBeGreaterThan(0);
          expect(durationMs).toBeLessThanOrEqual(PLAYBACK_LIMITS.targetMs);
          const inside = recording.points.filter(({ offset }) => offset > first && offset < end);
          expect(inside.filter(({ isBreak }) => isBreak)).toEqual([]);
        }
      }),
    );
  });

  it.each([true, false])("do not include missing data in their duration (another clock: %s)", (isOther) => {
    const steps = [0, 1000, 1000, 31_000, 1000].map((ms, at) => ({
      ms,
      packets: 100,
      isBreak: isOther && at === 3,
      tables: 0,
    }));
    const segments = segmentsOf({
      points: pointsAt(steps),
      isGrowing: false,
      bytes: 188_000,
      durationMs: 35_000,
    });
    expect(segments.map(({ startMs, durationMs, isBreak }) => ({ startMs, durationMs, isBreak }))).toEqual([
      { startMs: 0, durationMs: 1000, isBreak: false },
      { startMs: 1000, durationMs: 1000, isBreak: false },
      { startMs: 2000, durationMs: 1000, isBreak: false },
      { startMs: 33_000, durationMs: 2000, isBreak: true },
    ]);
  });
});

describe("the playlist of a recording", () => {
  it("follows RFC 8216 while growing, once finished, and across reloads", () => {
    fc.assert(
      fc.property(recordings, fc.nat(60), (recording, count) => {
        const growing = { ...recording, points: recording.points.slice(0, count + 1), isGrowing: true };
        const [before, after] = [checkPlaylist(playlistOf(growing)), checkPlaylist(playlistOf(recording))];
        expect([before.faults, after.faults, checkReload(before, after)]).toEqual([[], [], []]);
        expect([before.isComplete, after.isComplete]).toEqual([false, true]);
      }),
    );
  });

  it("states the time of day at its start and after each break", () => {
    const steps = [0, 5000, 65_000, 5000].map((ms, at) => ({ ms, packets: 9, isBreak: at === 2, tables: 0 }));
    const recording = { points: pointsAt(steps), isGrowing: false, bytes: 188_000, durationMs: 76_000 };
    const { segments } = checkPlaylist(playlistOf(recording));
    expect(segments.map(({ dateTime }) => dateTime)).toEqual([
      Date.UTC(2026, 10, 24, 19),
      undefined,
      Date.UTC(2026, 10, 24, 19, 1, 10),
      undefined,
    ]);
  });
});

describe("the playlist checker", () => {
  const good = playlistOf({
    points: pointsAt([{ ms: 0, packets: 0, isBreak: false, tables: 0 }]),
    isGrowing: false,
    bytes: 188,
    durationMs: 4000,
  });

  it.each([
    ["§4.3.1.1", good.replace("#EXTM3U\n", "")],
    ["§4.3.3.1", good.replace("#EXTINF:4.000", "#EXTINF:14.000")],
    ["§4.3.3.1", good.replace(/#EXT-X-TARGETDURATION.*\n/, "")],
    ["§4.3.2.1", good.replace(/#EXTINF.*\n/, "")],
    ["§4.3.3.5", good.replace("EVENT", "LIVE")],
    ["§7", good.replace("VERSION:3", "VERSION:2")],
    ["§4.1", good.replace("0.ts", "a b.ts")],
    ["§4.3.5.2", good.replace("TIME-OFFSET=0", "PRECISE=YES")],
    ["§4.3.2.6", good.replace(/(DATE-TIME:).*/, "$1yesterday")],
  ])("finds each violation of %s", (section, text) => {
    expect(checkPlaylist(good).faults).toEqual([]);
    expect(checkPlaylist(text).faults.join("\n")).toContain(section);
  });
});
