import type { EpochMs } from "../../../../model/time.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";
import type { Segment } from "./segments.ts";

interface PlaylistOptions {
  /** More segments may follow. */
  readonly isGrowing: boolean;
  /** The time of day at the beginning of the timeline; absent if unknown. */
  readonly startedAt?: EpochMs | undefined;
  /** The address of a segment, relative to that of the playlist. */
  readonly uriOf: (segment: Segment) => string;
}

/** A media playlist. RFC 8216 §4.3.3: an EVENT while the recording grows, which then becomes complete. */
export function mediaPlaylist(
  segments: readonly Segment[],
  { isGrowing, startedAt, uriOf }: PlaylistOptions,
): string {
  return [
    "#EXTM3U",
    "#EXT-X-VERSION:3",
    `#EXT-X-TARGETDURATION:${PLAYBACK_LIMITS.targetMs / 1000}`,
    `#EXT-X-MEDIA-SEQUENCE:${segments[0]?.number ?? 0}`,
    "#EXT-X-PLAYLIST-TYPE:EVENT",
    "#EXT-X-INDEPENDENT-SEGMENTS",
    ...segments.flatMap((segment, at) => [
      ...(segment.isBreak ? ["#EXT-X-DISCONTINUITY"] : []),
      ...(startedAt !== undefined && (at === 0 || segment.isBreak)
        ? [`#EXT-X-PROGRAM-DATE-TIME:${new Date(startedAt + segment.startMs).toISOString()}`]
        : []),
      `#EXTINF:${(Math.min(segment.durationMs, PLAYBACK_LIMITS.targetMs) / 1000).toFixed(3)},`,
      uriOf(segment),
    ]),
    ...(isGrowing ? [] : ["#EXT-X-ENDLIST"]),
    "",
  ].join("\n");
}
