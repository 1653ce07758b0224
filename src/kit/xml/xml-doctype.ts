import { characterOf, HTML_ENTITIES } from "./xml-characters.ts";

/** Entities of one document; further ones stay as they are written. */
const ENTITIES_MAX = 1000;
/** Characters of one entity; a longer one stays as it is written. */
const ENTITY_LENGTH_MAX = 1000;

interface Doctype {
  /** The offset after it. */
  readonly end: number;
  /** Its own declarations. */
  readonly declarations: readonly string[];
}

/** The DOCTYPE that begins at `at`, with its declarations. `undefined` if it has not ended. */
export function doctypeAt(text: string, at: number): Doctype | undefined {
  const declarations: string[] = [];
  const special = /["'<[\]>]/g;
  special.lastIndex = at + 1;
  let isInside = false;
  let begin = at;
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    const [char] = found;
    const { index } = found;
    if (char === ">" && !isInside) return { end: index + 1, declarations };
    if (char === ">") declarations.push(text.slice(begin, index + 1));
    if (char === "[" || char === "]") isInside = char === "[";
    if (char === "<") begin = index;
    const close = closeOf(text, index);
    if (close === undefined) continue;
    const stop = text.indexOf(close, index + 1);
    if (stop < 0) return undefined;
    special.lastIndex = stop + close.length;
  }
  return undefined;
}

/** The end mark of a construct whose content is skipped. */
function closeOf(text: string, at: number): string | undefined {
  const char = text[at];
  if (char === '"' || char === "'") return char;
  if (text.startsWith("<!--", at)) return "-->";
  return text.startsWith("<?", at) ? "?>" : undefined;
}

const ENTITY = /^<!ENTITY\s+([A-Za-z_][\w.-]{0,63})\s+(?:"([^"]*)"|'([^']*)')\s*>$/;
const REFERENCE = /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|([A-Za-z_][\w.-]{0,63}));/g;
const OF_XML: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * The entities that are declared by their text, as plain characters. Files and addresses are never read. An entity can contain
 * earlier ones only, so none contains itself.
 */
export function declaredEntities(declarations: readonly string[]): ReadonlyMap<string, string> {
  const entities = new Map<string, string>();
  for (const declaration of declarations) {
    const [, name, double, single = ""] = ENTITY.exec(declaration) ?? [];
    const written = double ?? single;
    if (name === undefined || entities.has(name) || written.length > ENTITY_LENGTH_MAX) continue;
    const value = written.replace(REFERENCE, (reference, decimal, hexadecimal, inner) => {
      if (inner === undefined) return characterOf(decimal, hexadecimal) ?? " ";
      const code = HTML_ENTITIES.get(inner);
      return (
        OF_XML[inner] ?? entities.get(inner) ?? (code === undefined ? reference : String.fromCodePoint(code))
      );
    });
    if (value.length <= ENTITY_LENGTH_MAX && entities.size < ENTITIES_MAX) entities.set(name, value);
  }
  return entities;
}
