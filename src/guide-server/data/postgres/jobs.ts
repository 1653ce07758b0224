import { randomBytes } from "node:crypto";
import { type Kysely, sql, type UpdateQueryBuilder, type UpdateResult } from "kysely";
import type { Clock } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { type DurationMs, MINUTE } from "../../../model/time.ts";
import { guarded } from "./guarded.ts";
import type { SharedTables } from "./schema.ts";

/** A process that does not renew its claim for so long has ended: another one does the work. */
const LEASE_MS = MINUTE;

/** The database's clock: those of the processes may differ. */
const NOW = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/** Work that one of several processes does for all, at most once in its interval. */
export class Jobs {
  readonly #db: Kysely<SharedTables>;
  readonly #clock: Clock;
  readonly #holder = randomBytes(9).toString("base64url");

  constructor(db: Kysely<SharedTables>, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Does the work if it is due and nobody else does it. @returns whether it did */
  async run(name: string, everyMs: DurationMs, work: () => Promise<void>): Promise<boolean> {
    if (!(await this.#claim(name))) return false;
    const over = new AbortController();
    const renewing = this.#renew(name, over.signal);
    try {
      await work();
      await this.#end(name, everyMs);
      return true;
    } finally {
      over.abort();
      await renewing;
    }
  }

  async #claim(name: string): Promise<boolean> {
    return await guarded(async () => {
      await this.#db
        .insertInto("jobs")
        .values({ name, due: 0, holder: "", lease_until: 0, runs: 0 })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
      const claimed = await this.#db
        .updateTable("jobs")
        .set({ holder: this.#holder, lease_until: sql<number>`${NOW} + ${LEASE_MS}` })
        .where("name", "=", name)
        .where("due", "<=", NOW)
        .where("lease_until", "<=", NOW)
        .executeTakeFirst();
      return claimed.numUpdatedRows > 0n;
    });
  }

  async #renew(name: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(LEASE_MS / 3, signal).catch(() => {});
      if (signal.aborted) return;
      const renewed = this.#own(name, (jobs) => jobs.set({ lease_until: sql<number>`${NOW} + ${LEASE_MS}` }));
      await renewed.catch(unlessUnavailable);
    }
  }

  async #end(name: string, everyMs: DurationMs): Promise<void> {
    await this.#own(name, (jobs) =>
      jobs.set({
        due: sql<number>`${NOW} + ${everyMs}`,
        lease_until: 0,
        runs: sql<number>`runs + 1`,
      }),
    );
  }

  /** Changes the job if this process still does it. */
  async #own(name: string, change: (jobs: JobsUpdate) => JobsUpdate): Promise<void> {
    await guarded(() =>
      change(this.#db.updateTable("jobs"))
        .where("name", "=", name)
        .where("holder", "=", this.#holder)
        .execute(),
    );
  }
}

type JobsUpdate = UpdateQueryBuilder<SharedTables, "jobs", "jobs", UpdateResult>;

/** The next renewal may succeed. */
function unlessUnavailable(error: unknown): void {
  if (!(error instanceof RecorderdError)) throw error;
}
