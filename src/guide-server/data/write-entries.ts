import { CATALOGUE, type Entry, type Outcome, type OwnedChange } from "./engine.ts";
import { movedOwners } from "./moves.ts";
import { idOf, portions, putRecords, Taken, type Writing } from "./record-rows.ts";
import type { OwnerRow } from "./schema.ts";
import { isSeriesPut, type StoredRow, writeSeries } from "./series-rows.ts";
import type { Account, Counter, Series } from "./tables.ts";

/** How a database writes. */
export interface WritingFlavour {
  readonly isShared: boolean;
  /** The present rows of these owners; nobody else changes them until the transaction ends. */
  lockOwners(all: Writing, owners: readonly string[]): Promise<readonly OwnerRow[]>;
  /** Called at the end of a transaction, with the owners of whom others must be told. */
  beforeCommit?(all: Writing, told: readonly string[]): Promise<void>;
  /** Whether an error says that a unique value exists already. */
  isDuplicate(error: unknown): boolean;
}

/** Writes entries in one transaction: those whose owners are still at the versions that they saw. @throws Taken */
export async function writeEntries(
  all: Writing,
  entries: readonly Entry[],
  {
    flavour,
    readSeries,
  }: { readonly flavour: WritingFlavour; readonly readSeries: (row: StoredRow) => Series },
): Promise<readonly Outcome[]> {
  const owners = [...new Set(entries.flatMap(({ moves }) => moves.map(({ owner }) => owner)))].sort();
  const before = owners.length === 0 ? [] : await flavour.lockOwners(all, owners);
  const { outcomes, moved } = movedOwners(entries, before);
  const kept = entries.filter((_, index) => outcomes[index] === "written");
  const changes = effective(kept.flatMap((entry) => entry.changes));
  try {
    await writeOwners(all, moved, changes);
  } catch (error) {
    throw flavour.isDuplicate(error) ? new Taken() : error;
  }
  await writeRecords(
    all,
    changes.filter((change) => !isSeriesPut(change)),
  );
  const series = {
    published: changes.filter(isSeriesPut).map(({ record }) => record),
    votes: kept.flatMap(({ votes = [] }) => votes),
  };
  await writeSeries(all, series, { isShared: flavour.isShared, read: readSeries });
  await raiseCounters(all, kept);
  await flavour.beforeCommit?.(all, toldOf(kept));
  return outcomes;
}

/** Owners that others watch: those whose clients wait, the catalogue, and new ones. */
function toldOf(entries: readonly Entry[]): readonly string[] {
  const moves = entries.flatMap((entry) => entry.moves);
  const told = moves.filter(
    ({ owner, from, tells }) => tells === true || owner === CATALOGUE || from === undefined,
  );
  return [...new Set(told.map(({ owner }) => owner))];
}

async function writeOwners(
  all: Writing,
  moved: readonly OwnerRow[],
  changes: readonly OwnedChange[],
): Promise<void> {
  const emails = new Map(
    changes.flatMap((change) =>
      change.kind === "put" && change.table === "accounts" ? [[change.owner, change.record as Account]] : [],
    ) as readonly (readonly [string, Account])[],
  );
  for (const rows of portions(moved)) {
    await all
      .insertInto("owners")
      .values(rows.map((row) => ({ ...row, email: emails.get(row.owner)?.email ?? row.email })))
      .onConflict((conflict) =>
        conflict.column("owner").doUpdateSet(({ ref }) => ({
          version: ref("excluded.version"),
          seen: ref("excluded.seen"),
          settled_shows: ref("excluded.settled_shows"),
          settled_at: ref("excluded.settled_at"),
        })),
      )
      .execute();
  }
}

async function writeRecords(all: Writing, changes: readonly OwnedChange[]): Promise<void> {
  for (const { kind, table, owner, ...change } of changes) {
    if (kind === "put") continue;
    await all
      .deleteFrom("records")
      .where("kind", "=", table)
      .where("id", "=", (change as { readonly id: string }).id)
      .where("owner", "=", owner)
      .execute();
  }
  for (const some of portions(changes.filter(({ kind }) => kind === "put"))) await putRecords(all, some);
}

async function raiseCounters(all: Writing, entries: readonly Entry[]): Promise<void> {
  const highest = new Map<Counter["id"], number>();
  for (const { id, next } of entries.flatMap(({ counters }) => counters))
    highest.set(id, Math.max(next, highest.get(id) ?? 0));
  if (highest.size === 0) return;
  await all
    .insertInto("counters")
    .values([...highest].map(([kind, next]) => ({ kind, next })))
    .onConflict((conflict) =>
      conflict
        .column("kind")
        .doUpdateSet(({ ref }) => ({ next: ref("excluded.next") }))
        .whereRef("counters.next", "<", "excluded.next"),
    )
    .execute();
}

/** The changes without those that later ones replace; a removed record that returns has a place at the end. */
function effective(changes: readonly OwnedChange[]): readonly OwnedChange[] {
  const removed = new Map<string, OwnedChange>();
  const stored = new Map<string, OwnedChange>();
  for (const change of changes) {
    const key = `${change.table} ${idOf(change)}`;
    if ((stored.get(key)?.owner ?? change.owner) !== change.owner) throw new Taken();
    if (change.kind === "put") stored.set(key, change);
    else {
      stored.delete(key);
      removed.set(key, change);
    }
  }
  return [...removed.values(), ...stored.values()];
}
