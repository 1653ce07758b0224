import { expect, it } from "vitest";
import { languageChoice } from "../../../src/recorder/setup/language-step.ts";

it("setup takes a language of the catalogue and a time zone, or leaves the zone to the machine", () => {
  expect(languageChoice({ language: "en" })).toEqual({ language: "en" });
  const choice = { language: "en", timeZone: "Europe/Berlin" };
  expect(languageChoice(choice)).toEqual(choice);
});

it.each([
  { language: "tlh", says: "en" },
  { language: "constructor", says: "en" },
  { language: "en", timeZone: "Mars/Base", says: "Europe/Berlin" },
])("setup refuses others and names what it expects: %o", ({ says, ...wanted }) => {
  expect(() => languageChoice(wanted)).toThrow(says);
});
