import { type CharacterSet, LATIN, LATIN_G2, MARKS } from "./characters.ts";
import { DAMAGED } from "./codes.ts";

/** Characters of X/26 by row and column. */
export type Enhancements = ReadonlyMap<number, ReadonlyMap<number, string>>;

/** Row addresses are those from 40 on. EN 300 706 §12.3.1. */
const ROW_ADDRESSES = 40;
const TERMINATION = 0x1f;
/** Modes of a row address. */
const FULL_ROW_COLOUR = 0x01;
const SET_ACTIVE_POSITION = 0x04;
/** Modes of a column address. */
const G2_CHARACTER = 0x0f;
const G0_CHARACTER = 0x10;

/**
 * The characters that packets X/26 put in the place of others: those of the G2 set, and letters with a mark. EN 300 706 §12.3.
 *
 * @param triplets those of all packets, by ascending designation code
 */
export function enhancements(triplets: readonly number[], g0: CharacterSet): Enhancements {
  const rows = new Map<number, Map<number, string>>();
  let row = 0;
  for (const triplet of triplets) {
    if (triplet === DAMAGED) continue;
    const address = triplet & 0x3f;
    const mode = (triplet >> 6) & 0x1f;
    const data = triplet >> 11;
    if (address >= ROW_ADDRESSES) {
      if (mode === TERMINATION) break;
      // Row 24 has the first address.
      if (mode === SET_ACTIVE_POSITION || mode === FULL_ROW_COLOUR) row = address - ROW_ADDRESSES || 24;
      continue;
    }
    const character = characterOf(mode, data, g0);
    if (character === undefined || row === 0) continue;
    const columns = rows.get(row) ?? new Map<number, string>();
    rows.set(row, columns.set(address, character));
  }
  return rows;
}

function characterOf(mode: number, data: number, g0: CharacterSet): string | undefined {
  if (data < 0x20) return undefined;
  const at = data - 0x20;
  if (mode === G2_CHARACTER) return LATIN_G2[at];
  // The place of `*` holds `@`, which some national options lack.
  if (mode === G0_CHARACTER) return data === 0x2a ? "@" : g0[at];
  const mark = mode > G0_CHARACTER ? MARKS[mode - G0_CHARACTER - 1] : undefined;
  return mark === undefined ? undefined : `${LATIN[at] ?? " "}${mark}`.normalize("NFC");
}
