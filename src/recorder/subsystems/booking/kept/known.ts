import { inMotion, isBefore, isSound, isTerminal, type Recording } from "../../../../model/recording.ts";
import { type EpochMs, MINUTE } from "../../../../model/time.ts";
import type { Timer, TimerId } from "../../../../model/timer.ts";
import { episodeOf, isOfLaterSeason } from "../../../../rules/episode.ts";
import type { ExpansionInput } from "../../../../rules/expansion.ts";
import type { ExpandedTimer, MatchedAiring } from "../../../../rules/orders.ts";
import { BOOKING_LIMITS } from "../limits.ts";
import type { FoundShow } from "./guide-search.ts";
import type { DoneEpisode, KeptRules, KeptTimer } from "./store.ts";

/** The account's timers as the service listed them last, and their recordings. */
export interface PlanView {
  readonly timers: Readonly<Record<TimerId, Timer>>;
  readonly recordings: readonly Recording[];
}

/**
 * The memory of kept rules in line with the timers: what was recorded or cancelled is done, timers with new ids are
 * followed, and what is over is forgotten. The same object if nothing changed.
 */
export function broughtUpToDate(kept: KeptRules, plan: PlanView, now: EpochMs): KeptRules {
  const latest = latestRecordings(plan.recordings);
  const done = new Map(kept.done.map((one) => [one.episode, one]));
  const note = (episode: string, became: DoneEpisode["became"], start: EpochMs) => {
    const before = done.get(episode);
    if (before === undefined || isOfLaterSeason(episode, { doneAt: before.at, start })) done.delete(episode);
    else if (became === "declined" || before.became === became) return;
    done.set(episode, { episode, at: now, became });
  };
  for (const recording of plan.recordings) {
    if (!isSound(recording)) continue;
    const episode = kept.timers[recording.timerId]?.episode ?? episodeOfRecording(recording);
    if (episode !== undefined) note(episode, "recorded", recording.event.start);
  }
  const timers: Record<TimerId, KeptTimer> = {};
  for (const [id, timer] of Object.entries(kept.timers)) {
    const listedAs = timer.isLeaving ? id : listedId(id, timer, plan.timers, kept);
    const recording = latest.get(listedAs ?? id);
    const isOver = timer.stop <= now && (recording === undefined || isTerminal(recording.state));
    // Somebody stopped it, or cancelled it after it had begun.
    if (recording?.withdrawn === true && timer.isLeaving !== true)
      note(timer.episode, "declined", timer.start);
    if (listedAs !== undefined) {
      const isListed = Object.hasOwn(plan.timers, listedAs);
      if (!isOver) timers[listedAs] = isListed ? { ...timer, isListed: true } : timer;
    } else if (timer.isListed && timer.start > now) {
      note(timer.episode, "declined", timer.start);
    } else if (!isOver) {
      timers[id] = timer;
    }
  }
  const next = { ...kept, timers, done: [...done.values()].slice(-BOOKING_LIMITS.keptEpisodes) };
  return JSON.stringify(next) === JSON.stringify(kept) ? kept : next;
}

/** The id under which the service lists a timer now: it may have given it another one. */
function listedId(
  id: TimerId,
  { channelId, start, name }: KeptTimer,
  timers: PlanView["timers"],
  kept: KeptRules,
): TimerId | undefined {
  if (Object.hasOwn(timers, id)) return id;
  return Object.values(timers).find(
    (timer) =>
      !Object.hasOwn(kept.timers, timer.id) &&
      timer.channelId === String(channelId) &&
      timer.event.start === start &&
      timer.name === name,
  )?.id;
}

function latestRecordings(recordings: readonly Recording[]): ReadonlyMap<TimerId, Recording> {
  return new Map(recordings.map((recording) => [recording.timerId, recording]));
}

function episodeOfRecording({ programme, name, event }: Recording): string | undefined {
  if (programme?.episodeId === undefined) return undefined;
  const { seriesId = "", episodeId } = programme;
  return episodeOf({ seriesId, episodeId, start: event.start, title: name });
}

/** The input of an expansion: the matched shows beside the timers of the account. */
export function expansionInput(
  kept: KeptRules,
  plan: PlanView,
  { airings, now }: { readonly airings: readonly MatchedAiring<FoundShow>[]; readonly now: EpochMs },
): ExpansionInput<ExpandedTimer, FoundShow> {
  const done = new Map(kept.done.map((one) => [one.episode, one]));
  const episodes = new Map(airings.map(({ show, episode }) => [show.id, episode]));
  const byTimer = new Map(
    plan.recordings.flatMap((one) => {
      const episode = episodeOfRecording(one);
      return episode === undefined ? [] : [[one.timerId, episode] as const];
    }),
  );
  return {
    airings,
    timers: accountTimers(kept, plan),
    doneOf: (episode) => done.get(episode),
    episodeOfTimer: ({ id, showId, episode }) => episode ?? episodes.get(showId) ?? byTimer.get(id),
    now,
  };
}

/** All timers of the account, also those that the service does not list yet. */
export function accountTimers(kept: KeptRules, plan: PlanView): readonly ExpandedTimer[] {
  const latest = latestRecordings(plan.recordings);
  const listed = Object.values(plan.timers).map((timer): ExpandedTimer => {
    const { id, name, event, action } = timer;
    const ours = kept.timers[id];
    return {
      id,
      channelId: Number(timer.channelId),
      showId: Number(timer.showId),
      name,
      start: event.start,
      durationMinutes: (event.stop - event.start) / MINUTE,
      action,
      state: stateOf(timer, latest.get(id)),
      ...(ours === undefined || ours.isLeaving ? {} : { episode: ours.episode, ruleId: ours.ruleId }),
    };
  });
  // Ordered, and not in the service's list yet.
  const unlisted = Object.entries(kept.timers).filter(([id]) => !Object.hasOwn(plan.timers, id));
  return [...listed, ...unlisted.map(([id, timer]) => unlistedTimer(id, timer))];
}

function unlistedTimer(id: TimerId, { stop, ...timer }: KeptTimer): ExpandedTimer {
  const { channelId, showId, name, start, episode, ruleId } = timer;
  const durationMinutes = (stop - start) / MINUTE;
  return {
    id,
    channelId,
    showId,
    name,
    start,
    durationMinutes,
    episode,
    ruleId,
    action: "record",
    state: "new",
  };
}

/** The recorder knows better than the service what became of a timer. */
function stateOf(timer: Timer, recording: Recording | undefined): string {
  if (recording === undefined || isBefore(recording)) return timer.state;
  if (inMotion(recording.state)) return "running";
  return isSound(recording) ? "completed" : "failed";
}
