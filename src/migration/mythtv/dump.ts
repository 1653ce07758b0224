import { isUtf8 } from "node:buffer";
import { BadLine } from "../bad-line.ts";
import type { Collector } from "../collector.ts";
import { MIGRATION_LIMITS } from "../limits.ts";
import { tuplesIn, type Value } from "./tuples.ts";

/** The columns of a row that are not NULL. */
export type Row = Readonly<Record<string, Value>>;

/** Readers of rows by table. Other tables are passed over. */
export type Tables = Readonly<Record<string, (row: Row) => void>>;

const LINE_END = 0x0a;
const SEMICOLON = 0x3b;
const BRACKET = 0x28;
const INSERT = /^(?:INSERT|REPLACE) +(?:IGNORE +)?INTO `([^`]+)`(?: \(([^)]*)\))? VALUES\s*/;
const TABLE = /^CREATE TABLE (?:IF NOT EXISTS )?`([^`]+)` \($/;
const COLUMN = /^\s+`([^`]+)` /;

/**
 * Reads the rows in a dump by mysqldump or mariadb-dump, whose INSERT statements have all rows on one line or each row on a line of
 * its own.
 *
 * @throws RecorderdError FILE_UNREADABLE
 */
export async function readDump(
  content: AsyncIterable<Uint8Array>,
  tables: Tables,
  place: { readonly file: string; readonly into: Collector },
): Promise<void> {
  const dump = new Dump(tables, place);
  for await (const lines of linesOf(content)) for (const line of lines) dump.take(line);
}

interface Insert {
  readonly columns: readonly string[];
  /** Absent: its rows are passed over. */
  readonly read?: (row: Row) => void;
}

class Dump {
  readonly #tables: Tables;
  readonly #file: string;
  readonly #into: Collector;
  /** By table; of the statement `CREATE TABLE`, for statements that name no columns. */
  readonly #columns = new Map<string, string[]>();
  /** The columns of the table that is being created. */
  #created: string[] | undefined;
  /** The statement that may go on with the next line. */
  #insert: Insert | undefined;
  #number = 0;

  constructor(tables: Tables, { file, into }: { readonly file: string; readonly into: Collector }) {
    this.#tables = tables;
    this.#file = file;
    this.#into = into;
  }

  /** @param bytes `undefined` for a line that was too long to keep */
  take(bytes: Buffer | undefined): void {
    this.#number += 1;
    // The rows of the largest tables are passed over: they are not even decoded.
    if (this.#insert !== undefined && this.#insert.read === undefined && bytes?.[0] === BRACKET) {
      if (bytes.at(-1) === SEMICOLON) this.#insert = undefined;
      return;
    }
    if (bytes === undefined) this.#problem("The line is too long.");
    else this.#takeText(bytes.toString(isUtf8(bytes) ? "utf8" : "latin1").replace(/\r$/, ""));
  }

  #takeText(line: string): void {
    const head = INSERT.exec(line);
    if (head !== null) this.#insert = this.#insertOf(head);
    else this.#takeColumn(line);
    if (this.#insert === undefined) return;
    this.#readRows(line, head?.[0].length ?? 0, this.#insert);
    if (line.endsWith(";")) this.#insert = undefined;
  }

  #insertOf([, table = "", named]: readonly string[]): Insert {
    const columns = named?.split(",").map((name) => name.replaceAll(/[`\s]/g, ""));
    const read = Object.hasOwn(this.#tables, table) ? this.#tables[table] : undefined;
    return {
      columns: columns ?? this.#columns.get(table) ?? [],
      ...(read === undefined ? {} : { read }),
    };
  }

  #takeColumn(line: string): void {
    const table = TABLE.exec(line)?.[1];
    const column = COLUMN.exec(line)?.[1];
    if (table !== undefined) {
      this.#created = [];
      this.#columns.set(table, this.#created);
    } else if (column === undefined) this.#created = undefined;
    else this.#created?.push(column);
  }

  #readRows(line: string, from: number, { columns, read }: Insert): void {
    if (read === undefined) return;
    try {
      for (const values of tuplesIn(line, from)) {
        if (values.length !== columns.length)
          throw new BadLine(`Expected ${columns.length} values in a row, found ${values.length}.`);
        read(Object.fromEntries(columns.map((column, at) => [column, values[at]])));
      }
    } catch (error) {
      if (!(error instanceof BadLine)) throw error;
      this.#problem(error.message);
    }
  }

  #problem(what: string): void {
    this.#into.problem({ file: this.#file, line: this.#number, what });
  }
}

/** The lines of a file without their ends, those that end in one part of it at a time; `undefined` for one that is too long. */
async function* linesOf(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly (Buffer | undefined)[], void> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const keep = (part: Uint8Array) => {
    length += part.length;
    if (length <= MIGRATION_LIMITS.lineBytes) parts.push(part);
    else parts = [];
  };
  const line = () => {
    const whole = length <= MIGRATION_LIMITS.lineBytes ? Buffer.concat(parts) : undefined;
    parts = [];
    length = 0;
    return whole;
  };
  for await (const chunk of content) {
    const lines: (Buffer | undefined)[] = [];
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      keep(chunk.subarray(from, end));
      lines.push(line());
      from = end + 1;
    }
    keep(chunk.subarray(from));
    yield lines;
  }
  if (length > 0) yield [line()];
}
