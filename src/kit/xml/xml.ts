import { XMLParser, XMLValidator } from "fast-xml-parser";
import { scanXml, type XmlFailure, type XmlLimits } from "./xml-scan.ts";

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The element's own text including CDATA, untrimmed, without its children's. */
  readonly text: string;
}

/** An element that holds elements. */
export function parentElement(
  name: string,
  attributes: XmlElement["attributes"],
  children: readonly XmlElement[],
): XmlElement {
  return { name, attributes, children, text: "" };
}

/** An element that holds a text. */
export function textElement(
  name: string,
  text: string,
  attributes: XmlElement["attributes"] = {},
): XmlElement {
  return { name, attributes, children: [], text };
}

export type XmlOutcome = { readonly kind: "document"; readonly root: XmlElement } | XmlFailure;

const TEXT = "#text";
const CDATA = "#cdata";
const ATTRIBUTES = ":@";

/**
 * Reads a document and never fetches or expands its DTD: only the five predefined entities and character references are
 * replaced; other references stay as they are. A DOCTYPE with declarations is refused. Namespaces and their prefixes are
 * ignored.
 */
export function parseXml(text: string, limits: XmlLimits): XmlOutcome {
  const scanned = scanXml(text, limits);
  if (scanned.kind !== "sound") return scanned;
  const valid = XMLValidator.validate(scanned.text);
  if (valid !== true) {
    // The validator's message may quote the document, which may hold secrets: the position suffices.
    const { line, col } = valid.err;
    return { kind: "invalid", reason: `it is not well-formed at line ${line}, column ${col}` };
  }
  return build(scanned.text, limits);
}

function build(text: string, limits: XmlLimits): XmlOutcome {
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: "",
    textNodeName: TEXT,
    cdataPropName: CDATA,
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    processEntities: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    removeNSPrefix: true,
    maxNestedTags: limits.depth,
  });
  let nodes: readonly Node[];
  try {
    nodes = parser.parse(text);
  } catch {
    return { kind: "invalid", reason: "it contains a name that no document of this kind has" };
  }
  const roots = nodes.map(elementOf).filter((element) => element !== undefined);
  const [root] = roots;
  if (root === undefined || roots.length > 1) {
    return { kind: "invalid", reason: "it does not have exactly one root element" };
  }
  return { kind: "document", root };
}

/** The parser's node: one key with the name, and perhaps attributes. */
type Node = Readonly<Record<string, unknown>>;

function elementOf(node: Node): XmlElement | undefined {
  const name = Object.keys(node).find((key) => key !== ATTRIBUTES);
  if (name === undefined || name === TEXT || name === CDATA) return undefined;
  const children: XmlElement[] = [];
  let text = "";
  for (const inner of node[name] as readonly Node[]) {
    const child = elementOf(inner);
    if (child === undefined) text += textOf(inner);
    else children.push(child);
  }
  return { name, attributes: attributesOf(node), children, text };
}

/** Returns the parser's object unless something must be expanded: lists have tens of thousands of elements. */
function attributesOf(node: Node): XmlElement["attributes"] {
  const given = (node[ATTRIBUTES] ?? {}) as XmlElement["attributes"];
  const entries = Object.entries(given);
  if (!entries.some(([, value]) => value.includes("&"))) return given;
  return Object.fromEntries(entries.map(([key, value]) => [key, expanded(value)]));
}

function textOf(node: Node): string {
  const text = node[TEXT];
  if (typeof text === "string") return expanded(text);
  const cdata = node[CDATA];
  return Array.isArray(cdata) ? cdata.map((part: Node) => String(part[TEXT] ?? "")).join("") : "";
}

const PREDEFINED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function expanded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return PREDEFINED[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      const allowed = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && code > 0;
      return allowed ? String.fromCodePoint(code) : whole;
    },
  );
}

/**
 * Writes a document with its declaration. Characters that XML 1.0 cannot carry in any form (control characters besides tab and
 * line ends, lone surrogates, U+FFFE and U+FFFF) become U+FFFD. Tabs, line ends and spaces that a reader could lose become
 * character references.
 *
 * @see XML 1.0 §2.2 (Char), §2.11 (line ends), §3.3.3 (attribute values)
 */
export function formatXml(root: XmlRoot, encoding: string): string {
  return [...xmlChunks(root, encoding)].join("");
}

/** An element with lazily made children. */
export type XmlRoot = Omit<XmlElement, "children"> & { readonly children: Iterable<XmlElement> };

/** Long enough to be few, short enough not to block the loop. */
const CHUNK_LENGTH = 64 * 1024;

/** The output of `formatXml` in lazily made chunks, for long lists that would block the loop. */
export function* xmlChunks(root: XmlRoot, encoding: string): Generator<string, void, undefined> {
  let chunk = `<?xml version="1.0" encoding="${encoding}"?>\n`;
  let hasChildren = false;
  for (const child of root.children) {
    if (!hasChildren) chunk += `${startOf(root)}>\n`;
    hasChildren = true;
    chunk += `${lines(child, "  ").join("\n")}\n`;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = "";
  }
  yield `${chunk}${hasChildren ? `</${root.name}>` : childless(root)}\n`;
}

function startOf({ name, attributes }: Pick<XmlElement, "name" | "attributes">): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapedAttribute(value)}"`);
  return `<${name}${given.join("")}`;
}

function childless(element: Omit<XmlElement, "children">): string {
  const { name, text } = element;
  return text === "" ? `${startOf(element)}/>` : `${startOf(element)}>${escapedText(text)}</${name}>`;
}

function lines(element: XmlElement, indent: string): readonly string[] {
  const { name, children } = element;
  if (children.length === 0) return [`${indent}${childless(element)}`];
  const inner = children.flatMap((child) => lines(child, `${indent}  `));
  return [`${indent}${startOf(element)}>`, ...inner, `${indent}</${name}>`];
}

const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for them
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function escaped(text: string): string {
  return text.replace(FORBIDDEN, "\ufffd").replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}

const reference = (char: string) => `&#${char.codePointAt(0)};`;

function escapedAttribute(text: string): string {
  return escaped(text).replace(/[\t\n\r]/g, reference);
}

function escapedText(text: string): string {
  return escaped(text).replace(/\r|^[ \t\n]|[ \t\n]$/g, reference);
}
