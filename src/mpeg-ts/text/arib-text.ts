import { u8 } from "../bytes.ts";
import {
  type FourSets,
  FULL_WIDTH,
  type GraphicSet,
  JAPANESE_SETS,
  LATIN_SETS,
  setOfFinal,
  unreadableSet,
} from "./arib-sets.ts";

/** Control codes, ARIB STD-B24 volume 1 part 2 §7.1. */
const LS1 = 0x0e;
const LS0 = 0x0f;
const APR = 0x0d;
const SS2 = 0x19;
const ESC = 0x1b;
const SS3 = 0x1d;
const SPACE = 0x20;
const SMALL = 0x88;
const MIDDLE = 0x89;
const NORMAL = 0x8a;
const SIZE = 0x8b;
const SIZE_TINY = 0x60;
const MACRO = 0x95;
const MACRO_END = 0x4f;
const REPEAT = 0x98;
const CSI = 0x9b;
const TIME = 0x9d;

/** Number of parameters of control codes that affect no text. */
const PARAMETERS: ReadonlyMap<number, number> = new Map([
  // PAPF and APS set the writing position.
  [0x16, 1],
  [0x1c, 2],
  // COL, FLC, CDC, POL, WMM, HLC: colour, flashing, concealment, polarity, writing mode, framing.
  [0x90, 1],
  [0x91, 1],
  [0x92, 1],
  [0x93, 1],
  [0x94, 1],
  [0x97, 1],
]);
/** COL, CDC and TIME have one more parameter after these. */
const MORE = [0x20, 0x28];

const LS2 = 0x6e;
const LS3 = 0x6f;
/** LS1R to LS3R, by the set that each shifts into the right half. */
const RIGHT_SHIFTS: ReadonlyMap<number, number> = new Map([
  [0x7e, 1],
  [0x7d, 2],
  [0x7c, 3],
]);
const TWO_BYTES = 0x24;
const DESIGNATE_G0 = 0x28;
const DYNAMIC = 0x20;
const FINAL_MACRO = 0x70;

/**
 * The default macros, 0x60 to 0x6F, ARIB STD-B24 volume 1 part 2 §7.1, as the final bytes that they designate to G0 to G2
 * (0x100 for a dynamic set). G3 becomes the macro set; G0 and G2 are shifted in.
 */
const D = 0x100;
const DEFAULT_MACROS: readonly (readonly [number, number, number])[] = [
  [0x42, 0x4a, 0x30],
  [0x42, 0x31, 0x30],
  [0x42, D, 0x30],
  [0x32, 0x34, 0x35],
  [0x32, 0x33, 0x35],
  [0x32, D, 0x35],
  [D, D, D],
  [D, D, D],
  [D, D, D],
  [D, D, D],
  [D, D, D],
  [0x42, D, 0x30],
  [0x42, D, 0x30],
  [0x42, D, 0x30],
  [0x31, 0x30, 0x4a],
  [0x4a, 0x32, D],
];

const macros: GraphicSet = { bytes: 1, character: () => undefined };

/** Text in the 8-unit coding of ARIB STD-B24 volume 1 part 2 §7.1, as service information has it; line breaks become `\n`. */
export function decodeArib(bytes: Uint8Array, country: "japan" | "latin"): string {
  return new AribReader(bytes, country).read();
}

class AribReader {
  readonly #bytes: Uint8Array;
  readonly #sets: GraphicSet[];
  /** In Latin text all characters are narrow, whatever their size. */
  readonly #isLatin: boolean;
  #at = 0;
  /** The active set of each half, 0 to 3. */
  #left = 0;
  #right = 2;
  #isNarrow: boolean;
  #repeat = 1;
  #text = "";

  constructor(bytes: Uint8Array, country: "japan" | "latin") {
    const sets: FourSets = country === "japan" ? JAPANESE_SETS : LATIN_SETS;
    this.#bytes = bytes;
    this.#sets = [...sets];
    this.#isLatin = country === "latin";
    this.#isNarrow = this.#isLatin;
  }

  read(): string {
    while (this.#at < this.#bytes.length) this.#code(this.#next());
    return this.#text;
  }

  /** 0 beyond the end: no control code takes 0 as a meaningful parameter. */
  #next(): number {
    const byte = u8(this.#bytes, this.#at);
    this.#at += 1;
    return byte;
  }

  #code(code: number): void {
    const half = code & 0x7f;
    if (code === SPACE) this.#write("\u3000");
    else if (half <= SPACE || half === 0x7f) this.#control(code);
    else this.#graphic(this.#sets[code < 0x80 ? this.#left : this.#right], half);
  }

