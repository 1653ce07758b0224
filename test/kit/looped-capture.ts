import type { Triplet } from "../../src/model/service.ts";
import { type Portion, sdtOf } from "./generated-service.ts";
import { PMT_PID } from "./service-script.ts";
import { join, PidWriter, type PmtParts, pat, pmt } from "./ts-builder.ts";

const PACKET_BYTES = 188;
const STAMPS_PER_MS = 90;
const WRAP_STAMP = 2 ** 33;
const TABLES_EVERY_MS = 100;
/** Packets that are sent together. */
const PORTION_MS = 20;
/** Between two rounds the PCR may stand still for so long. */
const SEAM_MS_MAX = 40;

export interface LoopParts {
  readonly service: Triplet;
  /** The PMT's entries; all packets of these PIDs and of the PCR's are taken out of the capture. */
  readonly map: Omit<PmtParts, "sid">;
  /** The picture: the capture is cut where its units begin. */
  readonly picturePid: number;
  /** How long the capture takes on the air. */
  readonly captureMs: number;
  readonly durationMs: number;
  /** A PID whose content is missing from then on; its PCRs stay. */
  readonly gone?: { readonly pid: number; readonly fromMs: number };
}

/** One service of a capture again and again: PCR, PTS, DTS and counters go on from round to round. */
export function loopedCapture(capture: Uint8Array, parts: LoopParts): readonly Portion[] {
  const round = roundOf(capture, parts);
  const portions: { atMs: number; readonly packets: Uint8Array[] }[] = [];
  const at = (ms: number) => {
    const last = portions.at(-1);
    if (last !== undefined && ms - last.atMs < PORTION_MS) return last.packets;
    const made = { atMs: ms, packets: [] };
    portions.push(made);
    return made.packets;
  };
  const tables = tableWriter(parts);
  const counters = new Map<number, number>();
  let tablesAtMs = 0;
  for (let rounds = 0; rounds * round.lengthMs < parts.durationMs; rounds += 1) {
    const laterMs = rounds * round.lengthMs;
    for (const { atMs, packet } of round.packets) {
      const packets = at(laterMs + atMs);
      if (laterMs + atMs >= tablesAtMs) {
        packets.push(...tables());
        tablesAtMs += TABLES_EVERY_MS;
      }
      const { pid, fromMs = 0 } = parts.gone ?? {};
      const isGone = pidOf(packet) === pid && laterMs + atMs >= fromMs;
      if (isGone && !hasPcr(packet)) continue;
      const kept = isGone ? emptied(packet) : packet;
      packets.push(restamped(kept, { later: Math.round(laterMs * STAMPS_PER_MS), counters }));
    }
  }
  return portions.map(({ atMs, packets }) => ({ atMs, bytes: join(packets) }));
}

interface Round {
  readonly lengthMs: number;
  readonly packets: readonly { readonly atMs: number; readonly packet: Uint8Array }[];
}

/** From the begin of one picture to that of a later one, with whole units of every stream. */
function roundOf(capture: Uint8Array, { map, picturePid, captureMs }: LoopParts): Round {
  const all = packetsOf(capture);
  const startsOf = (pid: number) =>
    all.flatMap((packet, index) => (pidOf(packet) === pid && startsUnit(packet) ? [index] : []));
  const { from, to, lengthMs } = seamOf(all, startsOf(picturePid));
  const taken = new Map(
    [map.pcrPid, ...map.streams.map(({ pid }) => pid)].map((pid) => {
      const starts = startsOf(pid);
      const first = starts.find((index) => index >= from) ?? from;
      // The unit that begins last in the round is whole, although its end comes later.
      const end = starts.find((index) => index >= to) ?? starts.at(-1) ?? to;
      return [pid, { first, end }] as const;
    }),
  );
  const atMs = (index: number) => Math.min(lengthMs, ((index - from) * captureMs) / all.length);
  const packets = all.flatMap((packet, index) => {
    const { first = 0, end = 0 } = taken.get(pidOf(packet)) ?? {};
    return index >= first && index < end ? [{ atMs: atMs(index), packet }] : [];
  });
  return { lengthMs, packets };
}

/** The longest round after which neither DTS nor PCR steps back: both are those of its first picture, later by its length. */
function seamOf(
  all: readonly Uint8Array[],
  starts: readonly number[],
): { readonly from: number; readonly to: number; readonly lengthMs: number } {
  const pairs = starts.flatMap((from) =>
    starts.map((to) => ({ from, to, ...lengthsOf(all[from], all[to]) })),
  );
  const smooth = pairs.filter(({ lengthMs, pcrMs }) => lengthMs >= pcrMs && lengthMs - pcrMs < SEAM_MS_MAX);
  const [first, ...others] = smooth;
  if (first === undefined) throw new Error("the capture has no round without a seam");
  return others.reduce((best, each) => (each.lengthMs > best.lengthMs ? each : best), first);
}

