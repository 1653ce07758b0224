import type { EpochMs } from "../../model/time.ts";
import { episodeOf, isOfLaterSeason } from "../../rules/episode.ts";
import {
  type Change,
  type DoneEpisode,
  type GuideTables,
  put,
  remove,
  type StoredTimer,
} from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";

/** The outcome of an episode on a device; `undefined` while the episode is still wanted. */
export function doneOf(tables: GuideTables, deviceId: number, episode: string): DoneEpisode | undefined {
  return tables.episodes.get(idOf(deviceId, episode));
}

interface DoneOutcome {
  readonly deviceId: number;
  readonly episode: string;
  readonly at: EpochMs;
  readonly became: DoneEpisode["became"];
}

/** Stores an episode's outcome and evicts the device's oldest ones beyond the limit. */
export function recordDoneEpisode(
  tables: GuideTables,
  { deviceId, episode, at, became }: DoneOutcome,
): readonly Change[] {
  const id = idOf(deviceId, episode);
  const others = [...tables.episodes.values()].filter((one) => one.deviceId === deviceId && one.id !== id);
  const tooMany = others
    .sort((a, b) => a.at - b.at)
    .slice(0, Math.max(0, others.length + 1 - SERVER_LIMITS.episodesPerDevice));
  return [...tooMany.map((one) => remove("episodes", one.id)), put("episodes", { id, deviceId, at, became })];
}

function idOf(deviceId: number, episode: string): string {
  return `${deviceId} ${episode}`;
}

/** The episode of a timer; `undefined` if the guide does not have its show. */
export function episodeOfTimer(tables: GuideTables, timer: StoredTimer): string | undefined {
  if (timer.episode !== undefined) return timer.episode;
  const show = timer.showId === 0 ? undefined : tables.shows.get(timer.showId);
  return show === undefined ? undefined : episodeOf(show);
}

/** Remembers a recorded episode: timers are removed some time after their events. */
export function recordedEpisode(tables: GuideTables, timer: StoredTimer, now: EpochMs): readonly Change[] {
  const { deviceId, start } = timer;
  const episode = episodeOfTimer(tables, timer);
  if (episode === undefined) return [];
  const done = doneOf(tables, deviceId, episode);
  if (done?.became === "recorded" && !isOfLaterSeason(episode, { doneAt: done.at, start })) return [];
  return recordDoneEpisode(tables, { deviceId, episode, at: now, became: "recorded" });
}
