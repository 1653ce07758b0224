import type { Sqlite } from "../../kit/sqlite.ts";
import { DAY, type EpochMs } from "../../model/time.ts";
import type { FromQuery, Show } from "./show.ts";

/** Groups of channels of which the ids are remembered. */
const KEPT = 100;

/** The lowest ids of shows from some day on. Finding one reads an entry of each show, and searches ask again and again. */
export class LowestIds {
  readonly #sql: Sqlite;
  /** By channels and day. */
  readonly #known = new Map<string, { readonly from: EpochMs; readonly id: number }>();

  constructor(sql: Sqlite) {
    this.#sql = sql;
  }

  /** See ReadShows. */
  from({ channelIds, startFrom }: FromQuery): number {
    const channels = JSON.stringify(channelIds);
    const day = Math.floor(startFrom / DAY);
    const key = `${day} ${channels}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known.id;
    const text =
      "SELECT min(id) AS lowest FROM shows WHERE channel IN (SELECT value FROM json_each(?)) AND start >= ?";
    const from = day * DAY;
    const id = Number(this.#sql.get(text, [channels, from])?.["lowest"] ?? Number.MAX_SAFE_INTEGER);
    if (this.#known.size >= KEPT) this.#known.clear();
    this.#known.set(key, { from, id });
    return id;
  }

  /** A show that comes or moves. One that goes leaves a bound that is too low, which costs only time. */
  put({ id, start }: Pick<Show, "id" | "start">): void {
    for (const [key, known] of this.#known)
      if (id < known.id && start >= known.from) this.#known.set(key, { ...known, id });
  }
}
