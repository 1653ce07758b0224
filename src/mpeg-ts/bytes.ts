/** Big-endian reads that return 0 beyond the end: a broadcast may carry wrong lengths, which must not throw. */
export function u8(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

export function u16(bytes: Uint8Array, at: number): number {
  return (u8(bytes, at) << 8) | u8(bytes, at + 1);
}

/**
 * A byte range of a packet or section. Objects that hold times must not share these keys: V8 would store all offsets as
 * doubles, and each read would cost more.
 */
export interface ByteSpan {
  readonly firstAt: number;
  /** Offset after the last byte. */
  readonly endAt: number;
}
