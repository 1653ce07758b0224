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
  /**
   * Its access points, in bytes from `first`. The first one is 0, or negative: a decoder begins in the segment before.
   *
   * @see leadInOf
   */
  readonly accessPoints: readonly number[];
  /** On the recording's timeline. */
  readonly startMs: DurationMs;
  /** PTS of its first picture: 33 bits, in ticks of 90 kHz. */
  readonly pts: number;
  /** Length of its picture and sound: data that is missing before the next segment does not count. */
  readonly durationMs: DurationMs;
  /** Data is missing before it, or its time stamps do not continue those of the segment before. */
  readonly isBreak: boolean;
  /** It ends with the recording or before missing data, perhaps within a picture. */
  readonly isCut: boolean;
  /** Data is missing after it. Its last bytes may come from behind that, since the next segment begins at an access point. */
  readonly breaksOff: boolean;
  /** Position of its PAT and PMT in the index. */
  readonly tables: number;
}

type Points = Pick<AccessIndex, "points" | "isGrowing" | "bytes" | "durationMs">;
type SegmentEnd = Pick<AccessPoint, "offset" | "streamMs">;
type SegmentBegin = Pick<AccessPoint, "offset" | "pts" | "streamMs">;

/** Bytes before a segment that a decoder needs first: those from the access point to its beginning. */
export function leadInOf({ accessPoints }: Segment): number {
  return 0 - (accessPoints[0] ?? 0);
}

/**
 * Divides a recording into segments that begin at access points. The part of a growing recording whose end is not yet known is left
 * out.
 */
export function segmentsOf({ points, isGrowing, bytes, durationMs }: Points): readonly Segment[] {
  const segmenter = createSegmenter();
  const segments = points.map((point) => segmenter.push(point));
  if (!isGrowing) segments.push(segmenter.end({ offset: bytes, streamMs: durationMs }));
  return segments.filter((segment) => segment !== undefined);
}

export interface Segmenter {
  /** @returns the segment that the next access point ends, if it ends one */
  push(point: AccessPoint): Segment | undefined;
  /**
   * Ends the first segment before a picture that is no access point; the next one begins with it.
   *
   * @returns `undefined` if another segment has begun
   */
  cut(picture: SegmentBegin): Segment | undefined;
  /** @returns the last segment, if there is anything left for one */
  end(end: SegmentEnd): Segment | undefined;
}

/**
 * Divides a stream into segments while its access points arrive. A segment ends at the first access point after
 * `PLAYBACK_LIMITS.segmentMs` (one of the first segments after `firstSegmentMs`), or where data is missing.
 *
 * @param from number of the first segment, and whether it follows another stream
 */
export function createSegmenter(
  from: Pick<Segment, "number" | "isBreak"> = { number: 0, isBreak: false },
): Segmenter {
  let { number, isBreak } = from;
  /** Access points of the segment that is not yet closed. */
  let run: AccessPoint[] = [];
  /** Its beginning, if that is no access point: its first access point is then in the segment before. */
  let cutAt: SegmentBegin | undefined;

  function close(
    end: SegmentEnd,
    { breaks, isLast }: { readonly breaks: boolean; readonly isLast: boolean },
  ) {
    const [point] = run;
    const begin = cutAt ?? point;
    if (point === undefined || begin === undefined || end.offset <= begin.offset) return undefined;
    const segment: Segment = {
      number,
      first: begin.offset,
      end: end.offset,
      accessPoints: run.map(({ offset }) => offset - begin.offset),
      startMs: begin.streamMs,
      pts: begin.pts,
      durationMs: breaks ? shownMs(run, begin, end.streamMs) : end.streamMs - begin.streamMs,
      isBreak,
      isCut: breaks || isLast,
      breaksOff: breaks,
      tables: point.tables,
    };
    number += 1;
    isBreak = breaks;
    run = [];
    cutAt = undefined;
    return segment;
  }

  return {
    push: (point) => {
      // The cut was at an access point.
      if (cutAt?.offset === point.offset) [run, cutAt] = [[], undefined];
      const [begin, last] = [run[0], run.at(-1)];
      let closed: Segment | undefined;
      if (begin !== undefined && last !== undefined) {
        const isLong = point.streamMs - begin.streamMs >= shortestMs(number - from.number);
        const breaks = point.isBreak || point.streamMs - last.streamMs > PLAYBACK_LIMITS.gapMs;
        const ends = breaks || point.tables !== begin.tables || isLong;
        if (ends) closed = close(point, { breaks, isLast: false });
      }
      run.push(point);
      return closed;
    },
    cut: (picture) => {
      const [point] = run;
      const isFirst = number === from.number && point !== undefined;
      const closed = isFirst ? close(picture, { breaks: false, isLast: false }) : undefined;
      if (closed !== undefined && point !== undefined) [run, cutAt] = [[point], picture];
      return closed;
    },
    end: (end) => close(end, { breaks: false, isLast: true }),
  };
}

/** @param place of the segment, from 0 */
function shortestMs(place: number): DurationMs {
  return place < PLAYBACK_LIMITS.firstSegments ? PLAYBACK_LIMITS.firstSegmentMs : PLAYBACK_LIMITS.segmentMs;
}

/** How long the run of these points lasts, if its end is not known: the last picture group is as long as the one before it. */
function shownMs(run: readonly AccessPoint[], begin: SegmentBegin, nextMs: DurationMs): DurationMs {
  const [last, before] = [run.at(-1), run.at(-2)];
  if (last === undefined) return 0;
  const group = before === undefined ? PLAYBACK_LIMITS.groupMs : last.streamMs - before.streamMs;
  const lastMs = Math.max(begin.streamMs, last.streamMs);
  return Math.max(1, lastMs - begin.streamMs + Math.min(group, nextMs - lastMs));
}
