import { repairedAttributes } from "./xml-attributes.ts";
import { characterOf, HTML_ENTITIES } from "./xml-characters.ts";
import { declaredEntities, doctypeAt } from "./xml-doctype.ts";
import type { XmlNesting } from "./xml-nesting.ts";

/** A flaw that was repaired. */
export type XmlRepairKind =
  | "ampersand"
  | "less-than"
  | "entity"
  | "character"
  | "encoding"
  | "tag"
  | "outside";

export interface XmlRepair {
  readonly kind: XmlRepairKind;
  /** From 1. */
  readonly line: number;
  readonly reason: string;
}

interface RepairParts {
  /** Receives the text, with an unchanged number of lines. */
  readonly write: (text: string) => void;
  readonly onRepair: (repair: XmlRepair) => void;
  /** Repairs marks within texts; absent: they stay. */
  readonly nesting?: XmlNesting;
  /** Called after too many flaws. */
  readonly refuse: (line: number, reason: string) => never;
  /** A longer tag, in characters, passes unchanged: the parser refuses it. */
  readonly tagLength: number;
}

/** Repairs between two tags; beyond that it is no text with flaws. */
const REPAIRS_MAX = 1000;

const REASONS: Readonly<Record<Exclude<XmlRepairKind, "encoding" | "tag" | "outside">, string>> = {
  ampersand: "a bare & is read as text",
  "less-than": "a bare < is read as text",
  entity: "an entity that XML does not have is read as its character",
  character: "a character that XML does not allow is read as a space",
};

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z_][\w.-]{0,63}));/y;
/** No valid reference is longer. */
const REFERENCE_LENGTH = 66;
/** Characters that the entities of a document may add in total: a few bytes must not become gigabytes. */
const EXPANDED_MAX = 8 * 1024 * 1024;
const OF_XML = new Set(["amp", "lt", "gt", "quot", "apos"]);
/** XML 1.0 §2.2. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for them
const NOT_ALLOWED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const NAME = "[A-Za-z_:\\u00c0-\\ufffd][\\w:.\\u00b7-\\ufffd-]*";
const TAG_BEGIN = new RegExp(`^</?${NAME}`);
const ATTRIBUTE = `\\s+${NAME}\\s*=\\s*(?:"[^"]*"|'[^']*')`;
const TAG = new RegExp(`^<(?:/${NAME}\\s*|${NAME}(?:${ATTRIBUTE})*\\s*/?)>$`);

const SPECIAL = /[&<\]]/g;
const SPECIAL_IN_TAG = /[&<]/g;

const COMMENT = "<!--";
const DOCTYPE = "<!DOCTYPE";
/** Constructs that are copied unchanged, up to their end; of a comment, only the number of lines stays. */
const VERBATIM: readonly (readonly [begin: string, end: string])[] = [
  [COMMENT, "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
  ["<!", ">"],
];

/**
 * Repairs unambiguous flaws ahead of a parser: an `&` without a reference, a `<` without a tag, HTML entities, characters that
 * XML forbids, unclosed marks within texts. One pass, with at most one tag in memory.
 */
export class XmlRepairer {
  readonly #parts: RepairParts;
  /** Input that cannot be decided yet. */
  #rest = "";
  /** The end of the construct being copied. */
  #until: string | undefined;
  /** It is a comment: many hold a `--`, which XML forbids there. */
  #isComment = false;
  #line = 1;
  /** Repairs since the last tag. */
  #repairs = 0;
  /** Entities that the document declares. */
  #entities: ReadonlyMap<string, string> = new Map();
  #expanded = 0;
  #out: string[] = [];

  constructor(parts: RepairParts) {
    this.#parts = parts;
  }

  write(text: string, last: boolean): void {
    let all = this.#rest + text;
    // The second half of a CRLF may be in the next chunk.
    const isCut = !last && all.endsWith("\r");
    if (all.includes("\r")) all = (isCut ? all.slice(0, -1) : all).replace(/\r\n?/g, "\n");
    all = this.#withoutForbidden(all);
    const done = this.#take(all, last);
    this.#rest = all.slice(done) + (isCut ? "\r" : "");
    const out = this.#out.join("");
    this.#out = [];
    if (out !== "") this.#parts.write(out);
  }

  #withoutForbidden(text: string): string {
    let from = 0;
    let line = this.#line;
    return text.replace(NOT_ALLOWED, (_, at: number) => {
      line += newlinesIn(text, from, at);
      from = at;
      this.#parts.onRepair({ kind: "character", line, reason: REASONS.character });
      return " ";
    });
  }

  /** @returns the number of characters consumed */
  #take(text: string, last: boolean): number {
    let at = 0;
    while (at < text.length) {
      const next =
        this.#until === undefined ? this.#ofText(text, at, last) : this.#ofVerbatim(text, at, last);
      if (next === undefined) break;
      at = next;
    }
    return at;
  }

  /** Copies the rest of a comment or similar construct. */
  #ofVerbatim(text: string, at: number, last: boolean): number | undefined {
    const until = this.#until ?? "";
    const found = text.indexOf(until, at);
    if (found >= 0) {
      this.#until = undefined;
      return this.#copy(text, at, found + until.length);
    }
    // The end mark may have begun.
    const end = last ? text.length : Math.max(at, text.length - until.length + 1);
    return end === at ? undefined : this.#copy(text, at, end);
  }

  #copy(text: string, at: number, end: number): number {
    return this.#isComment ? this.#drop(text, at, end) : this.#pass(text, at, end);
  }

  /** Text up to the next construct, or that construct. `undefined`: more input is needed. */
  #ofText(text: string, at: number, last: boolean): number | undefined {
    const char = text[at];
    if (char === "&") return this.#reference(text, at, last);
    if (char === "<") return this.#markup(text, at, last);
    if (text.startsWith("]]>", at)) return this.#replace(text, { at, end: at + 3, by: "]]&gt;" });
    SPECIAL.lastIndex = at + 1;
    const next = SPECIAL.exec(text)?.index ?? text.length;
    if (!last && "]]>".startsWith(text.slice(at))) return undefined;
    return this.#pass(text, at, next);
  }

  #reference(text: string, at: number, last: boolean): number | undefined {
    if (!last && text.length - at < REFERENCE_LENGTH && !text.slice(at).includes(";")) return undefined;
    const { by, length } = this.#readReference(text, at, this.#line);
    return this.#replace(text, { at, end: at + length, by });
  }

  #readReference(text: string, at: number, line: number): Replacement {
    const found = referenceAt(text, at, this.#entities);
    if (found.kind !== undefined) this.#note(found.kind, line);
    this.#expanded += Math.max(0, found.by.length - REFERENCE_LENGTH);
    if (this.#expanded > EXPANDED_MAX)
      this.#parts.refuse(line, `its entities stand for more than ${EXPANDED_MAX} characters`);
    return found;
  }

  #markup(text: string, at: number, last: boolean): number | undefined {
    const begin = text.slice(at, at + "<![CDATA[".length);
    const isCut = (mark: string) => mark.length > begin.length && mark.startsWith(begin);
    if (!last && (isCut(DOCTYPE) || VERBATIM.some(([each]) => isCut(each)))) return undefined;
    if (begin === DOCTYPE) return this.#doctype(text, at, last);
    const verbatim = VERBATIM.find(([each]) => begin.startsWith(each));
    if (verbatim !== undefined) {
      const [opening, closing] = verbatim;
      this.#until = closing;
      this.#isComment = opening === COMMENT;
      return this.#copy(text, at, at + opening.length);
    }
    if (!TAG_BEGIN.test(text.slice(at, at + 3)))
      return last || text.length - at >= 3 ? this.#bare(text, at) : undefined;
    const end = tagEnd(text, at);
    switch (end.kind) {
      case "torn":
        if (last || text.length - at > this.#parts.tagLength) return this.#pass(text, at, text.length);
        return undefined;
      case "text":
        return this.#bare(text, at);
      case "tag":
        return this.#tag(text, at, end.stop);
    }
  }

  /** The parser gets no declarations, which it would refuse. A DOCTYPE that does not end is left to it. */
  #doctype(text: string, at: number, last: boolean): number | undefined {
    const found = doctypeAt(text, at);
    if (found === undefined) {
      const isTorn = last || text.length - at > this.#parts.tagLength;
      return isTorn ? this.#pass(text, at, text.length) : undefined;
    }
    const { end, declarations } = found;
    if (declarations.length === 0) return this.#pass(text, at, end);
    this.#entities = declaredEntities(declarations);
    return this.#drop(text, at, end);
  }

  /** A malformed tag without attributes is text; malformed attributes are repaired. */
  #tag(text: string, at: number, stop: number): number {
    const given = text.slice(at, stop);
    if (!given.includes("=") && !TAG.test(given)) return this.#bare(text, at);
    this.#repairs = 0;
    const tag = this.#withAttributes(given);
    const by = !tag.includes("&") && tag.indexOf("<", 1) < 0 ? tag : this.#repairedTag(tag);
    const placed = this.#parts.nesting?.tag(by, this.#line) ?? { text: by, flaws: [] };
    for (const flaw of placed.flaws) this.#parts.onRepair({ kind: "tag", ...flaw });
    return this.#replace(text, { at, end: stop, by: placed.text });
  }

  #withAttributes(tag: string): string {
    const repaired = tag.includes("=") ? repairedAttributes(tag) : undefined;
    if (repaired === undefined) return tag;
    this.#parts.onRepair({ kind: "tag", line: this.#line, reason: "malformed attributes are repaired" });
    return repaired + "\n".repeat(newlinesIn(tag, 0, tag.length) - newlinesIn(repaired, 0, repaired.length));
  }

  /** Repairs references and `<` within attribute values. */
  #repairedTag(tag: string): string {
    let by = "";
    let line = this.#line;
    for (let from = 0; from < tag.length; ) {
      SPECIAL_IN_TAG.lastIndex = Math.max(1, from);
      const found = SPECIAL_IN_TAG.exec(tag)?.index ?? tag.length;
      by += tag.slice(from, found);
      line += newlinesIn(tag, from, found);
      if (found === tag.length) break;
      const isBare = tag[found] === "<";
      if (isBare) this.#note("less-than", line);
      const placed = isBare ? { by: "&lt;", length: 1 } : this.#readReference(tag, found, line);
      by += placed.by;
      from = found + placed.length;
    }
    return by;
  }

  #bare(text: string, at: number): number {
    this.#note("less-than", this.#line);
    return this.#replace(text, { at, end: at + 1, by: "&lt;" });
  }

  #drop(text: string, at: number, end: number): number {
    return this.#replace(text, { at, end, by: "\n".repeat(newlinesIn(text, at, end)) });
  }

  #pass(text: string, from: number, to: number): number {
    return this.#replace(text, { at: from, end: to, by: text.slice(from, to) });
  }

  #replace(
    text: string,
    { at, end, by }: { readonly at: number; readonly end: number; readonly by: string },
  ): number {
    this.#out.push(by);
    this.#line += newlinesIn(text, at, end);
    return end;
  }

  #note(kind: keyof typeof REASONS, line: number): void {
    this.#repairs += 1;
    if (this.#repairs > REPAIRS_MAX)
      this.#parts.refuse(line, `more than ${REPAIRS_MAX} errors between two tags: this is not text`);
    this.#parts.onRepair({ kind, line, reason: REASONS[kind] });
  }
}

interface Replacement {
  readonly by: string;
  readonly length: number;
  readonly kind?: "ampersand" | "entity" | "character";
}

function referenceAt(text: string, at: number, declared: ReadonlyMap<string, string>): Replacement {
  REFERENCE.lastIndex = at;
  const found = REFERENCE.exec(text);
  if (found === null) return { by: "&amp;", length: 1, kind: "ampersand" };
  const [whole, decimal, hexadecimal, name] = found;
  const { length } = whole;
  if (name !== undefined) {
    if (OF_XML.has(name)) return { by: whole, length };
    const own = declared.get(name);
    if (own !== undefined) return { by: escaped(own), length };
    const code = HTML_ENTITIES.get(name);
    if (code === undefined) return { by: "&amp;", length: 1, kind: "ampersand" };
    return { by: `&#${code};`, length, kind: "entity" };
  }
  const character = characterOf(decimal, hexadecimal);
  if (character === undefined) return { by: " ", length, kind: "character" };
  return { by: `&#${character.codePointAt(0)};`, length };
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

type TagEnd = { readonly kind: "tag"; readonly stop: number } | { readonly kind: "text" | "torn" };

/** The end of a tag. Another tag that begins inside it, outside an attribute value, shows that it is none. */
function tagEnd(text: string, at: number): TagEnd {
  const special = /[<>"']/g;
  special.lastIndex = at + 1;
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    const [char] = found;
    if (char === ">") return { kind: "tag", stop: found.index + 1 };
    if (char === "<" || !isValueBegin(text, at, found.index)) return { kind: "text" };
    const close = text.indexOf(char, found.index + 1);
    if (close < 0) return { kind: "torn" };
    special.lastIndex = close + 1;
  }
  return { kind: "torn" };
}

function isValueBegin(text: string, from: number, quote: number): boolean {
  let at = quote - 1;
  while (at > from && /\s/.test(text[at] ?? "")) at -= 1;
  return text[at] === "=";
}

/** Stops at `to`: a document may be one line. */
function newlinesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === 10) count += 1;
  return count;
}
