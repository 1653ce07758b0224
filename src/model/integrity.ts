import type { Gap } from "./evidence.ts";
import type { ClockSource, PidFacts, ServiceFacts, StreamFacts } from "./inspection.ts";
import type { DurationMs, EpochMs } from "./time.ts";
import { coveredMs, type Window } from "./window.ts";

/** Counts of one PID over the whole recording, and what the programme tables say it is. */
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
  /** How long the PMT listed it, and how much of that it was there. */
  readonly announcedMs: DurationMs;
  readonly presentMs: DurationMs;
  /** Parts of the window in which it was listed and did not come, in order of time. */
  readonly missing: readonly Window[];
}

/**
 * Bits per second over time, in spans of equal length. The last span ends with the recording: it is shorter, or up to 250 ms longer.
 * What is between two attempts counts as 0.
 */
export interface BitRate {
  readonly from: EpochMs;
  readonly spanMs: DurationMs;
  readonly bitsPerSecond: readonly number[];
}

/** One part of the file, as one attempt wrote it. */
export interface SegmentIntegrity {
  readonly attempt: number;
  readonly bytes: number;
  /** From its first PCR to its last. */
  readonly start: EpochMs;
  readonly stop: EpochMs;
  /** Position of its start in the file. Time between two segments has room there if the broadcast's clock goes on. */
  readonly streamMs: DurationMs;
}

export type SegmentInFile = Pick<SegmentIntegrity, "start" | "stop" | "streamMs">;

/** Position of an instant in a file, or the nearest possible one after its beginning; below 0 before it. */
export function positionInFile(at: EpochMs, segments: readonly SegmentInFile[]): DurationMs {
  const segment = segments.findLast(({ start }) => start <= at) ?? segments[0];
  return segment === undefined ? 0 : segment.streamMs + Math.min(at, segment.stop) - segment.start;
}

/** The known times of a recording. */
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

/** Everything that was found in the segments of a recording when it was closed. Bounded by `EVIDENCE_LIMITS`. */
export interface Integrity {
  readonly packets: number;
  readonly nullPackets: number;
  /** Packets with a wrong sync byte, and packets that lost bytes. They are not among `packets`. */
  readonly damagedPackets: number;
  /** Bytes between packets that belong to none. */
  readonly junkBytes: number;
  /** Clear packets of audio and video of the service. */
  readonly payloadPackets: number;
  /** Every PID seen, ascending. */
  readonly pids: readonly PidIntegrity[];
  /** In order of time, the longest where there are too many. */
  readonly gaps: readonly IntegrityGap[];
  /** Picture, sound, subtitles and teletext that the PMT listed. */
  readonly tracks: readonly TrackIntegrity[];
  readonly clock: ClockSource;
  /** Stream times at which the clock did not go on without saying so: seams, jumps. */
  readonly clockBreaks: readonly DurationMs[];
  readonly services: readonly ServiceFacts[];
  readonly segments: readonly SegmentIntegrity[];
  /** Absent where no clock was found. */
  readonly bitRate?: BitRate;
}
