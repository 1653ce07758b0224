import type { AccessIndex, AccessPoint } from "../../../../model/access-index.ts";
import type { DurationMs } from "../../../../model/time.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";

/** A part of a recording that a player requests at once. */
export interface Segment {
  /** From 0. The same part has the same number, however much follows. */
  readonly number: number;
  /** Bytes of the recording, the last one excluded. */
  readonly first: number;
  readonly end: number;
  /** Its access points, in bytes from `first`; the first one is 0. */
  readonly accessPoints: readonly number[];
  /** On the recording's timeline. */
  readonly startMs: DurationMs;
  /** PTS of its first access point: 33 bits, in ticks of 90 kHz. */
  readonly pts: number;
  /** Length of its picture and sound: data that is missing before the next segment does not count. */
  readonly durationMs: DurationMs;
  /** Data is missing before it, or its time stamps do not continue those of the segment before. */
  readonly isBreak: boolean;
  /** It ends with the recording or before missing data, perhaps within a picture. */
  readonly isCut: boolean;
  /** Position of its PAT and PMT in the index. */
  readonly tables: number;
}

type Points = Pick<AccessIndex, "points" | "isGrowing" | "bytes" | "durationMs">;

/**
 * Divides a recording into segments that begin at access points. A segment ends at the first access point after
 * `PLAYBACK_LIMITS.segmentMs` (one of the first segments after `firstSegmentMs`), or where data is missing. The part of a growing
 * recording whose end is not yet known is left out.
 */
export function segmentsOf({ points, isGrowing, bytes, durationMs }: Points): readonly Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  let isBreak = false;
  const close = (to: number, end: Pick<AccessPoint, "offset" | "streamMs">, breaks: boolean) => {
    const begin = points[from];
    if (begin === undefined || end.offset <= begin.offset) return;
    segments.push({
      number: segments.length,
      first: begin.offset,
      end: end.offset,
      accessPoints: points.slice(from, to).map(({ offset }) => offset - begin.offset),
      startMs: begin.streamMs,
      pts: begin.pts,
      durationMs: breaks ? shownMs(points.slice(from, to), end.streamMs) : end.streamMs - begin.streamMs,
      isBreak,
      isCut: breaks || to === points.length,
      tables: begin.tables,
    });
    from = to;
    isBreak = breaks;
  };
  for (const [at, point] of points.entries()) {
    const begin = points[from];
    if (begin === undefined || at === from) continue;
    const isLong = point.streamMs - begin.streamMs >= shortestMs(segments.length);
    const breaks = point.isBreak || point.streamMs - (points[at - 1]?.streamMs ?? 0) > PLAYBACK_LIMITS.gapMs;
    if (breaks || point.tables !== begin.tables || isLong) close(at, point, breaks);
  }
  if (!isGrowing) close(points.length, { offset: bytes, streamMs: durationMs }, false);
  return segments;
}

function shortestMs(number: number): DurationMs {
  return number < PLAYBACK_LIMITS.firstSegments ? PLAYBACK_LIMITS.firstSegmentMs : PLAYBACK_LIMITS.segmentMs;
}

/** How long the run of these points lasts, if its end is not known: the last picture group is as long as the one before it. */
function shownMs(run: readonly AccessPoint[], nextMs: DurationMs): DurationMs {
  const [begin, last, before] = [run[0], run.at(-1), run.at(-2)];
  if (begin === undefined || last === undefined) return 0;
  const group = before === undefined ? PLAYBACK_LIMITS.groupMs : last.streamMs - before.streamMs;
  return last.streamMs - begin.streamMs + Math.min(group, nextMs - last.streamMs);
}
