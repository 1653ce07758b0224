import {
  parentElement,
  parseXml,
  textElement,
  type XmlElement,
  type XmlRoot,
  xmlChunks,
} from "../kit/xml/xml.ts";
import { type DocumentKind, LAYOUTS, type Layout } from "./documents.ts";
import { GUIDE_WIRE_LIMITS } from "./limits.ts";
import type { RawOutcome, RawRecord } from "./raw.ts";

/**
 * The XML text of a canonical value, in chunks. The root has the collection's name, records are its children with
 * fields as attributes; dvb, category, known_name and the parts of series_info are elements of their own. A timer's
 * fields outside the specification are written if an attribute can hold them: texts, numbers (read back as text) and
 * booleans.
 */
export function xmlDocumentPieces(kind: DocumentKind, value: RawRecord, encoding: string): Iterable<string> {
  return xmlChunks(rootOf(kind, value), encoding);
}

function rootOf(kind: DocumentKind, value: RawRecord): XmlRoot {
  const { root, lists, oneOf, groups = [] } = LAYOUTS[kind];
  if (kind === "error") {
    const { message, ...fields } = value["error"] as RawRecord;
    return { ...recordElement(root, fields), text: String(message) };
  }
  if (oneOf !== undefined) return parentElement(root, {}, [recordElement(lists[oneOf] ?? oneOf, value)]);
  const given = groups.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]] as const]));
  return {
    name: root,
    attributes: attributesOf(value),
    children: recordElements(given, lists, value),
    text: "",
  };
}

function* recordElements(
  groups: Iterable<readonly [name: string, record: unknown]>,
  lists: Layout["lists"],
  value: RawRecord,
): Generator<XmlElement> {
  for (const [name, record] of groups) yield recordElement(name, record);
  for (const [list, name] of Object.entries(lists)) {
    for (const record of value[list] as readonly unknown[]) yield recordElement(name, record);
  }
}

function recordElement(name: string, value: unknown): XmlElement {
  const record = value as RawRecord;
  const { asChildren = {}, decimals = {} } = ELEMENTS[name] ?? {};
  const fields = Object.entries(record)
    .filter(([key]) => asChildren[key] === undefined)
    .map(([key, value]) => [key, typeof value === "number" ? withDecimals(value, decimals[key]) : value]);
  const children = Object.entries(asChildren).flatMap(([key, write]) =>
    record[key] === undefined ? [] : write(record[key]),
  );
  return parentElement(name, attributesOf(Object.fromEntries(fields)), children);
}

/** ASCII for every encoding; no namespaces; no name that the parser refuses as an attack. */
const NAME = /^[A-Za-z_][\w.-]*$/;
const REFUSED_NAMES = new Set(
  Object.getOwnPropertyNames(Object.prototype)
    .concat("prototype")
    .map((name) => name.toLowerCase()),
);

function attributesOf(fields: RawRecord): Readonly<Record<string, string>> {
  const held = Object.entries(fields).filter(
    ([key, value]) =>
      NAME.test(key) &&
      !REFUSED_NAMES.has(key.toLowerCase()) &&
      (typeof value === "string" || typeof value === "number" || typeof value === "boolean"),
  );
  return Object.fromEntries(held.map(([key, value]) => [key, String(value)]));
}

function withDecimals(value: number, digits: number | undefined): number | string {
  if (digits === undefined) return value;
  const fixed = value.toFixed(digits);
  return Number(fixed) === value ? fixed : value;
}

type Write = (value: unknown) => readonly XmlElement[];

const each =
  (name: string, write: (name: string, entry: unknown) => XmlElement): Write =>
  (value) =>
    (value as readonly unknown[]).map((entry) => write(name, entry));

const text =
  (name: string): Write =>
  (value) => {
    if (typeof value !== "object") return [textElement(name, String(value))];
    const { value: inner, ...attributes } = value as RawRecord;
    return [textElement(name, String(inner), attributesOf(attributes))];
  };

/** `<rating><value>PG</value></rating>` */
const valued =
  (name: string): Write =>
  (value) => [parentElement(name, {}, [textElement("value", String(value))])];

const categories = each("category", (name, entry) => {
  const { name: label, ...attributes } = entry as RawRecord;
  return textElement(name, String(label), attributesOf(attributes));
});

function credits(value: unknown): readonly XmlElement[] {
  const { director = [], actors = [] } = value as Readonly<Record<string, readonly string[]>>;
  const people = [
    ...director.map((name) => textElement("director", String(name))),
    ...actors.map((name) => textElement("actor", String(name))),
  ];
  return [parentElement("credits", {}, people)];
}

function video(value: unknown): readonly XmlElement[] {
  return [parentElement("video", {}, [textElement("aspect", String((value as RawRecord)["aspect"]))])];
}

