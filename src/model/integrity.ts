import type { Gap } from "./evidence.ts";
import type { ClockSource, PidFacts, ServiceFacts, StreamFacts } from "./inspection.ts";
import type { DurationMs, EpochMs } from "./time.ts";
import { coveredMs, type Window } from "./window.ts";

/** Counts of one PID over the whole recording, and its meaning by the tables. */
export interface PidIntegrity extends PidFacts {
  /** 0 to 1, of its packets. */
  readonly scrambledShare: number;
  readonly kind?: StreamFacts["kind"];
  readonly codec?: string;
  readonly language?: string;
}

/** A gap, and where it is in the file. */
export interface IntegrityGap extends Gap {
  /** Position in the file: ms from the first PCR of the first segment, as players count them by the time stamps. */
  readonly streamMs: DurationMs;
}

/** One elementary stream of the service over the whole recording. */
export interface TrackIntegrity extends StreamFacts {
  readonly isMain: boolean;
  /** How long the PMT listed it, and how much of this time it was present. */
  readonly announcedMs: DurationMs;
  readonly presentMs: DurationMs;
  /** Parts of the window in which it was listed but missing, in order of time. */
  readonly missing: readonly Window[];
}

/**
 * Bits per second over time, in spans of equal length. The last span ends with the recording: it is shorter, or up to 250 ms
 * longer. The time between two attempts counts as 0.
 */
export interface BitRate {
  readonly from: EpochMs;
  readonly spanMs: DurationMs;
  readonly bitsPerSecond: readonly number[];
}

/** The part of the file that one attempt wrote. */
export interface SegmentIntegrity {
  readonly attempt: number;
  readonly bytes: number;
  /** From its first PCR to its last. */
  readonly start: EpochMs;
  readonly stop: EpochMs;
  /** Position of its start in the file, in ms. The time between two segments is included if the broadcast's clock continues. */
  readonly streamMs: DurationMs;
}

export type SegmentInFile = Pick<SegmentIntegrity, "start" | "stop" | "streamMs">;

/** Position of an instant in a file, or the nearest one that the file has; negative before its beginning. */
export function positionInFile(at: EpochMs, segments: readonly SegmentInFile[]): DurationMs {
  const segment = segments.findLast(({ start }) => start <= at) ?? segments[0];
  return segment === undefined ? 0 : segment.streamMs + Math.min(at, segment.stop) - segment.start;
}

/** Times of a recording, for positions in its file. */
export interface KnownTimes {
  /** The first instant in the file. */
  readonly firstAt: EpochMs;
  readonly gaps: readonly (Window & { readonly lacks?: unknown })[];
  /** None in reports of earlier recorders. */
  readonly segments: readonly SegmentInFile[];
}

/** The same as `positionInFile`. Without segments, a gap in which nothing came takes no room in the file. */
export function knownPosition(at: EpochMs, { firstAt, gaps, segments }: KnownTimes): DurationMs {
  if (segments.length > 0) return positionInFile(at, segments);
  const empty = gaps.filter(({ lacks }) => lacks === undefined);
  return at - firstAt - coveredMs({ start: firstAt, stop: at }, empty);
}

/** All findings in the segments of a recording at closing. Bounded by `EVIDENCE_LIMITS`. */
export interface Integrity {
  readonly packets: number;
  readonly nullPackets: number;
  /** Packets with a wrong sync byte, and packets that lost bytes. They are not among `packets`. */
  readonly damagedPackets: number;
  /** Bytes between packets. */
  readonly junkBytes: number;
  /** Clear packets of audio and video of the service. */
  readonly payloadPackets: number;
  /** Every PID seen, ascending. */
  readonly pids: readonly PidIntegrity[];
  /** In order of time; if there are too many, the longest. */
  readonly gaps: readonly IntegrityGap[];
  /** Picture, sound, subtitles and teletext that the PMT listed. */
  readonly tracks: readonly TrackIntegrity[];
  readonly clock: ClockSource;
  /** Stream times of unsignalled discontinuities of the clock. */
  readonly clockBreaks: readonly DurationMs[];
  readonly services: readonly ServiceFacts[];
  readonly segments: readonly SegmentIntegrity[];
  /** Absent if the stream has no clock. */
  readonly bitRate?: BitRate;
}
