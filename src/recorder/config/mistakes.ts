import type { z } from "zod";
import { nearest } from "./nearest.ts";
import { redact } from "./redact.ts";

type Path = readonly PropertyKey[];
type Issue = z.core.$ZodIssue;

export interface Mistake {
  readonly path: Path;
  /** The expected and the actual value; never a secret. */
  readonly text: string;
}

/** The used part of JSON Schema. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly const?: unknown;
}

/** Describes all issues that a schema found in `data`. */
export function mistakesOf(issues: readonly Issue[], data: unknown, schema: unknown): readonly Mistake[] {
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => unknownKey([...issue.path, key], data, schema as Schema))
      : [{ path: issue.path, text: `${expectationOf(issue)}, ${foundAt(issue.path, data)}` }],
  );
}

/** `tuners[0].services[2].url` */
export function pathText(path: Path): string {
  const text = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  return text.replace(/^\./, "") || "the file";
}

const KEPT_ELSEWHERE = /^(api_?key|token|password|e-?mail(_?address)?|secrets?)$/i;

function unknownKey(path: Path, data: unknown, schema: Schema): Mistake {
  const key = String(path.at(-1));
  if (KEPT_ELSEWHERE.test(key)) {
    return {
      path,
      text: "unknown key: secrets belong in a separate file, which `recorderd login` writes",
    };
  }
  const known = keysAt(path.slice(0, -1), data, schema);
  const meant = nearest(key, known);
  const hint = meant === undefined ? `known here: ${known.join(", ")}` : `did you mean ${meant}?`;
  return { path, text: `unknown key, ${hint}` };
}

function keysAt(path: Path, data: unknown, schema: Schema): readonly string[] {
  let at: Schema | undefined = schema;
  let value = data;
  for (const part of path) {
    at = typeof part === "number" ? at?.items : at?.properties?.[String(part)];
    value = step(value, part);
    at = armOf(at, value);
  }
  return Object.keys(at?.properties ?? {});
}

/** Selects the arm of a union whose constants (a tuner's `kind`) match the value. */
function armOf(schema: Schema | undefined, value: unknown): Schema | undefined {
  if (schema?.oneOf === undefined) return schema;
  return schema.oneOf.find(({ properties = {} }) =>
    Object.entries(properties).every(
      ([key, { const: word }]) => word === undefined || word === step(value, key),
    ),
  );
}

function step(value: unknown, part: PropertyKey): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
  return Reflect.get(value, part);
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a group of keys",
};

function expectationOf(issue: Issue): string {
  if (issue.message.startsWith("expected")) return issue.message;
  if (issue.code === "invalid_type") return `expected ${TYPES[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value") return `expected one of ${issue.values.map(String).join(", ")}`;
  if (issue.code === "invalid_union" && "options" in issue && Array.isArray(issue.options)) {
    return `expected one of ${issue.options.map(String).join(", ")}`;
  }
  if (issue.code === "too_small") {
    const { origin, minimum, inclusive } = issue;
    return `expected ${inclusive === false ? "more than" : "at least"} ${minimum}${unitOf(origin)}`;
  }
  if (issue.code === "too_big") return `expected at most ${issue.maximum}${unitOf(issue.origin)}`;
  return `expected a different value (${issue.message})`;
}

function unitOf(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" ? " entries" : "";
}

function foundAt(path: Path, data: unknown): string {
  const value = path.reduce(step, data);
  if (value === undefined) return "but it is missing";
  if (Array.isArray(value)) return `found a list of ${value.length}`;
  if (value === null) return "found nothing";
  if (typeof value === "object") return "found a group of keys";
  return `found ${shortened(JSON.stringify(redact(value, path.at(-1))))}`;
}

function shortened(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
