// Lists every limit in docs/dev/limits.md: the members of each exported object in each limits.ts of src, with their doc comments.
// With --check it only says whether the file is current.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

const TARGET = "docs/dev/limits.md";

const UNITS = {
  time: [
    ["d", 86_400_000],
    ["h", 3_600_000],
    ["min", 60_000],
    ["s", 1000],
    ["ms", 1],
  ],
  bytes: [
    ["TiB", 2 ** 40],
    ["GiB", 2 ** 30],
    ["MiB", 2 ** 20],
    ["MB", 1e6],
    ["KiB", 2 ** 10],
    ["bytes", 1],
  ],
};

/** The unit that ends a name (`Min` and `Max` aside), and the value in it. The first match counts. */
const BY_NAME = [
  [/bytesPerSecond$/i, (value) => `${value / 1e6} MB/s`],
  [/perSecond$/i, (value) => `${counted(value)} per second`],
  [/Ms$/, (value) => inUnit(value, UNITS.time)],
  [/bytes$/i, (value) => inUnit(value, UNITS.bytes)],
  [/MiB$/, (value) => inUnit(value * 2 ** 20, UNITS.bytes)],
  [/Minutes$/, (value) => inUnit(value * 60_000, UNITS.time)],
  [/Percent$/, (value) => `${value} %`],
  [/length$/i, (value) => `${counted(value)} characters`],
  [/./, counted],
];

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((name) => /(^|\/)limits\.ts$/.test(name))
  .sort((a, b) => (dirname(a) < dirname(b) ? -1 : 1));
const sections = await Promise.all(files.map(section));

const text = `# Limits

Every queue, body and wait has a limit. Each limit is in the \`limits.ts\` of the folder whose code it limits
([decision 49](decisions/0049-limits-beside-their-code.md)), or in the file that uses it, if that is only one. Values that a
person may want to change are keys of the configuration ([reference](../reference.md)).

\`node scripts/make-limits.mjs\` writes this page from the code. To change a limit, change it there, build, and run the script.

${sections.join("\n")}`;

const isCurrent = readFileSync(TARGET, { encoding: "utf8", flag: "a+" }) === text;
if (process.argv.includes("--check")) {
  if (!isCurrent) console.error(`${TARGET} is not current: npm run build && node scripts/make-limits.mjs`);
  process.exit(isCurrent ? 0 : 1);
}
if (!isCurrent) writeFileSync(TARGET, text);

/** One folder: its heading, and a table for each constant of its file. */
async function section(file) {
  const path = join("src", file);
  const exported = await import(`../dist/${file.replace(/\.ts$/, ".js")}`);
  const tables = limitsIn(path).map(({ name, intro, table }) => {
    const rows = rowsOf(table, exported[name]).map(
      ([limit, value, effect]) => `| \`${limit}\` | ${value} | ${effect} |`,
    );
    return `${intro} \`${name}\` in [\`${path}\`](../../${path}).

| limit | value | effect |
| --- | --- | --- |
${rows.join("\n")}
`;
  });
  return `## ${dirname(file)}

${tables.join("\n")}`;
}

/** The name, the comment and the object literal of each constant of a file. */
function limitsIn(path) {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2022, true);
  return source.statements.filter(ts.isVariableStatement).map((statement) => {
    const [{ name, initializer }] = statement.declarationList.declarations;
    return { name: name.text, intro: commentOf(statement), table: initializer.expression };
  });
}

/** A limit within a group has the name and the comment of its group, too. */
function rowsOf(table, values, group = { name: "", comment: "" }) {
  return table.properties.flatMap((property) => {
    const { initializer } = property;
    const key = property.name.text;
    const name = `${group.name}${key}`;
    const comment = `${commentOf(property)} ${group.comment}`.trim();
    if (comment === "") throw new Error(`${name} has no comment`);
    return ts.isObjectLiteralExpression(initializer)
      ? rowsOf(initializer, values[key], { name: `${name}.`, comment })
      : [[name, readable(name, values[key]), comment.replaceAll("|", "\\|")]];
  });
}

function commentOf(node) {
  const text = ts.getTextOfJSDocComment(ts.getJSDocCommentsAndTags(node)[0]?.comment) ?? "";
  return text.replace(/\s+/g, " ");
}

function readable(name, value) {
  const unit = name.replace(/(Min|Max)$/, "");
  return BY_NAME.find(([pattern]) => pattern.test(unit))[1](value);
}

/** In the largest unit without a fraction. */
function inUnit(value, units) {
  const [unit, size] = units.find(([, each]) => value >= each && value % each === 0) ?? units.at(-1);
  return `${counted(value / size)} ${unit}`;
}

function counted(value) {
  return value.toLocaleString("en-GB");
}
