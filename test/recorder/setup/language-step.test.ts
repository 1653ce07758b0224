import { expect, it } from "vitest";
import { languageOf } from "../../../src/recorder/setup/language-step.ts";

it.each(["tlh", "constructor", ""])("setup refuses the language %o, and names those it has", (text) => {
  expect(() => languageOf(text)).toThrow("en");
});
