import { join, PidWriter, pat, payload, pmt, TICKS_PER_MS, unit } from "./ts-builder.ts";

/** 33 bits, and 300 ticks each. */
export const CLOCK_WRAP = 2 ** 33 * 300;
const PACKET_MS = 4;
/** Every tenth packet has a PCR: one each 40 ms. */
const PCR_EVERY = 10;

/** A clock that does not go on. */
export interface Jump {
  /** Number of the packet with the first PCR of the new time, a multiple of ten. */
  readonly at: number;
  readonly byMs: number;
  /** With discontinuity_indicator. */
  readonly isSignalled?: boolean;
}

export interface BuiltParts {
  readonly packets: number;
  readonly sid?: number;
  /** PMT, video with PCR, audio. */
  readonly pids?: readonly [number, number, number];
  /** In ticks of 27 MHz. */
  readonly clockFrom?: number;
  readonly jumps?: readonly Jump[];
}

/** One service, with pictures and sound that begin as they should, and no fault but those of its clock. */
export function builtStream({
  packets,
  sid = 1,
  pids: [mapPid, videoPid, audioPid] = [0x20, 0x100, 0x101],
  clockFrom = 0,
  jumps = [],
}: BuiltParts): Uint8Array {
  const [programmes, map, video, audio] = [0, mapPid, videoPid, audioPid].map(
    (pid) => new PidWriter(pid),
  ) as [PidWriter, PidWriter, PidWriter, PidWriter];
  const streams = [
    { type: 0x1b, pid: videoPid },
    { type: 4, pid: audioPid },
  ];
  const packetAt = (index: number): readonly Uint8Array[] => {
    if (index % 50 === 1) return programmes.sections(pat(1, { programmes: [[sid, mapPid]] }));
    if (index % 50 === 2) return map.sections(pmt({ sid, pcrPid: videoPid, streams }));
    const place = index % PCR_EVERY;
    if (place === 0) return [video.next(withClock(index))];
    if (place < 7) return [video.next({ payload: payload(index) })];
    return [audio.next(place === 7 ? { starts: true, payload: unit(index) } : { payload: payload(index) })];
  };
  const withClock = (index: number) => {
    const jumpMs = jumps.reduce((sum, { at, byMs }) => sum + (at <= index ? byMs : 0), 0);
    const ticks = clockFrom + (index * PACKET_MS + jumpMs) * TICKS_PER_MS;
    const discontinuity = jumps.some(({ at, isSignalled = false }) => at === index && isSignalled);
    const pcr = ((ticks % CLOCK_WRAP) + CLOCK_WRAP) % CLOCK_WRAP;
    return { starts: true, pcr, discontinuity, payload: unit(index).subarray(0, 150) };
  };
  return join(Array.from({ length: packets }, (_, index) => packetAt(index)).flat());
}
