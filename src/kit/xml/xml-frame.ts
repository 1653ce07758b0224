import { doctypeAt } from "./xml-doctype.ts";

export interface XmlFrameParts {
  readonly onRepair: (repair: { readonly line: number; readonly reason: string }) => void;
  /** A longer construct, in characters, passes unchanged: the parser refuses it. */
  readonly tagLength: number;
}

/** The beginning of a tag. */
const TAG_NAME = /^<\/?([^\s/>!?]+)/;
const ENDS: readonly (readonly [begin: string, end: string])[] = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<!", ">"],
];
const CONSTRUCT = /<[?!/A-Za-z_]/;
/** Marks of HTML in messages, such as PHP's `<br />\n<b>Warning</b>`. */
const MESSAGE_MARKS =
  /^(?:a|b|br|center|div|em|font|h[1-6]|hr|i|img|li|p|pre|script|small|span|strong|style|table|tbody|td|th|tr|ul)$/i;

interface Construct {
  readonly text: string;
  /** Set if it is a tag. */
  readonly name?: string | undefined;
}

/**
 * Takes away what programs write around a document: messages in front of it and behind it, space before the XML declaration, and
 * further documents with the same root element, whose content then belongs to the first. The number of lines stays.
 */
export class XmlFrame {
  readonly #parts: XmlFrameParts;
  #state: "before" | "inside" | "after" | "as it is" = "before";
  #rest = "";
  #root = "";
  /** The end tag of the root, until the document has ended. */
  #held = "";
  #line = 1;
  #isBeginning = true;
  #hasDoctype = false;
  /** The latest complaint: a text in several pieces is one. */
  #said = "";

  constructor(parts: XmlFrameParts) {
    this.#parts = parts;
  }

  take(text: string, last: boolean): string {
    this.#rest += text;
    let out = "";
    for (let piece = this.#next(last); piece !== undefined; piece = this.#next(last)) out += piece;
    if (!last) return out;
    if (this.#state === "after" && this.#rest !== "") out += this.#leaveOut(this.#rest.length);
    out += this.#rest + this.#held;
    this.#rest = this.#held = "";
    return out;
  }

  /** @returns `undefined`: more input is needed */
  #next(last: boolean): string | undefined {
    if (this.#rest === "") return undefined;
    if (this.#state === "as it is") return this.#pass(this.#rest.length);
    return this.#state === "inside" ? this.#inside() : this.#outside(last);
  }

  /** Up to the root's end tag. */
  #inside(): string | undefined {
    const mark = `</${this.#root}`;
    const at = this.#rest.indexOf(mark);
    if (at < 0) {
      const sure = Math.max(0, this.#rest.length - mark.length);
      return sure === 0 ? undefined : this.#pass(sure);
    }
    if (at > 0) return this.#pass(at);
    const [end] = /^<\/[^\s>]+\s*>/.exec(this.#rest) ?? [];
    if (end === undefined) return this.#orAsItIs();
    if (!/^\s*>$/.test(end.slice(mark.length))) return this.#pass(end.length);
    this.#state = "after";
    this.#held = this.#pass(end.length);
    return "";
  }

  #outside(last: boolean): string | undefined {
    const at = this.#rest.search(CONSTRUCT);
    if (at !== 0) {
      const keep = at < 0 && !last && this.#rest.endsWith("<") ? 1 : 0;
      const end = at < 0 ? this.#rest.length - keep : at;
      return end === 0 ? undefined : this.#leaveOut(end);
    }
    const found = constructIn(this.#rest);
    if (found === undefined) return last ? undefined : this.#orAsItIs();
    return this.#state === "before" ? this.#before(found) : this.#after(found);
  }

  #before({ text, name }: Construct): string | undefined {
    const isDeclaration = /^<\?xml\s/.test(text);
    const isDoctype = /^<!doctype/i.test(text);
    // Scripts that write a head of their own before a whole listing.
    if ((isDeclaration && !this.#isBeginning) || (isDoctype && this.#hasDoctype))
      return this.#drop(text.length);
    if (isDoctype) this.#hasDoctype = true;
    if (name === undefined) return this.#pass(text.length);
    if (name !== undefined && MESSAGE_MARKS.test(name)) return this.#leaveOut(text.length);
    this.#root = name;
    const isRoot = !text.startsWith("</");
    this.#state = isRoot ? (text.endsWith("/>") ? "after" : "inside") : "as it is";
    return this.#pass(text.length);
  }

  #after({ text, name }: Construct): string | undefined {
    if (name === undefined) return this.#drop(text.length);
    if (MESSAGE_MARKS.test(name)) return this.#leaveOut(text.length);
    if (name !== this.#root || this.#held === "" || text.endsWith("/>")) {
      this.#state = "as it is";
      const end = this.#held;
      this.#held = "";
      return end;
    }
    if (text.startsWith("</")) return this.#leaveOut(text.length);
    this.#note("another document follows: its content is read too");
    this.#held = "";
    this.#state = "inside";
    return this.#drop(text.length);
  }

  /** A construct that has not ended waits for more, up to a limit. */
  #orAsItIs(): string | undefined {
    if (this.#rest.length <= this.#parts.tagLength) return undefined;
    this.#state = "as it is";
    return "";
  }

  #leaveOut(length: number): string {
    const space = this.#rest.slice(0, length).search(/\S/);
    const dropped = space > 0 ? this.#drop(space) : "";
    if (space >= 0) this.#note(`text ${this.#state} the document is left out`);
    return dropped + this.#drop(length - Math.max(0, space));
  }

  #note(reason: string): void {
    if (reason === this.#said) return;
    this.#said = reason;
    this.#parts.onRepair({ line: this.#line, reason });
  }

  #drop(length: number): string {
    return this.#pass(length).replace(/[^\r\n]+/g, "");
  }

  #pass(length: number): string {
    const passed = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    this.#isBeginning = false;
    for (let at = passed.indexOf("\n"); at >= 0; at = passed.indexOf("\n", at + 1)) this.#line += 1;
    return passed;
  }
}

/** `undefined` if it has not ended. */
function constructIn(text: string): Construct | undefined {
  const ends = ENDS.find(([begin]) => text.startsWith(begin) || begin.startsWith(text));
  if (ends === undefined) return tagIn(text);
  const [begin, end] = ends;
  if (/^<!(?!-)/.test(text)) {
    const doctype = doctypeAt(text, 0);
    return doctype && { text: text.slice(0, doctype.end) };
  }
  const at = text.indexOf(end, begin.length);
  return at < 0 ? undefined : { text: text.slice(0, at + end.length) };
}

/** Up to the final `>`; a quoted one does not count. No regular expression: backtracking would take quadratic time. */
function tagIn(text: string): Construct | undefined {
  const [begin, name] = TAG_NAME.exec(text) ?? [];
  if (begin === undefined) return undefined;
  for (let at = begin.length; at < text.length; at += 1) {
    const char = text[at];
    if (char === ">") return { text: text.slice(0, at + 1), name };
    if (char !== '"' && char !== "'") continue;
    at = text.indexOf(char, at + 1);
    if (at < 0) return undefined;
  }
  return undefined;
}
