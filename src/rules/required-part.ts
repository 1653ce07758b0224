/**
 * A part that every match of an expression contains, for the engine of the platform: a sequence of characters, classes
 * and alternatives, without repetition, so that its time is linear in the text as well.
 */
export interface RequiredPart {
  /** Source of a RegExp for folded texts. */
  readonly source: string;
  /** Characters of its shortest match, except any ones. */
  readonly length: number;
  /** Ways through its alternatives: they bound the work at each character. */
  readonly ways: number;
}

/** A part with more ways, or a longer source, would cost more than it saves. */
const WAYS_MAX = 40;
const SOURCE_MAX = 1000;

/** A piece of an expression: `whole` has every match of it, `part` is in every match of it. */
interface Piece {
  readonly whole: RequiredPart | undefined;
  readonly part: RequiredPart | undefined;
  /** Every match of a repeated piece begins with it, and ends with it. */
  readonly edge?: RequiredPart | undefined;
}

/** Any character has one or two units; it rules out no text. */
const ANY: RequiredPart = { source: "[^\\n]{1,2}", length: 0, ways: 2 };
const EMPTY: RequiredPart = { source: "", length: 0, ways: 1 };
const UNKNOWN: Piece = { whole: undefined, part: undefined };

/** A single character rules out too few texts. */
const LENGTH_MIN = 2;

/** @returns `undefined` if there is none, or if the expression has syntax that this reader leaves alone */
export function requiredPart(expression: string): RequiredPart | undefined {
  try {
    const { part } = new Reader(expression).read();
    return part !== undefined && part.length >= LENGTH_MIN ? part : undefined;
  } catch (error) {
    if (error instanceof OddSyntax) return undefined;
    throw error;
  }
}

class OddSyntax extends Error {}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Piece {
    const piece = this.#alternatives();
    if (this.#at < this.#text.length) throw new OddSyntax();
    return piece;
  }

  #alternatives(): Piece {
    const pieces = [this.#sequence()];
    while (this.#take(/\|/y) !== undefined) pieces.push(this.#sequence());
    const [only] = pieces;
    if (pieces.length === 1 && only !== undefined) return only;
    return {
      whole: oneOf(pieces.map(({ whole }) => whole)),
      part: oneOf(pieces.map(({ part }) => part)),
    };
  }

  #sequence(): Piece {
    let whole: RequiredPart | undefined = EMPTY;
    let run: RequiredPart | undefined = EMPTY;
    let part: RequiredPart | undefined;
    for (let piece = this.#repeated(); piece !== undefined; piece = this.#repeated()) {
      const { edge } = piece;
      whole = joined(whole, piece.whole);
      const next: RequiredPart = joined(run, edge ?? piece.whole) ?? edge ?? piece.whole ?? EMPTY;
      part = better(part, better(next, piece.part));
      run = edge ?? next;
    }
    return { whole, part: better(part, whole) };
  }

  /** An atom with its quantifier. */
  #repeated(): Piece | undefined {
    const atom = this.#atom();
    if (atom === undefined) return undefined;
    const count = this.#take(/[*+?]|\{\d+(?:,\d*)?\}/y);
    if (count === undefined) return atom;
    this.#take(/\?/y);
    if (/^[*?]|^\{0/.test(count)) return UNKNOWN;
    const exact = /^\{(\d+)\}$/.exec(count)?.[1];
    if (exact !== undefined && atom.whole?.ways === 1 && atom.isCharacter === true)
      return bothOf(times(atom.whole, Number(exact)));
    return { whole: undefined, part: atom.part, edge: atom.whole };
  }

  #atom(): (Piece & { readonly isCharacter?: true }) | undefined {
    if (this.#take(/\((?!\?)|\(\?:/y) !== undefined) {
      const inner = this.#alternatives();
      if (this.#take(/\)/y) === undefined) throw new OddSyntax();
      return inner;
    }
    if (this.#take(/[\^$]|\\[bB]/y) !== undefined) return bothOf(EMPTY);
    const given = this.#take(/\\[dws]|\\[^\p{L}\p{N}\s]|\[\^?[^\][\\^]+\]|\.|[^\\[\](){}|*+?^$]/uy);
    if (given === undefined) {
      if (/[|)]|$/y.test(this.#text.slice(this.#at, this.#at + 1))) return undefined;
      throw new OddSyntax();
    }
    if (given === ".") return { ...bothOf(ANY), isCharacter: true };
    const source = sourceOf(given);
    return source === undefined ? UNKNOWN : { ...bothOf({ source, length: 1, ways: 1 }), isCharacter: true };
  }

  #take(what: RegExp): string | undefined {
    what.lastIndex = this.#at;
    const [found] = what.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }
}

const CLASSES: Readonly<Record<string, string>> = { "\\d": "[0-9]", "\\w": "[a-z0-9_]", "\\s": " " };

/** The same character or class for a folded text; `undefined` where folding leaves several forms. */
function sourceOf(given: string): string | undefined {
  const known = CLASSES[given];
  if (known !== undefined) return known;
  if (given.startsWith("[")) {
    const isSimple = /^\[(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|[a-zA-Z0-9 ])+\]$/.test(given);
    return isSimple ? given.toLowerCase() : undefined;
  }
  const character = given.startsWith("\\") ? given.slice(1) : given;
  if (!/^(?:[ -~]|\p{Lo})$/u.test(character)) return undefined;
  return character.toLowerCase().replace(/[^a-z0-9 \p{Lo}]/u, "\\$&");
}

function bothOf(whole: RequiredPart): Piece {
  return { whole, part: whole };
}

function times({ source, length, ways }: RequiredPart, count: number): RequiredPart {
  return { source: `${source}{${count}}`, length: length * count, ways };
}

function joined(a: RequiredPart | undefined, b: RequiredPart | undefined): RequiredPart | undefined {
  if (a === undefined || b === undefined) return undefined;
  return bounded({ source: a.source + b.source, length: a.length + b.length, ways: a.ways * b.ways });
}

function oneOf(parts: readonly (RequiredPart | undefined)[]): RequiredPart | undefined {
  const given = parts.filter((part) => part !== undefined);
  if (given.length < parts.length) return undefined;
  return bounded({
    source: `(?:${given.map(({ source }) => source).join("|")})`,
    length: Math.min(...given.map(({ length }) => length)),
    ways: given.reduce((sum, { ways }) => sum + ways, 0),
  });
}

function bounded(part: RequiredPart): RequiredPart | undefined {
  return part.ways > WAYS_MAX || part.source.length > SOURCE_MAX ? undefined : part;
}

/** The one that fewer texts have: the longer one. */
function better(a: RequiredPart | undefined, b: RequiredPart | undefined): RequiredPart | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b.length > a.length || (b.length === a.length && b.ways < a.ways) ? b : a;
}
