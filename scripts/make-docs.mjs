// Draws docs/dev/state-machine.md from the table in src/model/recording.ts, and who imports whom in docs/ARCHITECTURE.md from
// scripts/import-table.mjs. With --check it only says whether the files are current.
import { readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";
import { FOLDERS } from "./import-table.mjs";

const SOURCE = "src/model/recording.ts";
const TARGET = "docs/dev/state-machine.md";

const source = readFileSync(SOURCE, "utf8");
const { RECORDING_MOVES: moves } = await import("../dist/model/recording.js");

const text = `# The states of a recording

Drawn by \`node scripts/make-docs.mjs\` from \`RECORDING_MOVES\` in \`${SOURCE}\`, which is the law: a move that
is not in the table does not happen. A test fails when this page is not current. A new recording begins as \`conflicted\`: it
has no tuner before the plan is made.

\`\`\`mermaid
stateDiagram-v2
  [*] --> conflicted
${diagram().join("\n")}
\`\`\`

| state | what it means | input → next state |
| --- | --- | --- |
${rows().join("\n")}
`;

const ARCHITECTURE = "docs/ARCHITECTURE.md";
const architecture = readFileSync(ARCHITECTURE, "utf8").replace(
  /(<!-- imports: [^\n]*-->\n)[\s\S]*?(<!-- \/imports -->)/,
  (_, begin, end) => `${begin}\n${imports()}\n${end}`,
);

const current = (target, wanted) => readFileSync(target, "utf8") === wanted;
const pages = [
  [TARGET, text],
  [ARCHITECTURE, architecture],
].filter(([target, wanted]) => !current(target, wanted));
if (process.argv.includes("--check")) {
  for (const [target] of pages) console.error(`${target} is not current: node scripts/make-docs.mjs`);
  process.exit(pages.length === 0 ? 0 : 1);
}
for (const [target, wanted] of pages) writeFileSync(target, wanted);

/** The folders directly below src as a picture, and all of them as a table. Everything may import model and kit. */
function imports() {
  const floor = (name) => name.replace(/\/.*/, "").replace(/\.ts$/, "");
  const isCommon = (name) => floor(name) === "model" || floor(name) === "kit";
  const arrows = Object.entries(FOLDERS).flatMap(([name, rule]) =>
    rule.imports
      .filter((other) => !isCommon(other) && floor(other) !== floor(name))
      .map((other) => `  ${floor(name)} --> ${floor(other)}`),
  );
  const lines = Object.entries(FOLDERS).map(([name, rule]) => {
    const others = rule.imports.filter((other) => !isCommon(other) || rule.pure || name === "kit");
    return `| \`${name}\` | ${rule.pure ? "pure" : ""} | ${others.map((other) => `\`${other}\``).join(", ")} |`;
  });
  const picture = ["```mermaid", "flowchart TD", ...new Set(arrows), "```"];
  return [...picture, "", "| folder | | imports, besides itself |", "| --- | --- | --- |", ...lines, ""].join(
    "\n",
  );
}

/** Inputs that lead from one state to the same other share one arrow. */
function diagram() {
  return Object.entries(moves).flatMap(([state, row]) => {
    const targets = [...new Set(Object.values(row))];
    if (targets.length === 0) return [`  ${state} --> [*]`];
    return targets.map((target) => {
      const inputs = Object.keys(row).filter((input) => row[input] === target);
      return `  ${state} --> ${target}: ${inputs.join(", ")}`;
    });
  });
}

function rows() {
  const meanings = meaningsOf();
  return Object.entries(moves).map(([state, row]) => {
    const next = Object.entries(row).map(([input, target]) => `${input} → ${target}`);
    return `| ${state} | ${meanings.get(state) ?? ""} | ${next.join(", ") || "the end"} |`;
  });
}

/** The comment above each row of the table. */
function meaningsOf() {
  const meanings = new Map();
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === "RECORDING_MOVES") {
      const table = ts.isAsExpression(node.initializer) ? node.initializer.expression : node.initializer;
      for (const property of table.properties) {
        const [comment] = ts.getJSDocCommentsAndTags(property);
        meanings.set(property.name.getText(), ts.getTextOfJSDocComment(comment?.comment) ?? "");
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(SOURCE, source, ts.ScriptTarget.ES2022, true));
  return meanings;
}
