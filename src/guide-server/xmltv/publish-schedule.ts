import { yieldToLoop } from "../../kit/time/clock.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import type { SeriesNames, Shows } from "../data/shows.ts";
import type { GuideStore } from "../data/store.ts";
import { put } from "../data/tables.ts";
import type { ListedProgramme } from "./reader.ts";
import { type PlacedProgramme, type ScheduleChange, scheduleChange, withEpisode } from "./schedule.ts";

/** Programmes per step when finding series; other work waits for one step. */
const PLACED_AT_ONCE = 250;

/** Shows per write; other work waits for one write. */
const SHOWS_AT_ONCE = 500;
/** First id of shows from listings, outside the range of shows published one by one. */
const FIRST_SHOW_ID = 10_000_000;

/** One source's schedule of one channel. */
export interface ChannelSchedule {
  readonly channelId: number;
  /** Lower is better. */
  readonly rank: number;
  /** By start. */
  readonly programmes: readonly ListedProgramme[];
  /** Within this span, shows of this rank that are not among the programmes are withdrawn. */
  readonly span: { readonly from: EpochMs; readonly to: EpochMs };
  /** Those with no other in their place only after this time. */
  readonly missingMs: DurationMs;
  readonly now: EpochMs;
  readonly signal: AbortSignal;
}

/**
 * Publishes the schedule of a channel; the caller holds the schedule lock (`GuideStore.withScheduleLock`). @throws
 * RecorderdError STORE_WRITE_FAILED
 */
export async function publishSchedule(
  store: GuideStore,
  { channelId, rank, programmes, span, missingMs, now, signal }: ChannelSchedule,
): Promise<ScheduleChange> {
  const listed = await placedProgrammes(store.shows, programmes);
  const known = store.shows.list({ channelIds: [channelId], endAfter: span.from, startBefore: span.to });
  await yieldToLoop();
  const change = scheduleChange({
    channelId,
    rank,
    programmes: listed,
    known,
    firstNewId: FIRST_SHOW_ID + (store.catalogue.counters.get("listed")?.next ?? 0),
    missingMs,
    now,
  });
  // The ids are reserved before a show uses one: no id may ever be given twice.
  if (change.added > 0) await takeShowIds(store, change.added);
  for (let at = 0; at < change.shows.length; at += SHOWS_AT_ONCE) {
    signal.throwIfAborted();
    await store.shows.put(change.shows.slice(at, at + SHOWS_AT_ONCE));
    await yieldToLoop();
  }
  return change;
}

/** Adds the series, found or created. */
async function placedProgrammes(
  shows: Shows,
  programmes: readonly ListedProgramme[],
): Promise<readonly PlacedProgramme[]> {
  const seriesOf = cachedSeriesId(shows);
  const found: PlacedProgramme[] = [];
  for (let at = 0; at < programmes.length; at += PLACED_AT_ONCE) {
    const some = programmes.slice(at, at + PLACED_AT_ONCE);
    found.push(...shows.atOnce(() => some.map((programme) => withEpisode(programme, seriesOf))));
    await yieldToLoop();
  }
  return found;
}

async function takeShowIds(store: GuideStore, count: number): Promise<void> {
  await store.commitShared(({ counters }) => {
    const next = (counters.get("listed")?.next ?? 0) + count;
    return { changes: [put("counters", { id: "listed", next })], value: undefined };
  });
}

/** A channel repeats the same series many times. */
function cachedSeriesId(shows: Shows): (names: SeriesNames) => string {
  const series = new Map<string, string>();
  return (names) => {
    const key = JSON.stringify(names);
    const id = series.get(key) ?? shows.seriesOf(names);
    series.set(key, id);
    return id;
  };
}
