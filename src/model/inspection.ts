import type { MultiplexKey, Triplet } from "./service.ts";
import type { DurationMs, EpochMs } from "./time.ts";
import type { Window } from "./window.ts";

/** Counts of one PID. @see ISO/IEC 13818-1 §2.4.3 */
export interface PidFacts {
  readonly pid: number;
  readonly packets: number;
  /** Breaks of the continuity counter, without duplicates and signalled discontinuities. */
  readonly continuityErrors: number;
  readonly transportErrors: number;
  /** Packets that are marked as scrambled; of the service's audio and video also those in which no unit begins correctly. */
  readonly scrambledPackets: number;
  /** Packets that repeat the one before. The standard allows one repeat; more do no harm. */
  readonly duplicates: number;
}

export interface StreamFacts {
  readonly pid: number;
  /** stream_type of the PMT, ISO/IEC 13818-1 table 2-34. */
  readonly streamType: number;
  readonly kind: "video" | "audio" | "subtitle" | "teletext" | "data";
  /**
   * Pictures of this stream may stand still for up to a minute (ISO/IEC 13818-1 §2.6.2, §2.6.64): the PMT says so, or most of them do.
   */
  readonly mayStill?: true;
  /**
   * Set if the PMT says so: it is for some viewers only, or a part of another stream. Audio description, sound for people who hear
   * badly, music and effects, sign language, a layer.
   */
  readonly isSupplement?: true;
  /** In words: `H.264`, `MPEG-2 audio`, `AC-3`, `DVB subtitles` … */
  readonly codec: string;
  /** ISO 639-2, if the PMT has it. */
  readonly language?: string;
}

export interface ServiceFacts {
  readonly sid: number;
  /** Present when the tables on the stream name all three ids. */
  readonly triplet?: Triplet;
  readonly name?: string;
  readonly provider?: string;
  /** service_type of the SDT's service descriptor, EN 300 468 table 89. */
  readonly serviceType?: number;
  readonly pmtPid?: number;
  readonly pcrPid?: number;
  readonly streams: readonly StreamFacts[];
}

/** PIDs up to this are those of tables (EN 300 468 table 1). */
const TABLE_PID_MAX = 0x1f;

/** Errors in packets of the PAT, the PMTs and other tables, whose continuity counters some multiplexers never increment. */
export function tableErrorsIn({
  pids,
  services,
}: Pick<Inspection, "pids" | "services">): Pick<PidFacts, "continuityErrors" | "transportErrors"> {
  const streams = new Set(services.flatMap((service) => service.streams.map(({ pid }) => pid)));
  const maps = new Set(services.map(({ pmtPid }) => pmtPid));
  const ofTables = pids.filter(({ pid }) => pid <= TABLE_PID_MAX || (maps.has(pid) && !streams.has(pid)));
  const sum = (of: (facts: PidFacts) => number) => ofTables.reduce((total, facts) => total + of(facts), 0);
  return {
    continuityErrors: sum(({ continuityErrors }) => continuityErrors),
    transportErrors: sum(({ transportErrors }) => transportErrors),
  };
}

/** One event of the present/following table. @see EN 300 468 §5.2.4 */
export interface BroadcastEvent extends AnnouncedEvent {
  readonly which: "present" | "following";
  /** running_status, EN 300 468 table 6: 1 not running … 4 running. */
  readonly runningStatus: number;
}

/** The fields that every event table has. */
export interface AnnouncedEvent {
  readonly service: Triplet;
  readonly eventId: number;
  readonly start: EpochMs;
  readonly durationMs: DurationMs;
  readonly title: string;
  readonly text: string;
  /** Content reference ids with their authority. @see ETSI TS 102 323 §12.1 */
  readonly programmeCrid?: string;
  readonly seriesCrid?: string;
}

/** The number of a service on the remote control. @see logical_channel_descriptor, EACEM/NorDig, in the NIT */
export interface ChannelNumber {
  readonly sid: number;
  readonly number: number;
}

/** Readings of one clock, in ticks of 27 MHz, 0 to 2^33 · 300 − 1. @see ISO/IEC 13818-1 §2.4.3.5 */
export interface ClockEnds {
  readonly first: number;
  readonly last: number;
}

/** The bytes in each span of stream time, from the first PCR to the last; the last span ends with the stream time. */
export interface ByteRate {
  readonly spanMs: DurationMs;
  readonly bytes: readonly number[];
}

/**
 * The source of the time line: the PCRs of the PID that the PMT names, those of another PID of the service, or the timestamps of
 * its PES packets. `none`: the service has no clock.
 */
export type ClockSource = "pcr" | "other-pcr" | "timestamps" | "none";

/** A part of the stream in which the service arrived without its picture or its main sound; in ms of stream time. */
export interface Lack extends Window {
  readonly kind: "picture" | "sound";
}

/** The kinds of streams that an event needs. */
export const MAIN_KINDS = ["video", "audio"] as const;
export type MainKind = (typeof MAIN_KINDS)[number];

/** The stream of a kind that players show without a choice, by the PMT alone: it is no supplement, if there is another one. */
export function firstOf(streams: readonly StreamFacts[], kind: MainKind): StreamFacts | undefined {
  const all = streams.filter((stream) => stream.kind === kind);
  return all.find(({ isSupplement }) => isSupplement !== true) ?? all[0];
}

/** @returns what an event lacks without its main stream of this kind */
export function lackOf(kind: StreamFacts["kind"]): Lack["kind"] {
  return kind === "video" ? "picture" : "sound";
}

