import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decodeText } from "../../../src/mpeg-ts/text/text.ts";
import { fc } from "../../properties.ts";

const japan = (...bytes: readonly number[]) => decodeText(Uint8Array.from(bytes), "arib");
const latin = (...bytes: readonly number[]) => decodeText(Uint8Array.from(bytes), "arib-latin");
const codes = (text: string) => [...text].map((character) => character.charCodeAt(0));

interface Told {
  readonly text: string;
  readonly aribts: string;
  readonly libaribb24: string;
}

const told: readonly Told[] = readFileSync("test/fixtures/text/arib.tsv", "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const [bytes = "", aribts = '""', libaribb24 = '""'] = line.split("\t");
    const text = decodeText(Buffer.from(bytes, "hex"), "arib");
    return { text, aribts: JSON.parse(aribts), libaribb24: JSON.parse(libaribb24) };
  });

describe("the coding of ARIB STD-B24, compared with other decoders", () => {
  it("agrees with aribts, except for ¥ and ‾ of middle size", () => {
    const asAribts = told.map(({ text }) => text.replaceAll("¥", "\\").replaceAll("‾", "~"));
    expect(asAribts).toEqual(told.map(({ aribts }) => aribts));
    expect(told.filter(({ text, aribts }) => text === aribts).length).toBe(667);
  });

  it("agrees with libaribb24, except for widths, ¥, ‾ and two bytes after a single shift", () => {
    const folded = (text: string) => text.replaceAll("〜", "～").normalize("NFKC");
    const others = told.filter(({ text, libaribb24 }) => folded(text) !== folded(libaribb24));
    expect(told.length - others.length).toBe(662);
    expect(others.filter(({ text }) => !/[¥‾]/.test(text)).length).toBe(5);
  });
});

