import assert from "node:assert/strict";
import { yieldToLoop } from "../kit/time/clock.ts";
import { type Facts, RecorderdError } from "../model/errors.ts";
import { runToEnd, type Steps } from "../model/steps.ts";
import { DOCUMENTS, type Document, type DocumentKind, LAYOUTS } from "./documents.ts";
import { jsonDocumentPieces, parseJson } from "./json.ts";
import { reader } from "./liberal.ts";
import { type MalformedRecord, type RawFailure, type RawRecord, readDocument } from "./raw.ts";
import { asciiJson, latin1Xml, textOf } from "./text.ts";
import { parseXmlDocument, xmlDocumentPieces } from "./xml.ts";

export type WireFormat = "json" | "xml";
export type WireEncoding = "UTF-8" | "ISO-8859-1";

export interface EncodeOptions {
  readonly format: WireFormat;
  /** UTF-8 by default. JSON in ISO-8859-1 is written in ASCII, other characters as `\u…`. */
  readonly encoding?: WireEncoding;
  /**
   * JSON has two forms of `device-add` and `timer-set`: an object with the named array (default for device-add), or
   * the single object (default for timer-set).
   */
  readonly jsonForm?: "list" | "single";
}

export interface Encoded {
  readonly body: Buffer;
  readonly contentType: string;
}

export interface Decoded<K extends DocumentKind> {
  readonly value: Document<K>;
  /** List entries left out of `value`. Always empty for a body with one record. */
  readonly malformed: readonly MalformedRecord[];
  readonly format: WireFormat;
}

/**
 * Writes a document. The value must be of its kind: anything else is a caller's mistake (`assert`).
 *
 * Reading restores the written value, with these exceptions. Empty optional lists and groups are left out. In XML,
 * characters that XML cannot carry become U+FFFD. In XML, a timer's fields outside the specification are kept only
 * with a plain name (ASCII letters, digits, `_`, `.`, `-`) and a text, number or boolean, as text.
 */
export function encodeDocument<K extends DocumentKind>(
  kind: K,
  value: Document<K>,
  options: EncodeOptions,
): Encoded {
  return runToEnd(encoding(kind, value, options));
}

/** Like `encodeDocument`, with pauses for other work: thousands of records take too long in one step. */
export async function encodeInTurns<K extends DocumentKind>(
  kind: K,
  value: Document<K>,
  options: EncodeOptions,
): Promise<Encoded> {
  const work = encoding(kind, value, options);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await yieldToLoop();
  }
}

/** Yields at each point where other work may run. */
function* encoding<K extends DocumentKind>(
  kind: K,
  value: Document<K>,
  { format, encoding: charset = "UTF-8", jsonForm }: EncodeOptions,
): Steps<Encoded> {
  const canonical = yield* canonicalOf(kind, value as RawRecord);
  const isJson = format === "json";
  const pieces = isJson
    ? jsonDocumentPieces(kind, canonical, jsonForm)
    : xmlDocumentPieces(kind, canonical, charset);
  // The choice of character references depends on the whole document.
  const isWhole = !isJson && charset !== "UTF-8";
  const bodies: Buffer[] = [];
  let text = "";
  for (const piece of pieces) {
    if (text !== "" || bodies.length > 0) yield;
    if (isWhole) text += piece;
    else bodies.push(charset === "UTF-8" ? Buffer.from(piece, "utf8") : asciiJson(piece));
  }
  return {
    body: isWhole ? latin1Xml(text) : Buffer.concat(bodies),
    contentType: isJson ? "application/json" : `application/xml; charset=${charset}`,
  };
}

/** Records of each list checked per step. */
const RECORDS_AT_ONCE = 250;

/** Checks a long document as several documents, each with a portion of the lists. */
function* canonicalOf(kind: DocumentKind, value: RawRecord): Steps<RawRecord> {
  const lists = Object.keys(LAYOUTS[kind].lists).filter((name) => Array.isArray(value[name]));
  const listOf = (of: RawRecord, name: string) => (of[name] ?? []) as readonly unknown[];
  const longest = Math.max(0, ...lists.map((name) => listOf(value, name).length));
  let canonical: RawRecord | undefined;
  for (let from = 0; canonical === undefined || from < longest; from += RECORDS_AT_ONCE) {
    const portion = lists.map((name) => [name, listOf(value, name).slice(from, from + RECORDS_AT_ONCE)]);
    const next = canonicalWhole(kind, { ...value, ...Object.fromEntries(portion) });
    if (canonical === undefined) canonical = next;
    else {
      const before = canonical;
      const joined = lists.map((name) => [name, [...listOf(before, name), ...listOf(next, name)]]);
      canonical = { ...before, ...Object.fromEntries(joined) };
    }
    if (from + RECORDS_AT_ONCE < longest) yield;
  }
  return canonical;
}

function canonicalWhole(kind: DocumentKind, value: RawRecord): RawRecord {
  const strict = DOCUMENTS[kind].safeParse(value);
  assert(strict.success, `not a document of kind ${kind}: ${strict.error?.issues[0]?.path.join(".")}`);
  return reader(DOCUMENTS[kind])(strict.data) as RawRecord;
}

