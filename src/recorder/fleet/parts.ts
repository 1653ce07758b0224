import { isJsonObject } from "../../kit/text/parse-json.ts";

/** The values of a collection by id, in the order in which they were added. */
export type Values = ReadonlyMap<string, unknown>;

/** A document as collections of values that are stored one by one. A different object is a different value. */
export type Parts = ReadonlyMap<string, Values>;

/** The collection of the document's own properties. */
const TOP = "";
const NOW = "now:";
/** Arrays whose values are numbered. */
const LIST = "list:";
const PAST = "past:";

/** Splits a document: each entry of its objects, of its numbered arrays and of its past is a value. */
export function partsOf(now: object, past: Readonly<Record<string, Values>>): Parts {
  const top = new Map<string, unknown>();
  const parts = new Map<string, Values>([[TOP, top]]);
  for (const [key, value] of Object.entries(now)) {
    if (value === undefined) continue;
    const list = Array.isArray(value) ? listOf(value) : undefined;
    top.set(key, list !== undefined ? EMPTY_LIST : isJsonObject(value) ? EMPTY : value);
    if (list !== undefined) parts.set(`${LIST}${key}`, list);
    else if (isJsonObject(value)) parts.set(`${NOW}${key}`, entriesOf(value));
  }
  for (const [key, values] of Object.entries(past)) parts.set(`${PAST}${key}`, values);
  return parts;
}

/** Joins what `partsOf` has split. */
export function joined(parts: Parts): { readonly now: object; readonly past: Record<string, Values> } {
  const now: Record<string, unknown> = {};
  const past: Record<string, Values> = {};
  for (const [key, value] of parts.get(TOP) ?? []) {
    const entries = parts.get(`${NOW}${key}`);
    const list = parts.get(`${LIST}${key}`);
    now[key] = list ? [...list.values()] : entries ? Object.fromEntries(entries) : value;
  }
  for (const [name, values] of parts) if (name.startsWith(PAST)) past[name.slice(PAST.length)] = values;
  return { now, past };
}

/** Stands for an object whose entries are separate values; always the same object, so that it is written once. */
const EMPTY: Readonly<Record<string, never>> = {};

const EMPTY_LIST: readonly never[] = [];

/** The maps of the latest objects and arrays: most commits change few of them. */
const ENTRIES = new WeakMap<object, Values>();

function entriesOf(value: Readonly<Record<string, unknown>>): Values {
  const known = ENTRIES.get(value);
  if (known !== undefined) return known;
  const entries = new Map(Object.entries(value).filter(([, each]) => each !== undefined));
  ENTRIES.set(value, entries);
  return entries;
}

/**
 * The values of an array by their `seq`, if each has one that is higher than the one before: values leave such an array anywhere,
 * and come at its end, so that the order in which they were stored is that of the array.
 */
function listOf(values: readonly unknown[]): Values | undefined {
  const known = ENTRIES.get(values);
  if (known !== undefined) return known;
  const list = new Map<string, unknown>();
  let latest = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    const seq = isJsonObject(value) ? value["seq"] : undefined;
    if (typeof seq !== "number" || seq <= latest) return undefined;
    list.set(String(seq), value);
    latest = seq;
  }
  ENTRIES.set(values, list);
  return list;
}

export interface PartsChange {
  readonly put: readonly (readonly [collection: string, id: string, value: unknown])[];
  readonly gone: readonly (readonly [collection: string, id: string])[];
}

/** The difference, value by value. */
export function changeOf(before: Parts, after: Parts): PartsChange {
  const put: [string, string, unknown][] = [];
  const gone: [string, string][] = [];
  for (const collection of new Set([...before.keys(), ...after.keys()])) {
    const [old, next] = [before.get(collection), after.get(collection)];
    if (old === next) continue;
    for (const [id, value] of next ?? []) {
      if (old?.has(id) !== true || old.get(id) !== value) put.push([collection, id, value]);
    }
    for (const id of old?.keys() ?? []) if (next?.has(id) !== true) gone.push([collection, id]);
  }
  return { put, gone };
}

/** The parts after a write of which nobody knows whether it took place: its values count as unknown. */
export function withDoubt(parts: Parts, { put, gone }: PartsChange): Parts {
  const doubted = new Map<string, Map<string, unknown>>();
  for (const [collection, id] of [...put, ...gone]) {
    const values = doubted.get(collection) ?? new Map(parts.get(collection));
    values.set(id, UNKNOWN);
    doubted.set(collection, values);
  }
  return new Map([...parts, ...doubted]);
}

/** Equal to no value. */
const UNKNOWN = Symbol("unknown");
