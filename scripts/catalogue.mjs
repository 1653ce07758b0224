// Reads the catalogues of src/words/texts: Fluent's syntax in a TypeScript file, so that they need no loader.
import { readFileSync } from "node:fs";
import { parse, Visitor } from "@fluent/syntax";

/** The catalogue in `src/words/texts/LANGUAGE.ts`. */
export function readCatalogue(language) {
  const source = readFileSync(new URL(`../src/words/texts/${language}.ts`, import.meta.url), "utf8");
  return source.slice(source.indexOf("`") + 1, source.lastIndexOf("`"));
}

/** The names of the values that each text uses, by key. @throws with the line, where the syntax is wrong or a key is there twice */
export function keysOf(catalogue) {
  const keys = new Map();
  for (const entry of parse(catalogue, { withSpans: true }).body) {
    if (entry.type === "Junk") {
      const line = catalogue.slice(0, entry.span.start).split("\n").length;
      throw new Error(
        `line ${line} of the catalogue: ${entry.annotations[0]?.message}: ${entry.content.trim()}`,
      );
    }
    if (entry.type !== "Message") continue;
    if (keys.has(entry.id.name)) throw new Error(`the catalogue has ${entry.id.name} twice`);
    keys.set(entry.id.name, valuesOf(entry));
  }
  return keys;
}

function valuesOf(message) {
  const names = new Set();
  class Names extends Visitor {
    visitVariableReference({ id }) {
      names.add(id.name);
    }
  }
  new Names().visit(message);
  return names;
}
