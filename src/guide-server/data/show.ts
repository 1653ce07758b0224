import { z } from "zod";
import { Category, type Wire } from "../../guide-wire/records.ts";
import { type EpochMs, MINUTE } from "../../model/time.ts";

const Instant = z.int();

/** The longest show. Lookups for an instant search this far back. */
const SHOW_MINUTES_MAX = 24 * 60;
export const SHOW_MS_MAX = SHOW_MINUTES_MAX * MINUTE;

export const Show = z.strictObject({
  id: z.int(),
  channelId: z.int(),
  /** Empty without a series. */
  seriesId: z.string(),
  episodeId: z.string(),
  start: Instant,
  /** Whole minutes; only the simulator has shorter shows. */
  durationMinutes: z.number().positive().max(SHOW_MINUTES_MAX),
  title: z.string(),
  subtitle: z.string(),
  desc: z.string(),
  category: z.array(Category),
  /** EIT event id. */
  eitId: z.int().min(0).max(0xffff),
  rating: z.string(),
  /** The year. */
  date: z.string(),
  updatedAt: Instant,
  /** The source's rank, 0 for shows published directly: where two listings differ, the lower rank wins. */
  rank: z.int().min(0).optional(),
  /** The guide calls it a repeat. */
  isRepeat: z.literal(true).optional(),
  /** Since then its listing has named neither this show nor another in its place. */
  missingSince: Instant.optional(),
  /** The show is no longer broadcast at this time. */
  gone: z.literal(true).optional(),
});
export type Show = Wire<typeof Show>;

/** Conditions for shows; an omitted one does not restrict. The result is sorted by channel and start. */
export interface ShowQuery {
  readonly channelIds?: readonly number[];
  readonly seriesId?: string;
  readonly startFrom?: EpochMs;
  readonly startBefore?: EpochMs;
  readonly endAfter?: EpochMs;
  /** Shows changed at or after this time, also those that are gone; without it, no show that is gone. */
  readonly updatedSince?: EpochMs;
  readonly limit?: number;
  readonly offset?: number;
}

/** Read access to the shows of the guide, for decisions. */
export interface ReadShows {
  /** Also finds a show that is gone. */
  get(id: number): Show | undefined;
  list(query: ShowQuery): readonly Show[];
  count(query: ShowQuery): number;
  /** The end of the channel's last show that is not gone; absent without one. */
  lastEndOf(channelId: number): EpochMs | undefined;
  /** The first show by start that is not gone. */
  firstOf(seriesId: string): Show | undefined;
  /** The ids, in order, of series of which any present or former title has all these words. */
  seriesTitled(words: readonly string[]): readonly string[];
  /** A page of the titles of all series, folded (rules/fold.ts), in their order. */
  titlesAfter(last: SeriesTitle, limit: number): readonly SeriesTitle[];
  /** Those of these ids that are there, also as gone. */
  known(ids: readonly number[]): readonly number[];
  /** Those of these ids that are not gone, by id. */
  several(ids: readonly number[]): readonly Show[];
  /** The places of these series. */
  placesOf(query: SpanQuery & { readonly seriesIds: readonly string[] }): readonly SeriesPlace[];
  /** The ids of the airings of these episodes, in order. */
  airingsOf(query: SpanQuery & EpisodesQuery): readonly number[];
  /** The places of all shows of an area, with their series. */
  placesIn(area: AreaQuery): readonly SeriesPlace[];
  /** The places of those of these ids that are not gone and begin within the span. */
  placesAt(query: SpanQuery & { readonly ids: readonly number[] }): readonly ShowPlace[];
  /** No show of these channels that begins at this time or later has a lower id: later ids are found faster without the earlier ones. */
  lowestIdFrom(query: FromQuery): number;
  /** The folded texts of all shows of an area. */
  textsIn(area: AreaQuery): ShowTexts;
  /** A page of ids with all these words in their texts and one of these genres, in order; also of shows that are gone. */
  idsWith(query: TextQuery): readonly number[];
  /** Series with the facts from their shows, by title. */
  seriesList(query: SeriesQuery): readonly ShownSeries[];
  countSeries(query: SeriesQuery): number;
}

export interface SeriesTitle {
  readonly title: string;
  readonly seriesId: string;
}

/** The part of a show that indexes hold: reading it costs little. */
export type ShowPlace = Pick<Show, "id" | "channelId" | "start" | "durationMinutes">;

export interface SeriesPlace extends ShowPlace {
  readonly seriesId: string;
}

/** The folded texts (title, subtitle and description) of many shows: objects of their own would cost as much as the search. */
export interface ShowTexts {
  /** One text a line. */
  readonly lines: string;
  /** The ids in the order of the lines. */
  readonly ids: () => readonly number[];
}

/** Shows that begin within this time. */
export interface SpanQuery {
  readonly startFrom: EpochMs;
  readonly startBefore: EpochMs;
}

/** Shows of these channels that begin at a time or later. */
export interface FromQuery {
  readonly channelIds: readonly number[];
  readonly startFrom: EpochMs;
}

/** All shows of these channels within a span: callers keep it small. */
export interface AreaQuery extends SpanQuery {
  readonly channelIds: readonly number[];
}

export interface EpisodesQuery {
  /** Ids of episodes by the id of their series. */
  readonly episodes: ReadonlyMap<string, ReadonlySet<string>>;
}

/** An index finds the shows; genres are compared roughly, so that callers check them again. */
export interface TextQuery {
  /** Folded words of title, subtitle and description. */
  readonly words: readonly string[];
  /** Folded; none: any. */
  readonly genres: readonly string[];
  /** Folded words that the texts do not have. */
  readonly without: readonly string[];
  readonly idAfter: number;
  readonly limit: number;
}

/** Conditions for series with a show within the span. */
export interface SeriesQuery {
  readonly endAfter: EpochMs;
  readonly startBefore: EpochMs;
  /** Words that one title of the series must all have. */
  readonly words?: readonly string[];
  readonly limit?: number;
  readonly offset?: number;
}

export interface ShownSeries {
  readonly seriesId: string;
  /** Title of the first show within the span. */
  readonly title: string;
  /** Number of different episodes within the span. */
  readonly episodes: number;
}
