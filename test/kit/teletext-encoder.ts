import { ascii, descriptor, join, PidWriter, pat, pmt, TICKS_PER_MS } from "./ts-builder.ts";

/** Writes teletext for tests, from EN 300 706 and EN 300 472 alone: it shares nothing with the reader. */

/** Hamming 8/4, as the standard prints it: the first transmitted bit lowest. */
const HAMMING = [
  ...[0x15, 0x02, 0x49, 0x5e, 0x64, 0x73, 0x38, 0x2f],
  ...[0xd0, 0xc7, 0x8c, 0x9b, 0xa1, 0xb6, 0xfd, 0xea],
];

function nibble(value: number): number {
  return HAMMING[value & 15] ?? 0;
}

function withParity(code: number): number {
  const ones = [...code.toString(2)].filter((digit) => digit === "1").length;
  return ones % 2 === 1 ? code : code | 0x80;
}

/** Hamming 24/18, bit by bit: D1 to D18 and P1 to P6 at their places of §8.3. */
function group(data: number): readonly number[] {
  const bits = new Array<number>(25).fill(0);
  const places = [3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 22, 23];
  for (const [index, place] of places.entries()) bits[place] = (data >> index) & 1;
  for (const check of [1, 2, 4, 8, 16]) {
    const counted = places.filter((place) => (place & check) !== 0);
    bits[check] = 1 ^ counted.reduce((sum, place) => sum ^ (bits[place] ?? 0), 0);
  }
  bits[24] = 1 ^ bits.slice(1, 24).reduce((sum, bit) => sum ^ bit, 0);
  return [0, 8, 16].map((from) =>
    bits.slice(from + 1, from + 9).reduce((byte, bit, index) => byte | (bit << index), 0),
  );
}

function reversed(byte: number): number {
  return Number.parseInt([...byte.toString(2).padStart(8, "0")].reverse().join(""), 2);
}

/** One data unit: field and line, framing code, address, 40 bytes. */
function unit(
  { magazine, row }: { readonly magazine: number; readonly row: number },
  data: readonly number[],
): Uint8Array {
  const address = [nibble((magazine & 7) | ((row & 1) << 3)), nibble(row >> 1)];
  const bytes = [...address, ...data].map(reversed);
  return Uint8Array.from([0x03, 0x2c, 0xc0 | 0x20 | 7, 0xe4, ...bytes]);
}

export interface EncodedPage {
  /** For example `888`. */
  readonly page: string;
  /** C4; true if absent. */
  readonly erases?: boolean;
  /** C6; true if absent. */
  readonly isSubtitle?: boolean;
  /** C11. */
  readonly isSerial?: boolean;
  /** C10. */
  readonly isInhibited?: boolean;
  /** C12 to C14, C12 highest. */
  readonly national?: number;
  /** Codes of 7 bits by row. */
  readonly rows?: Readonly<Record<number, readonly number[]>>;
  /** Triplets of X/26: address, mode, data. */
  readonly enhancements?: readonly (readonly [number, number, number])[];
  /** Designation of X/28/0: seven bits. */
  readonly designation?: number;
  /** Designation of the second G0 set. */
  readonly second?: number;
}

/** The packets of a page, each as a data unit. */
export function pageUnits(page: EncodedPage): readonly Uint8Array[] {
  const magazine = Number(page.page[0]);
  const number = Number.parseInt(page.page.slice(1), 16);
  const { national = 0 } = page;
  const header = [
    ...[number & 15, number >> 4, 0, page.erases === false ? 0 : 8, 0, page.isSubtitle === false ? 0 : 8],
    page.isInhibited === true ? 8 : 0,
    (page.isSerial === true ? 1 : 0) |
      ((national >> 2) << 1) |
      (((national >> 1) & 1) << 2) |
      ((national & 1) << 3),
  ].map(nibble);
  const title = ascii("recorderd".padEnd(32)).map(withParity);
  return [
    unit({ magazine, row: 0 }, [...header, ...title]),
    ...designationUnits(page, magazine),
    ...enhancementUnits(page, magazine),
    ...Object.entries(page.rows ?? {}).map(([row, codes]) => {
      const all = [...codes, ...new Array<number>(40).fill(0x20)].slice(0, 40);
      return unit({ magazine, row: Number(row) }, all.map(withParity));
    }),
  ];
}

function designationUnits({ designation, second = 0 }: EncodedPage, magazine: number): readonly Uint8Array[] {
  if (designation === undefined) return [];
  const first = (designation << 7) | ((second & 15) << 14);
  const rest = [second >> 4, ...new Array<number>(11).fill(0)];
  return [unit({ magazine, row: 28 }, [nibble(0), ...[first, ...rest].flatMap(group)])];
}

