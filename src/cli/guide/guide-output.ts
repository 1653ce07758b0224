import type { DocumentKind } from "../../guide-wire/documents.ts";
import type { MalformedRecord } from "../../guide-wire/raw.ts";
import type { GuideAnswer } from "../../guide-wire/requests.ts";
import { RecorderdError } from "../../model/errors.ts";
import { formatTimeOfDay, parseWireInstant } from "../../model/time.ts";
import type { CliIo } from "../io.ts";
import { plainJson, plainLine } from "../plain-text.ts";
import { detailsText, type Table, tableText } from "../table.ts";
import type { GuideOptions } from "./guide-access.ts";

/** Number of unreadable records that are listed one by one. */
const NAMED_MAX = 20;

interface Shown<K extends DocumentKind> {
  readonly answer: GuideAnswer<K>;
  readonly options: GuideOptions;
}

/** Prints an answer as JSON (exactly the typed value) or as text, and notes omitted records. */
export function printAnswer<K extends DocumentKind>(
  io: CliIo,
  { answer, options }: Shown<K>,
  text: (value: GuideAnswer<K>["value"]) => string,
): void {
  noteMalformed(io, answer.malformed);
  io.print(options.json === true ? plainJson(answer.value) : text(answer.value));
}

/** Prints a success without a document; JSON prints null. */
export function printDone(io: CliIo, { json }: GuideOptions, text: string): void {
  io.print(json === true ? "null" : plainLine(text));
}

function noteMalformed(io: CliIo, malformed: readonly MalformedRecord[]): void {
  for (const record of malformed.slice(0, NAMED_MAX)) io.note(plainLine(sentence(record)));
  const more = malformed.length - NAMED_MAX;
  if (more > 0) io.note(`and ${more} more`);
}

function sentence({ collection, id, reason }: MalformedRecord): string {
  if (collection === "dvb") return `a triplet of channel ${id ?? "without id"} is left out: ${reason}`;
  return `an entry of ${collection} (${id === undefined ? "without id" : `id ${id}`}) is left out: ${reason}`;
}

/** The table, or the word `nothing` for an empty list. */
export function listText(io: CliIo, table: Table): string {
  return table.rows.length === 0 ? "nothing" : tableText(table, io.columns);
}

/** `2026-11-20 10:30`; text that is no instant stays as it is. */
export function localTime(text: string, timeZone: string): string {
  const at = parseWireInstant(text);
  if (at === undefined) return text;
  // Sweden writes dates as ISO 8601 does.
  return `${new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(at)} ${formatTimeOfDay(at, timeZone)}`;
}

/** Every field of the records, one below the other. */
export function recordsText(io: CliIo, records: readonly object[]): string {
  return records.map((record) => detailsText(fieldsOf(record), io.columns)).join("\n\n");
}

/** The changed records; some services return only a success. */
export function changedText(io: CliIo, records: readonly object[], done: string): string {
  return records.length === 0 ? done : recordsText(io, records);
}

function fieldsOf(record: object): readonly (readonly [string, string])[] {
  return Object.entries(record).map(([name, value]) => [name, text(value)] as const);
}

function text(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/**
 * Rejects a success without the requested record.
 *
 * @throws RecorderdError GUIDE_NOT_FOUND, or GUIDE_DOCUMENT_INVALID if the record is unreadable
 */
export function requireOne<K extends DocumentKind>(
  { malformed }: GuideAnswer<K>,
  records: readonly unknown[],
  what: string,
): void {
  if (records.length > 0) return;
  const [bad] = malformed;
  if (bad !== undefined) {
    throw new RecorderdError(
      "GUIDE_DOCUMENT_INVALID",
      `The service's record of ${what} cannot be read: ${bad.reason}`,
    );
  }
  throw new RecorderdError("GUIDE_NOT_FOUND", `The service reported no error, but its answer lacks ${what}`);
}
