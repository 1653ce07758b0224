/** Builds small transport streams for tests, written apart from the reader so that the two cannot share a mistake. */
export interface PacketParts {
  readonly pid: number;
  readonly counter?: number;
  readonly starts?: boolean;
  readonly transportError?: boolean;
  readonly scrambling?: number;
  readonly discontinuity?: boolean;
  /** In ticks of 27 MHz. */
  readonly pcr?: number;
  /** Absent: an adaptation field alone. */
  readonly payload?: Uint8Array;
}

/** One packet of 188 bytes. A short payload is preceded by stuffing in the adaptation field. */
export function packet(parts: PacketParts): Uint8Array {
  const { pid, counter = 0, payload } = parts;
  const bytes = new Uint8Array(188).fill(0xff);
  const room = payload === undefined ? 184 : 184 - payload.length;
  const hasField = room > 0 || parts.pcr !== undefined || parts.discontinuity === true;
  bytes[0] = 0x47;
  bytes[1] = (parts.transportError ? 0x80 : 0) | (parts.starts ? 0x40 : 0) | (pid >> 8);
  bytes[2] = pid & 0xff;
  bytes[3] =
    ((parts.scrambling ?? 0) << 6) |
    (hasField ? 0x20 : 0) |
    (payload === undefined ? 0 : 0x10) |
    (counter % 16);
  if (hasField) bytes[4] = room - 1;
  if (hasField && room > 1) {
    bytes[5] = (parts.discontinuity ? 0x80 : 0) | (parts.pcr === undefined ? 0 : 0x10);
  }
  if (parts.pcr !== undefined) {
    const base = BigInt(Math.floor(parts.pcr / 300));
    const field = (base << 15n) | (0x3fn << 9n) | BigInt(parts.pcr % 300);
    for (let i = 0; i < 6; i += 1) bytes[6 + i] = Number((field >> BigInt(40 - 8 * i)) & 0xffn);
  }
  if (payload !== undefined) bytes.set(payload, 188 - payload.length);
  return bytes;
}

/** CRC-32 of ISO/IEC 13818-1 annex A, bit by bit. */
function crc(bytes: readonly number[]): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      const feedback = ((value >>> 31) ^ (byte >> bit)) & 1;
      value = ((value << 1) ^ (feedback === 1 ? 0x04c11db7 : 0)) >>> 0;
    }
  }
  return value;
}

export function sixteen(value: number): readonly number[] {
  return [(value >> 8) & 0xff, value & 0xff];
}

export interface SectionParts {
  readonly tableId: number;
  readonly extension: number;
  readonly version?: number;
  readonly number?: number;
  readonly body: readonly number[];
}

/** A section with the long header and a right CRC-32. */
export function section({ tableId, extension, version = 0, number = 0, body }: SectionParts): Uint8Array {
  const length = 5 + body.length + 4;
  const head = [
    tableId,
    0xb0 | (length >> 8),
    length & 0xff,
    ...sixteen(extension),
    0xc1 | (version << 1),
    number,
    1,
  ];
  const content = [...head, ...body];
  const check = crc(content);
  return Uint8Array.from([...content, ...sixteen(check >>> 16), ...sixteen(check & 0xffff)]);
}

export function descriptor(tag: number, body: readonly number[]): readonly number[] {
  return [tag, body.length, ...body];
}

export function counted(bytes: readonly number[]): readonly number[] {
  return [bytes.length, ...bytes];
}

export function ascii(text: string): readonly number[] {
  return [...text].map((character) => character.charCodeAt(0));
}

export function pat(
  tsid: number,
  {
    programmes,
    version = 0,
  }: { readonly programmes: readonly (readonly [number, number])[]; readonly version?: number },
): Uint8Array {
  const body = programmes.flatMap(([sid, pmtPid]) => [...sixteen(sid), ...sixteen(0xe000 | pmtPid)]);
  return section({ tableId: 0x00, extension: tsid, version, body });
}

export interface PmtParts {
  readonly sid: number;
  readonly pcrPid: number;
  readonly version?: number;
  /** Descriptors of the programme. */
  readonly programme?: readonly number[];
  readonly streams: readonly {
    readonly type: number;
    readonly pid: number;
    readonly info?: readonly number[];
  }[];
}

export function pmt({ sid, pcrPid, version = 0, programme = [], streams }: PmtParts): Uint8Array {
  const loop = streams.flatMap(({ type, pid, info = [] }) => [
    type,
    ...sixteen(0xe000 | pid),
    ...sixteen(0xf000 | info.length),
    ...info,
  ]);
  return section({
    tableId: 0x02,
    extension: sid,
    version,
    body: [...sixteen(0xe000 | pcrPid), ...sixteen(0xf000 | programme.length), ...programme, ...loop],
  });
}

/** The packets of one PID with running counters. */
export class PidWriter {
  readonly #pid: number;
  #counter = 15;

  constructor(pid: number) {
    this.#pid = pid;
  }

  next(parts: Omit<PacketParts, "pid" | "counter"> = {}): Uint8Array {
    if (parts.payload !== undefined) this.#counter = (this.#counter + 1) % 16;
    return packet({ ...parts, pid: this.#pid, counter: this.#counter });
  }

  /** Sections one after the other, each as soon as the one before it ends: as dense as the standard allows. */
  sections(...sections: readonly Uint8Array[]): readonly Uint8Array[] {
    const all = join(sections);
    const starts = sections.map((_, index) => join(sections.slice(0, index)).length);
    const packets: Uint8Array[] = [];
    for (let at = 0; at < all.length; ) {
      const start = starts.find((each) => each >= at && each < at + 183);
      const next = starts.find((each) => each >= at) ?? all.length;
      const room = start === undefined ? Math.min(184, next - at) : 183;
      const part = all.subarray(at, at + room);
      const pointer = start === undefined ? [] : [start - at];
      const payload = new Uint8Array(184).fill(0xff);
      payload.set([...pointer, ...part]);
      packets.push(this.next({ starts: start !== undefined, payload }));
      at += part.length;
    }
    return packets;
  }
}

export function join(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export const TICKS_PER_MS = 27_000;

/** The same as a picture of its own: a PES header with start code, and what it holds. */
export function unit(seed: number): Uint8Array {
  const bytes = payload(seed);
  bytes.set([0, 0, 1, 0xe0, 0, 0, 0x80, 0, 0]);
  return bytes;
}

/** 184 bytes that differ for neighbouring seeds and hold no sync byte. */
export function payload(seed: number): Uint8Array {
  const bytes = new Uint8Array(184);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = (seed * 31 + index * 7) & 0x3f;
  return bytes;
}
