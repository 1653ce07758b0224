import { describe, expect, it } from "vitest";
import type { TextTable } from "../../src/model/network.ts";
import { TEXT_TABLES } from "../../src/model/network.ts";
import { decodeText } from "../../src/mpeg-ts/text/text.ts";
import { fc } from "../properties.ts";

interface Sample {
  readonly table: TextTable;
  /** Those of EN 300 468 tables A.3 and A.4 that select it; the default table has none. */
  readonly selectors: readonly string[];
  readonly bytes: string;
  readonly text: string;
}

const SAMPLES: readonly Sample[] = [
  { table: "iso-6937", selectors: [""], bytes: "436166c265", text: "Café" },
  { table: "iso-8859-1", selectors: ["100001"], bytes: "67e972fc", text: "gérü" },
  { table: "iso-8859-2", selectors: ["100002"], bytes: "b3f364bc20e8", text: "łódź č" },
  { table: "iso-8859-3", selectors: ["100003"], bytes: "b161f86f", text: "ħaĝo" },
  { table: "iso-8859-4", selectors: ["100004"], bytes: "dea6ef", text: "ŪĻī" },
  { table: "iso-8859-5", selectors: ["01", "100005"], bytes: "bcdee1dad2d0", text: "Москва" },
  { table: "iso-8859-6", selectors: ["02", "100006"], bytes: "c3cec8c7d1", text: "أخبار" },
  { table: "iso-8859-7", selectors: ["03", "100007"], bytes: "c5e9e4de", text: "Ειδή" },
  { table: "iso-8859-8", selectors: ["04", "100008"], bytes: "e7e3f9e5fa", text: "חדשות" },
  { table: "iso-8859-9", selectors: ["05", "100009"], bytes: "ddfe20f0", text: "İş ğ" },
  { table: "iso-8859-10", selectors: ["06", "10000a"], bytes: "e6fef8", text: "æþø" },
  { table: "iso-8859-11", selectors: ["07", "10000b"], bytes: "a2e8d2c7", text: "ข่าว" },
  { table: "iso-8859-13", selectors: ["09", "10000d"], bytes: "f0e8fe", text: "ščž" },
  { table: "iso-8859-14", selectors: ["0a", "10000e"], bytes: "d0fef7", text: "Ŵŷṫ" },
  { table: "iso-8859-15", selectors: ["0b", "10000f"], bytes: "a4bde9", text: "€œé" },
  { table: "iso-8859-16", selectors: ["100010"], bytes: "aafea3a4", text: "ȘțŁ€" },
  { table: "utf-16be", selectors: ["11"], bytes: "004120ac4e2d", text: "A€中" },
  { table: "euc-kr", selectors: ["12"], bytes: "c7d1b1db41", text: "한글A" },
  { table: "gb2312", selectors: ["13"], bytes: "d6d0cec441", text: "中文A" },
  { table: "big5", selectors: ["14"], bytes: "a4a4a4e541", text: "中文A" },
  { table: "utf-8", selectors: ["15"], bytes: "c49be4b8adf09f9880", text: "ě中😀" },
  { table: "arib", selectors: [], bytes: "467c4b5cce", text: "日本の" },
  { table: "arib-latin", selectors: [], bytes: "496e666f726d61e7e36f", text: "Informação" },
];

describe("character tables", () => {
  it.each(SAMPLES)("$table is used after its selector", ({ selectors, bytes, text }) => {
    const read = selectors.map((selector) => decodeText(Buffer.from(selector + bytes, "hex")));
    expect(read).toEqual(selectors.map(() => text));
  });

  it.each(SAMPLES)("$table is used if the network is known to use it", ({ table, bytes, text }) => {
    expect(decodeText(Buffer.from(bytes, "hex"), table)).toBe(text);
  });

  it("are all covered by this test", () => {
    expect(SAMPLES.map(({ table }) => table)).toEqual(TEXT_TABLES);
  });

  it("follow the text's selector before the network's default", () => {
    expect(decodeText(Buffer.from("01bcdee1dad2d0", "hex"), "iso-8859-9")).toBe("Москва");
  });

  it("follow the network's default after a reserved selector", () => {
    expect(decodeText(Buffer.from("08dd", "hex"), "iso-8859-9")).toBe("İ");
    expect(decodeText(Buffer.from("1000ffdd", "hex"), "iso-8859-9")).toBe("İ");
  });
});

/** Each character of a table of single bytes has one byte: what is written with them is read again. */
describe("a single-byte table", () => {
  const single = SAMPLES.filter(({ table }) => table.startsWith("iso-8859-"));
  it.each(single)(
    "$table reads each code as one character, independently of the others",
    ({ table, selectors }) => {
      const selector = Buffer.from(selectors[0] ?? "", "hex");
      const alone = (code: number) => decodeText(Uint8Array.from([...selector, code]));
      const high = Array.from({ length: 96 }, (_, at) => alone(0xa0 + at)).filter(
        (text) => text !== "\ufffd",
      );
      expect(new Set(high).size).toBe(high.length);
      fc.assert(
        fc.property(
          fc.array(fc.integer({ min: 0x20, max: 0xff }), { minLength: 1, maxLength: 40 }),
          (codes) => {
            const text = decodeText(Uint8Array.from([...selector, ...codes]));
            return (
              text === codes.map(alone).join("") &&
              text === decodeText(Uint8Array.from([0x20, ...codes]), table).slice(1)
            );
          },
        ),
      );
    },
  );
});