function enhancementUnits({ enhancements = [] }: EncodedPage, magazine: number): readonly Uint8Array[] {
  const all = enhancements.map(([address, mode, data]) => address | (mode << 6) | (data << 11));
  const units: Uint8Array[] = [];
  for (let at = 0; at < all.length; at += 13) {
    const some = [...all.slice(at, at + 13)];
    while (some.length < 13) some.push(0x3f | (0x1f << 6) | (0x07 << 11));
    units.push(unit({ magazine, row: 26 }, [nibble(at / 13), ...some.flatMap(group)]));
  }
  return units;
}

/** A header of no page: it ends the one before in its magazine. */
export function fillerUnits(magazine: number): readonly Uint8Array[] {
  return pageUnits({ page: `${magazine}ff`, isSubtitle: false });
}

/** A PES packet of N times 184 bytes, with a header of 45 and units of 46. EN 300 472 §4.2. */
export function teletextPes(units: readonly Uint8Array[], pts: number): Uint8Array {
  const length = Math.ceil((46 + units.length * 46) / 184) * 184;
  const bytes = new Uint8Array(length);
  const high = Math.floor(pts / 2 ** 30) & 7;
  const stamp = [
    0x21 | (high << 1),
    (pts >> 22) & 0xff,
    ((pts >> 14) & 0xfe) | 1,
    (pts >> 7) & 0xff,
    ((pts << 1) & 0xfe) | 1,
  ];
  bytes.set([0, 0, 1, 0xbd, (length - 6) >> 8, (length - 6) & 0xff, 0x84, 0x80, 0x24, ...stamp]);
  bytes.fill(0xff, 14, 45);
  bytes[45] = 0x10;
  const stuffing = Uint8Array.from([0xff, 0x2c, ...new Array<number>(44).fill(0xff)]);
  for (let at = 46; at < length; at += 46) bytes.set(units[(at - 46) / 46] ?? stuffing, at);
  return bytes;
}

/** One moment of a teletext stream. */
export interface Moment {
  readonly ms: number;
  readonly units: readonly Uint8Array[];
}

interface StreamParts {
  readonly pid?: number;
  /** One or more pages, as the teletext descriptor lists them. */
  readonly pages?: readonly { readonly page: string; readonly language: string; readonly type: number }[];
}

export const FIRST_MS = 1000;

/** The descriptor of EN 300 468 §6.2.43. */
export function teletextDescriptor(pages: NonNullable<StreamParts["pages"]>): readonly number[] {
  return descriptor(
    0x56,
    pages.flatMap(({ page, language, type }) => [
      ...ascii(language),
      (type << 3) | (Number(page[0]) & 7),
      Number.parseInt(page.slice(1), 16),
    ]),
  );
}

/** A transport stream of teletext alone, with a PCR: other programs read it. Times count from `FIRST_MS`. */
export function teletextStream(moments: readonly Moment[], parts: StreamParts = {}): Uint8Array {
  const { pid = 0x120, pages = [{ page: "888", language: "ger", type: 2 }] } = parts;
  const [programmes, map, writer, clock] = [0, 0x20, pid, 0x1ff].map((each) => new PidWriter(each)) as [
    PidWriter,
    PidWriter,
    PidWriter,
    PidWriter,
  ];
  const streams = [{ type: 6, pid, info: teletextDescriptor(pages) }];
  const tables = () => [
    ...programmes.sections(pat(1, { programmes: [[1, 0x20]] })),
    ...map.sections(pmt({ sid: 1, pcrPid: 0x1ff, streams })),
  ];
  return join(
    moments.flatMap(({ ms, units }) => [
      ...tables(),
      clock.next({ pcr: (FIRST_MS + ms - 500) * TICKS_PER_MS }),
      ...pesPackets(writer, teletextPes(units, (FIRST_MS + ms) * 90)),
    ]),
  );
}

export function pesPackets(writer: PidWriter, bytes: Uint8Array): readonly Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / 184) }, (_, at) =>
    writer.next({ starts: at === 0, payload: bytes.subarray(at * 184, (at + 1) * 184) }),
  );
}

/** Codes of a boxed row with a text of ASCII. */
export function boxed(text: string, attributes: readonly number[] = []): readonly number[] {
  return [...attributes, 0x0b, 0x0b, ...ascii(text), 0x0a, 0x0a];
}
