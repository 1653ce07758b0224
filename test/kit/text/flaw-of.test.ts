import { expect, it } from "vitest";
import { z } from "zod";
import { flawOf } from "../../../src/kit/text/flaw-of.ts";

const Stored = z.object({ timers: z.record(z.string(), z.object({ start: z.int() })) });

function flawIn(text: string): string {
  try {
    Stored.parse(JSON.parse(text));
    return "none";
  } catch (error) {
    return flawOf(error, text);
  }
}

it.each([
  ["", "it is not JSON: it is empty"],
  ["\0\0\0\0", "it is not JSON: it has only zero bytes, as after a power failure"],
  ['{"timers":\n {"a": {', "it is not JSON: it ends too early, at line 2, column 9"],
  ['{"timers":\n secret}', "it is not JSON: it has text that does not belong there"],
  ['{"timers" {}}', "it is not JSON: line 1, column 11 does not continue what is before it"],
  ["[]", "the whole: invalid input: expected object, received array"],
  ['{"timers":{"7":{"start":"soon"}}}', "timers.7.start: invalid input: expected number, received string"],
])(
  "a stored text %j is refused with a reason that people can read, and that quotes nothing",
  (text, flaw) => {
    expect(flawIn(text)).toBe(flaw);
  },
);

it("says the first of many flaws, and how many more there are", () => {
  const timers = Object.fromEntries([1, 2, 3, 4, 5].map((id) => [id, {}]));
  expect(flawIn(JSON.stringify({ timers }))).toMatch(
    /^timers\.1\.start: .*; timers\.3\.start: [^;]*; and 2 more$/,
  );
});
