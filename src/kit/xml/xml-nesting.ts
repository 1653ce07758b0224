/** A tag to write, and the flaws found there. */
interface PlacedTag {
  readonly text: string;
  readonly flaws: readonly { readonly line: number; readonly reason: string }[];
}

interface Open {
  readonly name: string;
  readonly line: number;
}

const NAME = /^<\/?([^\s/>]+)/;
/** Elements of HTML that have no end tag. */
const WITHOUT_END: ReadonlySet<string> = new Set(["br", "hr", "img", "wbr"]);

/**
 * Drops end tags that close nothing, and repairs marks within a text, such as `<b>` and `<br>` in a description: an unclosed one
 * ends with the text. Elsewhere the parser reports what is unclosed: the missing end may be anywhere.
 */
export class XmlNesting {
  readonly #texts: ReadonlySet<string>;
  readonly #depth: number;
  readonly #open: Open[] = [];
  /** Index in `#open` of the outermost open text; -1: none. */
  #text = -1;

  /**
   * @param texts names of the elements that hold only text, in lower case
   * @param depth deeper elements are ignored: the parser refuses them
   */
  constructor({ texts, depth }: { readonly texts: ReadonlySet<string>; readonly depth: number }) {
    this.#texts = texts;
    this.#depth = depth;
  }

  /** Must be called with every tag, in order. */
  tag(tag: string, line: number): PlacedTag {
    const asItIs = { text: tag, flaws: [] };
    const name = NAME.exec(tag)?.[1];
    if (name === undefined || this.#open.length > this.#depth) return asItIs;
    if (tag.startsWith("</")) return this.#close(tag, { name, line });
    if (tag.endsWith("/>")) return asItIs;
    if (this.#text >= 0 && WITHOUT_END.has(name.toLowerCase())) {
      const reason = `${shown(tag)} is never closed: closed immediately`;
      return { text: `${tag.slice(0, -1)}/>`, flaws: [{ line, reason }] };
    }
    this.#open.push({ name, line });
    if (this.#text < 0 && this.#texts.has(name.toLowerCase())) this.#text = this.#open.length - 1;
    return asItIs;
  }

  #close(tag: string, { name, line }: Open): PlacedTag {
    const at = this.#open.findLastIndex((each) => each.name === name);
    const isInText = this.#text >= 0 && at >= this.#text;
    if (!isInText) {
      // An end tag of an enclosing element: the text itself is unclosed, and its end is unknown.
      if (at >= 0) {
        this.#open.length = at;
        this.#text = -1;
        return { text: tag, flaws: [] };
      }
      const flaws = [{ line, reason: `${shown(tag)} closes nothing: ignored` }];
      return { text: tag.replace(/[^\n]/g, ""), flaws };
    }
    const unclosed = this.#open.splice(at).slice(1);
    if (at === this.#text) this.#text = -1;
    return {
      text:
        unclosed
          .map((each) => `</${each.name}>`)
          .reverse()
          .join("") + tag,
      flaws: unclosed.map((each) => ({
        line: each.line,
        reason: `${shown(`<${each.name}>`)} is never closed: closed at ${shown(tag)}`,
      })),
    };
  }
}

/** Foreign text, cut to fit a message. */
function shown(tag: string): string {
  return tag.length > 60 ? `${tag.slice(0, 60)}…` : tag;
}
