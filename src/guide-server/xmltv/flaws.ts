import type { Complaint, ComplaintKind } from "./reader.ts";

export interface Flaws {
  readonly kind: ComplaintKind;
  readonly count: number;
  /** Channels and programmes left out because of it. */
  readonly leftOut: number;
  /** The first occurrences. */
  readonly first: readonly Pick<Complaint, "line" | "reason">[];
}

const FIRST_KEPT = 5;

/** Counts the flaws of a listing by kind: many of one kind do not hide another. */
export class FlawCount {
  readonly #kinds = new Map<ComplaintKind, { count: number; leftOut: number; first: Flaws["first"] }>();

  add({ kind, line, reason, leftOut }: Complaint): void {
    const flaws = this.#kinds.get(kind) ?? { count: 0, leftOut: 0, first: [] };
    flaws.count += 1;
    if (leftOut) flaws.leftOut += 1;
    if (flaws.first.length < FIRST_KEPT) flaws.first = [...flaws.first, { line, reason }];
    this.#kinds.set(kind, flaws);
  }

  /** By descending count. */
  all(): readonly Flaws[] {
    return [...this.#kinds]
      .map(([kind, flaws]) => ({ kind, ...flaws }))
      .toSorted((a, b) => b.count - a.count);
  }
}
