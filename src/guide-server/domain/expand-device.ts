import { DAY, type EpochMs } from "../../model/time.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { Show } from "../data/show.ts";
import type { Transaction } from "../data/store.ts";
import {
  type Account,
  type Change,
  type GuideTables,
  put,
  type Rule,
  type StoredTimer,
} from "../data/tables.ts";
import { wordsOf } from "../data/title.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { networkIdOf } from "./complete-records.ts";
import { doneOf, episodeOfTimer, recordDoneEpisode } from "./done-episodes.ts";
import { expand, type Order } from "./expansion.ts";
import { takeIds } from "./ids.ts";
import { minuteOfDayIn } from "./minute-of-day.ts";
import { type Airing, byTime } from "./rule-match.ts";
import { newTimer } from "./timer-add.ts";
import { timersToDrop } from "./timer-lists.ts";
import { withdrawTimer } from "./timer-move.ts";

const NOT_WANTED =
  "Withdrawn: no series recording or keyword needs it any longer. The recorder must forget it.";

/** Makes a device's timers match its rules. It reads only the shows of the series that the rules name, by index. */
export function expandDevice(
  tables: GuideTables,
  { account, deviceId, now }: { readonly account: Account; readonly deviceId: number; readonly now: EpochMs },
): Transaction<undefined> {
  const rules = [...tables.rules.values()].filter((rule) => rule.deviceId === deviceId);
  const timers = [...tables.timers.values()].filter((timer) => timer.deviceId === deviceId);
  const expansion = expand({
    rules,
    timers,
    airings: airingsFor(tables, { rules, timers, now }),
    doneOf: (episode) => doneOf(tables, deviceId, episode),
    episodeOfTimer: (timer) => episodeOfTimer(tables, timer),
    minuteOfDay: minuteOfDayIn(tables.regions.get(String(account.regionId))?.timezone),
    now,
  });
  const changed = expansion.continued
    .filter(({ timer, order }) => !isSame(timer, order))
    .map(({ timer, order }) => withOrder(timer, order));
  const gone = expansion.withdrawn.map((timer) => withdrawTimer(timer, NOT_WANTED, now));
  return {
    changes: [
      ...newTimers(tables, { account, deviceId, now, orders: expansion.orders }),
      ...[...changed, ...gone].map((timer) => put("timers", timer)),
      ...timers.flatMap((timer) => recordedEpisode(tables, timer, now)),
    ],
    value: undefined,
  };
}

interface Scope {
  readonly rules: readonly Rule[];
  readonly timers: readonly StoredTimer[];
  readonly now: EpochMs;
}

function airingsFor(tables: GuideTables, { rules, timers, now }: Scope): readonly Airing[] {
  const series = rules.flatMap(({ wants }) =>
    wants.kind === "series" ? [wants.seriesId] : tables.shows.seriesTitled(wordsOf(wants.keyword)),
  );
  const span = { startFrom: now - DAY, startBefore: now + SERVER_LIMITS.expandAheadMs };
  const shows = new Map<number, Show>();
  for (const seriesId of new Set(series)) {
    for (const show of tables.shows.list({ seriesId, ...span })) shows.set(show.id, show);
  }
  for (const { showId, episode } of timers) {
    const show = episode === undefined ? undefined : tables.shows.get(showId);
    if (show !== undefined) shows.set(show.id, show);
  }
  const airings = [...shows.values()].map((show): Airing => {
    const channel = tables.channels.get(String(show.channelId));
    return { show, isHd: channel?.is_hd === 1, networkId: channel && networkIdOf(channel) };
  });
  return airings.sort(byTime).slice(0, SERVER_LIMITS.airingsExpanded);
}

function timerFieldsOf({ episode, show, seriesRecordingId, keywordId }: Order) {
  const { id: showId, eitId, channelId, title: name, start, durationMinutes } = show;
  return {
    ...{ showId, eitId, channelId, name, start, durationMinutes, episode },
    ...withoutUndefined({ seriesRecordingId, keywordId }),
  };
}

function isSame(timer: StoredTimer, order: Order): boolean {
  const fields: Partial<StoredTimer> = timerFieldsOf(order);
  const { seriesRecordingId, keywordId } = order;
  return (
    timer.seriesRecordingId === seriesRecordingId &&
    timer.keywordId === keywordId &&
    Object.entries(fields).every(([key, value]) => timer[key as keyof StoredTimer] === value)
  );
}

/** The timer with the fields of the order; ids of rules that no longer want it are dropped. */
function withOrder(
  { seriesRecordingId: _s, keywordId: _k, ...timer }: StoredTimer,
  order: Order,
): StoredTimer {
  return { ...timer, ...timerFieldsOf(order) };
}

interface NewTimers {
  readonly account: Account;
  readonly deviceId: number;
  readonly now: EpochMs;
  readonly orders: readonly Order[];
}

/** Creates timers up to the limit, the first ones. The rest follows when there is room. */
function newTimers(tables: GuideTables, order: NewTimers): readonly Change[] {
  const { account, deviceId, now, orders } = order;
  if (orders.length === 0) return [];
  const room = timersToDrop(tables, account, { count: orders.length, now });
  if (room === undefined) {
    return newTimers(tables, { ...order, orders: orders.slice(0, Math.floor(orders.length / 2)) });
  }
  const { ids, change } = takeIds(tables, "timer", orders.length);
  const timers = orders.map((order, index) =>
    newTimer(timerFieldsOf(order), { id: ids[index] ?? 0, accountId: account.id, deviceId, now }),
  );
  return [...room, change, ...timers.map((timer) => put("timers", timer))];
}

/** Remembers a recorded episode: timers are removed some time after their events. */
function recordedEpisode(tables: GuideTables, timer: StoredTimer, now: EpochMs): readonly Change[] {
  if (timer.action !== "record" || timer.state !== "completed") return [];
  const { deviceId } = timer;
  const episode = episodeOfTimer(tables, timer);
  if (episode === undefined || doneOf(tables, deviceId, episode)?.became === "recorded") return [];
  return recordDoneEpisode(tables, { deviceId, episode, at: now, became: "recorded" });
}
