import { u8 } from "./bytes.ts";
import { decodeIso6937 } from "./iso6937.ts";

/** One-byte selectors of ISO/IEC 8859 parts, EN 300 468 table A.3. */
const PART_BY_SELECTOR: Readonly<Record<number, number>> = {
  1: 5,
  2: 6,
  3: 7,
  4: 8,
  5: 9,
  6: 10,
  7: 11,
  9: 13,
  10: 14,
  11: 15,
};

/** Selectors of tables whose characters have more than one byte. */
const WIDE_ENCODINGS: Readonly<Record<number, string>> = {
  17: "utf-16be",
  18: "euc-kr",
  19: "gb2312",
  20: "big5",
  21: "utf-8",
};

/** The next byte names a compression of its own (e.g. a Huffman table of one operator): not readable by the standard alone. */
const SELECTOR_ENCODING_TYPE = 0x1f;
const SELECTOR_THREE_BYTES = 0x10;

const LINE_BREAK = 0x8a;

/**
 * Text of descriptors by EN 300 468 annex A: line breaks become `\n`, other control codes go. Empty when the encoding cannot be
 * read; a reserved selector is passed over and the default table (ISO/IEC 6937 with the euro sign) assumed.
 */
export function decodeText(bytes: Uint8Array): string {
  const selector = u8(bytes, 0);
  if (bytes.length === 0 || selector === SELECTOR_ENCODING_TYPE) return "";
  if (selector >= 0x20) return decodeIso6937(narrow(bytes));
  const wide = WIDE_ENCODINGS[selector];
  if (wide !== undefined) return decodeWide(bytes.subarray(1), wide);
  const three = selector === SELECTOR_THREE_BYTES;
  const part = three ? u8(bytes, 1) * 0x100 + u8(bytes, 2) : PART_BY_SELECTOR[selector];
  const rest = narrow(bytes.subarray(three ? 3 : 1));
  // Part 12 was never published.
  const known = part !== undefined && part >= 1 && part <= 15 && part !== 12;
  return known ? new TextDecoder(`iso-8859-${part}`).decode(rest) : decodeIso6937(rest);
}

/** Takes the control codes out of single-byte text (EN 300 468 table A.1) before a table can make letters of them. */
function narrow(bytes: Uint8Array): Uint8Array {
  return bytes
    .map((byte) => (byte === LINE_BREAK ? 0x0a : byte))
    .filter((byte) => (byte >= 0x20 && byte < 0x7f) || byte >= 0xa0 || byte === 0x0a);
}

/** In wide tables the control codes are U+E080 to U+E09F (EN 300 468 table A.2). */
function decodeWide(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding)
    .decode(bytes)
    .replace(/[\u008a\ue08a]/g, "\n")
    .replace(/[^\P{Cc}\n]|[\ue080-\ue09f]/gu, "");
}
