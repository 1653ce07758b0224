import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { PACKET_BYTES, pidAt } from "../../../src/mpeg-ts/packets.ts";
import { PesPackets } from "../../../src/mpeg-ts/streams/pes-packets.ts";
import { REVERSED } from "../../../src/mpeg-ts/teletext/codes.ts";
import { teletextPackets } from "../../../src/mpeg-ts/teletext/data-units.ts";
import { pageHeader } from "../../../src/mpeg-ts/teletext/header.ts";
import { TeletextPage, type TeletextScreen } from "../../../src/mpeg-ts/teletext/page.ts";
import {
  boxed,
  type EncodedPage,
  FIRST_MS,
  fillerUnits,
  type Moment,
  pageUnits,
  pesPackets,
  teletextPes,
  teletextStream,
} from "../../kit/teletext-encoder.ts";
import { judgedTexts } from "../../kit/teletext-judge.ts";
import { join, PidWriter } from "../../kit/ts-builder.ts";
import { fc } from "../../properties.ts";

const PID = 0x120;

function screensOf(
  stream: Uint8Array,
  { page = "888", region = 0, pid = PID } = {},
): readonly TeletextScreen[] {
  const packets = new PesPackets(pid);
  const decoder = new TeletextPage({ page, region });
  return [...packets.push(stream).flatMap((packet) => decoder.push(packet)), ...decoder.end()];
}

function lineText({ runs }: TeletextScreen["lines"][number]): string {
  return runs.map(({ text }) => text).join("");
}

function textOf({ lines }: TeletextScreen): string {
  return lines.map(lineText).join("\n");
}

