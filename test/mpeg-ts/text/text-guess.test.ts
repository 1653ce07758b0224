import { describe, expect, it } from "vitest";
import { decodeText } from "../../../src/mpeg-ts/text/text.ts";
import { fc } from "../../properties.ts";

const MARKS = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308 \u030a\u0327 \u030b\u0328\u030c";
/** Letters of ISO 6937 from 0xE0 on. */
const LETTERS: ReadonlyMap<string, number> = new Map(
  [..."ΩÆĐªĦ·ĲĿŁØŒºÞŦŊŉĸæđðħıĳŀłøœßþŧŋ"].map((letter, at) => [letter, 0xe0 + at]),
);

/** The coding of a broadcaster that follows the standard: a letter with a mark is the mark, then the letter. */
function iso6937(text: string): Uint8Array {
  return Uint8Array.from(
    [...text].flatMap((character) => {
      const [letter = "", mark] = character.normalize("NFD");
      if (mark !== undefined) return [0xc1 + MARKS.indexOf(mark), letter.charCodeAt(0)];
      return [LETTERS.get(character) ?? character.charCodeAt(0)];
    }),
  );
}

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf8 = (text: string) => new TextEncoder().encode(text);

/** Titles of many languages, as ISO 6937 can write them. */
const TITLES_6937 = [
  "Météo",
  "Où est passée la 7e compagnie ?",
  "Été 85",
  "Noël à la maison",
  "Tagesschau für Kinder",
  "Größenwahn",
  "Ärzte ohne Grenzen",
  "Übermut",
  "España en directo",
  "Corazón de niño",
  "Televisión",
  "Informação à Noite",
  "AMANHÃ É OUTRO DIA",
  "Perché no, papà?",
  "Være eller ikke være",
  "Så er det Øst for paradis",
  "Børnetid på Færøerne",
  "Ålandsöarna",
  "Täällä Pohjantähden alla",
  "Veður",
  "Fréttir og íþróttir",
  "Żółty ołówek",
  "Łódź",
  "Večerníček",
  "Šťastné a veselé",
  "Hírek és időjárás",
  "Kırık kalpler",
  "Çocuklar İçin Şarkılar",
  "Dođi i gledaj",
  "Jõulud",
  "Ķīna",
  "Žinios ir sąskaita",
];

/** Titles that Latin-1 can write and that make no sense as ISO 6937. */
const TITLES_LATIN_1 = [
  "Météo",
  "Où est passée la 7e compagnie ?",
  "Été 85",
  "Noël à la maison",
  "C à vous",
  "Tagesschau für Kinder",
  "Größenwahn",
  "Ärzte ohne Grenzen",
  "Übermut",
  "Dänemark",
  "España en directo",
  "Corazón de niño",
  "Televisión",
  "Más música",
  "Informação à Noite",
  "AMANHÃ É OUTRO DIA",
  "Perché no, papà?",
  "Più sani",
  "Så er det Øst for paradis",
  "Ålandsöarna",
  "Täällä Pohjantähden alla",
  "België van boven",
];

/** Both readings make sense: by the standard they are ISO 6937. */
const AMBIGUOUS: readonly (readonly [string, string])[] = [
  ["Änderung", "ñderung"],
  ["Børn", "Błrn"],
  ["état", "Øtat"],
  ["Jõulud", "Jıulud"],
  ["Çekya", "ėkya"],
];

describe("text without a selector", () => {
  it.each(TITLES_6937)("is ISO 6937: %s", (title) => {
    expect(decodeText(iso6937(title))).toBe(title);
  });

  it.each(TITLES_LATIN_1)("is Latin-1 if it makes no sense as ISO 6937: %s", (title) => {
    expect(decodeText(latin1(title))).toBe(title);
  });

  it.each(AMBIGUOUS)("follows the standard if both make sense: %s", (title, read) => {
    expect(decodeText(latin1(title))).toBe(read);
    expect(decodeText(latin1(title), "iso-8859-1")).toBe(title);
  });

  it("has the euro sign in place of the Latin-1 sign", () => {
    expect(decodeText(latin1("Für 5 ¤"))).toBe("Für 5 €");
  });

  it("is UTF-8 if all of it is valid UTF-8", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
        fc.constantFrom("é", "ж", "中"),
        (some, more) => {
          const text = `A${some.replace(/[\p{Cc}\u0400-\u07ff\ue080-\ue09f]/gu, "")}${more}`;
          return decodeText(utf8(text)) === text;
        },
      ),
    );
    expect(decodeText(utf8("Вести в 20:00"))).toBe("Вести в 20:00");
  });

  it("is not UTF-8 if a symbol precedes a line break or emphasis", () => {
    expect(decodeText(Uint8Array.from([0x41, 0xd4, 0x8a, 0x42]))).toBe("A™\nB");
    expect(decodeText(Uint8Array.from([0x86, 0x41, 0xd3, 0x87]).subarray(1))).toBe("A©");
  });

  it("is the same in all three tables if it is ASCII", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) }),
        (text) => decodeText(latin1(text)) === text,
      ),
    );
  });
});
