import { HOST_LIMITS } from "./limits.ts";

export interface Head {
  readonly status: number;
  /** Values by lower-case name, in order. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
}

/** The bytes so far: an incomplete head, the head of the answer, or neither. */
export type HeadFound =
  | { readonly kind: "more" }
  /** The body begins at `bytes[bodyAt]`. */
  | { readonly kind: "head"; readonly head: Head; readonly bodyAt: number }
  | { readonly kind: "foreign" }
  /** @param what the end of a sentence that begins with the server's name */
  | { readonly kind: "excessive"; readonly what: string };

/**
 * Reads the head of one answer, and skips interim responses before it (RFC 9110 §15.2). All heads together may have
 * `HOST_LIMITS.headBytes`, which bounds the cost.
 */
export class HeadReader {
  #text = "";
  /** Start of the current head. */
  #from = 0;
  #preliminary = 0;

  get isEmpty(): boolean {
    return this.#text === "";
  }

  take(bytes: Buffer, from: number, to: number): HeadFound {
    const before = this.#text.length;
    const room = HOST_LIMITS.headBytes - before;
    this.#text += bytes.toString("latin1", from, Math.min(to, from + room));
    const end = /\r?\n\r?\n/g;
    // The end may have begun in the previous portion.
    end.lastIndex = Math.max(this.#from, before - 3);
    for (let found = end.exec(this.#text); found !== null; found = end.exec(this.#text)) {
      const head = headOf(this.#text.slice(this.#from, found.index));
      if (head === undefined) return { kind: "foreign" };
      if (head === "excessive") return excessive(`sent more than ${HOST_LIMITS.headFields} header fields`);
      this.#from = end.lastIndex;
      if (head.status >= 200) return { kind: "head", head, bodyAt: from + this.#from - before };
      this.#preliminary += 1;
      if (this.#preliminary > HOST_LIMITS.preliminary) {
        return excessive(`sent more than ${HOST_LIMITS.preliminary} preliminary answers`);
      }
    }
    return this.#text.length < HOST_LIMITS.headBytes
      ? { kind: "more" }
      : excessive(`sent ${HOST_LIMITS.headBytes} bytes without the end of a header`);
  }
}

function excessive(what: string): HeadFound {
  return { kind: "excessive", what };
}

/** Internet radio servers send `ICY` instead of `HTTP/1.0`. */
function headOf(text: string): Head | "excessive" | undefined {
  const [first = "", ...lines] = text.split(/\r?\n/, HOST_LIMITS.headFields + 2);
  const status = /^(?:HTTP\/\d(?:\.\d)?|ICY) ([1-9]\d{2})(?: |$)/i.exec(first)?.[1];
  if (status === undefined) return undefined;
  if (lines.length > HOST_LIMITS.headFields) return "excessive";
  const fields = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const known = fields.get(name);
    if (known === undefined) fields.set(name, [value]);
    else known.push(value);
  }
  return { status: Number(status), fields };
}
