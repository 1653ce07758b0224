import {
  crc32,
  type Loop,
  NULL_PID,
  ONID,
  PACKET_BYTES,
  PAT_PID,
  PMT_PID,
  SDT_PID,
  TSID,
  tripletOf,
} from "./loop.ts";

/** With 8 Mbit/s each, what a satellite's transponder carries. */
export const SERVICES = 8;
/** Streams of one service have PIDs so far from those of the one before. */
const PID_STEP = 0x20;

/** Services of one and the same loop side by side in one transport stream of constant rate, with PAT and SDT for all. */
export class Multiplex {
  readonly #shared: ReadonlyMap<number, Buffer>;
  readonly #pmts: readonly Buffer[];

  /** @param first the number of its first service */
  constructor(loop: Loop, first: number) {
    const sids = Array.from({ length: SERVICES }, (_, nth) => tripletOf(first + nth).sid);
    this.#shared = new Map([
      [PAT_PID, packetOf(PAT_PID, patOf(sids))],
      [SDT_PID, packetOf(SDT_PID, sdtOf(sids))],
    ]);
    this.#pmts = sids.map((sid, nth) => movedPmt(loop.tablesOf(sid).get(PMT_PID), nth));
  }

  /** Multiplexes a range of the loop: a packet of each service for each packet of it. */
  stretch(stretch: Buffer): Buffer {
    const out = Buffer.allocUnsafe(stretch.length * SERVICES);
    for (let at = 0; at < stretch.length; at += PACKET_BYTES) {
      const pid = stretch.readUInt16BE(at + 1) & 0x1fff;
      for (let nth = 0; nth < SERVICES; nth += 1) this.#put(out, { at, nth, pid, stretch });
    }
    return out;
  }

  #put(
    out: Buffer,
    {
      at,
      nth,
      pid,
      stretch,
    }: { readonly at: number; readonly nth: number; readonly pid: number; readonly stretch: Buffer },
  ): void {
    const to = at * SERVICES + nth * PACKET_BYTES;
    const shared = this.#shared.get(pid);
    const table = pid === PMT_PID ? this.#pmts[nth] : shared;
    if (shared !== undefined && nth > 0) {
      STUFFING.copy(out, to);
    } else if (table !== undefined) {
      table.copy(out, to);
      out[to + 3] = stretch[at + 3] ?? 0;
    } else {
      stretch.copy(out, to, at, at + PACKET_BYTES);
      if (pid !== NULL_PID) out.writeUInt16BE(stretch.readUInt16BE(at + 1) + nth * PID_STEP, to + 1);
    }
  }
}

const STUFFING = Buffer.alloc(PACKET_BYTES, 0xff);
STUFFING.writeUInt32BE(0x47000010 | (NULL_PID << 8));

/** A section in a packet of its own, with a counter that is still to be written. ISO/IEC 13818-1 §2.4.4. */
function packetOf(pid: number, section: Buffer): Buffer {
  const packet = Buffer.alloc(PACKET_BYTES, 0xff);
  packet.writeUInt32BE(0x47400010 | (pid << 8));
  packet[4] = 0;
  section.copy(packet, 5);
  return packet;
}

/** Program association, ISO/IEC 13818-1 §2.4.4.3. */
function patOf(sids: readonly number[]): Buffer {
  const programmes = sids.flatMap((sid, nth) => words(sid, 0xe000 | (PMT_PID + nth)));
  return sectionOf({ tableId: 0x00, id: TSID, body: programmes });
}

/** Service description of this stream, EN 300 468 §5.2.3: which services there are, without names. */
function sdtOf(sids: readonly number[]): Buffer {
  const services = sids.flatMap((sid) => [...words(sid), 0xfc, ...words(0x8000)]);
  return sectionOf({ tableId: 0x42, id: TSID, body: [...words(ONID), 0xff, ...services] });
}

function words(...values: readonly number[]): readonly number[] {
  return values.flatMap((value) => [value >> 8, value & 0xff]);
}

function sectionOf({
  tableId,
  id,
  body,
}: {
  readonly tableId: number;
  readonly id: number;
  readonly body: readonly number[];
}): Buffer {
  const length = 5 + body.length + 4;
  const head = [tableId, ...words(0xb000 | length), ...words(id), 0xc1, 0, 0];
  const section = Buffer.from([...head, ...body, 0, 0, 0, 0]);
  section.writeUInt32BE(crc32(section.subarray(0, -4)), section.length - 4);
  return section;
}

/** The programme map of a service whose streams have other PIDs here. ISO/IEC 13818-1 §2.4.4.8. */
function movedPmt(packet: Buffer | undefined, nth: number): Buffer {
  if (packet === undefined) throw new Error("the stream has no PMT");
  const moved = Buffer.from(packet);
  moved.writeUInt16BE(moved.readUInt16BE(1) + nth, 1);
  const section = 5 + (moved[4] ?? 0);
  const end = section + 3 + (moved.readUInt16BE(section + 1) & 0xfff) - 4;
  const movePid = (at: number) => moved.writeUInt16BE(moved.readUInt16BE(at) + nth * PID_STEP, at);
  movePid(section + 8);
  let at = section + 12 + (moved.readUInt16BE(section + 10) & 0xfff);
  while (at < end) {
    movePid(at + 1);
    at += 5 + (moved.readUInt16BE(at + 3) & 0xfff);
  }
  moved.writeUInt32BE(crc32(moved.subarray(section, end)), end);
  return moved;
}
