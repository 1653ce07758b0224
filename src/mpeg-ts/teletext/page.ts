import type { PesPacket } from "../streams/pes-packets.ts";
import { type CharacterSet, characterSet, DEFAULT_SET, LATIN } from "./characters.ts";
import { DAMAGED, oddParity } from "./codes.ts";
import { type TeletextPacket, teletextByte, teletextPackets } from "./data-units.ts";
import { enhancements } from "./enhancements.ts";
import {
  type Designations,
  designated,
  designations,
  isTextPage,
  type PageHeader,
  pageHeader,
} from "./header.ts";
import { boxedLine, isDoubleHeight, type RowCodes, type TeletextLine } from "./rows.ts";

/** A page as it is shown from `pts` on, until the next one. */
export interface TeletextScreen {
  /** 33 bits, in ticks of 90 kHz. */
  readonly pts: number;
  /** From the top; none where the page is erased. */
  readonly lines: readonly TeletextLine[];
}

interface PageParts {
  /** Magazine and two hexadecimal digits, for example `888`. */
  readonly page: string;
  /** Region of the character sets if the broadcaster designates none. */
  readonly region: number;
}

const COLUMNS = 40;
const LAST_ROW = 24;
const ENHANCEMENT = 26;
const PAGE_DESIGNATION = 28;
const MAGAZINE_DESIGNATION = 29;

/** The page that is being received. */
interface Open {
  readonly header: PageHeader;
  readonly pts: number;
}

/** Follows one subtitle page of a teletext stream. EN 300 706. */
export class TeletextPage {
  readonly #magazine: number;
  readonly #page: number;
  readonly #region: number;
  #pts: number | undefined;
  #open: Open | undefined;
  readonly #rows = new Map<number, RowCodes>();
  /** Triplets of X/26 by designation code. */
  readonly #enhancements = new Map<number, readonly number[]>();
  #ofMagazine: Designations | undefined;
  #ofPage: Designations | undefined;
  #shown: readonly TeletextLine[] = [];

  constructor({ page, region }: PageParts) {
    this.#magazine = Number.parseInt(page.slice(0, 1), 10);
    this.#page = Number.parseInt(page.slice(1), 16);
    this.#region = region;
  }

  /** @returns what the page shows, each time that it changes */
  push({ pts, data, isAfterLoss }: PesPacket): readonly TeletextScreen[] {
    this.#pts = pts ?? this.#pts;
    // The next rows may belong to a page whose header is missing.
    const screens = isAfterLoss === true ? [...this.end()] : [];
    for (const packet of teletextPackets(data)) {
      const closed = packet.row === 0 ? this.#header(packet) : undefined;
      if (closed !== undefined) screens.push(closed);
      if (packet.row > 0 && packet.magazine === this.#magazine) this.#take(packet);
    }
    return screens;
  }

  /** No more data follows: the last page counts as it is. */
  end(): readonly TeletextScreen[] {
    const closed = this.#close();
    return closed === undefined ? [] : [closed];
  }

  #header({ magazine, data }: TeletextPacket): TeletextScreen | undefined {
    const isOwn = magazine === this.#magazine;
    if (this.#open === undefined && !isOwn) return undefined;
    const header = pageHeader(data);
    const ends = isOwn || header?.isSerial === true;
    const closed = ends ? this.#close() : undefined;
    if (!isOwn || header?.page !== this.#page || this.#pts === undefined) return closed;
    this.#open = { header, pts: this.#pts };
    if (header.erases) this.#erase();
    return closed;
  }

  #erase(): void {
    this.#rows.clear();
    this.#enhancements.clear();
    this.#ofPage = undefined;
  }

  #take({ row, data }: TeletextPacket): void {
    if (row === MAGAZINE_DESIGNATION) this.#ofMagazine = designationsOf(data) ?? this.#ofMagazine;
    if (this.#open === undefined) return;
    if (row <= LAST_ROW) this.#row(row, data);
    const packet = row === PAGE_DESIGNATION || row === ENHANCEMENT ? designated(data) : undefined;
    if (packet === undefined) return;
    if (row === ENHANCEMENT) this.#enhancements.set(packet.code, packet.triplets);
    else if (isTextPage(packet)) this.#ofPage = designations(packet) ?? this.#ofPage;
  }

  /** A damaged character keeps what was there before. */
  #row(row: number, data: Uint8Array): void {
    const codes = this.#rows.get(row) ?? new Uint8Array(COLUMNS).fill(0x20);
    for (let column = 0; column < COLUMNS; column += 1) {
      const code = oddParity(teletextByte(data, column));
      if (code !== DAMAGED) codes[column] = code;
    }
    this.#rows.set(row, codes);
  }

  #close(): TeletextScreen | undefined {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return undefined;
    const lines = open.header.isInhibited ? [] : this.#lines(open.header);
    // Pages are repeated.
    if (isSame(lines, this.#shown)) return undefined;
    this.#shown = lines;
    return { pts: open.pts, lines };
  }

  #lines({ nationalOption }: PageHeader): readonly TeletextLine[] {
    const designation = this.#ofPage ?? this.#ofMagazine;
    const first = setOf(designation?.first ?? this.#region << 3, nationalOption);
    const second = characterSet(designation?.second ?? 0) ?? DEFAULT_SET;
    const inOrder = [...this.#enhancements].toSorted(([a], [b]) => a - b);
    const enhanced = enhancements(
      inOrder.flatMap(([, triplets]) => triplets),
      plainSet(first),
    );
    const lines: TeletextLine[] = [];
    for (let row = 1; row <= LAST_ROW; row += 1) {
      const codes = this.#rows.get(row);
      if (codes === undefined) continue;
      const parts = { codes, sets: { first, second }, enhanced: enhanced.get(row) ?? new Map() };
      const line = boxedLine(row, parts);
      if (line !== undefined) lines.push(line);
      if (isDoubleHeight(codes)) row += 1;
    }
    return lines;
  }
}

function designationsOf(data: Uint8Array): Designations | undefined {
  const packet = designated(data);
  return packet === undefined ? undefined : designations(packet);
}

/** Bits C12 to C14 of the header choose in the region, as far as it has such a set. */
function setOf(designation: number, nationalOption: number): CharacterSet {
  return (
    characterSet((designation & ~7) | nationalOption) ??
    characterSet(designation) ??
    characterSet(nationalOption) ??
    DEFAULT_SET
  );
}

/** The set without its national option. */
function plainSet(set: CharacterSet): CharacterSet {
  const isLatin = set[0x41 - 0x20] === "A" && set[0x61 - 0x20] === "a";
  return isLatin ? LATIN : set;
}

function isSame(a: readonly TeletextLine[], b: readonly TeletextLine[]): boolean {
  return a.length === b.length && JSON.stringify(a) === JSON.stringify(b);
}
