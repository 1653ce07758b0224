import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Kysely, sql, type Transaction } from "kysely";
import { yieldToLoop } from "../../../kit/time/clock.ts";
import { type EpochMs, MINUTE } from "../../../model/time.ts";
import { SHOWS } from "../engine.ts";
import type { Schema } from "../schema.ts";
import type { Show } from "../show.ts";
import { ShowNews } from "../show-news.ts";
import { openShows, SHOWS_FILE, type Shows } from "../shows.ts";
import type { ShowsRow } from "../shows-rows.ts";
import { SHOWS_CHANNEL } from "./announcements.ts";
import { guarded } from "./guarded.ts";
import type { SharedTables } from "./schema.ts";

type Tables = Schema & SharedTables;

/** Rows per read. */
const ROWS_AT_ONCE = 1000;
const ROWS_PER_STATEMENT = 250;
/** Rows that are copied at once, in a few milliseconds: each step of a request waits for them. */
const COPIED_AT_ONCE = 50;

/** The advisory lock of those who write shows: the numbers of changes become readable in their order. */
const WRITERS = 25_001;

/**
 * The shows in PostgreSQL, of which each process has a copy: decisions read the copy at once, and reading the guide
 * costs the database nothing. Writes go to the database first, and then into all copies.
 */
export class SharedShows {
  readonly shows: Shows;
  readonly news: ShowNews;
  readonly #db: Kysely<Tables>;
  /** The copy. */
  readonly #shows: Shows;
  /** Keys that this process has made, to be written with the shows that use them. */
  readonly #keys: ShowsRow[];
  /** The latest change that the copy has. */
  #last = 0;
  #copying: Promise<boolean> | undefined;

  private constructor(
    db: Kysely<Tables>,
    { copy, news, keys }: { readonly copy: Shows; readonly news: ShowNews; readonly keys: ShowsRow[] },
  ) {
    this.#db = db;
    this.#shows = copy;
    this.news = news;
    this.#keys = keys;
    this.shows = {
      ...copy,
      put: (shows) => this.#write(shows.map((show): ShowsRow => ["shows", show])),
      keepSource: (id, facts) => this.#write([["sources", { id, facts: facts as Record<string, unknown> }]]),
      putRows: (rows) => this.#write(rows),
      removeEndedBefore: (instant, showsMax) => this.#remove(instant, showsMax),
    };
  }

  /** @param folder for the copy */
  static async open(db: Kysely<Tables>, folder: string): Promise<SharedShows> {
    // The copy of an earlier process may lack changes, and a killed one may have left it damaged.
    for (const name of (await readdir(folder)).filter((file) => file.startsWith(SHOWS_FILE)))
      await rm(join(folder, name), { recursive: true });
    const keys: ShowsRow[] = [];
    const copy = await openShows(folder, { durability: "scratch", onSeriesKey: (row) => keys.push(row) });
    try {
      const news = new ShowNews(0);
      const shared = new SharedShows(db, { copy, news, keys });
      await shared.follow();
      news.forgetAll();
      return shared;
    } catch (error) {
      copy[Symbol.dispose]();
      throw error;
    }
  }

  /** Brings the copy up to a change that is known to be there. */
  async reach(change: number): Promise<void> {
    if (change <= this.#last) return;
    // It may have read the database before that change.
    await this.#copying;
    while (change > this.#last) {
      if (await this.#copyMore()) continue;
      // The rows of the change are gone.
      this.#last = Math.max(this.#last, change);
    }
  }

  /** Brings the copy up to the present. */
  async follow(): Promise<void> {
    await this.#copying;
    while (await this.#copyMore());
  }

  /** Once for all who want it at the same time. @returns whether there may be more */
  #copyMore(): Promise<boolean> {
    this.#copying ??= this.#copy().finally(() => {
      this.#copying = undefined;
    });
    return this.#copying;
  }

  async #copy(): Promise<boolean> {
    const rows = await guarded(() =>
      this.#db
        .selectFrom("shows")
        .select(["kind", "body", "change"])
        .where("change", ">", this.#last)
        .orderBy("change")
        .limit(ROWS_AT_ONCE)
        .execute(),
    );
    const last = rows.at(-1);
    if (last === undefined) return false;
    for (const some of portionsOf(rows, COPIED_AT_ONCE)) {
      const found = some.map(({ kind, body }) => [kind, JSON.parse(body)] as unknown as ShowsRow);
      await this.#shows.putRows(found);
      const shows = found.flatMap(([kind, row]) => (kind === "shows" ? [row] : []));
      this.news.record(shows, Number(some.at(-1)?.change));
      await yieldToLoop();
    }
    this.#last = Math.max(this.#last, Number(last.change));
    return rows.length === ROWS_AT_ONCE;
  }

  async #write(rows: readonly ShowsRow[]): Promise<void> {
    if (rows.length === 0) return;
    const keys = this.#keys.splice(0);
    try {
      await writeShows(this.#db, [...keys, ...rows]);
    } catch (error) {
      this.#keys.unshift(...keys);
      throw error;
    }
    await this.follow();
  }

  /** Each process removes old shows from its own copy. */
  async #remove(instant: EpochMs, showsMax: number): Promise<number> {
    await guarded(async () => {
      const old = this.#db
        .selectFrom("shows")
        .select("key")
        .where("stop", "<", instant)
        .orderBy("stop")
        .limit(showsMax);
      await this.#db.deleteFrom("shows").where("kind", "=", "shows").where("key", "in", old).execute();
    });
    return await this.#shows.removeEndedBefore(instant, showsMax);
  }
}

/** Writes rows, and tells the copies of all processes. */
export async function writeShows(db: Kysely<Tables>, rows: readonly ShowsRow[]): Promise<void> {
  if (rows.length === 0) return;
  await guarded(() =>
    db.transaction().execute(async (all) => {
      await sql`SELECT pg_advisory_xact_lock(${WRITERS})`.execute(all);
      for (const some of portionsOf(lastOfEach(rows), ROWS_PER_STATEMENT)) await insert(all, some);
      await sql`UPDATE owners SET version = currval('show_changes')::text WHERE owner = ${SHOWS}`.execute(
        all,
      );
      await sql`SELECT pg_notify(${SHOWS_CHANNEL}, '')`.execute(all);
    }),
  );
}

async function insert(all: Transaction<Tables>, rows: readonly ShowsRow[]): Promise<void> {
  await all
    .insertInto("shows")
    .values(
      rows.map((row) => ({
        kind: row[0],
        key: keyOf(row),
        body: JSON.stringify(row[1]),
        change: sql<number>`nextval('show_changes')`,
        stop: row[0] === "shows" ? stopOf(row[1]) : null,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["kind", "key"]).doUpdateSet(({ ref }) => ({
        body: ref("excluded.body"),
        change: ref("excluded.change"),
        stop: ref("excluded.stop"),
      })),
    )
    .execute();
}

function stopOf({ start, durationMinutes }: Show): number {
  return Math.round(start + durationMinutes * MINUTE);
}

function keyOf(row: ShowsRow): string {
  return row[0] === "series_keys" ? row[1].key : String(row[1].id);
}

/** One statement cannot write the same row twice. */
function lastOfEach(rows: readonly ShowsRow[]): readonly ShowsRow[] {
  return [...new Map(rows.map((row) => [`${row[0]} ${keyOf(row)}`, row])).values()];
}

function* portionsOf<T>(rows: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}
