import { z } from "zod";
import { isJsonObject } from "../kit/text/parse-json.ts";
import { withinWire } from "../model/wire-text.ts";
import {
  Category,
  Channel,
  Credits,
  LangText,
  Manufacturer,
  NewShowEntry,
  SeriesSummary,
  Show,
  Subtitles,
  Timer,
} from "./records.ts";
import { Keyword, KeywordChange, KeywordOrder } from "./series-records.ts";

/*
 * The liberal readers of the schemas: they convert the field's variants to the form of the strict schema. They
 * reject nothing: a value that cannot be converted stays unchanged and fails the strict schema.
 */

type Read = (raw: unknown) => unknown;

/** Limits for unknown fields, which have no reason to be deeper or longer. */
const UNLISTED_DEPTH_MAX = 8;
const UNLISTED_ENTRIES_MAX = 256;
type Raw = Readonly<Record<string, unknown>>;

const READERS = new Map<z.ZodType, Read>();

/**
 * The reader for `schema`. Idempotent: a value in the strict form is unchanged, except that empty optional lists and
 * groups are left out.
 */
export function reader(schema: z.ZodType): Read {
  const known = READERS.get(schema);
  if (known !== undefined) return known;
  const tidy = TIDY.get(schema);
  const inner = readerByType(schema);
  const read: Read = tidy === undefined ? inner : (raw) => inner(tidy(raw));
  READERS.set(schema, read);
  return read;
}

function readerByType(schema: z.ZodType): Read {
  if (schema instanceof z.ZodOptional) {
    const inner = reader(schema.unwrap() as z.ZodType);
    return (raw) => (raw === undefined || raw === null ? undefined : unlessEmpty(inner(raw)));
  }
  if (schema instanceof z.ZodCatch) return reader(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNumber) return number;
  // A field with its own limit (identifiers, tokens) is refused beyond it: cut, it would be another value.
  if (schema instanceof z.ZodString) return schema.maxLength === null ? shortText : text;
  if (schema instanceof z.ZodArray) {
    const inner = reader(schema.element as z.ZodType);
    return (raw) => (raw === undefined || raw === null ? undefined : listOf(raw).map(inner));
  }
  if (schema instanceof z.ZodObject) return record(schema);
  return (raw) => raw;
}

function record(schema: z.ZodObject): Read {
  const fields = Object.entries(schema.shape).map(
    ([key, field]) => [key, reader(field as z.ZodType)] as const,
  );
  const known = new Set(fields.map(([key]) => key));
  const loose = schema.def.catchall !== undefined;
  return (raw) => {
    if (!isJsonObject(raw)) return raw;
    const out: Record<string, unknown> = {};
    for (const [key, read] of fields) {
      const value = read(Object.hasOwn(raw, key) ? raw[key] : undefined);
      if (value !== undefined) out[key] = value;
    }
    if (loose) {
      for (const [key, value] of Object.entries(raw)) {
        if (!known.has(key) && key !== "__proto__" && value !== undefined)
          out[withinWire(key)] = unlisted(value);
      }
    }
    return out;
  };
}

function unlessEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  return isJsonObject(value) && Object.keys(value).length === 0 ? undefined : value;
}

