import { describe, expect, it } from "vitest";
import { parseRange } from "../../src/web/range.ts";

const done = { size: 1000, isGrowing: false };
const growing = { size: 1000, isGrowing: true };

describe("a range", () => {
  it.each([
    [undefined, done, { kind: "whole" }],
    ["bytes=0-99", done, { kind: "part", first: 0, last: 99 }],
    ["bytes=990-2000", done, { kind: "part", first: 990, last: 999 }],
    ["bytes=500-", done, { kind: "part", first: 500, last: 999 }],
    ["bytes=-200", done, { kind: "part", first: 800, last: 999 }],
    ["bytes=-2000", done, { kind: "part", first: 0, last: 999 }],
    ["bytes=1000-", done, { kind: "beyond" }],
    ["bytes=1000-1001", done, { kind: "beyond" }],
    ["bytes=-0", done, { kind: "beyond" }],
    ["bytes=0-", { size: 0, isGrowing: false }, { kind: "beyond" }],
    // Not understood, and more than one: the whole is a right answer to each (RFC 9110 §14.2).
    ["bytes=5-2", done, { kind: "whole" }],
    ["bytes=0-1,5-6", done, { kind: "whole" }],
    ["bytes=-", done, { kind: "whole" }],
    ["bytes=9999999999999999-", done, { kind: "whole" }],
    ["pages=1-2", done, { kind: "whole" }],
    // A file that still grows has no end yet.
    ["bytes=500-", growing, { kind: "part", first: 500 }],
    ["bytes=1000-", growing, { kind: "part", first: 1000 }],
    ["bytes=1001-", growing, { kind: "beyond" }],
    ["bytes=500-5000", growing, { kind: "part", first: 500, last: 999 }],
    ["bytes=1000-1001", growing, { kind: "beyond" }],
    ["bytes=-200", growing, { kind: "part", first: 800, last: 999 }],
  ] as const)("%j of %j is %j", (header, file, wanted) => {
    expect(parseRange(header, file)).toEqual(wanted);
  });
});
