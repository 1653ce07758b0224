/** The picture quality at the end of a name: the same programme is broadcast with and without it. */
const QUALITY = /[\s([\-_.]{1,8}(?:U?HD|FHD|QHD|SD|4K|8K)[\])]?$/i;

/**
 * The form in which channel names are compared: without case, accents, spaces and punctuation. `+` counts (`Film+1` is another
 * channel than `Film`), and `&` is `and`.
 *
 * @returns empty if nothing is left to compare
 */
export function nameKey(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/&/g, " and ")
    .replace(/[^\p{L}\p{N}+]/gu, "")
    .toUpperCase();
}

/** The same without `HD`, `UHD` and the like at the end, unless nothing else is left. */
export function looseNameKey(name: string): string {
  let rest = name.trim();
  for (let shorter = rest.replace(QUALITY, ""); shorter !== rest; shorter = rest.replace(QUALITY, "")) {
    rest = shorter;
  }
  return nameKey(rest) || nameKey(name);
}
