// Writes src/words/keys.ts, which says what values each text of the English catalogue needs: the compiler checks every use.
//
//   node scripts/make-words.mjs           writes
//   node scripts/make-words.mjs --check   fails where it would write something else
import { readFileSync, writeFileSync } from "node:fs";
import { keysOf, readCatalogue } from "./catalogue.mjs";

const FILE = new URL("../src/words/keys.ts", import.meta.url);
const lines = [...keysOf(readCatalogue("en"))].map(([key, names]) => {
  const values = [...names].sort().map((name) => JSON.stringify(name));
  return `  readonly ${key.includes("-") ? JSON.stringify(key) : key}: ${values.length === 0 ? "never" : values.join(" | ")};`;
});
const text = `/** The keys of the catalogue, and the values that each needs. Made by scripts/make-words.mjs from texts/en.ts. */
export interface WordValues {
${lines.join("\n")}
}
`;
if (!process.argv.includes("--check")) writeFileSync(FILE, text);
else if (readFileSync(FILE, "utf8") !== text) {
  process.stderr.write("src/words/keys.ts: run node scripts/make-words.mjs\n");
  process.exitCode = 1;
}
