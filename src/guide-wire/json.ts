import { faultyPosition, placeIn } from "../kit/text/flaw-of.ts";
import { jsonChunks } from "../kit/text/json-chunks.ts";
import { isJsonObject } from "../kit/text/parse-json.ts";
import { type DocumentKind, LAYOUTS } from "./documents.ts";
import { GUIDE_WIRE_LIMITS } from "./limits.ts";
import type { RawOutcome, RawRecord } from "./raw.ts";

/**
 * The JSON text of a canonical value, in chunks. `list` wraps a single record in its named array, `single` unwraps
 * it.
 */
export function jsonDocumentPieces(
  kind: DocumentKind,
  value: RawRecord,
  form: "list" | "single" | undefined,
): Iterable<string> {
  return jsonChunks(inForm(kind, value, form));
}

function inForm(kind: DocumentKind, value: RawRecord, form: "list" | "single" | undefined): RawRecord {
  const { oneOf } = LAYOUTS[kind];
  if (kind === "error") return withErrorCopy(value);
  if (kind === "channels" || kind === "shows") return withTripletCopies(value);
  if (oneOf !== undefined && form === "list") return { [oneOf]: [value] };
  if (kind === "device-add" && form === "single") {
    const devices = value["devices"];
    return Array.isArray(devices) && devices.length === 1 ? devices[0] : value;
  }
  return value;
}

/** Set-top clients in the field show the messages in `errors`. */
function withErrorCopy(value: RawRecord): RawRecord {
  const { status, message } = value["error"] as RawRecord;
  return { ...value, errors: [{ error_msg: message, error_code: status }] };
}

/** Services in the field send only `errors`. */
function fromErrorCopy(value: RawRecord): RawRecord {
  const { error, errors } = value;
  const [first] = Array.isArray(errors) ? errors : [];
  if (error !== undefined || !isJsonObject(first)) return value;
  return { error: { status: first["error_code"] ?? 0, code: "", message: first["error_msg"] } };
}

/** Set-top clients in the field read `dvb_triplets`. */
function withTripletCopies(value: RawRecord): RawRecord {
  const channels = (value["channels"] ?? []) as readonly RawRecord[];
  const copied = channels.map((channel) =>
    channel["dvb"] === undefined ? channel : { ...channel, dvb_triplets: channel["dvb"] },
  );
  return { ...value, channels: copied };
}

export function parseJson(kind: DocumentKind, text: string): RawOutcome {
  const scanned = scanJson(text);
  if (scanned !== undefined) return scanned;
  const parsed = parsedWithoutProto(withExactIntegers(text));
  if (parsed === undefined) return { kind: "invalid", reason: `it is not valid JSON${faultIn(text)}` };
  if (!isJsonObject(parsed)) return { kind: "invalid", reason: "it is not a JSON object" };
  return unwrapped(kind, parsed);
}

const LONG_INTEGER = /(?<![\d.e+-])-?\d{16,}(?![\d.e])/gi;

/** Writes integers beyond 2^53 as texts: a number would lose digits, and an identifier become another one. */
function withExactIntegers(text: string): string {
  if (!/[:[,]\s*-?\d{16}/.test(text)) return text;
  let exact = "";
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const gap = quote < 0 ? text.length : quote;
    const end = quote < 0 ? text.length : stringEnd(text, quote + 1) + 1;
    exact += text.slice(at, gap).replace(LONG_INTEGER, '"$&"') + text.slice(gap, end);
    at = end;
  }
  return exact;
}

function parsedWithoutProto(text: string): unknown {
  try {
    const suspicious = /__proto__|\\u005f/i.test(text);
    return suspicious
      ? JSON.parse(text, (key, value) => (key === "__proto__" ? undefined : value))
      : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The parser's message quotes the text, which may contain secrets: only the place is told. */
function faultIn(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    const at = faultyPosition(String(error));
    return at === undefined ? "" : ` at ${placeIn(text, at)}`;
  }
}

/**
 * Unifies the JSON forms of a body: a list for `device-add`, the record itself for kinds with one record. Converters from XML
 * wrap a record in an object with the name of its element, and a document in one with the name of its root: taken for a field,
 * such a wrapper would hide a change.
 */
function unwrapped(kind: DocumentKind, given: RawRecord): RawOutcome {
  if (kind === "error") return { kind: "raw", raw: fromErrorCopy(given) };
  const { root, lists, oneOf, primary = "" } = LAYOUTS[kind];
  const inner = Object.hasOwn(lists, root) ? given : within(given, root);
  if (oneOf !== undefined) return singleRecord(oneOf, inner, lists[oneOf]);
  const value = isJsonObject(inner) ? inner : given;
  const list = within(value, lists[primary]);
  if (list !== value) return { kind: "raw", raw: { [primary]: list } };
  if (kind !== "device-add" || Object.hasOwn(value, primary)) return { kind: "raw", raw: value };
  return { kind: "raw", raw: { [primary]: [value] } };
}

function singleRecord(list: string, value: unknown, element: string | undefined): RawOutcome {
  const isNamed = isJsonObject(value) && Object.hasOwn(value, list);
  const content = within(isNamed ? value[list] : value, element);
  const [only] = Array.isArray(content) ? content : [content];
  if ((Array.isArray(content) && content.length !== 1) || !isJsonObject(only)) {
    return { kind: "invalid", reason: `its array ${list} does not hold exactly one object`, field: list };
  }
  return { kind: "raw", raw: only };
}

/** The object or list in a wrapper of this name that holds nothing else; otherwise the value. */
function within(value: unknown, name = ""): unknown {
  const isWrapper = isJsonObject(value) && Object.hasOwn(value, name) && Object.keys(value).length === 1;
  const inner = isWrapper ? value[name] : undefined;
  return typeof inner === "object" && inner !== null ? inner : value;
}

/** Scans the text once for limits on nesting and number of values, and for its end. `undefined`: no problem. */
function scanJson(text: string): RawOutcome | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      at = stringEnd(text, at + 1);
      if (at >= text.length) return { kind: "torn", reason: "it ends within a string" };
    } else if (char === "{" || char === "[") {
      depth += 1;
      values += 1;
      if (depth > GUIDE_WIRE_LIMITS.depth) return tooMuch(`more than ${GUIDE_WIRE_LIMITS.depth} levels`);
    } else if (char === "}" || char === "]") depth -= 1;
    else if (char === ",") values += 1;
    if (values > GUIDE_WIRE_LIMITS.jsonValues)
      return tooMuch(`more than ${GUIDE_WIRE_LIMITS.jsonValues} values`);
  }
  const torn = depth > 0 || text.trim() === "";
  return torn ? { kind: "torn", reason: "it ends before its outermost bracket is closed" } : undefined;
}

function tooMuch(what: string): RawOutcome {
  return { kind: "invalid", reason: `it has ${what}` };
}

/** The position of the closing quote, or the end of the text. */
function stringEnd(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
