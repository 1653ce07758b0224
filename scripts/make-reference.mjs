// Writes docs/reference.md, every key of the configuration and every error code, from the built program. Run `npm run build` first.
// With --check it only says whether the file is current.
import { readFileSync, writeFileSync } from "node:fs";
import { exitCodeOf } from "../dist/cli/exit-codes.js";
import { ERRORS } from "../dist/model/errors.js";
import { configJsonSchema } from "../dist/recorder/config/schema.js";
import { ADVICE } from "./error-advice.mjs";

const TARGET = "docs/reference.md";

/** The daemon's own reaction. */
const REMEDIES = {
  retry: "tries again, at growing intervals",
  "sign-in": "keeps recording, queues reports, and asks the service rarely until somebody signs in",
  "try-another-tuner": "tries the other tuners that receive the service, then all of them again",
  "give-up": "gives up this task and reports it",
  "stop-daemon": "does not start, or stops",
};

const text = `# Reference

Made by \`node scripts/make-reference.mjs\`; a test fails when it is not current.

## Every key of the configuration

[config/recorderd.example.yaml](../config/recorderd.example.yaml) explains them in context. recorderd refuses unknown keys. \`[]\` marks an entry of a
list, \`(kind)\` a key of that kind only.

| key | meaning | type | default |
| --- | --- | --- | --- |
${keys(configJsonSchema(), "", true).join("\n")}

## Every error code

A message ends with its code in brackets; a log line has it as \`code\`. The table says what the daemon does by itself, and what you can do.
Commands exit with the code in the last column.

| code | the daemon | what to do | exit |
| --- | --- | --- | --- |
${errors().join("\n")}
`;

if (process.argv.includes("--check")) {
  const current = readFileSync(TARGET, "utf8") === text;
  if (!current) console.error(`${TARGET} is not current: npm run build && node scripts/make-reference.mjs`);
  process.exit(current ? 0 : 1);
}
writeFileSync(TARGET, text);

function errors() {
  return Object.entries(ERRORS).map(
    ([code, remedy]) =>
      `| \`${code}\` | ${REMEDIES[remedy]} | ${ADVICE[code] ?? "Do what the message says."} | ${exitCodeOf(code)} |`,
  );
}

/** One row for each leaf, those below it where it has some. */
function keys(schema, path, isRequired) {
  const rows = path === "" ? [] : [row(schema, path, isRequired)];
  const choices = schema.oneOf ?? schema.anyOf ?? [];
  if (choices.some(({ properties }) => properties !== undefined)) {
    for (const choice of choices) {
      if (choice.properties === undefined) continue;
      const kind = choice.properties.kind?.const;
      rows.push(...below(choice, kind === undefined ? path : `${path}(${kind})`));
    }
    return rows;
  }
  if (
    schema.items?.properties !== undefined ||
    schema.items?.oneOf !== undefined ||
    schema.items?.anyOf?.some((item) => item.properties)
  ) {
    return [...rows, ...keys(schema.items, `${path}[]`, true).slice(1)];
  }
  return schema.properties === undefined ? rows : [...rows, ...below(schema, path)];
}

function below({ properties, required = [] }, path) {
  return Object.entries(properties).flatMap(([key, inner]) =>
    key === "kind" && inner.const !== undefined
      ? []
      : keys(inner, path === "" ? key : `${path}.${key}`, required.includes(key)),
  );
}

function row(schema, path, isRequired) {
  const standard =
    schema.default === undefined ? (isRequired ? "required" : "") : `\`${JSON.stringify(schema.default)}\``;
  const cells = [`\`${path}\``, schema.description ?? "", form(schema), schema.properties ? "" : standard];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}

function form(schema) {
  const { type, enum: words, const: only, minimum, maximum, exclusiveMinimum, format, items } = schema;
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(", ");
  if (only !== undefined) return `\`${only}\``;
  if (schema.oneOf ?? schema.anyOf)
    return [...new Set((schema.oneOf ?? schema.anyOf).map(form))].join(" or ");
  if (type === "array") return items === undefined ? "list" : `list of ${form(items)}`;
  if (type === "object") return "";
  const bounds = [
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? [] : [`to ${maximum}`]),
  ];
  const name =
    { integer: "whole number", number: "number", boolean: "`true` or `false`", string: "text" }[type] ?? "";
  return [format === "uri" ? "address" : name, ...bounds].join(" ").trim();
}
