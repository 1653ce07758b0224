import type { Programme } from "./programme.ts";
import type { Triplet } from "./service.ts";
import type { EpochMs } from "./time.ts";
import { lengthMs, type Window } from "./window.ts";

/** One broadcast of a show in the guide. */
export interface Airing {
  readonly showId: string;
  readonly channelId: string;
  readonly title: string;
  readonly event: Window;
  readonly programme: Programme;
}

/** The channels to search, at least one, and the filter for the answer. */
export interface AiringOrder {
  readonly channelIds: readonly string[];
  readonly isWanted: (airing: Airing) => boolean;
}

/** Another broadcast of a recording's show, on a channel that a tuner can receive. */
export interface Repeat {
  readonly showId: string;
  readonly channelId: string;
  readonly channelName: string;
  readonly service: Triplet;
  readonly event: Window;
}

/** The fields that identify an episode. */
export interface Episode {
  readonly title: string;
  readonly programme: Programme;
}

/** A shorter broadcast was cut. */
const LENGTH_SHARE_MIN = 0.9;

/** Whether the guide's data is enough to recognise another broadcast of the show. */
export function isRecognisable({ programme: { episodeId, subtitle } }: Episode): boolean {
  return episodeId !== undefined || isDistinctive(subtitle);
}

/**
 * Whether two shows are one episode by the guide's data: its id within the series, or title and subtitle. Title and description
 * are not enough: those of the news are the same every day.
 */
function isSameEpisode(one: Episode, other: Episode): boolean {
  const [a, b] = [one.programme, other.programme];
  if (differ(a.seriesId, b.seriesId) || differ(a.season, b.season) || differ(a.episode, b.episode))
    return false;
  const isOneTitle = caseFolded(one.title) === caseFolded(other.title);
  if (a.episodeId !== undefined && b.episodeId !== undefined)
    return a.episodeId === b.episodeId && (isOneTitle || a.seriesId !== undefined);
  return (
    isOneTitle && isDistinctive(a.subtitle) && caseFolded(a.subtitle ?? "") === caseFolded(b.subtitle ?? "")
  );
}

/** Whether an airing is another broadcast of the event, and not much shorter. */
export function isRepeatOf(
  airing: Airing,
  wanted: Episode & { readonly event: Window; readonly showId?: string | undefined },
): boolean {
  if (airing.showId === wanted.showId || !isSameEpisode(airing, wanted)) return false;
  return lengthMs(airing.event) >= LENGTH_SHARE_MIN * lengthMs(wanted.event);
}

/** The soonest first. */
export function bySoonest(a: Repeat, b: Repeat): number {
  return a.event.start - b.event.start || (a.showId < b.showId ? -1 : 1);
}

export function hasYetToBegin({ event }: Pick<Repeat, "event">, now: EpochMs): boolean {
  return event.start > now;
}

/** `Episode 5` exists in every season. */
function isDistinctive(subtitle: string | undefined): boolean {
  return subtitle !== undefined && !/^(?:\p{L}+\P{L}*)?\d+$/u.test(subtitle.trim());
}

function differ(a: string | number | undefined, b: string | number | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

function caseFolded(text: string): string {
  return text.normalize("NFKC").trim().toLowerCase().replaceAll(/\s+/gu, " ");
}
