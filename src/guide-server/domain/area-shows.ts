import { DAY } from "../../model/time.ts";
import type { AreaQuery, ListedShows, SeriesPlace } from "../data/show.ts";
import type { GuideTables } from "../data/tables.ts";

/** A part of the guide within one day. */
export interface Area extends AreaQuery {
  /** Channels that are listed together, those of the area among them. */
  readonly listedWith: readonly number[];
}

/** The shows of a part of the guide. Each of their lists is read once, when the first way to find shows needs it. */
export class AreaShows {
  readonly query: Area;
  readonly #shows: GuideTables["shows"];
  #listed: ListedShows | undefined;
  #rows: readonly number[] | undefined;
  #rowsById: ReadonlyMap<number, number> | undefined;
  #lines: string | undefined;
  #texts: readonly string[] | undefined;
  #readIds: () => readonly number[] = () => [];
  #ids: readonly number[] | undefined;

  constructor(shows: GuideTables["shows"], query: Area) {
    this.#shows = shows;
    this.query = query;
  }

  get listed(): ListedShows {
    const { listedWith: channelIds, startFrom } = this.query;
    this.#listed ??= this.#shows.listedOn({ channelIds, day: Math.floor(startFrom / DAY) });
    return this.#listed;
  }

  /** Those of the listed shows that are in the area. */
  get rows(): readonly number[] {
    if (this.#rows !== undefined) return this.#rows;
    const { channelIds, startFrom, startBefore } = this.query;
    const [channels, rows] = [new Set(channelIds), [] as number[]];
    for (let row = 0; row < this.listed.length; row += 1) {
      const start = this.listed.startAt(row);
      if (start >= startFrom && start < startBefore && channels.has(this.listed.channelAt(row)))
        rows.push(row);
    }
    this.#rows = rows;
    return rows;
  }

  placeOf(id: number): SeriesPlace | undefined {
    this.#rowsById ??= new Map(this.rows.map((row) => [this.listed.idAt(row), row]));
    const row = this.#rowsById.get(id);
    return row === undefined ? undefined : this.listed.at(row);
  }

  /** The folded texts, one a line. */
  get lines(): string {
    if (this.#lines !== undefined) return this.#lines;
    const { lines, ids } = this.#shows.textsIn(this.query);
    [this.#lines, this.#readIds] = [lines, ids];
    return lines;
  }

  /** The folded text of a line. */
  textAt(line: number): string {
    this.#texts ??= this.lines.split("\n");
    return this.#texts[line] ?? "";
  }

  /** The show of a line. */
  idAt(line: number): number {
    this.#ids ??= this.#readIds();
    return this.#ids[line] ?? 0;
  }
}
