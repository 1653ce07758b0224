import { LIMITS } from "../model/limits.ts";

/*
 * Texts of the content site for people. They come from whoever writes there, as HTML, and must do nothing to a terminal.
 */

/** Control characters (C0, C1, DEL), line separators, and what reorders or hides the text around it. */
const UNSHOWN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u200b\u2060-\u2064\ufeff\ufff9-\ufffb]/gu;

/** One line of what is harmless to show, cut at `siteTextLength`. */
export function oneLine(text: string): string {
  const lengthMax = LIMITS.siteTextLength;
  const begun = text.slice(0, 8 * lengthMax).replace(UNSHOWN, " ");
  const chars = [...begun.replace(/\s+/g, " ").trim()];
  return chars.length <= lengthMax ? chars.join("") : `${chars.slice(0, lengthMax - 1).join("")}…`;
}

/** The text of a piece of HTML, as one line. */
export function lineOfHtml(html: string): string {
  return oneLine(textOfHtml(html.slice(0, 8 * LIMITS.siteTextLength)));
}

/** The text of a piece of HTML, which may still hold anything. */
export function textOfHtml(html: string): string {
  return html.replace(/<\/?[a-z!][^<>]*>/gi, "").replace(ENTITY, character);
}

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi;

/** Those that editors of such sites write; any other stays as it is. */
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
};

function character(entity: string, decimal?: string, hexadecimal?: string, name = ""): string {
  if (name !== "") return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? entity) : entity;
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "\ufffd";
}
