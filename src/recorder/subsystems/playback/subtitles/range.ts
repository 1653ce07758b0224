import type { ByteSpan } from "../../../../mpeg-ts/bytes.ts";
import type { Segment } from "../hls/segments.ts";
import type { HlsParts } from "../hls/source.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";

/**
 * The bytes that tell the subtitles of a segment, without a break in between: those before it hold what is still shown when it
 * begins, and those after it hold texts of its end, since picture is sent earlier than the texts that belong to it.
 */
export function subtitleRange(segments: readonly Segment[], at: number): ByteSpan {
  const own = segments[at];
  if (own === undefined) return { firstAt: 0, endAt: 0 };
  let [first, last] = [at, at];
  const endMs = own.startMs + own.durationMs;
  while (mayGoBack(segments, first, own.startMs)) first -= 1;
  while (mayGoOn(segments, last, endMs)) last += 1;
  return { firstAt: segments[first]?.first ?? own.first, endAt: segments[last]?.end ?? own.end };
}

function mayGoBack(segments: readonly Segment[], first: number, startMs: number): boolean {
  const segment = segments[first];
  const isEnough = segment === undefined || startMs - segment.startMs >= PLAYBACK_LIMITS.subtitlesBehindMs;
  return !isEnough && first > 0 && !segment.isBreak;
}

function mayGoOn(segments: readonly Segment[], last: number, endMs: number): boolean {
  const [segment, next] = [segments[last], segments[last + 1]];
  if (segment === undefined || next === undefined || next.isBreak) return false;
  return segment.startMs + segment.durationMs - endMs < PLAYBACK_LIMITS.subtitlesAheadMs;
}

/**
 * The segments whose subtitles are known, and so never change: the texts of the latest one may still come. The first one is always
 * there, since players take a playlist without segments for broken.
 */
export function subtitledSegments({ segments, isGrowing }: HlsParts): readonly Segment[] {
  const last = segments.at(-1);
  if (!isGrowing || last === undefined) return segments;
  const knownMs = last.startMs + last.durationMs - PLAYBACK_LIMITS.subtitlesAheadMs;
  const isKnown = ({ startMs, durationMs }: Segment) => startMs + durationMs <= knownMs;
  return segments.slice(0, Math.max(1, segments.findLastIndex(isKnown) + 1));
}
