import { DtdCheck } from "../../../src/guide-server/xmltv/dtd.ts";
import { parseXml, type XmlElement } from "../../../src/kit/xml/xml.ts";

/*
 * The rules of xmltv.dtd: its element and attribute declarations, which the guide server has as a table, and what its
 * comments say of values.
 */

const LIMITS = { depth: 8, elements: 10_000, attributes: 10_000, tagAttributes: 20, tokenLength: 10_000 };

/** "…, and at least the year must be given"; a time has its offset from UTC. */
const DATE = /^\d{4}(\d{2}(\d{2})?)?$/;
const TIME = /^\d{14} [+-]\d{4}$/;
/** Three numbers, each from 0 and perhaps with a total, of which any may be missing. */
const XMLTV_NS = /^\s*(\d+(\/\d+)?)?\s*\.\s*(\d+(\/\d+)?)?\s*\.\s*(\d+(\/\d+)?)?\s*$/;

export function mistakesInXmltv(text: string): readonly string[] {
  const outcome = parseXml(text, LIMITS);
  if (outcome.kind !== "document") return [`not XML: ${JSON.stringify(outcome)}`];
  const mistakes: string[] = [];
  const check = new DtdCheck((_line, reason) => mistakes.push(reason));
  walk(outcome.root, check);
  const channels = new Set(outcome.root.children.map(({ attributes: { id } }) => id));
  for (const { name, attributes, children } of outcome.root.children) {
    if (name !== "programme") continue;
    const { start = "", stop = "", channel } = attributes;
    if (!TIME.test(start) || !TIME.test(stop)) mistakes.push(`times: ${start} ${stop}`);
    if (!channels.has(channel)) mistakes.push(`no channel ${channel}`);
    for (const child of children) mistakes.push(...mistakesInValue(child));
  }
  return mistakes;
}

function mistakesInValue({ name, attributes: { system }, text }: XmlElement): readonly string[] {
  if (name === "date" && !DATE.test(text)) return [`date: ${text}`];
  if (system === "xmltv_ns" && !XMLTV_NS.test(text)) return [`xmltv_ns: ${text}`];
  // The only form that pvr.iptvsimple reads.
  if (system === "onscreen" && !/^S\d+E\d+$/.test(text)) return [`onscreen: ${text}`];
  return [];
}

function walk({ name, attributes, children, text }: XmlElement, check: DtdCheck): void {
  check.open(name, attributes, 0);
  check.text(text, 0);
  for (const child of children) walk(child, check);
  check.close();
}
