// Draws docs/state-machine.md from the table in src/model/recording.ts. With --check it only says whether the file is current.
import { readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";

const SOURCE = "src/model/recording.ts";
const TARGET = "docs/state-machine.md";

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

if (process.argv.includes("--check")) {
  const current = readFileSync(TARGET, "utf8") === text;
  if (!current) console.error(`${TARGET} is not current: node scripts/make-docs.mjs`);
  process.exit(current ? 0 : 1);
}
writeFileSync(TARGET, text);

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

/** What the comment above each row of the table says. */
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
