/** Limits that are checked before the tree is built. */
export interface XmlLimits {
  /** Nesting depth. */
  readonly depth: number;
  /** Elements in total. */
  readonly elements: number;
  /** Attributes in total. */
  readonly attributes: number;
  /** Attributes per tag. */
  readonly tagAttributes: number;
  /** Characters of one tag with its attributes, or of one text between tags. */
  readonly tokenLength: number;
}

export interface XmlFailure {
  /** `torn`: the document ends before its root element does. */
  readonly kind: "torn" | "invalid";
  /** Continues a sentence that begins with the document's name; quotes nothing from it. */
  readonly reason: string;
}

/**
 * The document without its DOCTYPE, comments and processing instructions, if it is complete and within limits. Well-formedness
 * is checked elsewhere. A parser that saw another end of such a construct would build uncounted elements.
 */
export type XmlScan = { readonly kind: "sound"; readonly text: string } | XmlFailure;

const TORN: XmlFailure = { kind: "torn", reason: "it ends before its root element is closed" };
const DECLARES: XmlFailure = { kind: "invalid", reason: "its DOCTYPE contains declarations" };
const NO_XML: XmlFailure = { kind: "invalid", reason: "it is not XML" };

/**
 * Counts the tags in one pass. Finds flaws that a lenient parser accepts: a missing end, absurd nesting, a DOCTYPE with
 * entities.
 */
export function scanXml(text: string, limits: XmlLimits): XmlScan {
  const counts = { depth: 0, elements: 0, attributes: 0, tagAttributes: 0 };
  const kept: string[] = [];
  let keptFrom = 0;
  let hasDoctype = false;
  let before = 0;
  let at = text.indexOf("<");
  if (at < 0) return text.trim() === "" ? TORN : NO_XML;
  for (; at >= 0; at = text.indexOf("<", before)) {
    const mark = markAt(text, at);
    if (mark === undefined) return TORN;
    const { kind, stop } = mark;
    if (kind === "doctype") {
      if (mark.own || counts.elements > 0 || hasDoctype) return DECLARES;
      hasDoctype = true;
    }
    if (kind === "doctype" || kind === "comment") {
      kept.push(text.slice(keptFrom, at));
      keptFrom = stop;
    }
    if (kind === "open" || kind === "empty") {
      counts.elements += 1;
      counts.attributes += mark.attributes;
      counts.tagAttributes = mark.attributes;
    }
    if (kind === "open") counts.depth += 1;
    if (kind === "close") counts.depth -= 1;
    const longest = kind === "comment" ? at - before : Math.max(at - before, stop - at);
    const beyond = beyondLimits({ ...counts, tokenLength: longest }, limits);
    if (beyond !== undefined) return beyond;
    before = stop;
  }
  if (counts.depth > 0 || counts.elements === 0) return TORN;
  return { kind: "sound", text: kept.join("") + text.slice(keptFrom) };
}

const BEYOND: Readonly<Record<keyof XmlLimits, string>> = {
  depth: "elements inside one another",
  elements: "elements",
  attributes: "attributes",
  tagAttributes: "attributes in one tag",
  tokenLength: "characters in one tag or text",
};

function beyondLimits(counts: XmlLimits, limits: XmlLimits): XmlFailure | undefined {
  for (const what of ["depth", "elements", "attributes", "tagAttributes", "tokenLength"] as const) {
    if (counts[what] > limits[what]) {
      return { kind: "invalid", reason: `it has more than ${limits[what]} ${BEYOND[what]}` };
    }
  }
  return undefined;
}

/** One construct that begins with `<`; `stop` is the offset after it. */
type Mark =
  | { readonly kind: "open" | "empty"; readonly attributes: number; readonly stop: number }
  | { readonly kind: "close" | "cdata" | "comment"; readonly stop: number }
  | { readonly kind: "doctype"; readonly own: boolean; readonly stop: number };

/** `undefined` if the text ends inside it. */
function markAt(text: string, at: number): Mark | undefined {
  if (text.startsWith("<!--", at)) return until("comment", text.indexOf("-->", at + 4) + 3);
  if (text.startsWith("<![CDATA[", at)) return until("cdata", text.indexOf("]]>", at + 9) + 3);
  if (text.startsWith("<?", at)) return until("comment", text.indexOf("?>", at + 2) + 2);
  if ("<![CDATA[".startsWith(text.slice(at, at + 9))) return undefined;
  const tag = tagAt(text, at);
  if (text.startsWith("<!", at)) {
    const declared = text.slice(at, tag?.stop ?? text.length);
    // Refused before its end is searched: an internal subset may hold anything.
    if (outsideQuotes(declared).includes("[")) return { kind: "doctype", own: true, stop: text.length };
    return tag === undefined ? undefined : { kind: "doctype", own: false, stop: tag.stop };
  }
  if (tag === undefined) return undefined;
  const { stop, attributes } = tag;
  if (text[at + 1] === "/") return { kind: "close", stop };
  return { kind: text[stop - 2] === "/" ? "empty" : "open", attributes, stop };
}

/** `stop` is 1 or 2 if the end was not found: indexOf returned −1. */
function until(kind: "cdata" | "comment", stop: number): Mark | undefined {
  return stop < 4 ? undefined : { kind, stop };
}

interface Tag {
  readonly attributes: number;
  readonly stop: number;
}

/** The tag up to its final `>`; a quoted one does not count. */
function tagAt(text: string, from: number): Tag | undefined {
  let attributes = 0;
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text[at];
    if (char === ">") return { attributes, stop: at + 1 };
    if (char === '"' || char === "'") {
      attributes += 1;
      at = text.indexOf(char, at + 1);
      if (at < 0) return undefined;
    }
  }
  return undefined;
}

function outsideQuotes(text: string): string {
  return text.replace(/"[^"]*"|'[^']*'/g, "");
}
