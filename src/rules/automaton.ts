/** The parts of the library's automaton that this one uses. The library does not document them, so its version is fixed. */
interface LibraryAutomaton {
  /** Characters that the expression treats alike share a class. The end of the text has a class of its own. */
  readonly numClasses: number;
  runeClass(character: number): number;
  start(input: { readonly context: () => number }, at: number): LibraryState | null;
  /** `null`: it has become too large. */
  step(state: LibraryState, characterClass: number, character: number, anchor: number): LibraryState | null;
}

interface LibraryState {
  readonly isMatch: boolean;
}

/** The text begins here. */
const TEXT_BEGIN = { context: () => -1 };
const END_OF_TEXT = -1;
const UNANCHORED = 0;

/** Results of steps; others are states. */
const UNKNOWN = 0;
const MATCHED = -1;

/** A larger table is abandoned for good: hostile expressions double it with each character. */
const CELLS_MAX = 8192;
const LATIN = 256;
const FIRST_CELLS = 1024;

/**
 * A table of states and characters for an expression, filled as texts need it. Time is linear in the text, and a
 * character costs little more than reading it.
 */
export class Automaton {
  readonly #library: LibraryAutomaton;
  readonly #latin: Uint16Array;
  readonly #width: number;
  /** The state after each state and class. A state is the place of its row; the first row is left out. */
  #table = new Int32Array(FIRST_CELLS);
  readonly #states: LibraryState[] = [];
  readonly #rows = new Map<LibraryState, number>();
  /** `undefined` once the table is abandoned. */
  #first: number | undefined;

  /** @param program of the library */
  constructor(program: { readonly re2Input: unknown }) {
    this.#library = (program.re2Input as { readonly dfa: LibraryAutomaton }).dfa;
    this.#width = this.#library.numClasses + 1;
    this.#latin = Uint16Array.from({ length: LATIN }, (_, character) => this.#library.runeClass(character));
    const start = this.#library.start(TEXT_BEGIN, 0);
    this.#first = start === null ? undefined : this.#rowOf(start);
  }

  /** Whether a part of a text matches, as a text of its own; `undefined` if the table would become too large. */
  matches(text: string, from: number, until: number): boolean | undefined {
    const [latin, first] = [this.#latin, this.#first];
    if (first === undefined) return undefined;
    let table = this.#table;
    let state = first;
    for (let at = from; at < until; at += 1) {
      const unit = text.charCodeAt(at);
      let next = unit < LATIN ? (table[state + (latin[unit] ?? 0)] ?? UNKNOWN) : UNKNOWN;
      if (next <= UNKNOWN) {
        if (next === MATCHED) return true;
        const character = isPair(text, at, until) ? (text.codePointAt(at) ?? unit) : unit;
        const known = this.#after(state, character);
        if (known === undefined) return undefined;
        if (known === MATCHED) return true;
        if (character > 0xffff) at += 1;
        next = known;
        table = this.#table;
      }
      state = next;
    }
    const end = this.#after(state, END_OF_TEXT);
    return end === undefined ? undefined : end === MATCHED;
  }

  #after(state: number, character: number): number | undefined {
    const isEnd = character === END_OF_TEXT;
    const characterClass = isEnd ? this.#library.numClasses : this.#library.runeClass(character);
    const known = this.#table[state + characterClass] ?? UNKNOWN;
    if (known !== UNKNOWN) return known;
    const from = this.#states[state / this.#width - 1];
    const to = from && this.#library.step(from, characterClass, character, UNANCHORED);
    const next = to && (to.isMatch ? MATCHED : this.#rowOf(to));
    if (typeof next !== "number") return undefined;
    this.#table[state + characterClass] = next;
    return next;
  }

  #rowOf(state: LibraryState): number | undefined {
    const known = this.#rows.get(state);
    if (known !== undefined) return known;
    const row = (this.#states.length + 1) * this.#width;
    const cells = row + this.#width;
    if (cells > CELLS_MAX) {
      this.#first = undefined;
      return undefined;
    }
    if (cells > this.#table.length) {
      const larger = new Int32Array(Math.max(cells, this.#table.length * 2));
      larger.set(this.#table);
      this.#table = larger;
    }
    this.#states.push(state);
    this.#rows.set(state, row);
    return row;
  }
}

/** Whether two units of the part are one character. */
function isPair(text: string, at: number, until: number): boolean {
  return at + 1 < until && (text.codePointAt(at) ?? 0) > 0xffff;
}
