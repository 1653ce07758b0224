import { SITE_LIMITS } from "./limits.ts";

/*
 * Converts texts of the content site for display. Anyone with write access there is their author, in HTML, so they
 * must not control a terminal.
 */

/** Control characters (C0, C1, DEL), line separators, and characters that reorder or hide text. */
const UNSHOWN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u200b\u2060-\u2064\ufeff\ufff9-\ufffb]/gu;

/** One line without harmful characters, cut at `siteTextLength`. */
export function oneLine(text: string): string {
  const lengthMax = SITE_LIMITS.textLength;
  const begun = text.slice(0, 8 * lengthMax).replace(UNSHOWN, " ");
  const chars = [...begun.replace(/\s+/g, " ").trim()];
  return chars.length <= lengthMax ? chars.join("") : `${chars.slice(0, lengthMax - 1).join("")}…`;
}

/** The text of an HTML fragment, as one line. */
export function lineOfHtml(html: string): string {
  return oneLine(textOfHtml(html.slice(0, 8 * SITE_LIMITS.textLength)));
}

/** The text of an HTML fragment; it may still contain harmful characters. */
export function textOfHtml(html: string): string {
  return html.replace(/<\/?[a-z!][^<>]*>/gi, "").replace(ENTITY, character);
}

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi;

/** The entities that such sites' editors write; others stay unchanged. */
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
