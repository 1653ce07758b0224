import { isZone } from "../../model/zone.ts";

/**
 * Abbreviations in the times of listings. The document type itself has one in its example (`200007281733 BST`, which it says is
 * +0100), and grabbers write those of their country. Shared ones have the meaning that grabbers give them, and those without one
 * (IST: Ireland, Israel, India) are not here.
 */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "+0000": "UTC UT GMT Z WET",
    "+0100": "BST WEST CET MEZ",
    "+0200": "CEST MESZ EET SAST",
    "+0300": "EEST MSK",
    "+0800": "AWST HKT SGT",
    "+0900": "JST KST",
    "+0930": "ACST",
    "+1000": "AEST",
    "+1030": "ACDT",
    "+1100": "AEDT",
    "+1200": "NZST",
    "+1300": "NZDT",
    "-0230": "NDT",
    "-0300": "ADT BRT ART",
    "-0330": "NST",
    "-0400": "AST EDT",
    "-0500": "EST CDT",
    "-0600": "CST MDT",
    "-0700": "MST PDT",
    "-0800": "PST AKDT",
    "-0900": "AKST",
    "-1000": "HST",
  }).flatMap(([offset, names]) => names.split(" ").map((name) => [name, offset] as const)),
);

/** Longest name of a zone; others are not looked up. */
const NAME_LENGTH_MAX = 40;

/** A zone as written behind a time: an offset, or the name of a zone whose offset depends on the date. */
export type WrittenZone = { readonly offset: string; readonly isName: boolean } | { readonly name: string };

/** `+0100` and the like, also as `GMT+1`, and as programs write a negative one behind a fixed `+`. */
const OFFSET = /^(?:GMT|UTC?|\+)?([+\u2212-])(\d\d?)(?::?(\d\d))?$/i;

/** `Europe/London`, `EST5EDT` and `Singapore`. Shorter words are abbreviations that several countries use. */
const ZONE_NAME = /^(?:[A-Z][A-Za-z_]+\/[\w+/-]+|[A-Z]{3}\d[A-Z]{3}|[A-Z][a-z]{3,})$/;

/** Reads `+0100`, `+01:00`, `+1`, `GMT+1`, `BST` and `Europe/London`. @returns `undefined` for anything else */
export function readZone(text: string): WrittenZone | undefined {
  const [, sign, hours = "", minutes = "00"] = OFFSET.exec(text) ?? [];
  if (sign !== undefined) {
    // No clock is further from UTC.
    if (Number(hours) > 14 || Number(minutes) > 59) return undefined;
    return { offset: `${sign === "+" ? "+" : "-"}${hours.padStart(2, "0")}${minutes}`, isName: false };
  }
  const offset = ABBREVIATIONS.get(text.toUpperCase());
  if (offset !== undefined) return { offset, isName: offset !== "+0000" };
  const mayBeName = text.length <= NAME_LENGTH_MAX && ZONE_NAME.test(text);
  return mayBeName && isZone(text) ? { name: text } : undefined;
}
