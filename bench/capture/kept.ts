import { open } from "node:fs/promises";
import { PACKET_BYTES, PACKETS_PER_SECOND, PCR_TICKS_PER_PACKET, pcrAt } from "./loop.ts";

/** Far more than lies between two clocks of the stream, which are at most 100 ms apart (ISO/IEC 13818-1 annex D.0.3). */
const LOOK_BYTES = 2 ** 20;
/** This many sync bytes a packet apart are packets, not chance. */
const SYNCS = 5;

/** The broadcast stream: its first packet and its start time. */
export interface OnAir {
  /** The first clock of the stream, in ticks of 27 MHz, and how many packets were sent before it. */
  readonly firstPcr: number;
  readonly firstPcrIndex: number;
  /** When packet 0 was due, UTC milliseconds. */
  readonly startedAt: number;
  /** Number of packets that a reader keeps from a range of the stream; all of them if absent. */
  readonly carried?: (from: number, to: number) => number;
  /** The port of its SAT>IP server. */
  readonly satipPort: number;
}

/** A recording that holds the bytes as they were sent, held against what was sent. */
export interface Kept {
  /** Bytes that were sent between its first and its last clock and are not in it. */
  readonly lostBytes: number;
  /** When its first packet was due, and the one behind its last, UTC milliseconds. */
  readonly from: number;
  readonly to: number;
}

/** Checks the files one by one; `undefined` for a missing file. */
export async function keptOfEach(
  files: readonly (string | undefined)[],
  air: OnAir,
): Promise<readonly (Kept | undefined)[]> {
  const found: (Kept | undefined)[] = [];
  for (const file of files) found.push(file === undefined ? undefined : await keptOf(file, air));
  return found;
}

/** Total loss; NaN if one file cannot be evaluated. */
export function lostIn(kept: readonly (Kept | undefined)[]): number {
  return kept.reduce((sum, each) => sum + (each?.lostBytes ?? Number.NaN), 0);
}

/** `undefined` where the file's begin or end is not a transport stream with a clock. */
async function keptOf(file: string, air: OnAir): Promise<Kept | undefined> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  const part = async (from: number) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LOOK_BYTES), 0, LOOK_BYTES, from);
    return clocksIn(buffer.subarray(0, bytesRead)).map(({ at, pcr }) => ({ at: from + at, pcr }));
  };
  const first = (await part(0))[0];
  const last = (await part(Math.max(0, size - LOOK_BYTES))).at(-1);
  if (first === undefined || last === undefined) return undefined;
  const indexOf = ({ pcr }: Clocked) =>
    air.firstPcrIndex + Math.round((pcr - air.firstPcr) / PCR_TICKS_PER_PACKET);
  const { carried = (from, to) => to - from } = air;
  const packets = carried(indexOf(first), indexOf(last));
  const dueAt = (clocked: Clocked, bytes: number) => {
    const { at } = clocked;
    const index = indexOf(clocked);
    return air.startedAt + ((index + (bytes - at) / PACKET_BYTES) / PACKETS_PER_SECOND) * 1000;
  };
  return {
    lostBytes: packets * PACKET_BYTES - (last.at - first.at),
    from: dueAt(first, 0),
    to: dueAt(last, size),
  };
}

interface Clocked {
  readonly at: number;
  readonly pcr: number;
}

function clocksIn(bytes: Buffer): readonly Clocked[] {
  let at = 0;
  while (!isPacketAt(bytes, at)) {
    at += 1;
    if (at > PACKET_BYTES) return [];
  }
  const found: Clocked[] = [];
  for (; at + PACKET_BYTES <= bytes.length; at += PACKET_BYTES) {
    const pcr = pcrAt(bytes, at);
    if (pcr !== undefined) found.push({ at, pcr });
  }
  return found;
}

function isPacketAt(bytes: Buffer, at: number): boolean {
  return Array.from({ length: SYNCS }, (_, nth) => bytes[at + nth * PACKET_BYTES]).every(
    (byte) => byte === 0x47,
  );
}
