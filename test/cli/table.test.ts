import { describe, expect, it } from "vitest";
import { columnsOf, cutTo, plainJson, plainLine, wrapped } from "../../src/cli/plain-text.ts";
import { detailsText, tableText } from "../../src/cli/table.ts";
import { anyText, fc } from "../properties.ts";

const wideText = fc.string({
  unit: fc.constantFrom("a", "é", "日", "한", "👩‍👩‍👧", "🇩🇪", "e\u0301", "ｱ", " "),
});
const texts = fc.oneof(anyText(), wideText);

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
const COMMANDS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe("a plain text", () => {
  it("contains no control sequences, and stays the same when cleaned again", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const plain = plainLine(text);
        return !COMMANDS.test(plain) && plainLine(plain) === plain;
      }),
    );
  });

  it("keeps its value as JSON, without control sequences", () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyText(), (value, text) => {
        const json = plainJson({ value, text });
        const back: unknown = JSON.parse(json);
        return (
          JSON.stringify(back) === JSON.stringify({ value, text }) &&
          !COMMANDS.test(json.replaceAll("\n", ""))
        );
      }),
    );
  });
});

describe("the width of a text", () => {
  it.each([
    ["", 0],
    ["Tagesschau", 10],
    ["Été", 3],
    ["E\u0301te\u0301", 3],
    ["日本語", 6],
    ["ｱﾆﾒ", 3],
    ["Ａ", 2],
    ["한국", 4],
    ["\u1112\u1161\u11ab", 2],
    ["📺", 2],
    ["👩‍👩‍👧", 2],
    ["🇩🇪", 2],
    ["❤️", 2],
    ["❤", 1],
    ["©", 1],
    ["שלום", 4],
  ])("of %s is %d columns", (text, columns) => expect(columnsOf(text)).toBe(columns));

  it("never exceeds the limit after a cut, and a text that fits stays whole", () => {
    fc.assert(
      fc.property(texts, fc.nat(30), (text, columns) => {
        const plain = plainLine(text);
        const cut = cutTo(plain, columns);
        return columnsOf(cut) <= columns && (cut === plain) === columnsOf(plain) <= columns;
      }),
    );
  });

  it("never exceeds the limit after wrapping, and no character is lost", () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 30 }), (text, columns) => {
        const plain = plainLine(text);
        const lines = wrapped(plain, columns);
        const same = lines.join("").replaceAll(" ", "") === plain.replaceAll(" ", "");
        return same && lines.every((line) => columnsOf(line) <= columns);
      }),
    );
  });
});

describe("a table", () => {
  it("fits the terminal, whatever its cells contain", () => {
    const rows = fc.array(fc.tuple(texts, texts, texts), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 60 }), (cells, columns) =>
        tableText({ head: ["id", "name", "state"], rows: cells }, columns)
          .split("\n")
          .every((line) => columnsOf(line) <= columns),
      ),
    );
  });

  it("cuts the widest columns first", () => {
    const table = { head: ["id", "name", "state"], rows: [["1234", "a long name of a show", "waiting"]] };
    expect(tableText(table, 26)).toBe("id    name         state\n1234  a long nam…  waiting");
    expect(tableText(table, undefined)).toContain("a long name of a show  waiting");
  });

  it("never cuts a time", () => {
    const table = {
      head: ["id", "start", "title", "channel"],
      rows: [["1234567", "2026-11-23 20:15", "The Film That Never Ends", "A Channel of Films"]],
    };
    expect(tableText(table, 40)).toBe(
      "id      start             title   chann…\n12345…  2026-11-23 20:15  The F…  A Cha…",
    );
  });

  it("puts a note below its row, within the terminal", () => {
    const table = { head: ["id"], rows: [["1"], ["2"]], notes: ["two tuners are in use", ""] };
    expect(tableText(table, 12)).toBe("id\n1\n  two tuners\n  are in use\n2");
  });

  it("aligns columns if characters are two columns wide", () => {
    const rows = [
      ["日本", "x"],
      ["ab", "y"],
    ];
    expect(tableText({ head: ["name", "v"], rows }, 80)).toBe("name  v\n日本  x\nab    y");
  });

  it("leaves out columns that are empty in every row", () => {
    expect(tableText({ head: ["id", "city", "name"], rows: [["1", "", "x"]] }, 80)).toBe("id  name\n1   x");
  });
});

describe("a record", () => {
  it("fits the terminal in wrapped lines, without empty fields", () => {
    const message = "recorded 59 min 58 s of 60 min, two gaps";
    expect(
      detailsText(
        [
          ["id", "7"],
          ["url", ""],
          ["message", message],
        ],
        30,
      ),
    ).toBe("id       7\nmessage  recorded 59 min 58 s\n         of 60 min, two gaps");
  });
});
