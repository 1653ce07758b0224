import type { RecorderdError } from "../../../../model/errors.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";
import type { Segment } from "./segments.ts";
import type { HlsParts } from "./source.ts";

interface PlaylistOptions extends Pick<HlsParts, "isGrowing" | "startedAt" | "live"> {
  /** The address of a segment, relative to that of the playlist. */
  readonly uriOf: (segment: Segment) => string;
  /** A request may wait for the next segment. */
  readonly canWait?: boolean;
}

/**
 * A media playlist. RFC 8216 §4.3.3: an EVENT while the recording grows, which then becomes complete. A live service has no type,
 * because its old segments leave.
 */
export function mediaPlaylist(
  segments: readonly Segment[],
  { isGrowing, startedAt, live, uriOf, canWait = false }: PlaylistOptions,
): string {
  const isDated = (segment: Segment, at: number) =>
    // Any segment of a live service may become the first one, and must not change then.
    live !== undefined || at === 0 || segment.isBreak;
  return [
    "#EXTM3U",
    "#EXT-X-VERSION:3",
    `#EXT-X-TARGETDURATION:${PLAYBACK_LIMITS.targetMs / 1000}`,
    `#EXT-X-MEDIA-SEQUENCE:${segments[0]?.number ?? 0}`,
    live === undefined ? "#EXT-X-PLAYLIST-TYPE:EVENT" : `#EXT-X-DISCONTINUITY-SEQUENCE:${live.removedBreaks}`,
    // A player may wait for the next segment in its request (draft-pantos-hls-rfc8216bis §6.2.5.2). Others ignore the tag.
    ...(canWait ? ["#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES"] : []),
    // Apple's players begin three target durations before the end of a playlist that grows. It stays: an EVENT may not change.
    ...(live === undefined ? ["#EXT-X-START:TIME-OFFSET=0"] : []),
    // The second segment of a live service may begin without a key picture.
    ...(live === undefined ? ["#EXT-X-INDEPENDENT-SEGMENTS"] : []),
    ...segments.flatMap((segment, at) => [
      ...(segment.isBreak ? ["#EXT-X-DISCONTINUITY"] : []),
      ...(startedAt !== undefined && isDated(segment, at)
        ? [`#EXT-X-PROGRAM-DATE-TIME:${new Date(startedAt + segment.startMs).toISOString()}`]
        : []),
      `#EXTINF:${(Math.min(segment.durationMs, PLAYBACK_LIMITS.targetMs) / 1000).toFixed(3)},`,
      uriOf(segment),
    ]),
    ...(live?.endedBy === undefined ? [] : [reasonLine(live.endedBy)]),
    ...(isGrowing ? [] : ["#EXT-X-ENDLIST"]),
    "",
  ].join("\n");
}

/** A comment (RFC 8216 §4.1), for people and for the dashboard. */
function reasonLine({ code, message }: RecorderdError): string {
  return `# ${code}: ${message.replace(/\p{Cc}+/gu, " ").normalize("NFC")}`.trim();
}
