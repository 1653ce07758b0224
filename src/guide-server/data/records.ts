import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { type Kysely, sql } from "kysely";
import { RecorderdError } from "../../model/errors.ts";
import type { EpochMs } from "../../model/time.ts";
import {
  CATALOGUE,
  type Engine,
  type Entry,
  type IdRange,
  type Loaded,
  type Located,
  type OldPage,
  type OldPlace,
  type Outcome,
  type Page,
  SHOWS,
  type StoredRecord,
  type Unfollowed,
} from "./engine.ts";
import { portions, Taken } from "./record-rows.ts";
import type { RecordRow, Schema } from "./schema.ts";
import { type Counter, type RecordOf, type Series, TABLES, type TableName } from "./tables.ts";
import { type WritingFlavour, writeEntries } from "./write-entries.ts";

/** The differences between the databases. */
export interface Flavour extends AsyncDisposable, WritingFlavour {
  readonly db: Kysely<Schema>;
  /** Names the database in errors. */
  readonly place: string;
  /** Resolves after all ended transactions are on the disk. */
  sync(): Promise<void>;
  /** Runs work on the database and translates its errors. */
  guarded<T>(work: () => PromiseLike<T>): Promise<T>;
}

/** Records per read, to limit memory. */
const ROWS_AT_ONCE = 1000;

function unlessTaken(error: unknown): undefined {
  if (!(error instanceof Taken)) throw error;
}

/** The records of tables.ts in a database. */
export class Records implements Engine {
  readonly isShared: boolean;
  readonly #flavour: Flavour;
  readonly #db: Kysely<Schema>;

  constructor(flavour: Flavour) {
    this.#flavour = flavour;
    this.#db = flavour.db;
    this.isShared = flavour.isShared;
  }

