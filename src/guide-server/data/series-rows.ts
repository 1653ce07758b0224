import { CATALOGUE, type OwnedChange } from "./engine.ts";
import { portions, putRecords, rowOf, type Writing } from "./record-rows.ts";
import type { RecordRow } from "./schema.ts";
import { put, type Series } from "./tables.ts";

/** All that one transaction writes of series. */
interface SeriesWrites {
  readonly published: readonly Series[];
  /** Those that get one vote more. */
  readonly votes: readonly Series[];
}

interface Reading {
  /** Whether other processes write, too. */
  readonly isShared: boolean;
  readonly read: (row: StoredRow) => Series;
}

export type StoredRow = Pick<RecordRow, "kind" | "id" | "body" | "sum">;

export function isSeriesPut(
  change: OwnedChange,
): change is Extract<OwnedChange, { readonly kind: "put"; readonly table: "series" }> {
  return change.table === "series" && change.kind === "put";
}

/**
 * Accounts vote for a series while another process publishes it, and neither knows of the other: the stored votes are
 * read under a lock, and never become fewer.
 */
export async function writeSeries(
  all: Writing,
  { published, votes }: SeriesWrites,
  reading: Reading,
): Promise<void> {
  // In one order, so that two groups never wait for each other.
  const ids = [...new Set([...published, ...votes].map(({ id }) => id))].sort();
  const unvoted = new Map([...votes, ...published].map((one) => [one.id, { ...one, votes: 0 }]));
  // Another process may be creating the same one: there is a row to lock in any case.
  for (const some of portions(ids)) {
    await addMissing(
      all,
      some.flatMap((id) => unvoted.get(id) ?? []),
    );
  }
  const series = new Map<string, Series>();
  for (const some of portions(ids))
    for (const one of await locked(all, some, reading)) series.set(one.id, one);
  for (const one of published)
    series.set(one.id, { ...one, votes: Math.max(one.votes, series.get(one.id)?.votes ?? 0) });
  for (const { id } of votes) {
    const one = series.get(id);
    if (one !== undefined) series.set(id, { ...one, votes: one.votes + 1 });
  }
  for (const some of portions([...series.values()])) await putRecords(all, some.map(seriesPut));
}

async function addMissing(all: Writing, some: readonly Series[]): Promise<void> {
  await all
    .insertInto("records")
    .values(some.map((series) => rowOf(seriesPut(series))))
    .onConflict((conflict) => conflict.columns(["kind", "id"]).doNothing())
    .execute();
}

async function locked(
  all: Writing,
  ids: readonly string[],
  { isShared, read }: Reading,
): Promise<readonly Series[]> {
  const stored = all
    .selectFrom("records")
    .select(["kind", "id", "body", "sum"])
    .where("kind", "=", "series")
    .where("id", "in", ids)
    .orderBy("id");
  const rows = await (isShared ? stored.forUpdate() : stored).execute();
  return rows.map(read);
}

function seriesPut(series: Series): OwnedChange {
  return { ...put("series", series), owner: CATALOGUE };
}
