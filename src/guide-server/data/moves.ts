import type { Entry, Move, Outcome } from "./engine.ts";
import type { OwnerRow } from "./schema.ts";

/**
 * Which entries may be stored, one after the other: those whose owners are still at the version that they saw.
 *
 * @param before the stored rows of all owners concerned
 * @returns also the rows of the owners that move
 */
export function movedOwners(
  entries: readonly Entry[],
  before: readonly OwnerRow[],
): { readonly outcomes: readonly Outcome[]; readonly moved: readonly OwnerRow[] } {
  const rows = new Map(before.map((row) => [row.owner, row]));
  const moved = new Map<string, OwnerRow>();
  const outcomes = entries.map(({ moves }): Outcome => {
    if (moves.some(({ owner, from }) => rows.get(owner)?.version !== from)) return "stale";
    for (const move of moves) {
      const next = rowAfter(rows.get(move.owner), move);
      rows.set(move.owner, next);
      moved.set(move.owner, next);
    }
    return "written";
  });
  return { outcomes, moved: [...moved.values()] };
}

function rowAfter(before: OwnerRow | undefined, { owner, to, seen, settled }: Move): OwnerRow {
  const kept = settled === undefined ? before : undefined;
  return {
    owner,
    version: to,
    seen: seen ?? before?.seen ?? to,
    settled_shows: settled?.shows ?? kept?.settled_shows ?? null,
    settled_at: settled?.at ?? kept?.settled_at ?? null,
    email: before?.email ?? null,
  };
}
