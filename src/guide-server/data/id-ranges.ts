import type { Engine } from "./engine.ts";
import type { Change, Counter } from "./tables.ts";

type Kind = Counter["id"];

/** Ids that a process of several reserves at once. The others are reserved as needed: they are rare, or seen by people. */
const AT_ONCE: Readonly<Partial<Record<Kind, number>>> = { timer: 50, log: 500 };

/**
 * The next ids of each kind, for decisions. One process alone counts on; of several, each takes ids from ranges that
 * it has reserved. Ids are never reused: those of a decision that fails are lost.
 */
export class IdRanges {
  readonly counters = new Map<string, Counter>();
  readonly #engine: Pick<Engine, "isShared" | "reserve">;
  readonly #ends = new Map<Kind, number>();

  constructor(engine: Pick<Engine, "isShared" | "reserve">, known: readonly Counter[]) {
    this.#engine = engine;
    if (!engine.isShared) for (const counter of known) this.counters.set(counter.id, counter);
  }

  /**
   * Takes the ids that a decision used, out of its changes.
   *
   * @returns the new counters to store; or `undefined` if the ids are not this process's yet: reserve them, and decide again
   */
  take(
    changes: readonly Change[],
  ): { readonly counters: readonly Counter[]; readonly others: readonly Change[] } | undefined {
    const counters: Counter[] = [];
    const others: Change[] = [];
    for (const change of changes) {
      if (change.table !== "counters") others.push(change);
      else if (change.kind === "put") counters.push(change.record);
    }
    if (counters.some(({ id, next }) => this.#engine.isShared && next > (this.#ends.get(id) ?? 0)))
      return undefined;
    for (const counter of counters) this.counters.set(counter.id, counter);
    return { counters: this.#engine.isShared ? [] : counters, others };
  }

  /** Reserves what `take` lacked. */
  async reserve(changes: readonly Change[]): Promise<void> {
    for (const change of changes) {
      if (change.table !== "counters" || change.kind !== "put") continue;
      const { id, next } = change.record;
      if (next <= (this.#ends.get(id) ?? 0)) continue;
      const count = Math.max(AT_ONCE[id] ?? 1, next - (this.counters.get(id)?.next ?? FIRST[id] ?? 1));
      const { first, end } = await this.#engine.reserve(id, count);
      this.counters.set(id, { id, next: first });
      this.#ends.set(id, end);
    }
  }
}

/** The first id of kinds that do not begin with 1. */
const FIRST: Readonly<Partial<Record<Kind, number>>> = { listed: 0 };
