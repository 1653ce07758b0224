import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { openPlainFile } from "../../kit/files/plain-file.ts";
import { readAtMost } from "../../kit/files/steady-fs.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { RecorderdError } from "../../model/errors.ts";
import { CONFIG_LIMITS } from "./limits.ts";

export interface YamlFile {
  readonly file: string;
  readonly data: unknown;
  /** Permission bits. */
  readonly mode: number;
  /** The line of the innermost existing part of `path`, from 1. */
  lineOf(path: readonly PropertyKey[]): number | undefined;
}

/**
 * Reads a YAML file.
 *
 * @returns `undefined` if there is none
 * @throws RecorderdError FILE_UNREADABLE if the system refuses to read it
 * @throws RecorderdError CONFIG_INVALID if it is too large or not YAML, naming the lines; the message quotes nothing
 */
export async function readYamlFile(file: string): Promise<YamlFile | undefined> {
  const read = await readText(file);
  if (read === undefined) return undefined;
  const lines = new LineCounter();
  const { document, data } = parsed(file, read.text, lines);
  const errors = [...document.errors, ...document.warnings];
  if (errors.length > 0) {
    const all = new Set(
      errors.map(({ pos, code }) => `  line ${lines.linePos(pos[0]).line}: ${reasonOf(code)}`),
    );
    const text = [...all].slice(0, ERRORS_SHOWN);
    const message = `${file} is not YAML. Correct these lines:\n${text.join("\n")}`;
    throw new RecorderdError("CONFIG_INVALID", message, { file });
  }
  return {
    file,
    mode: read.mode,
    data,
    lineOf: (path) => {
      const at = positionOf(document, path);
      return at === undefined ? undefined : lines.linePos(at).line;
    },
  };
}

/** Further errors are mostly consequences of the first ones. */
const ERRORS_SHOWN = 10;

function parsed(file: string, text: string, lineCounter: LineCounter) {
  try {
    const document = parseDocument(text, { lineCounter, prettyErrors: false });
    return { document, data: document.errors.length > 0 ? undefined : (document.toJS() as unknown) };
  } catch (error) {
    // The library limits the expansion of aliases.
    const message = `${file} cannot be used: an alias in it expands to too much data.`;
    throw new RecorderdError("CONFIG_INVALID", message, { file }, { cause: error });
  }
}

async function readText(file: string): Promise<{ readonly text: string; readonly mode: number } | undefined> {
  try {
    await using handle = await openPlainFile(file);
    const { mode } = await handle.stat();
    const content = await readAtMost(handle, CONFIG_LIMITS.bytes);
    if (content !== undefined) return { text: content.toString("utf8"), mode: mode & 0o777 };
  } catch (error) {
    if (error instanceof RecorderdError) throw error;
    const system = systemCode(error);
    if (system === "ENOENT") return undefined;
    const message = `${file} cannot be read (${system}): check its owner and its permissions.`;
    throw new RecorderdError("FILE_UNREADABLE", message, { file }, { cause: error });
  }
  throw new RecorderdError("CONFIG_INVALID", `${file} is larger than ${CONFIG_LIMITS.bytes} bytes.`, {
    file,
  });
}

/** `DUPLICATE_KEY` → `duplicate key`, and what to do: the library's messages quote the file, its codes do not. */
function reasonOf(code: string): string {
  const advice = ADVICE[code];
  return `${code.toLowerCase().replaceAll("_", " ")}${advice === undefined ? "" : `: ${advice}`}`;
}

/** The usual mistakes of people. */
const ADVICE: Readonly<Record<string, string>> = {
  BAD_DQ_ESCAPE: "a value with a backslash needs single quotes",
  BAD_INDENT: "indent the keys of one group alike, and close every bracket above",
  BAD_SCALAR_START: "a value that begins with this character needs single quotes",
  BLOCK_AS_IMPLICIT_KEY: "a value with a colon needs single quotes",
  DUPLICATE_KEY: "remove one of the two",
  MISSING_CHAR: "close every quote and bracket",
  MULTILINE_IMPLICIT_KEY: "each line needs a key, a colon and a space before its value",
  TAB_AS_INDENT: "indent with spaces",
  UNEXPECTED_TOKEN: "it does not continue the lines above, check their dashes, indentation and quotes",
};

function positionOf(document: Document, path: readonly PropertyKey[]): number | undefined {
  let node: unknown = document.contents;
  let at = document.contents?.range?.[0];
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (pair === undefined) break;
      if (isScalar(pair.key)) at = pair.key.range?.[0] ?? at;
      node = pair.value;
    } else if (isSeq(node)) {
      const item = node.items[Number(part)];
      if (item === undefined) break;
      node = item;
      if (isMap(item) || isSeq(item) || isScalar(item) || isAlias(item)) at = item.range?.[0] ?? at;
    } else break;
  }
  return at;
}
