// Draws docs/dev/state-machine.md from the table in src/model/recording.ts, and who imports whom from scripts/import-table.mjs: the
// picture in docs/ARCHITECTURE.md, the table in docs/dev/imports.md. With --check it only says whether the files are current.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";
import { FOLDERS } from "./import-table.mjs";

const SOURCE = "src/model/recording.ts";
const TARGET = "docs/dev/state-machine.md";

const INPUTS = {
  due: "Its time has come, or that of the next attempt.",
  displaced: "The plan gives its tuner to other recordings.",
  placed: "The plan has a tuner for it.",
  withdrawn: "The service or a person cancels its timer.",
  expired:
    "Its window is over, the disk is full, or its error allows no further attempt (`src/model/errors.ts`).",
  flowing: "An attempt has valid payload on disk.",
  adopted: "After a restart of the daemon, its capture still runs.",
  refused: "The only running attempt has ended without payload.",
  interrupted: "The only running attempt has ended after payload, or a crash came before its start.",
  whole: "Closing found enough of the event.",
  shortened: "Closing found too little of the event.",
  empty: "Closing found no payload.",
  discarded: "Closing is done, and the timer was cancelled.",
};

const source = readFileSync(SOURCE, "utf8");
const { RECORDING_MOVES: moves } = await import("../dist/model/recording.js");

const text = `# The states of a recording

\`node scripts/make-docs.mjs\` writes this page from \`RECORDING_MOVES\` in \`${SOURCE}\`. A move that is not in the table does not
happen: an input that a state does not have changes nothing. A new recording begins as \`conflicted\`, because it has no tuner before
the plan is made. A guide service gets fewer states ([reference](../reference.md)); the words for people are in \`src/words/texts\`.

\`\`\`mermaid
stateDiagram-v2
  [*] --> conflicted
${diagram().join("\n")}
\`\`\`

| state | what it means | input → next state |
| --- | --- | --- |
${rows().join("\n")}

| input | when |
| --- | --- |
${inputRows().join("\n")}
`;

const IMPORTS = "docs/dev/imports.md";
const ARCHITECTURE = "docs/ARCHITECTURE.md";
const architecture = readFileSync(ARCHITECTURE, "utf8").replace(
  /(<!-- imports: [^\n]*-->\n)[\s\S]*?(<!-- \/imports -->)/,
  (_, begin, end) => `${begin}\n${importPicture()}\n${end}`,
);

const current = (target, wanted) => existsSync(target) && readFileSync(target, "utf8") === wanted;
const pages = [
  [TARGET, text],
  [ARCHITECTURE, architecture],
  [IMPORTS, importPage()],
].filter(([target, wanted]) => !current(target, wanted));
if (process.argv.includes("--check")) {
  for (const [target] of pages) console.error(`${target} is not current: node scripts/make-docs.mjs`);
  process.exit(pages.length === 0 ? 0 : 1);
}
for (const [target, wanted] of pages) writeFileSync(target, wanted);

/** Everything may import model and kit, so neither the picture nor the table repeats them. */
function isCommon(name) {
  return floor(name) === "model" || floor(name) === "kit";
}

/** The folder directly below src. */
function floor(name) {
  return name.replace(/\/.*/, "").replace(/\.ts$/, "");
}

function importPicture() {
  const arrows = Object.entries(FOLDERS).flatMap(([name, rule]) =>
    rule.imports
      .filter((other) => !isCommon(other) && floor(other) !== floor(name))
      .map((other) => `  ${floor(name)} --> ${floor(other)}`),
  );
  return ["```mermaid", "flowchart TD", ...new Set(arrows), "```", ""].join("\n");
}

function importPage() {
  const lines = Object.entries(FOLDERS).map(([name, rule]) => {
    const others = rule.imports.filter((other) => !isCommon(other) || rule.pure || name === "kit");
    return `| \`${name}\` | ${rule.pure ? "pure" : ""} | ${others.map((other) => `\`${other}\``).join(", ")} |`;
  });
  return `# What each folder may import

\`node scripts/make-docs.mjs\` writes this page from \`scripts/import-table.mjs\`. \`npm run imports\` rejects every other import. To allow
one, change that table, and say why in the commit; first see whether a port of \`model/ports.ts\` would do.

A folder named here is not part of the folder above it. All folders may also import \`model\`, and all but \`dashboard\` may import \`kit\`.
A pure folder, and \`kit\` itself, may import only what is listed. A pure folder imports neither Node.js nor packages.

| folder | | may import |
| --- | --- | --- |
${lines.join("\n")}
`;
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

function inputRows() {
  const inputs = [...new Set(Object.values(moves).flatMap((row) => Object.keys(row)))];
  return inputs.map((input) => {
    if (INPUTS[input] === undefined) throw new Error(`${input} needs a meaning in scripts/make-docs.mjs`);
    return `| ${input} | ${INPUTS[input]} |`;
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
