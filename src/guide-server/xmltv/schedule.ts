import { type DurationMs, type EpochMs, MINUTE } from "../../model/time.ts";
import { SHOW_MS_MAX, type Show } from "../data/show.ts";
import { startingWithin } from "./by-start.ts";
import { EVENT_ID_SYSTEM, type Identity, identityOf } from "./identity.ts";
import { type Airing, type KnownAiring, matchAirings } from "./match.ts";
import type { ListedProgramme } from "./reader.ts";

/**
 * A programme without a stop lasts until the next one, up to this limit; the last of a channel lasts as long as the listing says,
 * or `OPEN_MINUTES`.
 */
const OPEN_MINUTES_MAX = 6 * 60;
const OPEN_MINUTES = 30;

export interface ChannelListing {
  readonly channelId: number;
  /** The rank among all listings: lower is better. */
  readonly rank: number;
  readonly programmes: readonly PlacedProgramme[];
  /** Shows of the channel, of any rank and not gone, from the first programme's start to the last one's end. */
  readonly known: readonly Show[];
  readonly firstNewId: number;
  /** A show is kept so long after its listing left it out without another in its place: mostly, a part could not be fetched. */
  readonly missingMs: DurationMs;
  readonly now: EpochMs;
}

export type PlacedProgramme = ListedProgramme & Pick<Show, "seriesId" | "episodeId">;

export function withEpisode(
  programme: ListedProgramme,
  seriesOf: (series: Identity["series"]) => string,
): PlacedProgramme {
  const { series, episode } = identityOf(programme);
  const seriesId = seriesOf(series);
  // A CRID is globally unique; other numbers are unique within their series.
  const episodeId = episode === "" || episode.startsWith("crid:") ? episode : `${seriesId} ${episode}`;
  return { ...programme, seriesId, episodeId };
}

export interface ScheduleChange {
  /** Shows to write: new, changed, gone and missing. */
  readonly shows: readonly Show[];
  readonly added: number;
  readonly changed: number;
  readonly gone: number;
  /** Programmes replaced by a better listing's, and overlong ones. */
  readonly leftOut: number;
}

/** Computes the changes that bring one channel's schedule in line with the listing. */
export function scheduleChange(listing: ChannelListing): ScheduleChange {
  const { programmes, known, rank, missingMs, now } = listing;
  const isBetter = (show: Show) => (show.rank ?? 0) < rank && show.missingSince === undefined;
  const better = known.filter(isBetter);
  const fresh = withStops(programmes)
    .map((programme) => draftOf(listing, programme))
    .filter((draft) => !overlapsAny(draft, better));
  const others = known.filter((show) => !isBetter(show));
  const ids = matchAirings(others.map(airingOf), fresh.map(airingOfDraft));
  const matched = new Map(others.map((show) => [show.id, show]));
  let nextId = listing.firstNewId;
  const shows = fresh.map((draft, index): Show => {
    const before = matched.get(ids[index] ?? -1);
    const show = { ...draft, id: before?.id ?? nextId++, updatedAt: before?.updatedAt ?? now };
    return { ...show, eitId: draft.eitId ?? before?.eitId ?? show.id % 0x1_0000 };
  });
  const kept = new Set(shows.map(({ id }) => id));
  const unlisted = others
    .filter(({ id }) => !kept.has(id))
    .map((show) => ({ show, isReplaced: overlapsAny(show, shows), isOwn: show.rank === rank }))
    .filter(({ isReplaced, isOwn }) => isReplaced || isOwn);
  const isMissing = ({ show, isReplaced }: (typeof unlisted)[number]) =>
    !isReplaced && now - (show.missingSince ?? now) < missingMs;
  const gone = unlisted
    .filter((one) => !isMissing(one))
    .map(({ show }): Show => ({ ...show, gone: true, updatedAt: now }));
  const missing = unlisted
    .filter((one) => isMissing(one) && one.show.missingSince === undefined)
    .map(({ show }): Show => ({ ...show, missingSince: now }));
  const added = shows.filter(({ id }) => !matched.has(id));
  const changed = shows
    .filter((show) => matched.has(show.id) && !sameShow(show, matched.get(show.id)))
    .map((show) => ({ ...show, updatedAt: now }));
  return {
    shows: [...added, ...changed, ...gone, ...missing],
    added: added.length,
    changed: changed.length,
    gone: gone.length,
    leftOut: programmes.length - fresh.length,
  };
}

