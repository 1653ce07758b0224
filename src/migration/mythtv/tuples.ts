import { BadLine } from "../bad-line.ts";

/** A value of a row; `undefined` is NULL. */
export type Value = string | undefined;

const ESCAPES: Readonly<Record<string, string>> = {
  "0": "\0",
  b: "\b",
  n: "\n",
  r: "\r",
  t: "\t",
  Z: "\u001a",
};

/**
 * The rows of an INSERT statement from a place in a line: `(1,'text',NULL),(…);`. mysqldump writes line ends in texts as `\n`, so a
 * row never continues on the next line. Other programs write spaces before values.
 *
 * @throws BadLine
 */
export function* tuplesIn(line: string, from = 0): Generator<readonly Value[], void> {
  const place = new Place(line, from);
  for (;;) {
    place.skip(/[\s,]*/y);
    if (place.isAtEnd() || place.next === ";") return;
    place.expect("(");
    const values: Value[] = [];
    while (place.next !== ")") {
      place.skip(/\s+/y);
      values.push(place.value());
      if (place.next !== ")") place.expect(",");
    }
    place.expect(")");
    yield values;
  }
}

class Place {
  readonly #line: string;
  #at: number;

  constructor(line: string, at: number) {
    this.#line = line;
    this.#at = at;
  }

  get next(): string | undefined {
    return this.#line[this.#at];
  }

  isAtEnd(): boolean {
    return this.#at >= this.#line.length;
  }

  /** @param pattern sticky */
  skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#line)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  expect(character: string): void {
    if (this.next !== character) throw this.#bad(character);
    this.#at += 1;
  }

  value(): Value {
    this.skip(/_[a-z0-9]+ +/y);
    if (this.next === "'") return this.#text();
    const bare = this.skip(/[^,()';\s]+/y);
    if (bare === "") throw this.#bad("a value");
    return bare === "NULL" ? undefined : bare;
  }

  #text(): string {
    this.expect("'");
    let text = "";
    for (;;) {
      text += this.skip(/[^'\\]*/y);
      if (this.next === undefined) throw this.#bad("'");
      if (this.next === "\\") {
        const escaped = this.#line[this.#at + 1] ?? "";
        text += ESCAPES[escaped] ?? escaped;
        this.#at += 2;
        continue;
      }
      this.#at += 1;
      if (this.next !== "'") return text;
      text += "'";
      this.#at += 1;
    }
  }

  #bad(expected: string): BadLine {
    return new BadLine(
      `Expected ${expected} at character ${this.#at + 1}: the rest of this line is not read.`,
    );
  }
}