const NUMBER = /^\s*[+-]?(\d{1,400}(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?\s*$/i;

function number(raw: unknown): unknown {
  if (typeof raw === "boolean") return Number(raw);
  if (raw === null) return undefined;
  if (typeof raw !== "string") return raw;
  if (raw.trim() === "") return undefined;
  return NUMBER.test(raw) ? Number(raw) : raw;
}

function text(raw: unknown): unknown {
  // A whole number beyond 2^53 has already lost digits: as an identifier it would be another one.
  if (typeof raw === "number" && Number.isInteger(raw) && !Number.isSafeInteger(raw)) return raw;
  if (typeof raw === "number" || typeof raw === "boolean") return String(raw);
  if (raw === null) return undefined;
  // A text with attributes, `<rating system="…"><value>PG</value></rating>`, arrives as an object.
  if (Array.isArray(raw)) return text(raw[0]);
  return isJsonObject(raw) && "value" in raw ? text(raw["value"]) : raw;
}

function shortText(raw: unknown): unknown {
  const read = text(raw);
  return typeof read === "string" ? withinWire(read) : read;
}

/** A field outside the specification: kept for set-top clients, within the same limits. */
function unlisted(raw: unknown, depth = 0): unknown {
  if (typeof raw === "string") return withinWire(raw);
  if (typeof raw !== "object" || raw === null) return raw;
  if (depth === UNLISTED_DEPTH_MAX) return undefined;
  if (Array.isArray(raw)) return raw.slice(0, UNLISTED_ENTRIES_MAX).map((each) => unlisted(each, depth + 1));
  const entries = Object.entries(raw).slice(0, UNLISTED_ENTRIES_MAX);
  return Object.fromEntries(entries.map(([key, value]) => [withinWire(key), unlisted(value, depth + 1)]));
}

function listOf(raw: unknown): readonly unknown[] {
  return Array.isArray(raw) ? raw : [raw];
}

function withDefaults(defaults: Raw): Read {
  return (raw) => {
    if (!isJsonObject(raw)) return raw;
    const missing = Object.entries(defaults).filter(([key]) => raw[key] === undefined || raw[key] === null);
    return { ...raw, ...Object.fromEntries(missing) };
  };
}

/** Reads `key` from the first present alias in the field. */
function fromAliases(key: string, names: readonly string[]): Read {
  return (raw) => {
    if (!isJsonObject(raw)) return raw;
    const name = names.find((candidate) => !isNothing(raw[candidate]));
    return name === undefined ? raw : { ...raw, [key]: raw[name] };
  };
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}

function langText(raw: unknown): unknown {
  if (Array.isArray(raw)) return langText(raw[0]);
  if (!isJsonObject(raw)) return shortText(raw);
  const value = shortText(raw["value"] ?? raw["text"] ?? "");
  const lang = text(raw["lang"]);
  return lang === undefined ? value : { value, lang };
}

function category(raw: unknown): unknown {
  if (!isJsonObject(raw)) return { name: raw };
  return "name" in raw ? raw : { ...raw, name: raw["value"] ?? "" };
}

function credits(raw: unknown): unknown {
  if (!isJsonObject(raw)) return {};
  return { actors: raw["actors"] ?? raw["actor"], director: raw["director"] ?? raw["directors"] };
}

function subtitles(raw: unknown): unknown {
  return listOf(raw).flatMap((entry) => {
    if (!isJsonObject(entry)) return [entry];
    if ("type" in entry) return [entry["type"]];
    return Object.keys(entry).filter((kind) => !["0", "false", ""].includes(String(entry[kind] ?? "")));
  });
}

function channel(raw: unknown): unknown {
  const known = fromAliases("dvb", ["dvb", "dvb_triplets", "dvbt_info"])(raw);
  if (!isJsonObject(known)) return known;
  // `<dvb/>` equals a missing element.
  const dvb = isNothing(known["dvb"]) ? undefined : known["dvb"];
  const name = known["name"] ?? known["name_short"] ?? "";
  return { ...known, name, dvb, known_names: known["known_names"] ?? known["known_name"] };
}

/** `<video/>` equals a missing element. */
function withoutEmptyGroups(raw: unknown): unknown {
  if (!isJsonObject(raw) || raw["video"] !== "") return raw;
  return { ...raw, video: undefined };
}

const TIDY = new Map<z.ZodType, Read>([
  [Channel, channel],
  [Manufacturer, fromAliases("name", ["name", "manufacturer_name"])],
  [Timer, withDefaults({ name: "", state: "", action: "record" })],
  [Keyword, fromAliases("keyword", ["keyword", "value"])],
  [KeywordOrder, fromAliases("keyword", ["keyword", "value"])],
  [KeywordChange, fromAliases("keyword", ["keyword", "value"])],
  [NewShowEntry, withDefaults({ start_date: "" })],
  [Show, withDefaults({ title: "" })],
  [SeriesSummary, withoutEmptyGroups],
  [LangText, langText],
  [Category, category],
  [Credits, credits],
  [Subtitles, subtitles],
]);
