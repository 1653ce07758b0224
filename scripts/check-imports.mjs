// Checks who imports whom (import-table.mjs), the rules for packages (.dependency-cruiser.cjs) and the ambient rules (who may
// touch the clock, chance and the process) of the working directory. Fails also when the cruiser saw too few modules: some TypeScript versions make it see none
// and say "no violations".
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cruise } from "dependency-cruiser";
import extractOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import extractTsConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { FOLDERS, folderOf, mayImport } from "./import-table.mjs";

const options = await extractOptions("./.dependency-cruiser.cjs");
const result = await cruise(["src"], options, undefined, { tsConfig: extractTsConfig("./tsconfig.json") });
const { output } = result;

const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.tsx?$/.test(name),
);
const seen = new Set(output.modules.map((module) => module.source));
const unseen = files.map((name) => join("src", name)).filter((name) => !seen.has(name));

const mayUse = (folder, file) =>
  (FOLDERS[folder].packages ?? []).some((name) => file.includes(`node_modules/${name}/`));

const problems = output.summary.violations.map((v) => `${v.rule.name}: ${v.from} → ${v.to}`);
if (unseen.length > 0) problems.push(`the cruiser did not see: ${unseen.join(", ")}`);
// Files that import nothing would also mean that the imports were not parsed.
const edges = output.modules.reduce((sum, module) => sum + module.dependencies.length, 0);
if (edges < files.length) problems.push(`only ${edges} imports seen in ${files.length} files`);

for (const { source, dependencies } of output.modules.filter(({ source }) => source.startsWith("src/"))) {
  const from = source.slice("src/".length);
  const folder = folderOf(from);
  if (folder === undefined) problems.push(`folders: ${source} is in no folder of scripts/import-table.mjs`);
  for (const { resolved, couldNotResolve } of dependencies) {
    if (couldNotResolve) continue;
    const isOurs = resolved.startsWith("src/");
    if (isOurs && !mayImport(from, resolved.slice("src/".length)))
      problems.push(`folders: ${source} → ${resolved}`);
    if (!isOurs && FOLDERS[folder]?.pure && !mayUse(folder, resolved))
      problems.push(`pure: ${source} → ${resolved}`);
  }
}

/** Ambient reach: what may be used only by the named owners. */
const AMBIENT = [
  {
    what: "the wall clock or timers",
    pattern:
      /\b(Date\.now|setTimeout|setInterval|setImmediate|AbortSignal\.timeout|performance\.now|process\.hrtime)\b|\bnew Date\(\)/,
    owners: /^src\/(kit\/time\/clock\.ts$|dashboard\/clock\.ts$|simulator\/)/,
  },
  { what: "chance", pattern: /\bMath\.random\b/, owners: /^src\/(kit\/time\/clock\.ts$|simulator\/)/ },
  // A full stop that ends a sentence is no access to a property, nor is a path that ends in `process.ts`; `node.process` is another.
  {
    what: "the process",
    pattern: /(?<![.#])\bprocess\.(?!hrtime\b|ts")\w/,
    owners: /^src\/(main\.ts$|cli\/entry\/|recorder\/capture\/host\/main\.ts$|kit\/)/,
  },
];
for (const name of files) {
  const path = join("src", name);
  const lines = readFileSync(path, "utf8").split("\n");
  for (const { what, pattern, owners } of AMBIENT) {
    if (owners.test(path)) continue;
    for (const [index, line] of lines.entries()) {
      if (!/^\s*(\/\/|\*|\/\*)/.test(line) && pattern.test(line)) {
        problems.push(`ambient: ${path}:${index + 1} touches ${what}`);
      }
    }
  }
}

if (problems.length > 0) {
  console.error(problems.join("\n"));
  // An exit at once would cut off what a slow reader has not taken.
  process.exitCode = 1;
} else console.log(`imports: ${files.length} modules and ${edges} imports seen, no rule broken`);
