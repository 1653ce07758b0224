/** A tag to write, and the flaws found there. */
interface PlacedTag {
  readonly text: string;
  readonly flaws: readonly { readonly line: number; readonly reason: string }[];
}

interface Open {
  readonly name: string;
  readonly line: number;
}

/** Elements of a document type whose missing ends can be told, by their names in lower case. */
export interface NestingRules {
  /** They hold only text: marks within it that are unclosed end with it. */
  readonly texts: ReadonlySet<string>;
  /** They hold nothing, so they end at the next tag. */
  readonly empty?: ReadonlySet<string>;
  /** They hold one record, and never another: all that is open in one ends with it, at the latest where the next begins. */
  readonly entries?: ReadonlySet<string>;
}

const NAME = /^<\/?([^\s/>]+)/;
/** Elements of HTML that have no end tag. */
const WITHOUT_END: ReadonlySet<string> = new Set(["br", "hr", "img", "wbr"]);
const NONE: ReadonlySet<string> = new Set();

/**
 * Drops end tags that close nothing, and adds missing ones: of marks within a text, such as `<b>` and `<br>` in a description, and
 * of elements within an entry. Elsewhere the parser reports what is unclosed: the missing end may be anywhere.
 */
export class XmlNesting {
  readonly #texts: ReadonlySet<string>;
  readonly #empty: ReadonlySet<string>;
  readonly #entries: ReadonlySet<string>;
  readonly #depth: number;
  readonly #open: Open[] = [];
  /** Index in `#open` of the outermost open text; -1: none. */
  #text = -1;
  /** Index in `#open` of the open entry; -1: none. */
  #entry = -1;

  /** @param rules with `depth`: deeper elements are ignored, for the parser refuses them */
  constructor(rules: NestingRules & { readonly depth: number }) {
    this.#texts = rules.texts;
    this.#empty = rules.empty ?? NONE;
    this.#entries = rules.entries ?? NONE;
    this.#depth = rules.depth;
  }

  /** Must be called with every tag, in order. */
  tag(tag: string, line: number): PlacedTag {
    const asItIs = { text: tag, flaws: [] };
    const name = NAME.exec(tag)?.[1];
    if (name === undefined || this.#open.length > this.#depth) return asItIs;
    if (tag.startsWith("</")) return this.#close(tag, { name, line });
    const kind = name.toLowerCase();
    const from = this.#endsBefore(kind);
    const { text, flaws } = from === this.#open.length ? asItIs : this.#closed(from, tag);
    if (tag.endsWith("/>")) return { text, flaws };
    if (this.#text >= 0 && WITHOUT_END.has(kind)) {
      const reason = `${shown(tag)} is never closed: closed immediately`;
      return { text: `${text.slice(0, -1)}/>`, flaws: [...flaws, { line, reason }] };
    }
    this.#open.push({ name, line });
    const last = this.#open.length - 1;
    if (this.#text < 0 && this.#texts.has(kind)) this.#text = last;
    if (this.#entry < 0 && this.#entries.has(kind)) this.#entry = last;
    return { text, flaws };
  }

  /** Index in `#open` of the first element that ends where one of this kind begins. */
  #endsBefore(kind: string): number {
    if (this.#entry < 0) return this.#open.length;
    if (this.#entries.has(kind)) return this.#entry;
    const text = this.#open[this.#text]?.name.toLowerCase();
    if (text !== undefined && text !== kind && this.#texts.has(kind)) return this.#text;
    const isEmpty = this.#empty.has(this.#open.at(-1)?.name.toLowerCase() ?? "");
    return this.#open.length - (isEmpty ? 1 : 0);
  }

  #close(tag: string, { name, line }: Open): PlacedTag {
    const at = this.#open.findLastIndex((each) => each.name === name);
    if (at < 0) {
      const flaws = [{ line, reason: `${shown(tag)} closes nothing: ignored` }];
      return { text: tag.replace(/[^\n]/g, ""), flaws };
    }
    const isInText = this.#text >= 0 && at >= this.#text;
    // With an end tag of an enclosing element, the ends of what is open in it are known only within an entry.
    const placed = isInText || this.#entry >= 0 ? this.#closed(at + 1, tag) : { text: tag, flaws: [] };
    this.#shorten(at);
    return placed;
  }

  /** Ends all elements from this index on before the tag. */
  #closed(from: number, tag: string): PlacedTag {
    const unclosed = this.#open.slice(from);
    this.#shorten(from);
    const ends = unclosed.map(({ name }) => `</${name}>`).reverse();
    const flaws = unclosed.map(({ name, line }) => ({
      line,
      reason: `${shown(`<${name}>`)} is never closed: closed at ${shown(tag)}`,
    }));
    return { text: ends.join("") + tag, flaws };
  }

  #shorten(length: number): void {
    this.#open.length = length;
    if (this.#text >= length) this.#text = -1;
    if (this.#entry >= length) this.#entry = -1;
  }
}

/** Foreign text, cut to fit a message. */
function shown(tag: string): string {
  return tag.length > 60 ? `${tag.slice(0, 60)}…` : tag;
}