function lengthsOf(from: Uint8Array | undefined, to: Uint8Array | undefined) {
  return {
    lengthMs: (dtsOf(to) - dtsOf(from)) / STAMPS_PER_MS,
    pcrMs: (pcrOf(to) - pcrOf(from)) / STAMPS_PER_MS,
  };
}

function tableWriter({ service, map }: LoopParts): () => readonly Uint8Array[] {
  const { tsid, sid } = service;
  const [patPid, pmtPid, sdtPid] = [new PidWriter(0), new PidWriter(PMT_PID), new PidWriter(0x11)];
  return () => [
    ...patPid.sections(pat(tsid, { programmes: [[sid, PMT_PID]] })),
    ...pmtPid.sections(pmt({ sid, ...map })),
    ...sdtPid.sections(sdtOf(service)),
  ];
}

function restamped(
  packet: Uint8Array,
  { later, counters }: { readonly later: number; readonly counters: Map<number, number> },
): Uint8Array {
  const bytes = Uint8Array.from(packet);
  const pid = pidOf(bytes);
  const hasPayload = ((bytes[3] ?? 0) & 0x10) !== 0;
  const counter = ((counters.get(pid) ?? 15) + (hasPayload ? 1 : 0)) % 16;
  counters.set(pid, counter);
  bytes[3] = ((bytes[3] ?? 0) & 0xf0) | counter;
  if (hasPcr(bytes)) addToPcr(bytes, later);
  for (const at of stampsOf(bytes)) writeStamp(bytes, at, (readStamp(bytes, at) + later) % WRAP_STAMP);
  return bytes;
}

function packetsOf(bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: bytes.length / PACKET_BYTES }, (_, index) =>
    bytes.subarray(index * PACKET_BYTES, (index + 1) * PACKET_BYTES),
  );
}

function pidOf(packet: Uint8Array): number {
  return (((packet[1] ?? 0) & 0x1f) << 8) | (packet[2] ?? 0);
}

function startsUnit(packet: Uint8Array): boolean {
  return ((packet[1] ?? 0) & 0x40) !== 0;
}

function hasPcr(packet: Uint8Array): boolean {
  return ((packet[3] ?? 0) & 0x20) !== 0 && (packet[4] ?? 0) >= 7 && ((packet[5] ?? 0) & 0x10) !== 0;
}

/** An adaptation field alone, with the PCR of a packet. */
function emptied(packet: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(PACKET_BYTES).fill(0xff);
  bytes.set(packet.subarray(0, 12));
  bytes[1] = (packet[1] ?? 0) & 0xbf;
  bytes[3] = ((packet[3] ?? 0) & 0x0f) | 0x20;
  bytes[4] = PACKET_BYTES - 5;
  bytes[5] = 0x10;
  return bytes;
}

/** The positions of the timestamps in the PES header that begins in a packet. ISO/IEC 13818-1 §2.4.3.6. */
function stampsOf(packet: Uint8Array): readonly number[] {
  if (!startsUnit(packet)) return [];
  const from = 4 + (((packet[3] ?? 0) & 0x20) === 0 ? 0 : 1 + (packet[4] ?? 0));
  const flags = (packet[from + 7] ?? 0) >> 6;
  return [from + 9, from + 14].slice(0, flags === 3 ? 2 : flags === 2 ? 1 : 0);
}

function dtsOf(packet: Uint8Array | undefined): number {
  const at = packet === undefined ? undefined : stampsOf(packet).at(-1);
  if (packet === undefined || at === undefined) throw new Error("a picture has a timestamp");
  return readStamp(packet, at);
}

function readStamp(bytes: Uint8Array, at: number): number {
  const part = (index: number) => bytes[at + index] ?? 0;
  return (
    ((part(0) >> 1) & 7) * 2 ** 30 +
    (part(1) << 22) +
    ((part(2) >> 1) << 15) +
    (part(3) << 7) +
    (part(4) >> 1)
  );
}

function writeStamp(bytes: Uint8Array, at: number, stamp: number): void {
  const low = stamp % 2 ** 30;
  bytes[at] = ((bytes[at] ?? 0) & 0xf0) | (Math.floor(stamp / 2 ** 30) << 1) | 1;
  bytes[at + 1] = low >> 22;
  bytes[at + 2] = ((low >> 14) & 0xfe) | 1;
  bytes[at + 3] = (low >> 7) & 0xff;
  bytes[at + 4] = ((low << 1) & 0xfe) | 1;
}

/** In ticks of 90 kHz. */
function pcrOf(packet: Uint8Array | undefined): number {
  if (packet === undefined || !hasPcr(packet)) return Number.NaN;
  const view = new DataView(packet.buffer, packet.byteOffset);
  return view.getUint32(6) * 2 + ((packet[10] ?? 0) >> 7);
}

function addToPcr(bytes: Uint8Array, later: number): void {
  const base = (pcrOf(bytes) + later) % WRAP_STAMP;
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(6, Math.floor(base / 2));
  bytes[10] = ((bytes[10] ?? 0) & 0x7f) | ((base % 2) << 7);
}
