import { DAY, type EpochMs, MINUTE } from "../../model/time.ts";
import type { Show } from "../data/show.ts";
import type { DoneEpisode, Rule, StoredTimer } from "../data/tables.ts";
import { titleKey } from "../data/title.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { episodeOf } from "./episode.ts";
import { type Airing, byTime, chooseAiring, ruleMatches } from "./rule-match.ts";
import { endOf } from "./timer-lists.ts";

/** The rules, airings and timers of one device, in any order. */
export interface ExpansionInput {
  readonly rules: readonly Rule[];
  /** Shows that a rule may want, and the shows of the device's timers. */
  readonly airings: readonly Airing[];
  /** All stored timers of the device, from rules and from people. */
  readonly timers: readonly StoredTimer[];
  /** The outcome of an episode. */
  readonly doneOf: (episode: string) => Pick<DoneEpisode, "at" | "became"> | undefined;
  /** The episode of a timer that a person ordered. */
  readonly episodeOfTimer: (timer: StoredTimer) => string | undefined;
  readonly minuteOfDay: (at: EpochMs) => number;
  readonly now: EpochMs;
}

/** A timer as the server needs it, without its id and without the reports of clients. */
export interface Order {
  readonly episode: string;
  readonly show: Show;
  readonly seriesRecordingId: number | undefined;
  readonly keywordId: number | undefined;
}

export interface Expansion {
  /** New timers, by start. */
  readonly orders: readonly Order[];
  /** Timers that keep their ids, with their new orders. */
  readonly continued: readonly { readonly timer: StoredTimer; readonly order: Order }[];
  /** Timers that no rule wants any more. */
  readonly withdrawn: readonly StoredTimer[];
}

/**
 * Computes the timers that the rules of a device require: one for each wanted episode that is neither done nor
 * already ordered, on the first airing that fits, or on the airing of the wanted quality on the same day. A timer
 * keeps its id while an order matches it: by its episode, by its show, or by a show with another id in the same
 * place. Running it again on its result changes nothing; the order of the input does not matter.
 */
export function expand(input: ExpansionInput): Expansion {
  const { now } = input;
  const timers = [...input.timers].filter(isOrder).sort((a, b) => Number(a.id) - Number(b.id));
  const open = timers.filter((timer) => isOpen(timer, now));
  const orders = ordersOf(input, { open, rest: timers.filter((timer) => !open.includes(timer)) });
  const matched = matchOrders(open, orders);
  const [taken, kept] = [
    new Set(matched.map(({ order }) => order)),
    new Set(matched.map(({ timer }) => timer)),
  ];
  return {
    orders: orders.filter((order) => !taken.has(order)),
    continued: matched,
    withdrawn: open.filter((timer) => !kept.has(timer)),
  };
}

function isOrder(timer: StoredTimer): boolean {
  return timer.action === "record" && timer.removedAt === undefined;
}

/** Whether a rule made the timer and it has not begun: it may be moved or withdrawn. */
function isOpen(timer: StoredTimer, now: EpochMs): boolean {
  const { episode, state, start } = timer;
  return episode !== undefined && start > now && !["running", "completed", "failed"].includes(state);
}

/** Whether the timer will not get its episode: its recorder reported a failure, or nothing until long after the end. */
function isLost(timer: StoredTimer, now: EpochMs): boolean {
  if (timer.state === "failed") return true;
  const unreported = timer.state !== "running" && timer.state !== "completed";
  return unreported && endOf(timer) + SERVER_LIMITS.unreportedMs < now;
}

interface TimersByOwner {
  readonly open: readonly StoredTimer[];
  /** Timers that the rules may not change. */
  readonly rest: readonly StoredTimer[];
}

