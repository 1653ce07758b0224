import type { Triplet } from "../../src/model/service.ts";
import { SECOND } from "../../src/model/time.ts";
import type { Window } from "../../src/model/window.ts";

/** How each elementary stream is announced and packed. `type`: stream_type, ISO/IEC 13818-1 table 2-34. */
export const FORMATS = {
  h264: { kind: "video", type: 0x1b, streamId: 0xe0 },
  mpeg2: { kind: "video", type: 0x02, streamId: 0xe0 },
  hevc: { kind: "video", type: 0x24, streamId: 0xe0 },
  mp2: { kind: "audio", type: 0x04, streamId: 0xc0 },
  aac: { kind: "audio", type: 0x0f, streamId: 0xc0 },
  ac3: { kind: "audio", type: 0x06, streamId: 0xbd },
  subtitles: { kind: "subtitle", type: 0x06, streamId: 0xbd },
  teletext: { kind: "teletext", type: 0x06, streamId: 0xbd },
} as const;
export type Format = keyof typeof FORMATS;
export type Kind = (typeof FORMATS)[Format]["kind"];

/**
 * How far the DTS of a stream runs ahead of the PCR: it swings around `meanMs` once in each `periodMs`.
 * The swing stays slow enough that units are sent in the order of their DTS.
 */
export interface Lead {
  readonly meanMs: number;
  readonly swingMs: number;
  readonly periodMs: number;
}

/** One elementary stream. It is sent while the PMT in force lists it. */
export interface StreamScript {
  readonly pid: number;
  readonly format: Format;
  readonly language?: string;
  /** From the DTS of one PES packet to the next; it lasts as long. */
  readonly unitMs: number;
  /** The DTS of the first PES packet, in ms of the time on the air. */
  readonly firstMs: number;
  readonly lead: Lead;
  /** Pictures are sent in the order I P B B: PTS and DTS differ. */
  readonly reorders: boolean;
  /** The PMT says that its pictures may stand still. */
  readonly saysStill: boolean;
  /** The PMT says that it is an audio description. */
  readonly isDescription?: boolean;
  /** Transport packets of one PES packet. */
  readonly packets: number;
  /** PES packets whose DTS lies in one of these are not sent. */
  readonly outages: readonly Window[];
  /** The PMT lists it, and nothing of it is sent. */
  readonly neverSent: boolean;
}

/** One version of the PMT, and where PCRs are sent while it is in force. */
export interface MapScript {
  readonly fromMs: number;
  /** Indexes of `ServiceScript.streams`, in the order of the PMT. */
  readonly streams: readonly number[];
  /** PCR_PID of the PMT. */
  readonly pcrPid: number;
  /** The PID that carries PCRs; absent: none does. */
  readonly pcrsOn?: number;
}

/** From `atMs` on PCR, PTS and DTS are `byMs` higher. */
export interface ClockJump {
  readonly atMs: number;
  readonly byMs: number;
  readonly signalled: boolean;
}

/** The broadcast of one service. All instants are ms of the time on the air, from 0. */
export interface ServiceScript {
  readonly service: Triplet;
  readonly durationMs: number;
  readonly streams: readonly StreamScript[];
  /** In order; the first begins at 0. */
  readonly maps: readonly MapScript[];
  readonly pcrEveryMs: number;
  /** Instead: the steps from one PCR to the next, in turn. */
  readonly pcrStepsMs?: readonly number[];
  /** PCRs on the PID of a picture stream lie within the pictures, not between them. */
  readonly pcrsInPictures: boolean;
  /** The PCR at 0, in ms. */
  readonly clockMs: number;
  readonly jumps: readonly ClockJump[];
  /** Everything that was to be sent in one of these is lost, PCRs and tables included. */
  readonly losses: readonly Window[];
  /** When the first PAT and PMT come, and how often they do from then on. */
  readonly tablesFromMs: number;
  readonly tablesEveryMs: number;
  /** How often the TDT comes; absent: never. */
  readonly timeEveryMs?: number;
}

export const SERVICE: Triplet = { onid: 4112, tsid: 545, sid: 1056 };
export const PMT_PID = 0x20;
/** The PCR_PID for a service without PCRs. ISO/IEC 13818-1 §2.4.4.9. */
export const NO_PCR_PID = 0x1fff;
/** The time in the TDT at the script's instant 0. */
export const ON_AIR_AT = Date.UTC(2026, 10, 22, 20, 0);

/**
 * The tolerances of the rules that decide coverage. Scripts keep clear of them, so that every instant is either
 * covered or not, and the comparison allows no more than them.
 */
export const TOLERANCES = {
  /** A boundary of coverage is right to this. */
  boundaryMs: 100,
  /** A pause in a stream is none up to the first of these. An outage is longer than the second and two PES packets. */
  noPauseMs: SECOND / 4,
  pauseMs: SECOND / 2,
  /** An outage or a loss keeps this far from a change of the PMT, from a jump of the clock and from any other. */
  apartMs: 2.5 * SECOND,
  /** So close to the instant at which a stream is announced or withdrawn it is open whether the stream is there. */
  changeMs: SECOND,
} as const;

export function kindOf({ format }: StreamScript): Kind {
  return FORMATS[format].kind;
}

/** Pictures that are further apart stand still. */
const STILL_FROM_MS = SECOND;

export function isStill({ unitMs, format }: StreamScript): boolean {
  return unitMs >= STILL_FROM_MS && FORMATS[format].kind === "video";
}

/** One PES packet: when it is sent, and its DTS, both in ms of the time on the air. */
export interface Unit {
  readonly sentMs: number;
  readonly dtsMs: number;
}

function leadAt({ meanMs, swingMs, periodMs }: Lead, atMs: number): number {
  return meanMs + swingMs * Math.sin((2 * Math.PI * atMs) / periodMs);
}

export function unitAt({ firstMs, unitMs, lead }: StreamScript, index: number): Unit {
  const dtsMs = firstMs + index * unitMs;
  return { sentMs: dtsMs - leadAt(lead, dtsMs), dtsMs };
}

export function mapAt(script: ServiceScript, atMs: number): MapScript | undefined {
  return script.maps.findLast(({ fromMs }) => fromMs <= atMs);
}

export function isAnnounced(script: ServiceScript, index: number, atMs: number): boolean {
  return mapAt(script, atMs)?.streams.includes(index) === true;
}

export function isOut({ outages }: StreamScript, dtsMs: number): boolean {
  return outages.some(({ start, stop }) => start <= dtsMs && dtsMs < stop);
}

/** Whether a PES packet is put on the air. What a loss takes of it is another matter. */
export function isSent(script: ServiceScript, index: number, { sentMs, dtsMs }: Unit): boolean {
  const stream = script.streams[index];
  if (stream === undefined || stream.neverSent || sentMs < 0) return false;
  return !isOut(stream, dtsMs) && isAnnounced(script, index, sentMs);
}

/** How much higher PCR, PTS and DTS are that are sent then. */
export function jumpedMs({ jumps }: ServiceScript, atMs: number): number {
  return jumps.reduce((sum, jump) => (jump.atMs <= atMs ? sum + jump.byMs : sum), 0);
}

/** Whether a loss takes what is sent then. */
export function isLost({ losses }: ServiceScript, atMs: number): boolean {
  return losses.some(({ start, stop }) => start <= atMs && atMs < stop);
}
