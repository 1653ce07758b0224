/** HTML 4: U+00A0 to U+00FF in order, and some common ones. */
const LATIN_1 =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";
const OTHERS =
  "ndash 8211 mdash 8212 lsquo 8216 rsquo 8217 sbquo 8218 ldquo 8220 rdquo 8221 bdquo 8222 bull 8226 hellip 8230 euro 8364 trade 8482 OElig 338 oelig 339 Scaron 352 scaron 353";
/** The code points of HTML's entities. */
export const HTML_ENTITIES: ReadonlyMap<string, number> = new Map([
  ...LATIN_1.split(" ").map((name, at) => [name, 0xa0 + at] as const),
  ...[...OTHERS.matchAll(/(\w+) (\d+)/g)].map(([, name = "", code]) => [name, Number(code)] as const),
]);

/** The character of a numeric reference; `undefined` if XML does not allow it. */
export function characterOf(
  decimal: string | undefined,
  hexadecimal: string | undefined,
): string | undefined {
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal);
  return isAllowed(code) ? String.fromCodePoint(code) : undefined;
}

/** XML 1.0 §2.2. */
function isAllowed(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13;
  return code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}