  #graphic(set: GraphicSet | undefined, first: number): void {
    if (set === macros) return this.#macro(first);
    if (set?.bytes !== 2) return this.#write(set?.character(first, 0) ?? "");
    const second = u8(this.#bytes, this.#at) & 0x7f;
    // Text may be cut within a character: a control code may follow its first half.
    if (second <= SPACE || second === 0x7f) return;
    this.#at += 1;
    this.#write(set.character(first, second) ?? "");
  }

  #write(character: string): void {
    const written = this.#isNarrow ? narrow(character) : character;
    this.#text += written.repeat(this.#repeat);
    this.#repeat = 1;
  }

  #control(code: number): void {
    if (code === APR) this.#write("\n");
    else if (code === LS0 || code === LS1) this.#left = code === LS0 ? 0 : 1;
    else if (code === SS2 || code === SS3)
      this.#graphic(this.#sets[code === SS2 ? 2 : 3], this.#next() & 0x7f);
    else if (code === ESC) this.#escape(this.#next());
    else if (code === SMALL || code === MIDDLE) this.#setNarrow(true);
    else if (code === NORMAL) this.#setNarrow(false);
    else if (code === SIZE) this.#setNarrow(this.#next() === SIZE_TINY);
    else if (code === REPEAT) this.#repeat = Math.max(1, this.#next() & 0x3f);
    else if (code === MACRO) this.#skipMacro();
    else if (code === CSI) this.#skipTo((byte) => byte >= 0x40);
    else if (code === TIME) this.#skipTime(this.#next());
    else this.#skip(PARAMETERS.get(code) ?? 0);
  }

  #setNarrow(isNarrow: boolean): void {
    this.#isNarrow = isNarrow || this.#isLatin;
  }

  #escape(code: number): void {
    const right = RIGHT_SHIFTS.get(code);
    if (right !== undefined) this.#right = right;
    else if (code === LS2 || code === LS3) this.#left = code === LS2 ? 2 : 3;
    else if (code === TWO_BYTES) this.#designateTwoBytes(this.#next());
    else if (isDesignation(code)) this.#designate(code - DESIGNATE_G0, { final: this.#next(), bytes: 1 });
  }

  /** By default a two-byte set goes to G0. */
  #designateTwoBytes(code: number): void {
    if (isDesignation(code)) this.#designate(code - DESIGNATE_G0, { final: this.#next(), bytes: 2 });
    else this.#designate(0, { final: code, bytes: 2 });
  }

  #designate(place: number, { final, bytes }: { readonly final: number; readonly bytes: 1 | 2 }): void {
    if (final === DYNAMIC) this.#sets[place] = this.#next() === FINAL_MACRO ? macros : unreadableSet(bytes);
    else this.#sets[place] = setOfFinal(final) ?? unreadableSet(bytes);
  }

  #macro(code: number): void {
    const finals = DEFAULT_MACROS[code - 0x60];
    if (finals === undefined) return;
    for (const [place, final] of finals.entries()) this.#sets[place] = setOfFinal(final) ?? unreadableSet(1);
    this.#sets[3] = macros;
    this.#left = 0;
    this.#right = 2;
  }

  #skip(count: number): void {
    for (let left = count; left > 0; left -= 1) {
      if (MORE.includes(this.#next())) this.#at += 1;
    }
  }

  /** A definition stands between two macro codes. Service information calls only the default macros. */
  #skipMacro(): void {
    if (this.#next() === MACRO_END) return;
    this.#skipTo((byte) => byte === MACRO);
    this.#at += 1;
  }

  #skipTime(kind: number): void {
    if (MORE.includes(kind)) this.#at += 1;
    else this.#skipTo((byte) => byte >= 0x40 && byte <= 0x43);
  }

  #skipTo(isLast: (byte: number) => boolean): void {
    while (this.#at < this.#bytes.length) if (isLast(this.#next())) return;
  }
}

function isDesignation(code: number): boolean {
  return code >= DESIGNATE_G0 && code <= DESIGNATE_G0 + 3;
}

/** The half-width form for middle size. Kana keep their form, which people search for. */
function narrow(character: string): string {
  if (character === "\u3000") return " ";
  if (character === "￥") return "¥";
  if (character === "￣") return "‾";
  return /^[\uff01-\uff5e]$/.test(character)
    ? String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH)
    : character;
}
