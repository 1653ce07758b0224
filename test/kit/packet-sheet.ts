const PACKET_BYTES = 188;
const FIRST_BYTES = 256 * PACKET_BYTES;
/** 33 bits of 90 kHz. ISO/IEC 13818-1 §2.4.3.5. */
const WRAP_STAMP = 2 ** 33;
const STAMPS_PER_MS = 90;

export interface SheetPacket {
  readonly pid: number;
  readonly starts?: boolean;
  readonly discontinuity?: boolean;
  /** In ms of the sender's clock. */
  readonly pcrMs?: number;
  /** Absent: an adaptation field alone. */
  readonly payload?: Uint8Array;
}

/** Transport packets one after the other with running counters: as `packet` of ts-builder.ts, for many thousands of them. */
export class PacketSheet {
  #bytes = new Uint8Array(FIRST_BYTES);
  #end = 0;
  readonly #counters = new Map<number, number>();

  get length(): number {
    return this.#end;
  }

  take(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  /** Packets that are lost: their counters have moved on. */
  lose(from: number): void {
    this.#end = from;
  }

  packet({ pid, starts = false, discontinuity = false, pcrMs, payload }: SheetPacket): void {
    const at = this.#room();
    const bytes = this.#bytes;
    const length = payload?.length ?? 0;
    const field = 184 - length;
    bytes.fill(0xff, at, at + PACKET_BYTES);
    bytes[at] = 0x47;
    bytes[at + 1] = (starts ? 0x40 : 0) | (pid >> 8);
    bytes[at + 2] = pid & 0xff;
    bytes[at + 3] = (field > 0 ? 0x20 : 0) | (payload === undefined ? 0 : 0x10) | this.#counter(pid, payload);
    if (field > 0) bytes[at + 4] = field - 1;
    if (field > 1) bytes[at + 5] = (discontinuity ? 0x80 : 0) | (pcrMs === undefined ? 0 : 0x10);
    if (pcrMs !== undefined) writePcr(bytes, at + 6, pcrMs);
    if (payload !== undefined) bytes.set(payload, at + PACKET_BYTES - length);
  }

  /** A whole unit in as many packets as it takes. */
  unit(pid: number, unit: Uint8Array): void {
    for (let from = 0; from < unit.length; from += 184) {
      this.packet({ pid, starts: from === 0, payload: unit.subarray(from, from + 184) });
    }
  }

  /** One section that begins with a packet. */
  section(pid: number, section: Uint8Array): void {
    const padded = new Uint8Array(Math.ceil((section.length + 1) / 184) * 184).fill(0xff);
    padded[0] = 0;
    padded.set(section, 1);
    this.unit(pid, padded);
  }

  #counter(pid: number, payload: Uint8Array | undefined): number {
    const before = this.#counters.get(pid) ?? 15;
    const counter = payload === undefined ? before : (before + 1) % 16;
    this.#counters.set(pid, counter);
    return counter;
  }

  #room(): number {
    const at = this.#end;
    if (at + PACKET_BYTES > this.#bytes.length) {
      const more = new Uint8Array(2 * this.#bytes.length);
      more.set(this.#bytes);
      this.#bytes = more;
    }
    this.#end = at + PACKET_BYTES;
    return at;
  }
}

function writePcr(bytes: Uint8Array, at: number, pcrMs: number): void {
  const base = stampOf(pcrMs);
  const high = Math.floor(base / 2);
  for (let byte = 0; byte < 4; byte += 1) bytes[at + byte] = (high >>> (24 - 8 * byte)) & 0xff;
  bytes[at + 4] = ((base % 2) << 7) | 0x7e;
  bytes[at + 5] = 0;
}

/** A PTS or DTS, or the base of a PCR. */
function stampOf(ms: number): number {
  const stamp = Math.round(ms * STAMPS_PER_MS) % WRAP_STAMP;
  return stamp < 0 ? stamp + WRAP_STAMP : stamp;
}

export interface PesParts {
  readonly streamId: number;
  readonly ptsMs: number;
  /** Written where it differs from the PTS. */
  readonly dtsMs: number;
  readonly content: Uint8Array;
}

/** A PES packet with its stamps; that of a picture does not state its length. ISO/IEC 13818-1 §2.4.3.6. */
export function pesPacket({ streamId, ptsMs, dtsMs, content }: PesParts): Uint8Array {
  const pts = stampOf(ptsMs);
  const dts = stampOf(dtsMs);
  const fields = pts === dts ? 5 : 10;
  const isPicture = streamId >= 0xe0;
  const length = isPicture ? 0 : 3 + fields + content.length;
  const bytes = new Uint8Array(9 + fields + content.length);
  bytes.set([0, 0, 1, streamId, length >> 8, length & 0xff, 0x84, fields === 5 ? 0x80 : 0xc0, fields]);
  writeStamp(bytes, 9, { stamp: pts, mark: fields === 5 ? 0x20 : 0x30 });
  if (fields === 10) writeStamp(bytes, 14, { stamp: dts, mark: 0x10 });
  bytes.set(content, 9 + fields);
  return bytes;
}

function writeStamp(
  bytes: Uint8Array,
  at: number,
  { stamp, mark }: { readonly stamp: number; readonly mark: number },
): void {
  const low = stamp % 2 ** 30;
  bytes[at] = mark | (Math.floor(stamp / 2 ** 30) << 1) | 1;
  bytes[at + 1] = (low >> 22) & 0xff;
  bytes[at + 2] = ((low >> 14) & 0xfe) | 1;
  bytes[at + 3] = (low >> 7) & 0xff;
  bytes[at + 4] = ((low << 1) & 0xfe) | 1;
}
