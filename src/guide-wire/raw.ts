import { z } from "zod";
import { DOCUMENTS, type DocumentKind, LAYOUTS } from "./documents.ts";
import { reader } from "./liberal.ts";
import { GUIDE_WIRE_LIMITS } from "./limits.ts";
import { isBuiltInName } from "./records.ts";

/** A document in the form common to JSON and XML: the object that JSON shows, with unchecked values. */
export type RawRecord = Readonly<Record<string, unknown>>;

export type RawFailure = {
  readonly kind: "torn" | "invalid";
  /** The rest of a sentence that begins with the name of the document; quotes none of its content. */
  readonly reason: string;
  readonly field?: string;
};

export type RawOutcome = { readonly kind: "raw"; readonly raw: RawRecord } | RawFailure;

/** A list entry that could not be read, kept apart so that the others survive. */
export interface MalformedRecord {
  /** The name of the list: `timers`, `channels` … */
  readonly collection: string;
  /** The place of the entry in its list, from 1. */
  readonly place: number;
  /** Absent if the id is unreadable too. */
  readonly id?: string;
  /** The faulty field, if there is one. */
  readonly field?: string;
  /** The problem: the rest of a sentence that begins with the name of the record. Quotes no value. */
  readonly reason: string;
  /** Set if the record is used without the faulty field. */
  readonly isUsed?: true;
  /** The entry as received. */
  readonly raw: unknown;
}

export type ReadOutcome =
  | { readonly kind: "read"; readonly value: RawRecord; readonly malformed: readonly MalformedRecord[] }
  | RawFailure;

/** Reads the values of a document, each list entry separately. */
export function readDocument(kind: DocumentKind, raw: RawRecord): ReadOutcome {
  const { primary, atLeastOne, lists: elements } = LAYOUTS[kind];
  const { lists, rest } = PARTS[kind];
  const value: Record<string, unknown> = {};
  const malformed: (readonly MalformedRecord[])[] = [];
  for (const [name, entry] of lists) {
    const given = Object.hasOwn(raw, name) ? raw[name] : undefined;
    // `null` is how some languages write an empty list.
    if (given === undefined && name === primary) {
      return { kind: "invalid", reason: `it has no list ${name}`, field: name };
    }
    if (
      typeof given === "object" &&
      given !== null &&
      Object.keys(given).length > GUIDE_WIRE_LIMITS.listEntries
    ) {
      const reason = `its list ${name} has more than ${GUIDE_WIRE_LIMITS.listEntries} entries`;
      return { kind: "invalid", reason, field: name };
    }
    const list = readList({ collection: name, element: elements[name] }, entry, given);
    if (atLeastOne === true && list.entries.length + list.malformed.length === 0) {
      return { kind: "invalid", reason: `its list ${name} is empty`, field: name };
    }
    value[name] = list.entries;
    malformed.push(list.malformed);
  }
  const tidy = reader(rest)(raw);
  const judged = rest.safeParse(tidy);
  if (!judged.success) return { kind: "invalid", ...faultOf(judged.error, tidy) };
  return { kind: "read", value: { ...value, ...(judged.data as RawRecord) }, malformed: malformed.flat() };
}

interface Parts {
  readonly lists: readonly (readonly [name: string, entry: z.ZodType])[];
  /** The schema of the document without its lists. */
  readonly rest: z.ZodType;
}

function partsOf(kind: DocumentKind): Parts {
  const schema: z.ZodObject = DOCUMENTS[kind];
  const names = LAYOUTS[kind].oneOf === undefined ? Object.keys(LAYOUTS[kind].lists) : [];
  const lists = names.map((name) => [name, (schema.shape[name] as z.ZodArray<z.ZodType>).element] as const);
  const left = Object.entries(schema.shape).filter(([name]) => !names.includes(name));
  return { lists, rest: names.length === 0 ? schema : z.object(Object.fromEntries(left)) };
}

