import { type EpochMs, MINUTE } from "../../model/time.ts";
import type { Series } from "../data/tables.ts";
import type { GuideData, ShowData } from "../domain/catalogue.ts";
import { DEMO_ZONE, demoChannels, MANUFACTURERS, REGIONS, TYPES } from "./broadcasters.ts";
import { Chance } from "./chance.ts";
import { DAY_START_MINUTE, STATION_DAYS } from "./programmes.ts";
import { EPISODES, GENRES, type GenreName, PEOPLE } from "./words.ts";
import { Zone } from "./zone.ts";

export interface DemoOptions {
  readonly seed: number;
  readonly now: EpochMs;
  /** 1 to 100. */
  readonly channels: number;
}

/** Broadcasting days before today's, and after it. */
const DAYS_BEFORE = 1;
const DAYS_AFTER = 7;
const SERIES_PER_GENRE = 4;
/** Show ids outside the range of the server's own ids, and equal for the same broadcast on any day. */
const FIRST_SHOW_ID = 1_000_000_000;
const FIRST_DAY = 20_000;
/** A shorter remainder of a day part extends the programme before it. */
const SHORTEST_MINUTES = 15;

/**
 * Creates a week of programmes, back to back on every channel, from yesterday to seven days ahead in the guide's
 * zone. Equal seeds give equal programmes: another `now` only selects other days.
 */
export function seedDemo({ seed, now, channels }: DemoOptions): GuideData {
  const stations = demoChannels(channels);
  const zone = new Zone(DEMO_ZONE);
  const today = zone.dayOf(now - DAY_START_MINUTE * MINUTE);
  const days = Array.from(
    { length: DAYS_BEFORE + 1 + DAYS_AFTER },
    (_, index) => today - DAYS_BEFORE + index,
  );
  const series = new Map<string, Series>();
  const shows = stations.flatMap(({ id }, index) =>
    days.flatMap((day) => showsOfDay({ seed, zone, day, channelId: id, index, series })),
  );
  return {
    regions: REGIONS,
    channels: stations,
    manufacturers: MANUFACTURERS,
    types: TYPES,
    series: [...series.values()],
    shows,
  };
}

interface StationDay {
  readonly seed: number;
  readonly zone: Zone;
  readonly day: number;
  readonly channelId: number;
  readonly index: number;
  /** New series are added to it. */
  readonly series: Map<string, Series>;
}

/** The broadcasting day may have 23 or 25 hours: the last programme takes the difference. */
function showsOfDay(station: StationDay): readonly ShowData[] {
  const { seed, zone, day, index } = station;
  const start = zone.instant(day, DAY_START_MINUTE);
  const minutes = (zone.instant(day + 1, DAY_START_MINUTE) - start) / MINUTE;
  // One layout for each weekday, so that a series keeps its slot from week to week.
  const chance = new Chance(seed, "layout", index, day % 7);
  const parts = STATION_DAYS[index % STATION_DAYS.length] ?? [];
  const shows: ShowData[] = [];
  let at = 0;
  for (const [place, { until, genre, lengths }] of parts.entries()) {
    const end = place === parts.length - 1 ? minutes : until;
    while (at < end) {
      const chosen = chance.pick(lengths);
      const durationMinutes = end - at - chosen < SHORTEST_MINUTES ? end - at : chosen;
      const slot = { start: start + at * MINUTE, durationMinutes, genre, number: shows.length };
      shows.push(showOf(station, slot, chance.below(SERIES_PER_GENRE)));
      at += durationMinutes;
    }
  }
  return shows;
}

interface Slot {
  readonly start: EpochMs;
  readonly durationMinutes: number;
  readonly genre: GenreName;
  /** Position in the day. */
  readonly number: number;
}

function showOf({ seed, day, channelId, index, series }: StationDay, slot: Slot, choice: number): ShowData {
  const week = Math.floor(day / 7);
  // News has one series per station, films have another each week, and other genres have fixed slots.
  const which =
    slot.genre === "news" ? 0 : slot.genre === "film" ? (choice + week) % SERIES_PER_GENRE : choice;
  const one = seriesOf(seed, { index, genre: slot.genre, which });
  series.set(one.id, one);
  const { descs, rating, category, eit } = GENRES[slot.genre];
  const chance = new Chance(seed, "episode", index, day, slot.number);
  const title = typeof one.summary.title === "string" ? one.summary.title : "";
  return {
    id: FIRST_SHOW_ID + ((day - FIRST_DAY) * 100 + index) * 100 + slot.number,
    channelId,
    seriesId: one.id,
    episodeId: `${one.id}-${day}-${slot.number}`,
    start: slot.start,
    durationMinutes: slot.durationMinutes,
    title,
    subtitle: slot.genre === "news" || slot.genre === "film" ? "" : chance.pick(EPISODES),
    desc: chance.pick(descs),
    category: [{ name: category, eit }],
    eitId: (day * 100 + slot.number) % 0x1_0000,
    rating: chance.pick(rating),
    date: one.summary.date ?? "",
  };
}

function seriesOf(
  seed: number,
  { index, genre, which }: { readonly index: number; readonly genre: GenreName; readonly which: number },
): Series {
  const { first, second, descs, category, eit, rating } = GENRES[genre];
  const chance = new Chance(seed, "series", index, genre, which);
  const id = String(1000 + index * 100 + Object.keys(GENRES).indexOf(genre) * SERIES_PER_GENRE + which);
  // Steps of seven visit every pair of words: no two series of one station and genre share a title.
  const pair = new Chance(seed, "titles", index, genre).below(first.length * second.length) + which * 7;
  const title = `${first[pair % first.length]} ${second[Math.floor(pair / first.length) % second.length]}`;
  const year = 1990 + chance.below(37);
  return {
    id,
    summary: {
      id,
      episode_count: 1 + chance.below(120),
      title,
      desc: chance.pick(descs),
      credits: { actors: [chance.pick(PEOPLE), chance.pick(PEOPLE)] },
      date: String(year),
      category: [{ name: category, eit }],
      language: "English",
      country: "Australia",
      video: { aspect: "16:9" },
      rating: chance.pick(rating),
    },
    // A few series are popular with many viewers, most with few.
    votes: Math.floor(400 / (1 + chance.below(60))),
    isNew: genre !== "news" && chance.below(10) === 0,
  };
}