  load(owner: string): Promise<Loaded | undefined> {
    return this.#flavour.guarded(async () => {
      // One statement: version and records are of the same instant.
      const rows = await this.#db
        .selectFrom("owners as o")
        .leftJoin("records as r", "r.owner", "o.owner")
        .select([
          "o.version",
          "o.seen",
          "o.settled_shows",
          "o.settled_at",
          "r.kind",
          "r.id",
          "r.body",
          "r.sum",
        ])
        .where("o.owner", "=", owner)
        .orderBy("r.place")
        .execute();
      const [first] = rows;
      if (first === undefined) return undefined;
      const { version, seen, settled_shows: shows, settled_at: at } = first;
      return {
        version,
        seen,
        settled: shows === null || at === null ? undefined : { shows: Number(shows), at: Number(at) },
        records: rows.flatMap(({ kind, id, body, sum }) =>
          // A later version may serve the same database, and store kinds that this one does not know.
          kind === null || !Object.hasOwn(TABLES, kind) || id === null || body === null || sum === null
            ? []
            : [this.#storedOf({ kind, id, body, sum })],
        ),
      };
    });
  }

  versionOf(owner: string): Promise<string | undefined> {
    return this.#flavour.guarded(async () => {
      const row = await this.#db
        .selectFrom("owners")
        .select("version")
        .where("owner", "=", owner)
        .executeTakeFirst();
      return row?.version;
    });
  }

  locate(table: TableName, id: string): Promise<Located | undefined> {
    return this.#flavour.guarded(async () => {
      const row = await this.#db
        .selectFrom("records as r")
        .innerJoin("owners as o", "o.owner", "r.owner")
        .innerJoin("owners as c", (join) => join.on("c.owner", "=", CATALOGUE))
        .leftJoin("owners as s", (join) => join.on("s.owner", "=", SHOWS))
        .select(["r.owner", "o.version", "c.version as catalogue", "s.version as shows"])
        .where("r.kind", "=", table)
        .where("r.id", "=", id)
        .executeTakeFirst();
      return row === undefined ? undefined : { ...row, shows: row.shows ?? undefined };
    });
  }

  ownerOfEmail(email: string): Promise<string | undefined> {
    return this.#flavour.guarded(async () => {
      const row = await this.#db
        .selectFrom("owners")
        .select("owner")
        .where("email", "=", email)
        .executeTakeFirst();
      return row?.owner;
    });
  }

  async page<T extends TableName>(table: T, after: number): Promise<Page<T>> {
    const rows = await this.#rows(table, { after, limit: ROWS_AT_ONCE });
    const last = rows.at(-1)?.place;
    return {
      records: rows.map((row) => this.#storedOf(row).record as RecordOf<T>),
      last: rows.length < ROWS_AT_ONCE || last === undefined ? undefined : Number(last),
    };
  }

  async ownersOfTimers(showIds: readonly number[]): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const some of portions(showIds)) {
      const rows = await this.#flavour.guarded(() =>
        this.#db.selectFrom("records").select("owner").distinct().where("show_id", "in", some).execute(),
      );
      for (const { owner } of rows) found.add(owner);
    }
    return [...found];
  }

  async ownersOfOld(table: TableName, before: EpochMs, after: OldPlace | undefined): Promise<OldPage> {
    const old = this.#db
      .selectFrom("records")
      .select(["owner", "aged", "place"])
      .where("kind", "=", table)
      .where("aged", "<", before)
      .orderBy("aged")
      .orderBy("place")
      .limit(ROWS_AT_ONCE);
    const { aged = 0, place = 0 } = after ?? {};
    const rows = await this.#flavour.guarded(() =>
      (after === undefined ? old : old.where(sql<boolean>`(aged, place) > (${aged}, ${place})`)).execute(),
    );
    const last = rows.at(-1);
    return {
      owners: [...new Set(rows.map(({ owner }) => owner))],
      last:
        rows.length < ROWS_AT_ONCE || last === undefined
          ? undefined
          : { aged: Number(last.aged), place: Number(last.place) },
    };
  }

  async first<T extends TableName>(table: T): Promise<RecordOf<T> | undefined> {
    const [row] = await this.#rows(table, { after: 0, limit: 1 });
    return row === undefined ? undefined : (this.#storedOf(row).record as RecordOf<T>);
  }

  #rows(table: TableName, { after, limit }: { readonly after: number; readonly limit: number }) {
    return this.#flavour.guarded(() =>
      this.#db
        .selectFrom("records")
        .select(["place", "kind", "id", "body", "sum"])
        .where("kind", "=", table)
        .where("place", ">", after)
        .orderBy("place")
        .limit(limit)
        .execute(),
    );
  }

  #storedOf({ kind, id, body, sum }: Pick<RecordRow, "kind" | "id" | "body" | "sum">): StoredRecord {
    const table = kind as TableName;
    const { data } = crc32(body) === Number(sum) ? TABLES[table].safeParse(JSON.parse(body)) : {};
    if (data !== undefined) return { table, id, body, record: data } as StoredRecord;
    const { place } = this.#flavour;
    const text = `${place} is damaged: the record ${id} of ${kind} differs from the one that was stored. Put a backup in its place, or move it away to start without it.`;
    throw new RecorderdError("STORE_DAMAGED", text, { file: place, table: kind, id });
  }

  counters(): Promise<readonly Counter[]> {
    return this.#flavour.guarded(async () => {
      const rows = await this.#db.selectFrom("counters").selectAll().orderBy("kind").execute();
      return rows.map(({ kind, next }) => TABLES.counters.parse({ id: kind, next: Number(next) }));
    });
  }

  reserve(kind: Counter["id"], count: number): Promise<IdRange> {
    return this.#flavour.guarded(async () => {
      const { next } = await this.#db
        .insertInto("counters")
        .values({ kind, next: 1 + count })
        .onConflict((conflict) =>
          conflict.column("kind").doUpdateSet({ next: sql<number>`counters.next + ${count}` }),
        )
        .returning("next")
        .executeTakeFirstOrThrow();
      return { first: Number(next) - count, end: Number(next) };
    });
  }

  async write(entries: readonly Entry[]): Promise<readonly Outcome[]> {
    const together = await this.#flavour.guarded(() => this.#writeTogether(entries).catch(unlessTaken));
    if (together !== undefined) return together;
    if (entries.length === 1) return ["taken"];
    // One of them cannot be stored, and it must not keep the others from it.
    const outcomes: Outcome[] = [];
    for (const entry of entries) outcomes.push(...(await this.write([entry])));
    return outcomes;
  }

  async #writeTogether(entries: readonly Entry[]): Promise<readonly Outcome[]> {
    const outcomes = await this.#db.transaction().execute((all) =>
      writeEntries(all, entries, {
        flavour: this.#flavour,
        readSeries: (row) => this.#storedOf(row).record as Series,
      }),
    );
    await this.#flavour.sync();
    return outcomes;
  }

  addUnfollowed(showIds: readonly number[]): Promise<void> {
    const mark = randomBytes(9).toString("base64url");
    return this.#flavour.guarded(async () => {
      for (const some of portions([...showIds].sort((a, b) => a - b))) {
        await this.#db
          .insertInto("unfollowed")
          .values(some.map((id) => ({ show_id: id, mark })))
          .onConflict((conflict) => conflict.column("show_id").doUpdateSet({ mark }))
          .execute();
      }
      await this.#flavour.sync();
    });
  }

  unfollowed(): Promise<readonly Unfollowed[]> {
    return this.#flavour.guarded(async () => {
      const rows = await this.#db.selectFrom("unfollowed").selectAll().orderBy("show_id").execute();
      return rows.map(({ show_id, mark }) => ({ showId: Number(show_id), mark }));
    });
  }

  removeUnfollowed(shows: readonly Unfollowed[]): Promise<void> {
    return this.#flavour.guarded(async () => {
      for (const mark of new Set(shows.map((show) => show.mark))) {
        for (const some of portions(shows.filter((show) => show.mark === mark))) {
          const ids = some.map(({ showId }) => showId);
          await this.#db
            .deleteFrom("unfollowed")
            .where("show_id", "in", ids)
            .where("mark", "=", mark)
            .execute();
        }
      }
    });
  }

  fact(name: string): Promise<string | undefined> {
    return this.#flavour.guarded(async () => {
      const row = await this.#db
        .selectFrom("facts")
        .select("value")
        .where("name", "=", name)
        .executeTakeFirst();
      return row?.value;
    });
  }

  keepFact(name: string, value: string): Promise<void> {
    return this.#flavour.guarded(async (): Promise<void> => {
      await this.#db
        .insertInto("facts")
        .values({ name, value })
        .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
        .execute();
      await this.#flavour.sync();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#flavour[Symbol.asyncDispose]();
  }
}
