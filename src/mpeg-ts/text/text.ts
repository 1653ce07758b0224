import { TextDecoder } from "node:util";
import type { TextTable } from "../../model/network.ts";
import { u8 } from "../bytes.ts";
import { decodeArib } from "./arib-text.ts";
import { decodeIso6937 } from "./iso6937.ts";
import { guessTable, isMeantAsUtf8 } from "./text-guess.ts";

/** EN 300 468 table A.3. */
const TABLE_BY_SELECTOR: Readonly<Record<number, TextTable>> = {
  1: "iso-8859-5",
  2: "iso-8859-6",
  3: "iso-8859-7",
  4: "iso-8859-8",
  5: "iso-8859-9",
  6: "iso-8859-10",
  7: "iso-8859-11",
  9: "iso-8859-13",
  10: "iso-8859-14",
  11: "iso-8859-15",
  17: "utf-16be",
  18: "euc-kr",
  19: "gb2312",
  20: "big5",
  21: "utf-8",
};

/** Two more bytes select the part of ISO/IEC 8859, EN 300 468 table A.4. */
const TABLE_BY_PART: Readonly<Record<number, TextTable>> = {
  1: "iso-8859-1",
  2: "iso-8859-2",
  3: "iso-8859-3",
  4: "iso-8859-4",
  5: "iso-8859-5",
  6: "iso-8859-6",
  7: "iso-8859-7",
  8: "iso-8859-8",
  9: "iso-8859-9",
  10: "iso-8859-10",
  11: "iso-8859-11",
  13: "iso-8859-13",
  14: "iso-8859-14",
  15: "iso-8859-15",
  16: "iso-8859-16",
};

/** The next byte names a private compression (e.g. an operator's Huffman table), which the standard does not define. */
const SELECTOR_ENCODING_TYPE = 0x1f;
const SELECTOR_THREE_BYTES = 0x10;

const LINE_BREAK = 0x8a;

/**
 * Decodes descriptor text by EN 300 468 annex A: line breaks become `\n`, other control codes are dropped. Empty if the
 * encoding is unreadable.
 *
 * A selector names the table. Text without one, or with a reserved one, uses its network's table; if that is unknown, the bytes
 * decide: UTF-8 or Latin-1 if nothing else makes sense, else ISO/IEC 6937 (with the euro sign), the standard's default. ARIB
 * text has no selectors; in UTF-16, bytes that look like one are halves of characters.
 *
 * @param network the table of the network, if known
 */
export function decodeText(bytes: Uint8Array, network?: TextTable): string {
  if (network === "arib") return decodeArib(bytes, "japan");
  if (network === "utf-16be") return decode(bytes, network);
  if (network === "arib-latin")
    return isMeantAsUtf8(bytes) ? decode(bytes, "utf-8") : decodeArib(bytes, "latin");
  const selector = u8(bytes, 0);
  if (bytes.length === 0 || selector === SELECTOR_ENCODING_TYPE) return "";
  if (selector >= 0x20) return decodeUnnamed(bytes, network);
  const isLong = selector === SELECTOR_THREE_BYTES;
  const table = isLong ? TABLE_BY_PART[u8(bytes, 1) * 0x100 + u8(bytes, 2)] : TABLE_BY_SELECTOR[selector];
  const rest = bytes.subarray(isLong ? 3 : 1);
  return table === undefined ? decodeUnnamed(rest, network) : decode(rest, table);
}

function decodeUnnamed(bytes: Uint8Array, network: TextTable | undefined): string {
  if (network !== undefined) return decode(bytes, network);
  if (isMeantAsUtf8(bytes)) return decode(bytes, "utf-8");
  const codes = narrow(bytes);
  if (guessTable(codes) === "iso-6937") return decodeIso6937(codes);
  // Undeclared Latin-1 means the euro sign, not ¤.
  return decoderOf("iso-8859-1").decode(codes).replaceAll("¤", "€");
}

function decode(bytes: Uint8Array, table: TextTable): string {
  if (table === "iso-6937") return decodeIso6937(narrow(bytes));
  if (table === "iso-8859-16") return decodePart16(narrow(bytes));
  if (table === "utf-8" || table === "utf-16be") return plain(decoderOf(table).decode(bytes));
  const codes = table.startsWith("iso-") ? narrow(bytes) : wide(bytes);
  return plain(decoderOf(table).decode(codes));
}

const decoders = new Map<TextTable, TextDecoder>();

function decoderOf(table: TextTable): TextDecoder {
  const known = decoders.get(table);
  if (known !== undefined) return known;
  const made = new TextDecoder(table);
  decoders.set(table, made);
  return made;
}

/** ISO/IEC 8859-16 from 0xA0 on, which Node.js lacks. */
const PART_16 =
  "\u00a0ĄąŁ€„Š§š©Ș«Ź\u00adźŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ";

function decodePart16(codes: Uint8Array): string {
  return Array.from(codes, (code) =>
    code < 0xa0 ? String.fromCharCode(code) : (PART_16[code - 0xa0] ?? ""),
  ).join("");
}

/** Removes the control codes of single-byte text (EN 300 468 table A.1) before decoding. */
function narrow(bytes: Uint8Array): Uint8Array {
  return bytes
    .map((byte) => (byte === LINE_BREAK ? 0x0a : byte))
    .filter((byte) => (byte >= 0x20 && byte < 0x7f) || byte >= 0xa0 || byte === 0x0a);
}

/**
 * Removes the control codes of text with two-byte characters from 0xA1 on: 0xE080 to 0xE09F (EN 300 468 table A.2), or single
 * bytes after all.
 */
function wide(bytes: Uint8Array): Uint8Array {
  const codes: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = u8(bytes, at);
    const isPair = lead >= 0xa1 && u8(bytes, at + 1) >= 0x40;
    if (isPair) at += 1;
    const last = u8(bytes, at);
    if (last >= 0x80 && last < 0xa0) codes.push(...(last === LINE_BREAK ? [0x0a] : []));
    else if (isPair) codes.push(lead, last);
    else if (last >= 0x20 && last < 0x7f) codes.push(last);
  }
  return Uint8Array.from(codes);
}

/** Removes the control codes of UTF-8 and UTF-16: U+E080 to U+E09F (EN 300 468 table A.2), or U+0080 to U+009F. */
function plain(text: string): string {
  return text.replace(/[\u008a\ue08a]/g, "\n").replace(/[^\P{Cc}\n]|[\ue080-\ue09f]/gu, "");
}
