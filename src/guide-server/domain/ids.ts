import { type Change, type Counter, type GuideTables, put } from "../data/tables.ts";

/** The next ids of a kind, and the change that prevents their reuse. */
export function takeIds(
  tables: GuideTables,
  kind: Counter["id"],
  count: number,
): { readonly ids: readonly number[]; readonly change: Change } {
  const next = tables.counters.get(kind)?.next ?? 1;
  return {
    ids: Array.from({ length: count }, (_, index) => next + index),
    change: put("counters", { id: kind, next: next + count }),
  };
}

export function takeId(
  tables: GuideTables,
  kind: Counter["id"],
): { readonly id: number; readonly change: Change } {
  const { ids, change } = takeIds(tables, kind, 1);
  return { id: ids[0] ?? 1, change };
}