type Closed = PlacedProgramme & { readonly stop: EpochMs };

/** Adds missing stops and removes duplicates: the first of several with the same start and title stays. */
function withStops(programmes: readonly PlacedProgramme[]): readonly Closed[] {
  let next: EpochMs | undefined;
  let nextStart: EpochMs | undefined;
  return [...programmes]
    .reverse()
    .map((programme) => {
      if (programme.start !== nextStart) [next, nextStart] = [nextStart, programme.start];
      const open =
        next === undefined
          ? programme.start + (programme.lengthMs ?? OPEN_MINUTES * MINUTE)
          : Math.min(next, programme.start + OPEN_MINUTES_MAX * MINUTE);
      return { ...programme, stop: programme.stop ?? open };
    })
    .reverse()
    .filter(
      ({ start, stop, title }, index) =>
        stop - start <= SHOW_MS_MAX &&
        !(programmes[index - 1]?.start === start && programmes[index - 1]?.title === title),
    );
}

type Draft = Omit<Show, "id" | "updatedAt" | "eitId"> & { readonly eitId?: number };

function draftOf(listing: ChannelListing, programme: Closed): Draft {
  const { title, subtitle, desc, categories, numbers, start, stop, year, rating, isRepeat } = programme;
  const eitId = numbers.find(({ system }) => system === EVENT_ID_SYSTEM)?.value;
  return {
    channelId: listing.channelId,
    seriesId: programme.seriesId,
    episodeId: programme.episodeId,
    start,
    durationMinutes: minutesOf(stop - start),
    title,
    subtitle,
    desc,
    category: categories.map((name) => ({ name })),
    rating,
    date: year,
    rank: listing.rank,
    ...(isRepeat === undefined ? {} : { isRepeat }),
    ...(eitId !== undefined && /^\d{1,5}$/.test(eitId) ? { eitId: Number(eitId) % 0x1_0000 } : {}),
  };
}

/** Whole minutes, as clients expect; anything shorter than one would overlap the next. */
function minutesOf(lengthMs: DurationMs): number {
  return lengthMs < MINUTE ? lengthMs / MINUTE : Math.round(lengthMs / MINUTE);
}

function stopOf({ start, durationMinutes }: Span): EpochMs {
  return start + durationMinutes * MINUTE;
}

type Span = Pick<Show, "start" | "durationMinutes">;

/** The others are sorted by start, and none lasts longer than a day. */
function overlapsAny(one: Span, others: readonly Span[]): boolean {
  const stop = stopOf(one);
  return startingWithin(others, { from: one.start - SHOW_MS_MAX, to: stop - 1 }).some(
    (other) => stopOf(other) > one.start,
  );
}

function airingOf(show: Show): KnownAiring {
  return {
    id: show.id,
    start: show.start,
    stop: stopOf(show),
    title: show.title,
    episode: show.episodeId,
    eventId: show.eitId,
  };
}

function airingOfDraft(draft: Draft): Airing {
  const { start, title, episodeId: episode, eitId } = draft;
  return { start, stop: stopOf(draft), title, episode, ...(eitId === undefined ? {} : { eventId: eitId }) };
}

function sameShow(a: Show, b: Show | undefined): boolean {
  const { id: _a, ...left } = a;
  const { id: _b, ...right } = b ?? a;
  // Their fields mostly come in one order, and sorting those of a channel blocks the loop for long.
  return JSON.stringify(left) === JSON.stringify(right) || canonical(left) === canonical(right);
}

function canonical(show: object): string {
  return JSON.stringify(Object.entries(show).sort(([a], [b]) => (a < b ? -1 : 1)));
}
