/** Big-endian reads that answer 0 beyond the end: lengths in a broadcast may lie, and a lie must not throw. */
export function u8(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

export function u16(bytes: Uint8Array, at: number): number {
  return (u8(bytes, at) << 8) | u8(bytes, at + 1);
}