/**
 * Reads a document as liberally as the field requires: numbers as strings and the reverse, alternative names, wrong
 * encodings. The format follows the content type, unless the first character proves the other one.
 *
 * @throws RecorderdError GUIDE_DOCUMENT_TORN if the body ends too early
 * @throws RecorderdError GUIDE_DOCUMENT_INVALID for any other invalid document; `facts.field` names the faulty
 * field, if any, and `facts.html` is true for an HTML page
 */
export function decodeDocument<K extends DocumentKind>(
  kind: K,
  body: Uint8Array,
  { contentType = "" }: { readonly contentType?: string } = {},
): Decoded<K> {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];
  const text = withoutMessages(withoutEndMark(textOf(body, charset).trimStart()));
  if (isHtmlText(text, contentType)) {
    const reason = "it is an HTML page: something other than the guide service answers at this address";
    throw failure(kind, { kind: "invalid", reason }, { html: true });
  }
  const format = formatOf(text, contentType);
  if (format === undefined) {
    const reason = text === "" ? "it is empty" : "it is neither JSON nor XML";
    throw failure(kind, { kind: text === "" ? "torn" : "invalid", reason }, {});
  }
  const parsed = format === "json" ? parseJson(kind, text) : parseXmlDocument(kind, text);
  if (parsed.kind !== "raw") throw failure(kind, parsed, { format });
  const read = readDocument(kind, parsed.raw);
  if (read.kind !== "read") throw failure(kind, read, { format });
  return { value: read.value as unknown as Document<K>, malformed: read.malformed, format };
}

/** Programs in C may send the zero that ends a text. */
function withoutEndMark(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0) end -= 1;
  return text.slice(0, end);
}

/** A message that PHP writes ahead of a document, as text or in HTML. A fatal one ends the document, and is no warning. */
const PHP_MESSAGE =
  /\s*(?:<br\s*\/?>\s*)?(?:<b>)?(?:PHP )?(?:Warning|Notice|Deprecated|Strict Standards)(?:<\/b>)?:[^\n]*? on line (?:<b>)?\d+(?:<\/b>)?(?:\s*<br\s*\/?>)?/y;

/** One message at a time: an expression for all of them would try each way to divide a hostile text. */
function withoutMessages(text: string): string {
  let end = 0;
  PHP_MESSAGE.lastIndex = 0;
  while (PHP_MESSAGE.test(text)) end = PHP_MESSAGE.lastIndex;
  const document = text.slice(end).trimStart();
  return end > 0 && /^[{[<]/.test(document) ? document : text;
}

/** Whether a body is a web page, independent of its length and content type. */
export function isHtml(body: Uint8Array, contentType: string): boolean {
  return isHtmlText(textOf(body.subarray(0, 1024), undefined).trimStart(), contentType);
}

/** Many a service forgets its content type, and the default of web servers is HTML: a document proves itself. */
function isHtmlText(text: string, contentType: string): boolean {
  HTML_ROOT.lastIndex = rootOf(text);
  if (HTML_ROOT.test(text)) return true;
  return /^\s*text\/html\b/i.test(contentType) && !/^([{[]|<\?xml\b)/.test(text);
}

const HTML_ROOT = /<(?:!doctype\s+html|html)\b/iy;
const AHEAD_OF_ROOT = /\s+|<\?[^>]*>|<!--[\s\S]*?-->/y;

/** The index behind an XML declaration and comments. One at a time: an expression for all would try each way to divide them. */
function rootOf(text: string): number {
  let root = 0;
  AHEAD_OF_ROOT.lastIndex = 0;
  while (AHEAD_OF_ROOT.test(text)) root = AHEAD_OF_ROOT.lastIndex;
  return root;
}

function formatOf(text: string, contentType: string): WireFormat | undefined {
  if (text.startsWith("<")) return "xml";
  if (text.startsWith("{") || text.startsWith("[")) return "json";
  if (text === "") return undefined;
  return formatOfType(contentType);
}

/** The format of a media type: `application/json`, `text/xml`, `application/vnd.x+json; charset=…` … */
export function formatOfType(contentType: string): WireFormat | undefined {
  const [, name] = /^\s*(?:application|text)\/(?:[\w.-]+\+)?(json|xml)\s*(?:;|$)/i.exec(contentType) ?? [];
  return name === undefined ? undefined : name.toLowerCase() === "json" ? "json" : "xml";
}

function failure(kind: DocumentKind, { kind: how, reason, field }: RawFailure, more: Facts): RecorderdError {
  const facts: Facts = { document: kind, ...more, ...(field === undefined ? {} : { field }) };
  return how === "torn"
    ? new RecorderdError("GUIDE_DOCUMENT_TORN", `The ${kind} document is torn: ${reason}`, facts)
    : new RecorderdError("GUIDE_DOCUMENT_INVALID", `The ${kind} document cannot be used: ${reason}`, facts);
}
