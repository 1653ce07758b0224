/** A part of a tag behind its name: an attribute with a value in quotes or without them, or a stray word. */
const PART = /([^\s=>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]*[^\s"'>/]|\/(?=[^>])))|[^\s>/]+/gy;
const NAME = /^[A-Za-z_:\u00c0-\ufffd][\w:.\u00b7-\ufffd-]*$/;

/** The commonest tag: one attribute, in quotes. */
const SOUND = /^<[^\s=>"'/]+\s+[^\s=>"'/]+\s*=\s*(?:"[^"=]*"|'[^'=]*')\s*\/?>$/;

/**
 * Repairs the attributes of a tag: values without quotes, no space between attributes, an attribute that comes twice (the first
 * one counts), or one without a value. A word behind a value without quotes belongs to it, such as the zone of a time.
 *
 * @param tag a whole tag with at least one `=`
 * @returns `undefined` if nothing is wrong, or if it is no tag
 */
export function repairedAttributes(tag: string): string | undefined {
  if (SOUND.test(tag)) return undefined;
  const [, begin, close = ""] = /^(<[^\s=>"'/]+).*?(\/?>)$/s.exec(tag) ?? [];
  if (begin === undefined) return undefined;
  const values = new Map<string, string>();
  let isFlawed = false;
  let open: string | undefined;
  let at = begin.length;
  const end = tag.length - close.length;
  for (;;) {
    const gap = /[\s/]*/y;
    gap.lastIndex = at;
    const space = gap.exec(tag)?.[0] ?? "";
    at += space.length;
    if (at >= end) break;
    isFlawed ||= space === "";
    PART.lastIndex = at;
    const [part, name, double, single, bare] = PART.exec(tag) ?? [];
    if (part === undefined) return undefined;
    at += part.length;
    const before = open === undefined ? undefined : values.get(open);
    if (name === undefined) {
      isFlawed = true;
      if (open !== undefined && before !== undefined && !NAME.test(part))
        values.set(open, `${before} ${part}`);
      continue;
    }
    open = bare === undefined ? undefined : name;
    isFlawed ||= bare !== undefined || values.has(name);
    if (NAME.test(name) && !values.has(name)) values.set(name, double ?? single ?? bare ?? "");
  }
  if (!isFlawed || values.size === 0) return undefined;
  const attributes = [...values].map(([name, value]) => ` ${name}="${value.replaceAll('"', "&quot;")}"`);
  return `${begin}${attributes.join("")}${close}`;
}