function ordersOf(input: ExpansionInput, { open, rest }: TimersByOwner): readonly Order[] {
  const { now } = input;
  const lost = rest.filter((timer) => isLost(timer, now));
  const standing = rest.filter((timer) => !lost.includes(timer));
  const onTheWay = new Set(standing.map(input.episodeOfTimer));
  const theirShows = new Set(standing.map(({ showId }) => showId));
  const ours = new Set(open.map(({ showId }) => showId));
  const usable = input.airings
    .filter(({ show }) => show.gone !== true && isAhead(show, ours, now))
    .filter(({ show }) => !theirShows.has(show.id) && !lost.some((timer) => isLostBroadcast(timer, show)))
    .sort(byTime);
  const rules = [...input.rules].sort(byRank);
  const episodes = new Map<string, Airing[]>();
  for (const airing of usable) {
    const episode = episodeOf(airing.show);
    if (!onTheWay.has(episode)) episodes.set(episode, [...(episodes.get(episode) ?? []), airing]);
  }
  return [...episodes]
    .flatMap(([episode, airings]) => orderOf(input, { episode, airings, rules }) ?? [])
    .sort((a, b) => byTime(a, b));
}

/** A show that has begun gets no timer; an existing timer stays with a show that moved to an earlier start. */
function isAhead(show: Show, ours: ReadonlySet<number>, now: EpochMs): boolean {
  return show.start > now
    ? show.start < now + SERVER_LIMITS.expandAheadMs
    : ours.has(show.id) && endOf(show) > now;
}

/** Whether the show is the broadcast that a lost timer was for, not the same show at another time. */
function isLostBroadcast(timer: StoredTimer, show: Show): boolean {
  return timer.showId === show.id && Math.abs(timer.start - show.start) < DAY;
}

/** Series before keywords, then the older rule. An episode that two rules want belongs to the first. */
function byRank(a: Rule, b: Rule): number {
  return (a.wants.kind === b.wants.kind ? 0 : a.wants.kind === "series" ? -1 : 1) || a.id - b.id;
}

interface EpisodeCandidate {
  readonly episode: string;
  /** By start. */
  readonly airings: readonly Airing[];
  /** The first one decides. */
  readonly rules: readonly Rule[];
}

function orderOf(input: ExpansionInput, { episode, airings, rules }: EpisodeCandidate): Order | undefined {
  const { minuteOfDay, doneOf } = input;
  const done = doneOf(episode);
  const wants = (rule: Rule, airing: Airing) =>
    (done === undefined || (done.became === "declined" && rule.createdAt > done.at)) &&
    ruleMatches(rule, airing, minuteOfDay);
  const first = rules.find((rule) => airings.some((airing) => wants(rule, airing)));
  if (first === undefined) return undefined;
  const chosen = chooseAiring(
    airings.filter((airing) => wants(first, airing)),
    first.quality,
  );
  if (chosen === undefined) return undefined;
  const idOf = (kind: Rule["wants"]["kind"]) =>
    rules.find((rule) => rule.wants.kind === kind && wants(rule, chosen))?.id;
  return { episode, show: chosen.show, seriesRecordingId: idOf("series"), keywordId: idOf("keyword") };
}

type Matched = { readonly timer: StoredTimer; readonly order: Order };

/** Pairs timers with orders, each at most once. */
function matchOrders(open: readonly StoredTimer[], orders: readonly Order[]): readonly Matched[] {
  const fits: readonly ((timer: StoredTimer, order: Order) => boolean)[] = [
    (timer, { episode, show }) => timer.episode === episode && timer.showId === show.id,
    (timer, { episode }) => timer.episode === episode,
    (timer, { show }) => timer.showId === show.id,
    (timer, { show }) =>
      timer.channelId === show.channelId &&
      Math.abs(timer.start - show.start) <= SERVER_LIMITS.sameAiringMs &&
      titleKey(timer.name) === titleKey(show.title),
  ];
  const matched: Matched[] = [];
  const [timers, left] = [new Set(open), new Set(orders)];
  for (const suits of fits) {
    for (const order of left) {
      const [timer] = [...timers]
        .filter((one) => suits(one, order))
        .sort((a, b) => distance(a, order) - distance(b, order));
      if (timer === undefined) continue;
      matched.push({ timer, order });
      timers.delete(timer);
      left.delete(order);
    }
  }
  return matched;
}

function distance(timer: StoredTimer, { show }: Order): number {
  return Math.abs(timer.start - show.start) / MINUTE;
}
