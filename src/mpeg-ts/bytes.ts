/** Big-endian reads that answer 0 beyond the end: lengths in a broadcast may lie, and a lie must not throw. */
export function u8(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

export function u16(bytes: Uint8Array, at: number): number {
  return (u8(bytes, at) << 8) | u8(bytes, at + 1);
}

/**
 * Bytes of a packet or a section, by offsets. No object that holds times has these keys: the engine would then keep the offsets of all
 * as doubles, and each read at one of them costs more.
 */
export interface ByteSpan {
  readonly firstAt: number;
  /** Behind the last byte. */
  readonly endAt: number;
}
