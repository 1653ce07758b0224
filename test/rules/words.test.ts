import { expect, it } from "vitest";
import { folded, hasWord, lacksTerms, needleOf, termsOf, wordsIn, wordsText } from "../../src/rules/fold.ts";
import { fc } from "../properties.ts";

/** Letters of one and two units, marks, and what separates words. */
const texts = fc
  .array(fc.constantFrom("a", "b", "ab", "é", "𝒜", "𐐷", "ा", "字", "_", "-", "'", " ", "1", "·"), {
    maxLength: 12,
  })
  .map((parts) => folded(parts.join("")));

it("finds a word in a text as if all its words were separated first", () => {
  fc.assert(
    fc.property(texts, texts, (text, other) => {
      for (const word of [...wordsIn(text), ...wordsIn(other)])
        expect(hasWord(text, word)).toBe(wordsText(text).includes(` ${word} `));
    }),
  );
});

it("misses terms in a text as if all its words were separated first", () => {
  fc.assert(
    fc.property(texts, texts, fc.boolean(), (text, other, isQuoted) => {
      const needles = termsOf(isQuoted ? `"${other}"` : other).map(needleOf);
      expect(lacksTerms(text, needles)).toBe(!needles.some((needle) => wordsText(text).includes(needle)));
    }),
  );
});
