import { z } from "zod";
import { Category, type Wire } from "../../guide-wire/records.ts";
import { type EpochMs, MINUTE } from "../../model/time.ts";

const Instant = z.int();

/** No show is longer: what is on at an instant is looked for among those that began so long before. */
const SHOW_MINUTES_MAX = 24 * 60;
export const SHOW_MS_MAX = SHOW_MINUTES_MAX * MINUTE;

export const Show = z.strictObject({
  id: z.int(),
  channelId: z.int(),
  /** Empty when it belongs to none. */
  seriesId: z.string(),
  episodeId: z.string(),
  start: Instant,
  /** Whole minutes; only the simulator's shows are shorter. */
  durationMinutes: z.number().positive().max(SHOW_MINUTES_MAX),
  title: z.string(),
  subtitle: z.string(),
  desc: z.string(),
  category: z.array(Category),
  /** Event id of the broadcast. */
  eitId: z.int().min(0).max(0xffff),
  rating: z.string(),
  /** The year. */
  date: z.string(),
  updatedAt: Instant,
  /** Where it is from, 0 for what was published here: where two listings differ, the one of lower rank is right. */
  rank: z.int().min(0).optional(),
  /** It is no longer broadcast then. */
  gone: z.literal(true).optional(),
});
export type Show = Wire<typeof Show>;

/** Shows by what they must be; everything that is left out is no condition. Sorted by channel and start. */
export interface ShowQuery {
  readonly channelIds?: readonly number[];
  readonly seriesId?: string;
  readonly startFrom?: EpochMs;
  readonly startBefore?: EpochMs;
  readonly endAfter?: EpochMs;
  /** Changed then or later, those that are gone since then included; without it, none that is gone. */
  readonly updatedSince?: EpochMs;
  readonly limit?: number;
  readonly offset?: number;
}

/** The shows of the guide, as decisions see them. */
export interface ReadShows {
  /** Also one that is gone. */
  get(id: number): Show | undefined;
  list(query: ShowQuery): readonly Show[];
  count(query: ShowQuery): number;
  /** When the last show of the channel that is not gone ends; absent where there is none. */
  lastEndOf(channelId: number): EpochMs | undefined;
  /** The first by start that is not gone. */
  firstOf(seriesId: string): Show | undefined;
  /** Series of which a show has, or had, all these words in its title; ids in order. */
  seriesTitled(words: readonly string[]): readonly string[];
  /** What is known of series from their shows, by title. */
  seriesList(query: SeriesQuery): readonly ShownSeries[];
  countSeries(query: SeriesQuery): number;
}

/** Series that have a show within the span, by what else they must be. */
export interface SeriesQuery {
  readonly endAfter: EpochMs;
  readonly startBefore: EpochMs;
  /** All in the title of one of its shows. */
  readonly words?: readonly string[];
  readonly limit?: number;
  readonly offset?: number;
}

export interface ShownSeries {
  readonly seriesId: string;
  /** Of the first show within the span. */
  readonly title: string;
  /** Different episodes within the span. */
  readonly episodes: number;
}
