import { hasPcr, NULL_PID, PACKET_BYTES, payloadAt, pcrAt, pidAt } from "../../src/mpeg-ts/packets.ts";
import type { EndlessStream } from "../../src/simulator/broadcaster/listener.ts";
import { writePcr, writePts } from "../../src/simulator/broadcaster/packet.ts";

const CLOCK_WRAP = 2 ** 33;
const TICKS_PER_MS = 90;

/**
 * An endless loop of a captured stream at the pace of its own clock; a function of time, with loops counted from 1970.
 *
 * @param seams `real`: counters and clocks jump back where the capture begins again. `hidden`: they go on. What the capture's
 *   border cuts through, a picture or a section, stays torn.
 */
export function captureLoop(capture: Buffer, seams: "real" | "hidden"): EndlessStream {
  const count = Math.floor(capture.length / PACKET_BYTES);
  const msPerPacket = pace(capture);
  const loopTicks = Math.round(count * msPerPacket * TICKS_PER_MS);
  const stamps =
    seams === "hidden" ? Array.from({ length: count }, (_, index) => stampsAt(capture, index)) : [];
  const advances = counterAdvances(capture);

  function restamp(packet: Buffer, { loop, index }: { readonly loop: number; readonly index: number }): void {
    const shift = (loop * loopTicks) % CLOCK_WRAP;
    const counter = (packet[3] ?? 0) + loop * (advances.get(pidAt(packet, 0)) ?? 0);
    packet[3] = ((packet[3] ?? 0) & 0xf0) | (counter % 16);
    const { pcr, times } = stamps[index] ?? NO_STAMPS;
    if (pcr !== undefined) writePcr(packet, 6, (pcr + shift * 300) % (CLOCK_WRAP * 300));
    for (const { offset, ticks, mark } of times) {
      writePts(packet, offset, ticks + shift);
      packet[offset] = ((packet[offset] ?? 0) & 0x0f) | mark;
    }
  }

  return {
    indexAt: (at) => Math.ceil(at / msPerPacket),
    instantOf: (index) => index * msPerPacket,
    packets: (from, to) => {
      const bytes = Buffer.alloc((to - from) * PACKET_BYTES);
      for (let each = from; each < to; each += 1) {
        const index = each % count;
        const packet = bytes.subarray((each - from) * PACKET_BYTES, (each - from + 1) * PACKET_BYTES);
        capture.copy(packet, 0, index * PACKET_BYTES);
        if (seams === "hidden") restamp(packet, { loop: (each - index) / count, index });
      }
      return bytes;
    },
  };
}

interface Stamps {
  /** In 27 MHz. */
  readonly pcr?: number;
  /** PTS and DTS in 90 kHz, with the four bits that mark which of them it is. */
  readonly times: readonly { readonly offset: number; readonly ticks: number; readonly mark: number }[];
}

const NO_STAMPS: Stamps = { times: [] };

function stampsAt(capture: Buffer, index: number): Stamps {
  const packet = capture.subarray(index * PACKET_BYTES, (index + 1) * PACKET_BYTES);
  const times = pesTimes(packet);
  return hasPcr(packet, 0) ? { pcr: pcrAt(packet, 0), times } : { times };
}

/** ISO/IEC 13818-1 §2.4.3.6: PTS and DTS of a PES packet that begins here. */
function pesTimes(packet: Buffer): Stamps["times"] {
  const at = payloadAt(packet, 0);
  const startsWithPayload = ((packet[1] ?? 0) & 0x40) !== 0 && ((packet[3] ?? 0) & 0x10) !== 0;
  if (!startsWithPayload || at + 19 > PACKET_BYTES || packet.readUIntBE(at, 3) !== 1) return [];
  const id = packet[at + 3] ?? 0;
  const hasHeader = id === 0xbd || id === 0xfd || (id >= 0xc0 && id <= 0xef);
  const flags = packet[at + 7] ?? 0;
  const offsets = [
    ...(hasHeader && (flags & 0x80) !== 0 ? [at + 9] : []),
    ...(hasHeader && (flags & 0xc0) === 0xc0 ? [at + 14] : []),
  ];
  return offsets.map((offset) => ({
    offset,
    ticks: readTime(packet, offset),
    mark: (packet[offset] ?? 0) & 0xf0,
  }));
}

function readTime(packet: Buffer, at: number): number {
  const high = ((packet[at] ?? 0) >> 1) & 0x07;
  return high * 2 ** 30 + (packet.readUInt16BE(at + 1) >> 1) * 2 ** 15 + (packet.readUInt16BE(at + 3) >> 1);
}

/** Milliseconds per packet, by the first clock in the capture. */
function pace(capture: Buffer): number {
  const all: { readonly index: number; readonly pid: number; readonly pcr: number }[] = [];
  for (let at = 0; at + PACKET_BYTES <= capture.length; at += PACKET_BYTES) {
    if (!hasPcr(capture, at)) continue;
    all.push({ index: at / PACKET_BYTES, pid: pidAt(capture, at), pcr: pcrAt(capture, at) });
  }
  const clock = all.filter(({ pid }) => pid === all[0]?.pid);
  const [first, last] = [clock[0], clock.at(-1)];
  if (first === undefined || last === undefined || last.index === first.index) {
    throw new Error("a capture without a clock cannot be played: no PID has two PCRs");
  }
  return (last.pcr - first.pcr) / 27_000 / (last.index - first.index);
}

/** How far the continuity counter of each PID goes on from one loop to the next. */
function counterAdvances(capture: Buffer): ReadonlyMap<number, number> {
  const firsts = new Map<number, number>();
  const advances = new Map<number, number>();
  for (let at = 0; at + PACKET_BYTES <= capture.length; at += PACKET_BYTES) {
    const control = capture[at + 3] ?? 0;
    const pid = pidAt(capture, at);
    if ((control & 0x10) === 0 || pid === NULL_PID) continue;
    const first = firsts.get(pid) ?? control & 0x0f;
    firsts.set(pid, first);
    advances.set(pid, ((control & 0x0f) - first + 17) % 16);
  }
  return advances;
}
