/** The global in which instrumented code counts; scripts/fuzz-instrument.mjs writes the same name. */
const NAME = "__fuzzHits";

/** A module that is counted: its counters, and the words it compares with. */
export interface CountedModule {
  readonly from: number;
  readonly to: number;
  readonly words: readonly string[];
}

/** Which branches were ever taken, and how often at once, in the buckets of AFL. */
export class Coverage {
  readonly #hits: Uint8Array;
  readonly #seen: Uint8Array;
  readonly #modules: readonly CountedModule[];
  readonly #words = new Set<string>();
  #branches = 0;

  constructor(modules: readonly CountedModule[]) {
    this.#modules = modules;
    const counters = modules.at(-1)?.to ?? 0;
    this.#hits = (globalThis as Record<string, unknown>)[NAME] as Uint8Array;
    this.#seen = new Uint8Array(counters);
  }

  /** How many branches were taken at least once. */
  get branches(): number {
    return this.#branches;
  }

  /** Texts of the modules that were reached. */
  get words(): readonly Uint8Array[] {
    return [...this.#words].map((word) => Buffer.from(word));
  }

  begin(): void {
    this.#hits.fill(0);
  }

  /** @returns whether anything is new since `begin` */
  end(): boolean {
    const [hits, seen] = [this.#hits, this.#seen];
    let isNew = false;
    for (let at = 0; at < seen.length; at += 1) {
      const count = hits[at] ?? 0;
      if (count === 0) continue;
      const bits = (seen[at] ?? 0) | bucket(count);
      if (bits === seen[at]) continue;
      if (seen[at] === 0) this.#reach(at);
      seen[at] = bits;
      isNew = true;
    }
    return isNew;
  }

  #reach(at: number): void {
    this.#branches += 1;
    const module = this.#modules.find(({ from, to }) => at >= from && at < to);
    for (const word of module?.words ?? []) this.#words.add(word);
  }
}

/** 1, 2, 3, 4–7, 8–15, 16–31, 32–127, more. */
function bucket(count: number): number {
  if (count < 4) return 1 << (count - 1);
  if (count < 32) return count < 8 ? 8 : count < 16 ? 16 : 32;
  return count < 128 ? 64 : 128;
}