/**
 * A part of a picture or of a sound whose packets arrived, but look as if they could not be decoded. It is in `spans`
 * and in those of its track until a decoder has judged (docs/dev/decisions/0069).
 */
export interface Doubt extends Lack {
  readonly pid: number;
  /** It is another picture or sound, which is not in `spans`. */
  readonly isExtra?: true;
  /** Its bytes in the file. */
  readonly from: number;
  readonly to: number;
}

/** The packets of the picture or the main sound arrived, but cannot be decoded; these parts are in `lacks`. */
export interface Hollow {
  readonly kind: Lack["kind"];
  /** No decoder could judge: they only look so. */
  readonly isUnchecked?: true;
}

/** One elementary stream of the service, and when it was present; in ms of stream time. */
export interface Track extends StreamFacts {
  /** The picture or sound that people get without a choice: without it, the service is not complete. */
  readonly isMain: boolean;
  /** When the PMT listed it. */
  readonly announced: readonly Window[];
  readonly spans: readonly Window[];
}
/** Sizes of transport stream packets with a timestamp (M2TS, Blu-ray) or with parity (EN 300 429 §5). */
export type ForeignPacketBytes = 192 | 204;

/** The content of a transport stream file, by its bytes alone. */
export interface Inspection {
  readonly bytes: number;
  readonly packets: number;
  /** The size of the packets, if none has 188 bytes and the size is known. */
  readonly foreignPacketBytes?: ForeignPacketBytes;
  /** The kind of content, for people, if there is no packet and the kind is known. */
  readonly foreignContent?: string;
  readonly nullPackets: number;
  /** The rest of a packet at the beginning of the file, 0 to 187 bytes. */
  readonly headBytes: number;
  /** Packets with a wrong sync byte, and packets that lost bytes. They are not among `packets`. */
  readonly damagedPackets: number;
  /** Bytes between packets, without the rests of packets at both ends. */
  readonly junkBytes: number;
  /** Bytes of an incomplete packet at the end, 0 to 187. */
  readonly tailBytes: number;
  readonly continuityErrors: number;
  /** Without those of null packets. */
  readonly transportErrors: number;
  readonly scrambledPackets: number;
  /** Every PID seen, ascending. */
  readonly pids: readonly PidFacts[];
  /** From the PAT, otherwise from the SDT. */
  readonly transportStreamId?: number;
  /** From the SDT of this stream, otherwise from its EIT. */
  readonly originalNetworkId?: number;
  /** The multiplexes that the SDT named for this stream, in order: more than one if the source changed. */
  readonly multiplexes: readonly MultiplexKey[];
  /** Services of PAT, PMT and SDT of this stream, by sid. */
  readonly services: readonly ServiceFacts[];
  /** From the NIT, if it names this stream. */
  readonly channelNumbers: readonly ChannelNumber[];
  /** Clear packets that carry payload of an audio or video stream of the service in question (of any, if none was named). */
  readonly payloadPackets: number;
  /** Packets of a stream that may be scrambled: too few units have begun. */
  readonly undecidedPackets: number;
  /** The service whose clock the times below follow: the one in question, or the first with PMT and PCR. */
  readonly clockSid?: number;
  readonly clock: ClockSource;
  /**
   * Spans of stream time with clear picture and main sound of that service, in ms since the clock's first reading; sorted and
   * disjoint. Between two spans, something is missing. Empty with fewer than two readings. A pause of at most 500 ms does not end
   * a span.
   */
  readonly spans: readonly Window[];
  /**
   * Whole seconds of stream time in which something is wrong with picture, sound, subtitles or teletext of that service: lost, damaged
   * or foreign bytes, a run of scrambled packets that begins, a clock break. Sorted, disjoint.
   */
  readonly flawed: readonly Window[];
  /** Sorted by start; spans of both kinds may overlap. */
  readonly lacks: readonly Lack[];
  /** Absent if everything looks right, or a decoder has judged. */
  readonly doubts?: readonly Doubt[];
  /** The doubts that a decoder confirmed, or that none could judge. */
  readonly hollow?: readonly Hollow[];
  /** Picture, sound, subtitles and teletext of that service that any PMT listed, in the order in which they were first listed. */
  readonly tracks: readonly Track[];
  /** Stream time of the clock's last reading, in ms since the first: the length of the recording, gaps included. */
  readonly streamMs: DurationMs;
  /** The clock's readings at 0 and at `streamMs`, which place the segments of one recording on one time line. */
  readonly clockEnds?: ClockEnds;
  /**
   * Unsignalled discontinuities of the stream's clock: seams, and jumps of more than 100 ms (ETSI TR 101 290 §5.2.2). Also those of the
   * timestamps of picture and sound against it. In ms since the clock's first reading.
   */
  readonly clockBreaks: readonly DurationMs[];
  /**
   * Bytes of all PIDs over the stream time above, in at most `MPEG_TS_LIMITS.rateSpans` spans: longer files have longer spans.
   */
  readonly rate: ByteRate;
  /** First and last TDT or TOT, with the stream time at which they passed (0 before the service's clock is known). */
  readonly firstTime?: { readonly utc: EpochMs; readonly streamMs: DurationMs };
  readonly lastTime?: { readonly utc: EpochMs; readonly streamMs: DurationMs };
  /** Latest present and following event of each service of this stream, by sid. */
  readonly events: readonly BroadcastEvent[];
}
