// Writes docs/recorderd.1, the manual page, from the definitions of the commands in the built program. Run `npm run build` first.
// With --check it only says whether the file is current.
import { readFileSync, writeFileSync } from "node:fs";
import { commandTable } from "../dist/cli/completion/command-table.js";
import { manualPage } from "../dist/cli/completion/manual.js";
import { program } from "../dist/cli/program.js";

const TARGET = "docs/recorderd.1";
/** Date of the edition; update it with each release. */
const DATE = "2026-11-21";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const nobody = new Proxy({}, { get: () => () => {} });
const text = manualPage(commandTable(await program(nobody)), { version, date: DATE });

if (process.argv.includes("--check")) {
  const current = readFileSync(TARGET, "utf8") === text;
  if (!current) console.error(`${TARGET} is not current: npm run build && node scripts/make-manual.mjs`);
  process.exit(current ? 0 : 1);
}
writeFileSync(TARGET, text);