describe("the coding of ARIB STD-B24", () => {
  it("begins with kanji on the left and hiragana on the right", () => {
    expect(japan(0x46, 0x7c, 0x4b, 0x5c, 0xce)).toBe("日本の");
  });

  it("shifts alphanumerics and katakana in, permanently or for one character", () => {
    expect(japan(0x0e, 0x4e, 0x48, 0x4b, 0x0f, 0x46, 0x7c)).toBe("ＮＨＫ日");
    expect(japan(0x1d, 0x46, 0x46, 0x7c)).toBe("テ日");
    expect(japan(0x1b, 0x7c, 0xc6, 0x1b, 0x7e, 0xc1)).toBe("テＡ");
    expect(japan(0x1b, 0x6f, 0x46, 0x1b, 0x6e, 0x22)).toBe("テあ");
  });

  it("designates sets of one and two bytes", () => {
    expect(japan(0x1b, 0x28, 0x4a, 0x41, 0x1b, 0x24, 0x42, 0x46, 0x7c)).toBe("Ａ日");
    expect(japan(0x1b, 0x24, 0x29, 0x3b, 0x0e, 0x7a, 0x56)).toBe("🈑");
    expect(japan(0x1b, 0x28, 0x49, 0x31, 0x5d)).toBe("アン");
  });

  it("has half the width in middle size, and so have its spaces", () => {
    expect(japan(0x89, 0x0e, 0x41, 0x20, 0x31, 0x8a, 0x20, 0x41)).toBe("A 1　Ａ");
    expect(japan(0x89, 0x23, 0x41, 0x22)).toBe("A");
  });

  it("has the additional symbols of the kanji set that are in Unicode", () => {
    expect(japan(0x7a, 0x50, 0x7a, 0x56, 0x7a, 0x5a, 0x7a, 0x73, 0x7d, 0x60)).toBe("🅊🈑🈔㊙☀");
    expect(japan(0x7c, 0x58, 0x7c, 0x3a)).toBe("(vn)氏");
    expect(japan(0x75, 0x2f, 0x76, 0x47)).toBe("𠮷髙");
  });

  it("has the kanji of JIS X 0213 in two planes", () => {
    expect(japan(0x1b, 0x24, 0x39, 0x2f, 0x7e, 0x30, 0x21, 0x2e, 0x21)).toBe("剝亜俱");
    expect(japan(0x1b, 0x24, 0x3a, 0x21, 0x21)).toBe("𠂉");
    expect(japan(0x1b, 0x24, 0x39, 0x24, 0x77)).toBe("か゚");
  });

  it("repeats a character, and breaks lines", () => {
    expect(japan(0x98, 0x43, 0x21, 0x21, 0x0d, 0x46, 0x7c)).toBe("　　　\n日");
  });

  it("has codes for colours, positions and time, which are removed with their parameters", () => {
    expect(japan(0x90, 0x20, 0x41, 0x91, 0x40, 0x16, 0x41, 0x1c, 0x41, 0x42, 0x46, 0x7c)).toBe("日");
    expect(japan(0x9d, 0x20, 0x41, 0x9d, 0x29, 0x30, 0x3b, 0x31, 0x40, 0x87, 0x93, 0x41, 0x46, 0x7c)).toBe(
      "日",
    );
    expect(japan(0x9b, 0x31, 0x37, 0x30, 0x3b, 0x33, 0x30, 0x20, 0x53, 0x46, 0x7c)).toBe("日");
    expect(japan(0x95, 0x40, 0x21, 0x46, 0x7c, 0x95, 0x4f, 0x4b, 0x5c)).toBe("本");
  });

  it("has macros that designate sets again", () => {
    expect(japan(0x1b, 0x2b, 0x20, 0x70, 0x1d, 0x61, 0x0e, 0x46, 0x0f, 0x46, 0x7c)).toBe("テ日");
    // The first one makes G3 the set of macros: the second is one more.
    expect(japan(0x1b, 0x29, 0x20, 0x70, 0x0e, 0x61, 0x1d, 0x6e, 0x46)).toBe("テ");
  });

  it("drops mosaics and characters that exist only as pictures", () => {
    expect(japan(0x1b, 0x28, 0x20, 0x41, 0x21, 0x1b, 0x24, 0x42, 0x46, 0x7c)).toBe("日");
    expect(japan(0x1b, 0x24, 0x28, 0x20, 0x40, 0x21, 0x22, 0x1b, 0x24, 0x42, 0x46, 0x7c)).toBe("日");
    expect(japan(0x1b, 0x28, 0x32, 0x21, 0x1b, 0x24, 0x42, 0x46, 0x7c)).toBe("日");
  });

  it("ends at an incomplete character", () => {
    expect(japan(0x46, 0x7c, 0x46)).toBe("日");
    expect(japan(0x46, 0x0d, 0x46, 0x7c)).toBe("\n日");
  });

  it("has Latin letters in South America, with accents on the right, or UTF-8", () => {
    expect(latin(...codes("Informação \\ ~"))).toBe("Informação \\ ~");
    expect(latin(0xa4, 0xa6, 0xb8, 0xad)).toBe("€Šžÿ");
    expect(latin(0x1d, 0x21, 0x1d, 0x47, 0x41)).toBe("♪™A");
    expect(latin(...new TextEncoder().encode("Informação"))).toBe("Informação");
  });

  it("is read from any bytes, in little memory, and gives no control characters except line breaks", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 255 }), fc.boolean(), (bytes, isLatin) => {
        const text = decodeText(bytes, isLatin ? "arib-latin" : "arib");
        return text.length <= 255 * 63 && !/[^\P{Cc}\n]/u.test(text);
      }),
    );
  });

  it("reads every kanji of JIS X 0208 like EUC-JP, on either side", () => {
    const eucJp = new TextDecoder("euc-jp");
    const cell = fc.integer({ min: 0x21, max: 0x7e });
    fc.assert(
      fc.property(fc.integer({ min: 0x30, max: 0x73 }), cell, (row, column) => {
        const expected = eucJp.decode(Uint8Array.from([row | 0x80, column | 0x80])).replace("\ufffd", "");
        const right = japan(0x1b, 0x24, 0x2a, 0x42, row | 0x80, column | 0x80);
        return japan(row, column) === expected && right === expected;
      }),
    );
  });
});
