import { type ByteSpan, u8 } from "../bytes.ts";

export interface Descriptor {
  readonly tag: number;
  readonly body: Uint8Array;
}

/** The descriptors between two offsets; one with a length beyond the end stops the list. */
export function* descriptors(bytes: Uint8Array, { firstAt, endAt }: ByteSpan): Generator<Descriptor> {
  for (let at = firstAt; at + 2 <= endAt; ) {
    const next = at + 2 + u8(bytes, at + 1);
    if (next > endAt) return;
    yield { tag: u8(bytes, at), body: bytes.subarray(at + 2, next) };
    at = next;
  }
}

/** A field of one length byte and that many bytes. */
export function counted(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.subarray(at + 1, at + 1 + u8(bytes, at));
}

/** Three or four letters of a code: ISO 639-2 or a format_identifier. */
export function letters(
  bytes: Uint8Array,
  { from, count }: { readonly from: number; readonly count: number },
): string {
  return String.fromCharCode(...bytes.subarray(from, from + count))
    .replace(/[^\x20-\x7e]/g, "")
    .trim();
}
