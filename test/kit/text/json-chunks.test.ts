import { describe, expect, it } from "vitest";
import { jsonChunks } from "../../../src/kit/text/json-chunks.ts";
import { fc } from "../../properties.ts";

describe("JSON written in pieces", () => {
  it("equals the whole text when joined", () => {
    const some = fc.anything({ withNullPrototype: false }).filter(isPlain);
    const value = fc.oneof(fc.array(some), fc.dictionary(fc.string(), some));
    fc.assert(fc.property(value, (one) => [...jsonChunks(one)].join("") === JSON.stringify(one)));
  });

  it("reuses the text of earlier parts, whatever changed elsewhere", () => {
    const some = fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.nat())));
    const texts = new WeakMap();
    const isSame = (one: object) => [...jsonChunks(one, texts)].join("") === JSON.stringify(one);
    fc.assert(
      fc.property(some, some, (one, other) => isSame(one) && isSame({ ...one, ...other }) && isSame(one)),
    );
  });

  it("has pieces of similar length", () => {
    const many = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [`r${at}`, { name: "x".repeat(200) }]),
    );
    const pieces = [...jsonChunks({ document: { recordings: many } })];
    expect(pieces.length).toBeGreaterThan(10);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000);
  });
});

/** Whether JSON can hold the value; documents consist of such values. */
function isPlain(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
