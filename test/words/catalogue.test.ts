import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FluentResource } from "@fluent/bundle";
import { describe, expect, it } from "vitest";
import { keysOf, readCatalogue } from "../../scripts/catalogue.mjs";
import { messagesOf } from "../../src/words/catalogue.ts";
import { LANGUAGES, type Language, textsOf } from "../../src/words/language.ts";

const languages = Object.keys(LANGUAGES) as Language[];
const english: ReadonlyMap<string, ReadonlySet<string>> = keysOf(readCatalogue("en"));

/** All texts in quotes of our sources, and the beginnings of those in backticks: how keys are named. */
function namesInSources(): { readonly whole: ReadonlySet<string>; readonly begun: readonly string[] } {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !file.startsWith("words/texts/") && file !== "words/keys.ts",
  );
  const source = files.map((file) => readFileSync(join("src", file), "utf8")).join("\n");
  return {
    whole: new Set(Array.from(source.matchAll(/"([a-z][a-zA-Z0-9_-]*)"/g), ([, name = ""]) => name)),
    begun: Array.from(source.matchAll(/`([a-z][a-z0-9-]*-)\$\{/g), ([, name = ""]) => name),
  };
}

function beginWithDay(catalogue: string): readonly string[] {
  return Array.from(
    catalogue.matchAll(/^([a-z-]+) = \{ \$(?:day|at|when) \}/gm),
    ([, key = ""]) => key,
  ).sort();
}

describe("the catalogue of texts", () => {
  it.each(languages)(
    "%s has every text with the values of the English one, and no other",
    async (language) => {
      const keys = keysOf(await textsOf(language));
      expect([...keys.keys()].sort()).toEqual([...english.keys()].sort());
      // A plural of another language may leave the number itself out; a value that nobody gives is a fault.
      const foreign = [...keys].filter(([key, names]) =>
        [...names].some((name) => !english.get(key)?.has(name)),
      );
      expect(foreign).toEqual([]);
    },
  );

  // Day and time come with a capital, or without it: the program cannot choose for each language. Japanese has none.
  it.each(languages.filter((language) => language !== "ja"))(
    "%s begins with a day exactly where English does",
    async (language) => {
      const text = await textsOf(language);
      expect(beginWithDay(text)).toEqual(beginWithDay(readCatalogue("en")));
    },
  );

  it.each(languages)("%s gives each text by itself as it does when the whole is read", async (language) => {
    const text = await textsOf(language);
    const { body } = new FluentResource(text);
    const alone = messagesOf(text).map(([key, source]) => [key, new FluentResource(source).body]);
    expect(alone).toEqual(body.map((message) => [message.id, [message]]));
  });

  it("has no text that is not used", () => {
    const { whole, begun } = namesInSources();
    const isUsed = (key: string) => whole.has(key) || begun.some((beginning) => key.startsWith(beginning));
    expect([...english.keys()].filter((key) => !isUsed(key))).toEqual([]);
  });

  it("has its keys and their values in keys.ts: node scripts/make-words.mjs", () => {
    const { stderr } = spawnSync(process.execPath, ["scripts/make-words.mjs", "--check"], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
  });
});
