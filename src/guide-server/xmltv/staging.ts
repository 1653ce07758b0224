import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { openSqlite, type Sqlite } from "../../kit/sqlite.ts";
import { yieldToLoop } from "../../kit/time/clock.ts";
import type { ListedProgramme } from "./reader.ts";

const CACHE_KIB = 4 * 1024;
/** Rows per write. */
const BATCH = 500;
/** Rows per read; other work waits for one read. */
const PAGE = 1000;
/** A year of the shortest programmes; further ones of a channel are not read. */
const CHANNEL_PROGRAMMES_MAX = 60_000;

/** Holds the programmes of one listing until all of it is accepted: on disk, since there are too many for memory. */
export class Staging implements AsyncDisposable {
  readonly #sql: Sqlite;
  readonly #file: string;
  #batch: ListedProgramme[] = [];
  #count = 0;

  private constructor(sql: Sqlite, file: string) {
    this.#sql = sql;
    this.#file = file;
  }

  static async open(folder: string): Promise<Staging> {
    const file = join(folder, `listing-${randomUUID()}.tmp`);
    const sql = await openSqlite({ file, durability: "scratch", cacheKiB: CACHE_KIB });
    sql.exec(
      "CREATE TABLE staged (channel TEXT NOT NULL, start INTEGER NOT NULL, number INTEGER NOT NULL, " +
        "body TEXT NOT NULL, PRIMARY KEY (channel, start, number)) STRICT, WITHOUT ROWID",
    );
    return new Staging(sql, file);
  }

  get count(): number {
    return this.#count;
  }

  add(programme: ListedProgramme): void {
    this.#batch.push(programme);
    this.#count += 1;
    if (this.#batch.length >= BATCH) this.#flush();
  }

  /** The programmes of one listed channel, by start, with a pause for other work after each page. */
  async programmesOf(channelId: string): Promise<readonly ListedProgramme[]> {
    this.#flush();
    const programmes: ListedProgramme[] = [];
    let [afterStart, afterNumber] = [Number.MIN_SAFE_INTEGER, -1];
    while (programmes.length < CHANNEL_PROGRAMMES_MAX) {
      const rows = this.#sql.all(
        "SELECT start, number, body FROM staged WHERE channel = ? AND (start, number) > (?, ?) ORDER BY start, number LIMIT ?",
        [channelId, afterStart, afterNumber, PAGE],
      );
      for (const { body } of rows) programmes.push(JSON.parse(String(body)) as ListedProgramme);
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) break;
      [afterStart, afterNumber] = [Number(last["start"]), Number(last["number"])];
      await yieldToLoop();
    }
    return programmes;
  }

  #flush(): void {
    const first = this.#count - this.#batch.length;
    this.#sql.transaction(() => {
      for (const [index, programme] of this.#batch.entries()) {
        const { channelId, start } = programme;
        this.#sql.run("INSERT INTO staged VALUES (?, ?, ?, ?)", [
          channelId,
          start,
          first + index,
          JSON.stringify(programme),
        ]);
      }
    });
    this.#batch = [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sql[Symbol.dispose]();
    await rm(this.#file, { force: true });
  }
}