interface ElementForm {
  /** Fields written as child elements instead of attributes, in this order. */
  readonly asChildren?: Readonly<Record<string, Write>>;
  /** Fields with a minimum number of decimal places. */
  readonly decimals?: Readonly<Record<string, number>>;
}

const ELEMENTS: Readonly<Record<string, ElementForm>> = {
  popular: { decimals: { popularity_ratio: 2 } },
  channel: {
    asChildren: {
      dvb: each("dvb", recordElement),
      known_names: each("known_name", (name, value) => textElement(name, String(value))),
    },
  },
  show: { asChildren: { category: categories } },
  series_info: {
    asChildren: {
      title: text("title"),
      subtitle: text("subtitle"),
      desc: text("desc"),
      credits,
      date: text("date"),
      category: categories,
      language: text("language"),
      country: text("country"),
      video,
      rating: valued("rating"),
      "star-rating": valued("star-rating"),
      subtitles: each("subtitles", (name, kind) => parentElement(name, { type: String(kind) }, [])),
    },
  },
};

export function parseXmlDocument(kind: DocumentKind, text: string): RawOutcome {
  const outcome = parseXml(text, {
    depth: GUIDE_WIRE_LIMITS.depth,
    elements: GUIDE_WIRE_LIMITS.xmlElements,
    attributes: GUIDE_WIRE_LIMITS.xmlAttributes,
    tagAttributes: GUIDE_WIRE_LIMITS.xmlTagAttributes,
    tokenLength: GUIDE_WIRE_LIMITS.xmlPieceLength,
  });
  if (outcome.kind !== "document") return outcome;
  const { root } = outcome;
  const layout = LAYOUTS[kind];
  if (!rootsOf(layout).includes(root.name)) {
    // The name is untrusted: it is quoted only if it is a plain word.
    const found = NAME.test(root.name) && root.name.length <= 40 ? root.name : "something else";
    return { kind: "invalid", reason: `its root element is ${found} instead of ${layout.root}` };
  }
  return rawOf(kind, root, layout);
}

/** The name of the main list stands in for the root, and so does the element of a document that may be one record. */
function rootsOf({ root, alsoRoot, lists, primary, oneOf, atLeastOne }: Layout): readonly string[] {
  const list = oneOf ?? primary ?? "";
  const element = lists[list];
  const isSingle = oneOf !== undefined || atLeastOne === true;
  return [root, alsoRoot, list === element ? undefined : list, isSingle ? element : undefined].filter(
    (name) => name !== undefined,
  );
}

/** The records of a list, directly in the root or within an element with the name of the list. */
function elementsOf(root: XmlElement, list: string, name: string): readonly XmlElement[] {
  if (root.name === name) return [root];
  const wrapped = list === name ? [] : root.children.filter((child) => child.name === list);
  return [root, ...wrapped].flatMap(({ children }) => children.filter((child) => child.name === name));
}

function rawOf(kind: DocumentKind, root: XmlElement, { lists, oneOf, groups }: Layout): RawOutcome {
  if (kind === "error") {
    return { kind: "raw", raw: { error: { ...root.attributes, message: root.text } } };
  }
  if (groups !== undefined) return { kind: "raw", raw: fieldsOf(root) };
  if (oneOf !== undefined) {
    const [only, ...more] = elementsOf(root, oneOf, lists[oneOf] ?? oneOf);
    if (only === undefined || more.length > 0) {
      return {
        kind: "invalid",
        reason: `it does not hold exactly one element ${lists[oneOf]}`,
        field: oneOf,
      };
    }
    return { kind: "raw", raw: recordOf(only) };
  }
  const records = Object.entries(lists).map(
    ([list, name]) => [list, elementsOf(root, list, name).map(recordOf)] as const,
  );
  return { kind: "raw", raw: { ...root.attributes, ...Object.fromEntries(records) } };
}

/** A record without elements may have its main field as its text. */
function recordOf(element: XmlElement): RawRecord {
  const text = element.children.length === 0 ? element.text.trim() : "";
  return text === "" ? fieldsOf(element) : { ...fieldsOf(element), value: text };
}

/** Reads attributes and child elements alike as fields; a repeated element is a list. */
function fieldsOf({ attributes, children }: XmlElement): RawRecord {
  const fields: Record<string, unknown> = { ...attributes };
  const several = new Set<string>();
  for (const child of children) {
    const value = contentOf(child);
    const before = Object.hasOwn(fields, child.name) ? fields[child.name] : undefined;
    if (before === undefined) fields[child.name] = value;
    else if (several.has(child.name)) (before as unknown[]).push(value);
    else {
      fields[child.name] = [before, value];
      several.add(child.name);
    }
  }
  return fields;
}

function contentOf(element: XmlElement): unknown {
  const { attributes, children, text } = element;
  if (children.length > 0) return fieldsOf(element);
  return Object.keys(attributes).length === 0
    ? text
    : { ...attributes, ...(text === "" ? {} : { value: text }) };
}
