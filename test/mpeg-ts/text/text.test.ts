import { describe, expect, it } from "vitest";
import { withinWire } from "../../../src/model/wire-text.ts";
import { readDuration, readUtc } from "../../../src/mpeg-ts/tables/dvb-time.ts";
import { readEventTexts } from "../../../src/mpeg-ts/tables/event-texts.ts";
import { decodeText } from "../../../src/mpeg-ts/text/text.ts";
import { ascii } from "../../kit/ts-builder.ts";
import { fc } from "../../properties.ts";

const text = (...bytes: readonly number[]) => decodeText(Uint8Array.from(bytes));

describe("broadcast text (EN 300 468 annex A)", () => {
  it("is ISO 6937 by default: accents precede their letter", () => {
    expect(text(...ascii("Caf"), 0xc2, ...ascii("e"))).toBe("Café");
    expect(text(0xc8, 0x75, 0xcf, 0x73, 0xcb, 0x63, 0xca, 0x41, 0xcd, 0x6f)).toBe("üšçÅő");
    expect(text(0xe1, 0xf9, 0xfb, 0xec, 0xfc, 0xe2, 0xf2, 0xe8, 0xf8)).toBe("ÆøßÞþĐđŁł");
    expect(text(0xa4, 0xab, 0xbb, 0xa1, 0xbf, 0xb0, 0xd4, 0xbd, 0xd5)).toBe("€«»¡¿°™½♪");
  });

  it("drops an accent without a letter, and characters outside the table", () => {
    const iso6937 = (...bytes: readonly number[]) => decodeText(Uint8Array.from(bytes), "iso-6937");
    expect(iso6937(0x41, 0xc2)).toBe("A");
    expect(iso6937(0x41, 0xa6, 0xd8, 0xe5, 0x42)).toBe("AB");
  });

  it("is a part of ISO 8859 by its first byte", () => {
    expect(text(0x01, 0xbc, 0xde, 0xe1, 0xda, 0xd2, 0xd0)).toBe("Москва");
    expect(text(0x03, 0xc5, 0xe1)).toBe("Εα");
    expect(text(0x05, 0xdd, 0xfe)).toBe("İş");
    expect(text(0x0b, 0xa4, 0xe9)).toBe("€é");
  });

  it("is a part of ISO 8859 by its first three bytes", () => {
    expect(text(0x10, 0x00, 0x01, 0xe9, 0xfc)).toBe("éü");
    expect(text(0x10, 0x00, 0x02, 0xe8, 0xb3)).toBe("čł");
    expect(text(0x10, 0x00, 0x0c, 0x41)).toBe("A");
  });

  it("is ISO 10646 or UTF-8 by its first byte", () => {
    expect(text(0x11, 0x00, 0x41, 0x20, 0xac, 0xe0, 0x8a, 0x00, 0x42)).toBe("A€\nB");
    expect(text(0x15, ...new TextEncoder().encode("Nešto \u{1f600}"))).toBe("Nešto \u{1f600}");
    expect(text(0x15, 0xee, 0x82, 0x86, 0x41, 0xee, 0x82, 0x87)).toBe("A");
  });

  it("is Korean or Chinese by its first byte", () => {
    expect(text(0x12, 0xc7, 0xd1)).toBe("한");
    expect(text(0x13, 0xd6, 0xd0)).toBe("中");
    expect(text(0x14, 0xa4, 0xa4)).toBe("中");
    expect(text(0x13, 0xd6, 0xd0, 0xe0, 0x8a, 0x86, 0xd6, 0xd0, 0x8a, 0x41)).toBe("中\n中\nA");
  });

  it("has control codes for emphasis, which are removed, and for line breaks, which stay", () => {
    expect(text(0x41, 0x86, 0x42, 0x87, 0x8a, 0x43, 0x00)).toBe("AB\nC");
    // In ISO 8859-1 as the web reads it, 0x86 would be a dagger.
    expect(text(0x10, 0x00, 0x01, 0x86, 0x42)).toBe("B");
  });

  it("is empty if its encoding is not of the standard", () => {
    expect(text(0x1f, 0x01, 0x55, 0xaa)).toBe("");
    expect(text()).toBe("");
  });

  it("is read from any bytes, and gives no control characters except line breaks", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => !/[^\P{Cc}\n]/u.test(decodeText(bytes))),
    );
  });
});

describe("event texts from any broadcast", () => {
  const TABLES = [undefined, "arib", "arib-latin", "utf-16be", "utf-8", "iso-6937", "gb2312"] as const;

  it("stay within the text limits, and are well formed", () => {
    // More descriptors of an event do not fit into its section.
    const descriptor = fc.record({
      tag: fc.constantFrom(0x4d, 0x4e),
      body: fc
        .uint8Array({ maxLength: 255, size: "max" })
        .map((bytes) => Uint8Array.from([...ascii("deu"), ...bytes].slice(0, 255))),
    });
    fc.assert(
      fc.property(
        fc.array(descriptor, { maxLength: 15, size: "max" }),
        fc.constantFrom(...TABLES),
        (descriptors, table) => {
          const { title, text } = readEventTexts(descriptors, table);
          return [title, text].every((each) => withinWire(each) === each);
        },
      ),
    );
  });
});

describe("broadcast time (EN 300 468 annex C)", () => {
  it("is a modified Julian date and six digits", () => {
    // The example of the standard: 1993-10-13 12:45:00.
    expect(readUtc(Uint8Array.from([0xc0, 0x79, 0x12, 0x45, 0x00]), 0)).toBe(Date.UTC(1993, 9, 13, 12, 45));
  });

  it("is undefined if all bits are set, or if the digits are invalid", () => {
    expect(readUtc(Uint8Array.from([0xff, 0xff, 0xff, 0xff, 0xff]), 0)).toBeUndefined();
    expect(readUtc(Uint8Array.from([0xc0, 0x79, 0x24, 0x00, 0x00]), 0)).toBeUndefined();
    expect(readDuration(Uint8Array.from([0x01, 0x60, 0x00]), 0)).toBeUndefined();
    expect(readDuration(Uint8Array.from([0x01, 0x4a, 0x00]), 0)).toBeUndefined();
  });

  it("gives durations in the same digits", () => {
    expect(readDuration(Uint8Array.from([0x01, 0x45, 0x30]), 0)).toBe(6_330_000);
  });
});
