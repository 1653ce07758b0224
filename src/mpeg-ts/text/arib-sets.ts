import { additionalSymbol } from "./arib-symbols.ts";
import { beyondJisX0208, jisX0213Plane2 } from "./jis-x-0213.ts";

/**
 * A graphic set of ARIB STD-B24 volume 1 part 2 §7.1: the meaning of its codes, 0x21 to 0x7E in one or two bytes. Characters
 * have normal size.
 */
export interface GraphicSet {
  readonly bytes: 1 | 2;
  /** `undefined` if the set has no such character. `second` is 0 for one-byte codes. */
  character(first: number, second: number): string | undefined;
}

/** Offset from an ASCII character to its full-width form. */
export const FULL_WIDTH = 0xfee0;
const CELLS = 94;

/** JIS X 0208 rows in EUC-JP, by row and cell from 0; U+FFFD for an empty cell. */
let jisX0208: readonly string[] | undefined;

function readJisX0208(): readonly string[] {
  const codes = Array.from({ length: CELLS * CELLS }, (_, at) => [
    0xa1 + Math.floor(at / CELLS),
    0xa1 + (at % CELLS),
  ]);
  return [...new TextDecoder("euc-jp").decode(Uint8Array.from(codes.flat()))];
}

/** Rows 85 and above of the web's EUC-JP are vendor extensions. */
const JIS_X_0208_ROWS = 84;

function kanji(first: number, second: number): string | undefined {
  jisX0208 ??= readJisX0208();
  const row = first - 0x20;
  const found = row > JIS_X_0208_ROWS ? undefined : jisX0208[(row - 1) * CELLS + second - 0x21];
  return found === "\ufffd" ? undefined : found;
}

const kanjiAndSymbols = twoBytes(
  (first, second) => kanji(first, second) ?? additionalSymbol(first - 0x20, second - 0x20),
);
const additionalSymbols = twoBytes((first, second) => additionalSymbol(first - 0x20, second - 0x20));
const compatiblePlane1 = twoBytes(
  (first, second) => kanji(first, second) ?? beyondJisX0208(first - 0x20, second - 0x20),
);
const compatiblePlane2 = twoBytes((first, second) => jisX0213Plane2(first - 0x20, second - 0x20));

function twoBytes(character: GraphicSet["character"]): GraphicSet {
  return { bytes: 2, character };
}

function oneByte(characters: readonly string[]): GraphicSet {
  return { bytes: 1, character: (code) => characters[code - 0x21] };
}

/** JIS X 0201: ASCII, but for the yen sign and the overline. */
const alphanumericCodes = Array.from({ length: CELLS }, (_, at) =>
  String.fromCharCode(at + 0x21 + FULL_WIDTH),
);
const alphanumeric = oneByte(alphanumericCodes.with(0x5c - 0x21, "￥").with(0x7e - 0x21, "￣"));

/** Marks in both kana sets from 0x79 on. */
const KANA_MARKS = "ー。「」、・";
const hiragana = oneByte([...kanaFrom(0x3041, 83), "", "", "", "ゝ", "ゞ", ...KANA_MARKS]);
const katakana = oneByte([...kanaFrom(0x30a1, 86), "ヽ", "ヾ", ...KANA_MARKS]);

function kanaFrom(first: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => String.fromCharCode(first + at));
}

/** JIS X 0201 katakana, 63 of them, in the order of U+FF61; of normal size they are full width. */
const jisX0201Katakana = oneByte(kanaFrom(0xff61, 63).map((half) => half.normalize("NFKC")));

/** ASCII, for countries that write with Latin letters (ABNT NBR 15606-1). */
const latin = oneByte(Array.from({ length: CELLS }, (_, at) => String.fromCharCode(at + 0x21)));

/** ISO 8859-15; the last letter does not fit a set of 94 and takes the soft hyphen's place. */
const latinExtension = oneByte([
  ...new TextDecoder("iso-8859-15")
    .decode(Uint8Array.from({ length: CELLS }, (_, at) => at + 0xa1))
    .replace("\u00ad", "ÿ"),
]);

/** ABNT NBR 15606-1: 0x21, 0x30 to 0x36 and 0x40 to 0x4A. */
const LATIN_SPECIAL: Readonly<Record<number, string>> = {
  33: "♪",
  48: "¤",
  49: "¦",
  50: "¨",
  51: "´",
  52: "¸",
  53: "¼",
  54: "½",
  55: "¾",
  64: "…",
  65: "█",
  66: "‘",
  67: "’",
  68: "“",
  69: "”",
  70: "•",
  71: "™",
  72: "⅛",
  73: "⅜",
  74: "⅝",
  75: "⅞",
};
const latinSpecial: GraphicSet = { bytes: 1, character: (code) => LATIN_SPECIAL[code] };

/** A set that cannot be shown as text: mosaics, and characters defined by pictures (DRCS). */
export function unreadableSet(bytes: 1 | 2): GraphicSet {
  return { bytes, character: () => undefined };
}

/** By the final byte of the designation. */
const SET_BY_FINAL: ReadonlyMap<number, GraphicSet> = new Map([
  [0x30, hiragana],
  [0x31, katakana],
  [0x36, alphanumeric],
  [0x37, hiragana],
  [0x38, katakana],
  [0x39, compatiblePlane1],
  [0x3a, compatiblePlane2],
  [0x3b, additionalSymbols],
  [0x42, kanjiAndSymbols],
  [0x49, jisX0201Katakana],
  [0x4a, alphanumeric],
  [0x4b, latinExtension],
  [0x4c, latinSpecial],
]);

export function setOfFinal(final: number): GraphicSet | undefined {
  return SET_BY_FINAL.get(final);
}

export type FourSets = readonly [GraphicSet, GraphicSet, GraphicSet, GraphicSet];

/** G0 to G3 at the beginning of each text of service information, ARIB STD-B10 part 2 annex A. */
export const JAPANESE_SETS: FourSets = [kanjiAndSymbols, alphanumeric, hiragana, katakana];
/** The same by ABNT NBR 15606-1. */
export const LATIN_SETS: FourSets = [latin, latin, latinExtension, latinSpecial];
