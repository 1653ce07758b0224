import { isUtf8 } from "node:buffer";
import { u8 } from "../bytes.ts";

/**
 * Guesses the table of text without a selector from its bytes. ISO/IEC 6937, the standard's choice, and Latin-1 differ from
 * 0xC0 on. Each such byte is evidence for one of them, or for neither; Latin-1 needs the majority.
 *
 * Text is ambiguous if all such bytes make sense in both: `Änderung` in Latin-1 is `ñderung` in ISO 6937, `Børn` is `Błrn`,
 * `état` is `Øtat`. The standard then decides; a setting can name a network's table.
 */
export function guessTable(bytes: Uint8Array): "iso-6937" | "iso-8859-1" {
  let votes = 0;
  for (let at = 0; at < bytes.length; at += 1) if (u8(bytes, at) >= 0xc0) votes += voteAt(bytes, at);
  return votes < 0 ? "iso-8859-1" : "iso-6937";
}

/** The letters that may follow each ISO 6937 mark, from 0xC0 on (ISO/IEC 6937 table 3). Empty for an unused code. */
const LETTERS_OF_MARKS: readonly string[] = [
  "",
  "AEIOUaeiou",
  "ACEILNORSUYZaceilnorsuyz",
  "ACEGHIJOSUWYaceghijosuwy",
  "AINOUainou",
  "AEIOUaeiou",
  "AGUagu",
  "CEGIZcegz",
  "AEIOUYaeiouy",
  "",
  "AUau",
  "CGKLNRSTcgklnrst",
  "",
  "OUou",
  "AEIUaeiu",
  "CDELNRSTZcdelnrstz",
];

/** A reason why codes make no sense in ISO 6937, from the bytes before and after. */
interface Nonsense {
  readonly codes: readonly number[];
  readonly weight: number;
  isThere(before: number, after: number): boolean;
}

const NONSENSES: readonly Nonsense[] = [
  // Free codes.
  { codes: [0xd8, 0xd9, 0xda, 0xdb, 0xe5], weight: 2, isThere: () => true },
  // ¹ ® © ™ ¬ ¦ begin no word, as Ñ Ò Ó Ô Ö × do.
  { codes: [0xd1, 0xd2, 0xd3, 0xd4, 0xd6, 0xd7], weight: 2, isThere: (_, after) => isLetter(after) },
  // ⅛ ⅜ ⅝ ⅞ are in no word, as Ü Ý Þ ß are.
  {
    codes: [0xdc, 0xdd, 0xde, 0xdf],
    weight: 2,
    isThere: (before, after) => isLetter(before) || isLetter(after),
  },
  // The capitals Ω Æ Đ Ħ Ĳ Ŀ Ł Ø Œ Þ Ŧ Ŋ, and ŉ, are in no small word, as à á â ä æ ç è é ê ì í î ï are.
  {
    codes: [0xe0, 0xe1, 0xe2, 0xe4, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xec, 0xed, 0xee, 0xef],
    weight: 2,
    isThere: (before, after) => isSmall(before) || (isLetter(before) && isSmall(after)),
  },
  // Ω or à, which is a word.
  { codes: [0xe0], weight: 1, isThere: (before, after) => !isLetter(before) && !isLetter(after) },
  // ª and º end abbreviations, ã and ë are in words.
  { codes: [0xe3], weight: 2, isThere: (before, after) => isSmall(before) || isLetter(after) },
  { codes: [0xeb], weight: 2, isThere: (before, after) => isOneOf("aeiou", before) || isLetter(after) },
  // ĸ ħ ĳ ŀ þ ŧ ŋ are letters of few languages, ð ô ö ÷ ü ý þ of many.
  {
    codes: [0xf0, 0xf4, 0xf6, 0xf7, 0xfc, 0xfd, 0xfe],
    weight: 1,
    isThere: (before, after) => isLetter(before) || isLetter(after),
  },
  // æ or ñ.
  { codes: [0xf1], weight: 1, isThere: (before, after) => isVowel(before) && isVowel(after) },
  // đ or ò, which ends words.
  { codes: [0xf2], weight: 1, isThere: (before, after) => isLetter(before) && !isLetter(after) },
  // ð or ó: ð stands between vowels, behind r or g, or behind a vowel at the end of a word.
  {
    codes: [0xf3],
    weight: 1,
    isThere: (before, after) =>
      isLetter(before) &&
      !isOneOf("rg", before) &&
      !(isVowel(before) && (isVowel(after) || !isLetter(after))),
  },
  // ø or ù, as in più and où.
  { codes: [0xf9], weight: 1, isThere: (before, after) => isOneOf("io", before) && !isLetter(after) },
  // œ, which goes on with a vowel, or ú.
  { codes: [0xfa], weight: 1, isThere: (_, after) => isLetter(after) && !isVowel(after) },
  // ß, which follows a vowel, or û.
  { codes: [0xfb], weight: 1, isThere: (before) => isLetter(before) && !isVowel(before) },
];

const NONSENSES_BY_CODE: readonly (readonly Nonsense[])[] = Array.from({ length: 0x100 }, (_, code) =>
  NONSENSES.filter(({ codes }) => codes.includes(code)),
);

/** Above 0 for ISO 6937, below 0 for Latin-1. */
function voteAt(bytes: Uint8Array, at: number): number {
  const byte = u8(bytes, at);
  const after = u8(bytes, at + 1);
  const letters = LETTERS_OF_MARKS[byte - 0xc0];
  if (letters !== undefined) return isOneOf(letters, after) ? 2 : -2;
  const before = at === 0 ? 0 : u8(bytes, at - 1);
  const nonsense = NONSENSES_BY_CODE[byte]?.find(({ isThere }) => isThere(before, after));
  return -(nonsense?.weight ?? 0);
}

function isSmall(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}

function isLetter(byte: number): boolean {
  return isSmall(byte | 0x20);
}

function isVowel(byte: number): boolean {
  return isOneOf("aeiouAEIOU", byte);
}

function isOneOf(letters: string, byte: number): boolean {
  return letters.includes(String.fromCharCode(byte));
}

/**
 * Whether the whole text is valid UTF-8 with at least one multi-byte character. ISO 6937 marks are never valid UTF-8: an ASCII
 * letter follows them. Its symbols before a control code are (a trade mark before a line break, 0xD4 0x8A): those alone prove
 * nothing.
 */
export function isMeantAsUtf8(bytes: Uint8Array): boolean {
  if (!isUtf8(bytes)) return false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = u8(bytes, at);
    if (byte < 0xc0) continue;
    const isSymbol = byte >= 0xd0 && byte < 0xe0 && CONTROL_CODES.includes(u8(bytes, at + 1));
    if (!isSymbol) return true;
  }
  return false;
}

/** Emphasis on, emphasis off and line break, EN 300 468 table A.1. */
const CONTROL_CODES = [0x86, 0x87, 0x8a];