const PARTS = Object.fromEntries(
  (Object.keys(DOCUMENTS) as DocumentKind[]).map((kind) => [kind, partsOf(kind)]),
) as Readonly<Record<DocumentKind, Parts>>;

interface ReadList {
  readonly entries: readonly unknown[];
  readonly malformed: readonly MalformedRecord[];
}

function readList(
  { collection, element }: { readonly collection: string; readonly element: string | undefined },
  entry: z.ZodType,
  written: unknown,
): ReadList {
  const read = reader(entry);
  const given = unwrapped(written, element);
  const entries: unknown[] = [];
  const malformed: MalformedRecord[] = [];
  // Some services send one object for a list of one, and an empty text for an empty list.
  const raws = Array.isArray(given)
    ? given
    : given === undefined || given === null || given === ""
      ? []
      : [given];
  for (const [index, raw] of raws.entries()) {
    const tidy = read(raw);
    const judged = entry.safeParse(tidy);
    if (judged.success) {
      entries.push(judged.data);
      continue;
    }
    const rescued = withoutBadParts(entry, tidy, judged.error);
    if (rescued !== undefined) entries.push(rescued);
    const fault = faultOf(judged.error, tidy);
    malformed.push({
      collection: fault.field?.startsWith("dvb.") === true ? "dvb" : collection,
      place: index + 1,
      ...idOf(tidy),
      ...fault,
      ...(rescued === undefined ? {} : { isUsed: true }),
      raw,
    });
  }
  return { entries, malformed };
}

/** Converters from XML write a list as an object with its elements, and PHP one with gaps as an object with numbers as names. */
function unwrapped(given: unknown, element: string | undefined): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  const names = Object.keys(given);
  if (names.length > 0 && names.every((name) => /^\d+$/.test(name))) return Object.values(given);
  return names.length === 1 && names[0] === element ? (given as RawRecord)[element ?? ""] : given;
}

/** The record without its bad optional parts: of a channel's triplets the bad ones, else the whole field. */
function withoutBadParts(entry: z.ZodType, tidy: unknown, error: z.ZodError): unknown {
  if (typeof tidy !== "object" || tidy === null) return undefined;
  const left: Record<string, unknown> = { ...tidy };
  const badTriplets = new Set<unknown>();
  for (const { path } of error.issues) {
    const [field, index] = path;
    if (typeof field !== "string") return undefined;
    if (field === "dvb" && typeof index === "number") badTriplets.add(index);
    else delete left[field];
  }
  const { dvb } = left;
  if (Array.isArray(dvb)) left["dvb"] = dvb.filter((_, index) => !badTriplets.has(index));
  return entry.safeParse(reader(entry)(left)).data;
}

function idOf(raw: unknown): { readonly id?: string } {
  if (typeof raw !== "object" || raw === null) return {};
  const { id, series_id } = raw as RawRecord;
  const found = [id, series_id].find(
    (value) => typeof value === "number" || (typeof value === "string" && value !== ""),
  );
  return found === undefined || isBuiltInName(String(found)) ? {} : { id: String(found) };
}

/** The first mistake, described without quoting values. */
function faultOf(error: z.ZodError, judged: unknown): { readonly field?: string; readonly reason: string } {
  const [issue] = error.issues;
  const field = issue?.path.join(".");
  if (issue === undefined || field === undefined || field === "") {
    return { reason: "it is not an object of fields" };
  }
  const missing = issue.path.reduce(at, judged) === undefined;
  return { field, reason: `its field ${field} ${missing ? "is missing" : mistake(issue)}` };
}

function at(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined;
}

function mistake(issue: z.core.$ZodIssue): string {
  if (issue.code === "too_small") return issue.origin === "string" ? "is empty" : "is too small";
  if (issue.code === "too_big") return "is too large";
  const wanted = issue.code === "invalid_type" ? WANTED[issue.expected] : undefined;
  return `is not ${wanted ?? "what it should be"}`;
}

const WANTED: Readonly<Record<string, string>> = {
  int: "a whole number",
  number: "a number",
  string: "a text",
  array: "a list",
  object: "a group of fields",
};