/** Each page is whole at once, and erased a second later. */
function shownInTurn(pages: readonly Omit<EncodedPage, "page">[]): Uint8Array {
  const moment = (ms: number, page: Omit<EncodedPage, "page">): Moment => ({
    ms,
    units: [...pageUnits({ page: "888", ...page }), ...fillerUnits(8)],
  });
  return teletextStream(
    pages.flatMap((page, index) => [moment(2000 * index + 500, page), moment(2000 * index + 1500, {})]),
  );
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

const box = (codes: readonly number[]) => [0x0b, 0x0b, ...codes, 0x0a, 0x0a];
/** All codes that have a character. */
const ALL = {
  18: box(range(0x21, 0x40)),
  20: box(range(0x40, 0x60)),
  22: box(range(0x60, 0x7f)),
};
const EAST = [0, 1, 2, 3, 4, 5, 6];
/** Regions, and their national options that table 32 defines. */
const SETS: readonly (readonly [number, readonly number[]])[] = [
  [0, EAST],
  [1, [0, 1, 2, 3, 4, 6]],
  [2, EAST],
  [3, [5, 7]],
  [4, EAST],
  [6, [6, 7]],
  [10, [5]],
];

/** libzvbi has other characters of the same look, or not those that the language needs, at these places. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  "—": "―",
  ɑ: "∝",
  Ƶ: "Ż",
  "₺": " ",
  Ð: "Đ",
  ð: "đ",
  Ţ: "Ț",
  ţ: "ț",
  Ş: "Ș",
  ş: "ș",
  Ǎ: "Ă",
  ǎ: "ă",
  ȩ: "ę",
  Ѝ: "Й",
  ѝ: "й",
  ï: "ї",
  "\u02b9": "΄",
  "\u0374": "΄",
  Í: "Î",
  I: "İ",
};

function alike(text: string): string {
  return [...text]
    .map((character) => LOOK_ALIKES[character] ?? character)
    .join("")
    .normalize("NFC")
    .replaceAll(" ", "");
}

/** Letters that have each mark, in the order of the modes from 0x11 on. */
const MARKED = [
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
  "CGKLNRSTcklnrst",
  "",
  "OUou",
  "AEIUaeiu",
  "CDELNRSTZcdelnrstz",
];

describe("teletext characters, compared with libzvbi", () => {
  it("agree for each region and national option", async () => {
    const pages = SETS.flatMap(([region, options]) =>
      options.map((option) => ({ rows: ALL, designation: region * 8 + option, national: option })),
    );
    const stream = shownInTurn(pages);
    const ours = screensOf(stream)
      .map(textOf)
      .filter((text) => text !== "");
    const theirs = await judgedTexts(stream, "888");
    expect(theirs.length).toBe(pages.length);
    expect(ours.map(alike)).toEqual(theirs.map(alike));
  });

  it("agree for the G2 set and for accented letters of X/26", async () => {
    const under = { 20: box(range(0, 34).map(() => 0x2d)) };
    const at = (mode: number, codes: readonly number[]) => ({
      rows: under,
      enhancements: [[60, 4, 0] as const, ...codes.map((code, index) => [index + 2, mode, code] as const)],
    });
    const pages = [
      ...[range(0x21, 0x40), range(0x50, 0x59), range(0x5c, 0x65), range(0x66, 0x80)].map((codes) =>
        at(0x0f, codes),
      ),
      at(0x10, [0x41, 0x2a, 0x5b, 0x7a]),
      ...MARKED.map((letters, index) => at(0x11 + index, [...Buffer.from(letters, "latin1")])),
    ].filter(({ enhancements }) => enhancements.length > 1);
    const stream = shownInTurn(pages);
    const ours = screensOf(stream)
      .map(textOf)
      .filter((text) => text !== "");
    const theirs = await judgedTexts(stream, "888");
    expect(ours.length).toBe(pages.length);
    expect(ours.map(alike)).toEqual(theirs.map(alike));
  });
});

describe("a real teletext broadcast", () => {
  const PAGES_PID = 0x240;
  let broadcast: Uint8Array;

  /** Its pages are no subtitles: their rows become boxes here, for both decoders. */
  beforeAll(async () => {
    const multiplex = await readFile("test/fixtures/ts/rai-dvbt-mux.ts");
    const own = Array.from({ length: multiplex.length / PACKET_BYTES }, (_, at) =>
      multiplex.subarray(at * PACKET_BYTES, (at + 1) * PACKET_BYTES),
    ).filter((packet) => pidAt(packet, 0) === PAGES_PID);
    const packets = new PesPackets(PAGES_PID).push(join(own));
    const writer = new PidWriter(PID);
    const again = packets.flatMap(({ pts, data }) => {
      const units = Array.from({ length: (data.length - 1) / 46 }, (_, at) =>
        data.slice(1 + at * 46, 1 + (at + 1) * 46),
      );
      return pesPackets(writer, teletextPes(units.map(inBoxes), pts ?? 0));
    });
    broadcast = join([teletextStream([]), ...again]);
  });

  function inBoxes(unit: Uint8Array): Uint8Array {
    const [packet] = teletextPackets(Uint8Array.from([0x10, ...unit]));
    const isText = packet !== undefined && packet.row > 0 && packet.row < 25;
    if (isText) unit.fill(REVERSED[0x0b] ?? 0, 6, 8);
    return unit;
  }

  it("gives the same text as libzvbi, page by page", async () => {
    const numbers = new Set<string>();
    for (const { data } of new PesPackets(PID).push(broadcast))
      for (const { magazine, row, data: header } of teletextPackets(data))
        if (row === 0) numbers.add(`${magazine}${pageHeader(header)?.page.toString(16).padStart(2, "0")}`);
    const ours = [...numbers].flatMap((page) => screensOf(broadcast, { page }).map(textOf));
    const theirs = await judgedTexts(join([teletextStream(SILENCE), broadcast]), "*");
    expect(theirs.length).toBeGreaterThan(10);
    expect(theirs.filter((text) => !ours.includes(text))).toEqual([]);
  });
});

const SILENCE: readonly Moment[] = [{ ms: 0, units: fillerUnits(1) }];

describe("a teletext subtitle page", () => {
  const at = (ms: number, ...pages: readonly Partial<EncodedPage>[]): Moment => ({
    ms,
    units: pages.flatMap((page) => pageUnits({ page: "888", ...page })),
  });
  const shown = (moments: readonly Moment[], page = "888") =>
    screensOf(teletextStream(moments), { page }).map((screen) => [
      Math.round(screen.pts / 90) - FIRST_MS,
      textOf(screen),
    ]);

  it("is shown from its PTS until it is replaced or erased", () => {
    const moments = [
      at(1000, { rows: { 20: boxed("one") } }),
      at(2000, { rows: { 20: boxed("two") } }),
      at(3000, { rows: { 20: boxed("two") } }),
      at(4500, {}),
      at(5000, { page: "8ff" }),
    ];
    expect(shown(moments)).toEqual([
      [1000, "one"],
      [2000, "two"],
      [4500, ""],
    ]);
  });

  it("has the colours, columns and rows of its boxes, and nothing outside them", () => {
    const codes = [0x06, 0x41, 0x0b, 0x0b, 0x20, 0x48, 0x69, 0x03, 0x20, 0x79, 0x6f, 0x75, 0x0a, 0x0a, 0x42];
    const [screen] = screensOf(teletextStream([at(1000, { rows: { 21: codes } })]));
    expect(screen?.lines).toEqual([
      {
        row: 21,
        firstColumn: 5,
        lastColumn: 11,
        runs: [
          { text: "Hi ", colour: "cyan" },
          { text: "you", colour: "yellow" },
        ],
      },
    ]);
  });

  it("shows a row of double height once, and neither mosaics nor concealed text", () => {
    const rows = {
      18: boxed("twice", [0x0d]),
      19: boxed("hidden"),
      20: boxed("\x17aaa\x07text"),
      21: boxed("see\x18secret"),
    };
    expect(shown([at(1000, { rows })])).toEqual([[1000, "twice\ntext\nsee"]]);
  });

  it("keeps rows that a header does not erase", () => {
    const moments = [
      at(1000, { rows: { 20: boxed("one") } }),
      at(2000, { erases: false, rows: { 22: boxed("two") } }),
      at(3000, { page: "8ff" }),
    ];
    expect(shown(moments)).toEqual([
      [1000, "one"],
      [2000, "one\ntwo"],
    ]);
  });

  it("is not shown while its display is inhibited", () => {
    const rows = { 20: boxed("one") };
    expect(shown([at(1000, { rows }), at(2000, { isInhibited: true, rows })])).toEqual([
      [1000, "one"],
      [2000, ""],
    ]);
  });

  it("continues after pages of other magazines unless they are transmitted in series", () => {
    const [header = new Uint8Array(), row = new Uint8Array()] = pageUnits({
      page: "888",
      rows: { 20: boxed("eight") },
    });
    const between = (isSerial: boolean) => [
      header,
      ...pageUnits({ page: "150", isSerial, rows: { 20: boxed("one") } }),
      row,
    ];
    expect(shown([{ ms: 1000, units: between(false) }])).toEqual([[1000, "eight"]]);
    expect(shown([{ ms: 1000, units: between(true) }])).toEqual([]);
  });

  it("is found among pages of its magazine, even by a hexadecimal number", () => {
    const moments = [
      at(1000, { page: "889", rows: { 20: boxed("next") } }, { page: "8a1", rows: { 20: boxed("hex") } }),
    ];
    expect(shown(moments, "8a1")).toEqual([[1000, "hex"]]);
  });

  it("uses the second character set after ESC", () => {
    const rows = { 20: boxed("ab\x1bab") };
    expect(shown([at(1000, { rows, designation: 0, second: 0x24 })])).toEqual([[1000, "ab аб"]]);
  });

  it("survives one wrong bit per byte of an address or header, and loses one character to one in its text", () => {
    const page = pageUnits({ page: "888", rows: { 20: boxed("abc") } });
    fc.assert(
      fc.property(fc.nat(7), fc.nat(9), (bit, place) => {
        const [header, row] = page.map((unit) => unit.slice()) as [Uint8Array, Uint8Array];
        header[4 + place] = (header[4 + place] ?? 0) ^ (1 << bit);
        row[4 + (place & 1)] = (row[4 + (place & 1)] ?? 0) ^ (1 << bit);
        // The second letter.
        row[9] = (row[9] ?? 0) ^ (1 << bit);
        const [screen] = screensOf(teletextStream([{ ms: 1000, units: [header, row] }]));
        return screen !== undefined && textOf(screen) === "a c";
      }),
    );
  });
});

describe("damaged teletext", () => {
  const moments = range(0, 12).flatMap((index) => [
    {
      ms: 500 * index,
      units: pageUnits({
        page: "888",
        rows: index % 3 === 2 ? {} : { 20: boxed(`text ${index}`), 22: boxed("more") },
        enhancements: [
          [60, 4, 0],
          [5, 0x12, 0x65],
        ],
        designation: 0,
      }),
    },
    // Its header and its row are in two PES packets.
    ...pageUnits({ page: "889", rows: { 19: boxed("another page") } }).map((unit, at) => ({
      ms: 500 * index + 250 + at,
      units: [unit],
    })),
  ]);
  const stream = teletextStream(moments);
  const packets = Array.from({ length: stream.length / PACKET_BYTES }, (_, at) =>
    stream.subarray(at * PACKET_BYTES, (at + 1) * PACKET_BYTES),
  );

  it("shows only text that was sent, whatever packets are lost", () => {
    const sent = new Set(screensOf(stream).flatMap(({ lines }) => lines.map(lineText)));
    fc.assert(
      fc.property(fc.subarray(packets), (received) =>
        screensOf(join(received)).every(({ lines }) => lines.every((line) => sent.has(lineText(line)))),
      ),
    );
  });

  it("is read to its end, whatever its bytes are", () => {
    const change = fc.record({ at: fc.nat(stream.length - 1), to: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 200 }), (changes) => {
        const bytes = stream.slice();
        for (const { at, to } of changes) bytes[at] = to;
        return screensOf(bytes).every(({ lines }) => lines.length <= 24);
      }),
    );
  });
});
