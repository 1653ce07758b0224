import { DAMAGED, hamming84, hamming2418 } from "./codes.ts";
import { teletextByte } from "./data-units.ts";

/** Packet X/0. EN 300 706 §9.3.1. */
export interface PageHeader {
  /** Tens and units of the page number, 0x00 to 0xff; with the magazine they are the page number. */
  readonly page: number;
  /** C4: the page as received before is void. */
  readonly erases: boolean;
  /** C10: its rows are not displayed. */
  readonly isInhibited: boolean;
  /** C11: each header, whatever its magazine, ends the page before. */
  readonly isSerial: boolean;
  /** C12, C13 and C14, the first one highest. */
  readonly nationalOption: number;
}

/** @returns `undefined` if it is damaged */
export function pageHeader(data: Uint8Array): PageHeader | undefined {
  const nibbles = Array.from({ length: 8 }, (_, at) => hamming84(teletextByte(data, at)));
  if (nibbles.includes(DAMAGED)) return undefined;
  const [units = 0, tens = 0, , s2 = 0, , , flags = 0, last = 0] = nibbles;
  return {
    page: tens * 16 + units,
    erases: (s2 & 8) !== 0,
    isInhibited: (flags & 8) !== 0,
    isSerial: (last & 1) !== 0,
    nationalOption: ((last & 2) << 1) | ((last & 4) >> 1) | (last >> 3),
  };
}

const TRIPLETS = 13;

/** Packets X/26 to X/29: a designation code and thirteen groups of 18 bits. EN 300 706 §9.4.1. */
export interface Designated {
  /** 0 to 15. */
  readonly code: number;
  /** `DAMAGED` for one that cannot be corrected. */
  readonly triplets: readonly number[];
}

/** @returns `undefined` if the designation code is damaged */
export function designated(data: Uint8Array): Designated | undefined {
  const code = hamming84(teletextByte(data, 0));
  if (code === DAMAGED) return undefined;
  const triplets = Array.from({ length: TRIPLETS }, (_, index) => {
    const at = 1 + 3 * index;
    return hamming2418(
      teletextByte(data, at) | (teletextByte(data, at + 1) << 8) | (teletextByte(data, at + 2) << 16),
    );
  });
  return { code, triplets };
}

/** Designations of the G0 sets: seven bits each, region and national option. */
export interface Designations {
  readonly first: number;
  /** Selected by ESC. */
  readonly second: number;
}

/** Those of X/28/0, X/28/4, M/29/0 and M/29/4. EN 300 706 §9.4.2.2. @returns `undefined` if the packet has none */
export function designations({ code, triplets }: Designated): Designations | undefined {
  const [one = DAMAGED, two = DAMAGED] = triplets;
  if ((code !== 0 && code !== 4) || one === DAMAGED) return undefined;
  const second = two === DAMAGED ? 0 : ((one >> 14) & 0x0f) | ((two & 0x07) << 4);
  return { first: (one >> 7) & 0x7f, second };
}

/** Page function and coding of X/28: 0 for a page of text. EN 300 706 table 3. */
export function isTextPage({ triplets: [one = 0] }: Designated): boolean {
  return (one & 0x7f) === 0;
}
