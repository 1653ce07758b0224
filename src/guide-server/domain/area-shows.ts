import type { AreaQuery, SeriesPlace, ShowPlace } from "../data/show.ts";
import type { GuideTables } from "../data/tables.ts";

/** Fewer places are looked up by their ids, unless all are there. */
const PLACES_LOOKED_UP = 200;

/** The shows of a part of the guide. Each of their lists is read once, when the first way to find shows needs it. */
export class AreaShows {
  readonly query: AreaQuery;
  readonly #shows: GuideTables["shows"];
  #places: readonly SeriesPlace[] | undefined;
  #placesById: ReadonlyMap<number, ShowPlace> | undefined;
  #lines: string | undefined;
  #texts: readonly string[] | undefined;
  #readIds: () => readonly number[] = () => [];
  #ids: readonly number[] | undefined;

  constructor(shows: GuideTables["shows"], query: AreaQuery) {
    this.#shows = shows;
    this.query = query;
  }

  get places(): readonly SeriesPlace[] {
    this.#places ??= this.#shows.placesIn(this.query);
    return this.#places;
  }

  placeOf(id: number): ShowPlace | undefined {
    this.#placesById ??= new Map(this.places.map((place) => [place.id, place]));
    return this.#placesById.get(id);
  }

  placesOf(ids: readonly number[]): readonly ShowPlace[] {
    const isFew = this.#places === undefined && ids.length < PLACES_LOOKED_UP;
    return isFew ? this.#shows.placesAt({ ...this.query, ids }) : ids.flatMap((id) => this.placeOf(id) ?? []);
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
