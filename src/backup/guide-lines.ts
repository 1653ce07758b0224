import { createHash } from "node:crypto";
import { z } from "zod";
import { SHOWS_TABLES, type ShowsRow } from "../guide-server/data/shows-rows.ts";
import { type RecordOf, TABLES, type TableName } from "../guide-server/data/tables.ts";
import { SERVER_LIMITS } from "../guide-server/limits.ts";
import { decompressed } from "../kit/files/unpack.ts";
import { type ErrorCode, RecorderdError } from "../model/errors.ts";

/*
 * An export of a guide server's data: lines of JSON, packed by gzip. The first says what it is, each further one is a record,
 * `["timers",{…}]`, and the last has how many of each there are and the SHA-256 of all that is before it.
 */

const FORMAT = "recorderd guide export";
/** Raise this with a change to the form of records, from the first released program version on. */
const VERSION = 1;

/** Whether an export includes a table of `guide.db` or of `shows.db`. */
export const IS_EXPORTED = {
  counters: true,
  accounts: true,
  users: true,
  // A holder of the file must not be able to act as a signed-in box: each box signs in again.
  tokens: false,
  visits: false,
  devices: true,
  regions: true,
  channels: true,
  manufacturers: true,
  types: true,
  listings: true,
  listed: true,
  mappings: true,
  series: true,
  timers: true,
  rules: true,
  episodes: true,
  favourites: true,
  heard: true,
  received: true,
  logs: true,
  shows: true,
  series_keys: true,
  sources: true,
  // Derived from the shows.
  titles: false,
  title_words: false,
  show_texts: false,
  show_words: false,
  show_words_config: false,
  show_words_data: false,
  show_words_docsize: false,
  show_words_idx: false,
} as const satisfies Readonly<Record<TableName | keyof typeof SHOWS_TABLES, boolean>> &
  Readonly<Record<string, boolean>>;

export type ExportRow = { [T in TableName]: readonly [table: T, record: RecordOf<T>] }[TableName] | ShowsRow;
/** Number of records per table; empty tables are left out. */
export type Counts = Readonly<Record<string, number>>;

const Header = z.looseObject({ format: z.literal(FORMAT), version: z.int().min(1), writtenBy: z.string() });
const End = z.strictObject({ counts: z.record(z.string(), z.int()), sha256: z.string() });

/** The text of an export, line by line. @returns the number of records */
export async function* exportText(
  rows: AsyncIterable<ExportRow>,
  writtenBy: string,
): AsyncGenerator<string, Counts> {
  const counts: Record<string, number> = {};
  const hash = createHash("sha256");
  const line = (value: unknown) => {
    const text = `${JSON.stringify(value)}\n`;
    hash.update(text);
    return text;
  };
  yield line({ format: FORMAT, version: VERSION, writtenBy });
  for await (const row of rows) {
    counts[row[0]] = (counts[row[0]] ?? 0) + 1;
    yield line(row);
  }
  yield `${JSON.stringify({ counts, sha256: hash.digest("hex") })}\n`;
  return counts;
}

/**
 * The records of an export. They are verified only once all of them were read without an error.
 *
 * @throws RecorderdError FILE_UNREADABLE or STORE_TOO_NEW, naming line and reason
 */
export async function* exportRows(file: string): AsyncGenerator<ExportRow, Counts> {
  const counts: Record<string, number> = {};
  const hash = createHash("sha256");
  let end: z.infer<typeof End> | undefined;
  let line = 0;
  for await (const bytes of linesOf(file)) {
    line += 1;
    if (end !== undefined) throw unusable({ file, line, why: "there is data after the last line" });
    const value = jsonOf(bytes, { file, line });
    if (line === 1) checkHeader(value, file);
    else if (Array.isArray(value)) {
      const row = rowOf(value, { file, line });
      counts[row[0]] = (counts[row[0]] ?? 0) + 1;
      yield row;
    } else {
      end = parsed(End, value, { file, line });
      if (end.sha256 !== hash.digest("hex"))
        throw unusable({ file, line, why: "earlier lines have changed since the export" });
      if (JSON.stringify(end.counts) !== JSON.stringify(counts))
        throw unusable({ file, line, why: "the number of records differs from the stated one" });
      continue;
    }
    hash.update(bytes).update("\n");
  }
  if (end === undefined) throw unusable({ file, line: line + 1, why: "the file ends before its last line" });
  return counts;
}

interface Place {
  readonly file: string;
  readonly line: number;
}

function checkHeader(value: unknown, file: string): void {
  const { data: header } = Header.safeParse(value);
  if (header === undefined) throw unusable({ file, line: 1, why: "it is not an export of a guide server" });
  if (header.version <= VERSION) return;
  const why = `it is a newer export, written by recorderd ${header.writtenBy}: import it with that version`;
  throw unusable({ file, line: 1, why, code: "STORE_TOO_NEW" });
}

function rowOf([table, record]: readonly unknown[], place: Place): ExportRow {
  const schemas: Readonly<Record<string, z.ZodType>> = { ...TABLES, ...SHOWS_TABLES };
  const isExported: Readonly<Record<string, boolean>> = IS_EXPORTED;
  const schema = isExported[String(table)] === true ? schemas[String(table)] : undefined;
  if (schema === undefined)
    throw unusable({ ...place, why: `exports have no table ${JSON.stringify(table)}` });
  // Unchanged, so that another export has the same text.
  parsed(schema, record, place);
  return [table, record] as ExportRow;
}

function parsed<S extends z.ZodType>(schema: S, value: unknown, place: Place): z.infer<S> {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data as z.infer<S>;
  const [first] = error.issues;
  throw unusable({ ...place, why: `${first?.path.join(".") || "it"}: ${first?.message}` });
}

function jsonOf(bytes: Buffer, place: Place): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw unusable({ ...place, why: "it is not JSON" });
  }
}

/** Lines without their ends. Text after the last line end is a line, too. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  const { exportBytes: bytesMax, exportLineBytes } = SERVER_LIMITS;
  let line = 1;
  let begun: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of placed(decompressed(file, { bytesMax }), () => ({ file, line }))) {
    let from = 0;
    for (let to = chunk.indexOf(0x0a); to >= 0; to = chunk.indexOf(0x0a, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, to)]);
      from = to + 1;
      line += 1;
      begun = [];
      bytes = 0;
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > exportLineBytes)
      throw unusable({ file, line, why: `it is longer than ${exportLineBytes} bytes` });
  }
  if (bytes > 0) yield Buffer.concat(begun);
}

/** The same chunks; an error says where they ended. */
async function* placed(chunks: AsyncIterable<Uint8Array>, place: () => Place): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    throw unusable({ ...place(), why: error.message.replace(/\.$/, ""), cause: error });
  }
}

function unusable({
  file,
  line,
  why,
  code = "FILE_UNREADABLE",
  cause,
}: Place & { readonly why: string; readonly code?: ErrorCode; readonly cause?: Error }): RecorderdError {
  const text = `${file}, line ${line}: ${why}. Nothing was imported.`;
  return new RecorderdError(code, text, { file, line }, { cause });
}
