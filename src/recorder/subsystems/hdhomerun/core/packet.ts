/** Packet types of the HDHomeRun protocol (hdhomerun_pkt.h of libhdhomerun). */
export const PACKET = { discoverRequest: 2, discoverReply: 3, getSetRequest: 4, getSetReply: 5 } as const;

/** Tags of the fields in a packet. */
export const TAG = {
  deviceType: 0x01,
  deviceId: 0x02,
  name: 0x03,
  value: 0x04,
  error: 0x05,
  tunerCount: 0x10,
  lockKey: 0x15,
  lineupUrl: 0x27,
  baseUrl: 0x2a,
  deviceTypes: 0x2d,
} as const;

export const TUNER_DEVICE = 1;
/** Any device type, or any device id. */
export const WILDCARD = 0xffff_ffff;

/** Port of discovery (UDP) and control (TCP). */
export const PROTOCOL_PORT = 65_001;

export interface Packet {
  readonly type: number;
  readonly fields: readonly Field[];
}

export interface Field {
  readonly tag: number;
  /** At most 32,767 bytes. */
  readonly value: Uint8Array;
}

/** Type and length of the payload, before it; the CRC-32 of both is behind it. */
const HEAD_BYTES = 4;
const CRC_BYTES = 4;
/** A larger packet is not valid. */
const PACKET_BYTES_MAX = 1460;

/** Type and length (big-endian), fields with tag and length, CRC-32 (little-endian). */
export function formatPacket({ type, fields }: Packet): Uint8Array {
  const payload = fields.flatMap(({ tag, value }) => [tag, ...formatLength(value.length), ...value]);
  const end = HEAD_BYTES + payload.length;
  const packet = new Uint8Array(end + CRC_BYTES);
  const view = viewOf(packet);
  view.setUint16(0, type);
  view.setUint16(2, payload.length);
  packet.set(payload, HEAD_BYTES);
  view.setUint32(end, crc32(packet.subarray(0, end)), true);
  return packet;
}

/** @returns `undefined` unless the bytes are exactly one whole packet with the right CRC */
export function parsePacket(bytes: Uint8Array): Packet | undefined {
  if (packetLength(bytes) !== bytes.length) return undefined;
  const view = viewOf(bytes);
  const end = bytes.length - CRC_BYTES;
  if (view.getUint32(end, true) !== crc32(bytes.subarray(0, end))) return undefined;
  const fields: Field[] = [];
  for (let at = HEAD_BYTES; at < end; ) {
    const field = fieldAt(bytes.subarray(at, end));
    if (field === undefined) return undefined;
    fields.push(field.field);
    at += field.bytes;
  }
  return { type: view.getUint16(0), fields };
}

/**
 * The length of the packet that the bytes begin with.
 *
 * @returns `undefined` if they are too few to show it; `Infinity` if no packet may be that long
 */
export function packetLength(bytes: Uint8Array): number | undefined {
  if (bytes.length < HEAD_BYTES) return undefined;
  const length = HEAD_BYTES + viewOf(bytes).getUint16(2) + CRC_BYTES;
  return length > PACKET_BYTES_MAX ? Number.POSITIVE_INFINITY : length;
}

/** The value of the first field with the tag, if it is a 32-bit number. */
export function numberIn(packet: Packet, tag: number): number | undefined {
  const value = valueIn(packet, tag);
  return value?.length === 4 ? viewOf(value).getUint32(0) : undefined;
}

/** The value of the first field with the tag as a list of 32-bit numbers. */
export function numbersIn(packet: Packet, tag: number): readonly number[] {
  const value = valueIn(packet, tag) ?? new Uint8Array();
  return Array.from({ length: Math.floor(value.length / 4) }, (_, index) =>
    viewOf(value).getUint32(4 * index),
  );
}

/** The value of the first field with the tag as text, up to a NUL. */
export function textIn(packet: Packet, tag: number): string | undefined {
  const value = valueIn(packet, tag);
  return value === undefined ? undefined : new TextDecoder().decode(value).split("\0", 1)[0];
}

export function numberField(tag: number, value: number): Field {
  const bytes = new Uint8Array(4);
  viewOf(bytes).setUint32(0, value);
  return { tag, value: bytes };
}

export function textField(tag: number, text: string): Field {
  return { tag, value: new TextEncoder().encode(text) };
}

/** The value of the first field with the tag. */
export function valueIn({ fields }: Packet, wanted: number): Uint8Array | undefined {
  return fields.find(({ tag }) => tag === wanted)?.value;
}

/** One byte up to 127; above, the lower seven bits with the highest bit set, then the rest. */
function formatLength(length: number): readonly number[] {
  return length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >> 7];
}

function fieldAt(bytes: Uint8Array): { readonly field: Field; readonly bytes: number } | undefined {
  const [tag, low, high] = bytes;
  if (tag === undefined || low === undefined) return undefined;
  const isLong = low >= 0x80;
  if (isLong && high === undefined) return undefined;
  const first = isLong ? 3 : 2;
  const end = first + (isLong ? (low & 0x7f) + ((high ?? 0) << 7) : low);
  if (end > bytes.length) return undefined;
  return { field: { tag, value: new Uint8Array(bytes.subarray(first, end)) }, bytes: end };
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
  return crc;
});

/** The CRC-32 of Ethernet. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0);
  return ~crc >>> 0;
}
