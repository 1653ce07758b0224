import type { Sqlite } from "../../kit/sqlite.ts";
import { DAY, type EpochMs, MINUTE } from "../../model/time.ts";
import { inArea } from "./places.ts";
import type { ListedQuery, ListedShows, SeriesPlace, Show } from "./show.ts";

/** Shows of all lists in memory, some 8 MB: four weeks of 200 channels. */
const SHOWS_KEPT = 200_000;

/** The shows of some channels on one day. */
class ShowColumns implements ListedShows {
  readonly #ids: Float64Array;
  readonly #channels: Int32Array;
  readonly #starts: Float64Array;
  readonly #minutes: Float64Array;
  readonly #series: readonly string[];

  constructor({ ids, channels, starts, stops, series }: Rows) {
    this.#ids = Float64Array.from(ids);
    this.#channels = Int32Array.from(channels);
    this.#starts = Float64Array.from(starts);
    this.#minutes = Float64Array.from(stops, (stop, at) => (stop - (starts[at] ?? 0)) / MINUTE);
    this.#series = series;
  }

  get length(): number {
    return this.#ids.length;
  }

  idAt(row: number): number {
    return this.#ids[row] ?? 0;
  }

  channelAt(row: number): number {
    return this.#channels[row] ?? 0;
  }

  startAt(row: number): EpochMs {
    return this.#starts[row] ?? 0;
  }

  seriesAt(row: number): string {
    return this.#series[row] ?? "";
  }

  at(row: number): SeriesPlace {
    return {
      id: this.idAt(row),
      channelId: this.channelAt(row),
      start: this.startAt(row),
      durationMinutes: this.#minutes[row] ?? 0,
      seriesId: this.seriesAt(row),
    };
  }
}

/** Columns of the same rows. */
interface Rows {
  readonly ids: readonly number[];
  readonly channels: readonly number[];
  readonly starts: readonly EpochMs[];
  readonly stops: readonly EpochMs[];
  readonly series: readonly string[];
}

interface Kept {
  readonly day: number;
  readonly channelIds: ReadonlySet<number>;
  readonly shows: ListedShows;
}

/** Lists of shows by day and channels, from when a search first needs them until one of their shows changes. */
export class ListedDays {
  readonly #sql: Sqlite;
  /** The latest used at the end. */
  readonly #kept = new Map<string, Kept>();
  #count = 0;

  constructor(sql: Sqlite) {
    this.#sql = sql;
  }

  /** See ReadShows. */
  on({ channelIds, day }: ListedQuery): ListedShows {
    const key = `${day} ${channelIds.join()}`;
    const known = this.#kept.get(key);
    if (known !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.shows;
    }
    const shows = new ShowColumns(this.#read({ channelIds, day }));
    this.#kept.set(key, { day, channelIds: new Set(channelIds), shows });
    this.#count += shows.length;
    for (const first of this.#kept.keys()) {
      if (this.#count <= SHOWS_KEPT) break;
      this.#drop(first);
    }
    return shows;
  }

  #read({ channelIds, day }: ListedQuery): Rows {
    const span = { startFrom: day * DAY, startBefore: (day + 1) * DAY };
    const { where, values } = inArea({ channelIds, ...span });
    const lists = ["id", "channel", "start", "stop", "series"].map(
      (column) => `json_group_array(${column}) AS ${column}`,
    );
    const row = this.#sql.get(`SELECT ${lists.join()} FROM shows WHERE ${where}`, values);
    const list = <T>(name: string) => JSON.parse(String(row?.[name])) as readonly T[];
    return {
      ids: list("id"),
      channels: list("channel"),
      starts: list("start"),
      stops: list("stop"),
      series: list("series"),
    };
  }

  /** Before a show is written: drops the lists that have it or will have it. */
  put({ id, channelId, start }: Pick<Show, "id" | "channelId" | "start">): void {
    if (this.#kept.size === 0) return;
    const before = this.#sql.get("SELECT channel, start FROM shows WHERE id = ?", [id]);
    if (before !== undefined) this.#dropWith(Number(before["channel"]), Number(before["start"]));
    this.#dropWith(channelId, start);
  }

  /** Before shows are removed that ended before this instant. */
  removeBefore(instant: EpochMs): void {
    for (const [key, { day }] of this.#kept) if (day * DAY < instant) this.#drop(key);
  }

  #dropWith(channelId: number, start: EpochMs): void {
    const at = Math.floor(start / DAY);
    for (const [key, { day, channelIds }] of this.#kept)
      if (day === at && channelIds.has(channelId)) this.#drop(key);
  }

  #drop(key: string): void {
    this.#count -= this.#kept.get(key)?.shows.length ?? 0;
    this.#kept.delete(key);
  }
}
