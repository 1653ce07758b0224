import { yieldToLoop } from "../../kit/time/clock.ts";
import type { EpochMs } from "../../model/time.ts";
import type { SeriesNames, Shows } from "../data/shows.ts";
import type { GuideStore } from "../data/store.ts";
import { put } from "../data/tables.ts";
import type { ListedProgramme } from "./reader.ts";
import { type PlacedProgramme, placed, type ScheduleChange, scheduleChange } from "./schedule.ts";

/** Programmes of which the series are found at once: others wait so long. */
const PLACED_AT_ONCE = 1000;

/** Shows written at once: others wait so long. */
const SHOWS_AT_ONCE = 500;
/** Ids of shows that come from listings are from here on: apart from those that are published one by one. */
const FIRST_SHOW_ID = 10_000_000;

/** What somebody has to say of one channel. */
export interface ChannelSchedule {
  readonly channelId: number;
  /** Lower is better. */
  readonly rank: number;
  /** By start. */
  readonly programmes: readonly ListedProgramme[];
  /** Of what is on within it, and not among the programmes, this rank says nothing any more. */
  readonly span: { readonly from: EpochMs; readonly to: EpochMs };
  readonly now: EpochMs;
  readonly signal: AbortSignal;
}

/** Has the guide say it of the channel; the caller's turn (`GuideStore.inTurn`). @throws RecorderdError STORE_WRITE_FAILED */
export async function publishSchedule(
  store: GuideStore,
  { channelId, rank, programmes, span, now, signal }: ChannelSchedule,
): Promise<ScheduleChange> {
  const listed = await placedProgrammes(store.shows, programmes);
  const known = store.shows.list({ channelIds: [channelId], endAfter: span.from, startBefore: span.to });
  await yieldToLoop();
  const change = scheduleChange({
    channelId,
    rank,
    programmes: listed,
    known,
    firstNewId: FIRST_SHOW_ID + (store.tables.counters.get("listed")?.next ?? 0),
    now,
  });
  // The ids are taken before a show has one: nobody may ever be given the id of another show.
  if (change.added > 0) await takeShowIds(store, change.added);
  for (let at = 0; at < change.shows.length; at += SHOWS_AT_ONCE) {
    signal.throwIfAborted();
    store.shows.put(change.shows.slice(at, at + SHOWS_AT_ONCE));
    await yieldToLoop();
  }
  return change;
}

/** With their series, which are found or made. */
async function placedProgrammes(
  shows: Shows,
  programmes: readonly ListedProgramme[],
): Promise<readonly PlacedProgramme[]> {
  const seriesOf = remembering(shows);
  const found: PlacedProgramme[] = [];
  for (let at = 0; at < programmes.length; at += PLACED_AT_ONCE) {
    const some = programmes.slice(at, at + PLACED_AT_ONCE);
    found.push(...shows.atOnce(() => some.map((programme) => placed(programme, seriesOf))));
    await yieldToLoop();
  }
  return found;
}

async function takeShowIds(store: GuideStore, count: number): Promise<void> {
  await store.commit(({ counters }) => {
    const next = (counters.get("listed")?.next ?? 0) + count;
    return { changes: [put("counters", { id: "listed", next })], value: undefined };
  });
}

/** A channel shows the same series again and again. */
function remembering(shows: Shows): (names: SeriesNames) => string {
  const series = new Map<string, string>();
  return (names) => {
    const key = JSON.stringify(names);
    const id = series.get(key) ?? shows.seriesOf(names);
    series.set(key, id);
    return id;
  };
}
