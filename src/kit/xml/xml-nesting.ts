/** A tag as it is to be written, and what was wrong with the nesting there. */
interface Placed {
  readonly by: string;
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
 * Puts marks right that stand within a text, such as `<b>` and `<br>` in a description: one that is never closed ends with the text, an
 * end tag that closes nothing is left out. Elsewhere the parser says what is wrong: there an end that is missing may be anywhere.
 */
export class XmlNesting {
  readonly #texts: ReadonlySet<string>;
  readonly #depth: number;
  readonly #open: Open[] = [];
  /** Index in `#open` of the outermost text that is open; -1: none. */
  #text = -1;

  /**
   * @param texts names of the elements that hold nothing but text
   * @param depth elements nested deeper are not followed: the parser refuses them
   */
  constructor({ texts, depth }: { readonly texts: ReadonlySet<string>; readonly depth: number }) {
    this.#texts = texts;
    this.#depth = depth;
  }

  /** Called with every tag, in order. */
  tag(tag: string, line: number): Placed {
    const asItIs = { by: tag, flaws: [] };
    const name = NAME.exec(tag)?.[1];
    if (name === undefined || this.#open.length > this.#depth) return asItIs;
    if (tag.startsWith("</")) return this.#close(tag, { name, line });
    if (tag.endsWith("/>")) return asItIs;
    if (this.#text >= 0 && WITHOUT_END.has(name.toLowerCase())) {
      const reason = `${shown(tag)} is never closed: it is closed at once`;
      return { by: `${tag.slice(0, -1)}/>`, flaws: [{ line, reason }] };
    }
    this.#open.push({ name, line });
    if (this.#text < 0 && this.#texts.has(name)) this.#text = this.#open.length - 1;
    return asItIs;
  }

  #close(tag: string, { name, line }: Open): Placed {
    const at = this.#open.findLastIndex((each) => each.name === name);
    const isInText = this.#text >= 0 && at >= this.#text;
    if (!isInText) {
      // An end of what the text is in: the text itself is never closed, and where it ends is not known.
      if (this.#text < 0 || at >= 0) {
        this.#open.length = Math.max(0, at);
        this.#text = -1;
        return { by: tag, flaws: [] };
      }
      const flaws = [{ line, reason: `${shown(tag)} closes nothing: it is left out` }];
      return { by: tag.replace(/[^\n]/g, ""), flaws };
    }
    const unclosed = this.#open.splice(at).slice(1);
    if (at === this.#text) this.#text = -1;
    return {
      by:
        unclosed
          .map((each) => `</${each.name}>`)
          .reverse()
          .join("") + tag,
      flaws: unclosed.map((each) => ({
        line: each.line,
        reason: `${shown(`<${each.name}>`)} is never closed: it ends where ${shown(tag)} is`,
      })),
    };
  }
}

/** Of what a stranger wrote, so much as a message can bear. */
function shown(tag: string): string {
  return tag.length > 60 ? `${tag.slice(0, 60)}…` : tag;
}
