import type { Quality, RuleHandling } from "../model/rule.ts";
import { runToEnd, type Steps } from "../model/steps.ts";
import { DAY, type EpochMs } from "../model/time.ts";
import { type AiredShow, type Airing, byTime, endOf } from "./airing.ts";
import { byRank, isKindBefore, type OrderingRule } from "./compiled-rule.ts";
import { isOfLaterSeason } from "./episode.ts";
import { grouped, groupedInSteps } from "./grouped.ts";
import { RULE_LIMITS } from "./limits.ts";
import { type MatchedTimer, matchTimers } from "./match-timers.ts";
import type { ExpandedTimer, MatchedAiring, Order } from "./orders.ts";

/** The rules' airings and the timers of one device, in any order. */
export interface ExpansionInput<T extends ExpandedTimer, S extends AiredShow = AiredShow> {
  /**
   * Shows that a rule wants, and the shows of the device's timers. For rules that want new episodes or first airings,
   * also the other airings of the episodes, past ones too.
   */
  readonly airings: readonly MatchedAiring<S>[];
  /** All timers of the device, from rules and from people. */
  readonly timers: readonly T[];
  /** The outcome of an episode. */
  readonly doneOf: (
    episode: string,
  ) => { readonly at: EpochMs; readonly became: "recorded" | "declined" } | undefined;
  /** The episode of a timer that a person ordered. */
  readonly episodeOfTimer: (timer: T) => string | undefined;
  readonly now: EpochMs;
}

export interface Expansion<T extends ExpandedTimer, S extends AiredShow = AiredShow> {
  /** New timers, by start. */
  readonly orders: readonly Order<S>[];
  /** Timers that keep their ids, with their new orders. */
  readonly continued: readonly MatchedTimer<T, S>[];
  /** Timers that no rule wants any more. */
  readonly withdrawn: readonly T[];
  /** Its judgement of airings. */
  readonly unwanted: AiringWanted;
}

/**
 * Computes the timers that the rules of a device require: one for each wanted episode that is neither done nor
 * already ordered, on the first airing that fits, or on the airing of the wanted quality on the same day. A timer
 * keeps its id while an order matches it: by its episode, by its show, or by a show with another id in the same
 * place. Running it again on its result changes nothing; the order of the input does not matter.
 */
export function expand<T extends ExpandedTimer, S extends AiredShow>(
  input: ExpansionInput<T, S>,
): Expansion<T, S> {
  return runToEnd(expandInSteps(input));
}

/** The same with pauses; the input must not change meanwhile. */
export function* expandInSteps<T extends ExpandedTimer, S extends AiredShow>(
  input: ExpansionInput<T, S>,
): Steps<Expansion<T, S>> {
  const { now } = input;
  const timers = input.timers.filter(isOrder).sort((a, b) => Number(a.id) - Number(b.id));
  const open = timers.filter((timer) => isOpen(timer, now));
  const rest = timers.filter((timer) => !isOpen(timer, now));
  const episodes = yield* groupedInSteps(input.airings, ({ episode }) => episode);
  const unwanted = airingWanted(input.doneOf, episodes);
  const orders = yield* ordersOf(input, { open, rest, episodes, unwanted });
  const continued = yield* matchTimers(open, orders);
  const taken = new Set(continued.map(({ order }) => order));
  const kept = new Set(continued.map(({ timer }) => timer));
  return {
    orders: orders.filter((order) => !taken.has(order)),
    continued,
    withdrawn: open.filter((timer) => !kept.has(timer)),
    unwanted,
  };
}

export function isOrder({ action, removedAt }: ExpandedTimer): boolean {
  return action === "record" && removedAt === undefined;
}

/** Whether a rule made the timer and it has not begun: it may be moved or withdrawn. */
export function isOpen({ episode, state, start }: ExpandedTimer, now: EpochMs): boolean {
  return episode !== undefined && start > now && !["running", "completed", "failed"].includes(state);
}

/** Whether the timer will not get its episode: its recorder reported a failure, or nothing until long after the end. */
export function isLost(timer: ExpandedTimer, now: EpochMs): boolean {
  if (timer.state === "failed") return true;
  const unreported = timer.state !== "running" && timer.state !== "completed";
  return unreported && endOf(timer) + RULE_LIMITS.unreportedMs < now;
}

interface Judged<T, S extends AiredShow> {
  readonly open: readonly T[];
  /** Timers that the rules may not change. */
  readonly rest: readonly T[];
  readonly episodes: AiringsByEpisode<S>;
  readonly unwanted: AiringWanted;
}

function* ordersOf<T extends ExpandedTimer, S extends AiredShow>(
  { now, episodeOfTimer }: ExpansionInput<T, S>,
  { open, rest, episodes, unwanted }: Judged<T, S>,
): Steps<readonly Order<S>[]> {
  const lost = grouped(
    rest.filter((timer) => isLost(timer, now)),
    ({ showId }) => showId,
  );
  const standing = rest.filter((timer) => !isLost(timer, now));
  const onTheWay = new Set(standing.map(episodeOfTimer));
  const theirShows = new Set(standing.map(({ showId }) => showId));
  const ours = new Set(open.map(({ showId }) => showId));
  const isUsable = ({ show, rules }: MatchedAiring<S>) =>
    rules.some(isAny) &&
    show.gone !== true &&
    isAhead(show, ours, now) &&
    !theirShows.has(show.id) &&
    !(lost.get(show.id) ?? []).some((timer) => isLostBroadcast(timer, show));
  const orders: Order<S>[] = [];
  for (const [episode, all] of episodes) {
    yield;
    if (onTheWay.has(episode)) continue;
    const airings = all.filter(isUsable).sort(byTime);
    const order = airings.length === 0 ? undefined : orderOf({ episode, airings, unwanted });
    if (order !== undefined) orders.push(order);
  }
  return orders.sort(byTime);
}

function isAny(): boolean {
  return true;
}

/** A show that has begun gets no timer; an existing timer stays with a show that moved to an earlier start. */
function isAhead(show: AiredShow, ours: ReadonlySet<number>, now: EpochMs): boolean {
  return show.start > now
    ? show.start < now + RULE_LIMITS.expandAheadMs
    : ours.has(show.id) && endOf(show) > now;
}

/** Whether the show is the broadcast that a lost timer was for, not the same show at another time. */
function isLostBroadcast(timer: ExpandedTimer, show: AiredShow): boolean {
  return Math.abs(timer.start - show.start) < DAY;
}

/** Whether a rule's choice depends on the other airings of an episode, past ones too. */
export function dependsOnOthers({ newOnly, airing }: Pick<RuleHandling, "newOnly" | "airing">): boolean {
  return newOnly === true || airing === "first";
}

/** Why a rule does not want an airing that fits its conditions; `undefined` if it wants it. */
export type Unwanted = "recorded" | "declined" | "repeat" | "later";

export type AiringWanted = (rule: OrderingRule, airing: MatchedAiring) => Unwanted | undefined;

type AiringsByEpisode<S extends AiredShow = AiredShow> = ReadonlyMap<string, readonly MatchedAiring<S>[]>;

/** Judges airings by what is known about their episodes. */
function airingWanted(
  doneOf: ExpansionInput<ExpandedTimer>["doneOf"],
  episodes: AiringsByEpisode,
): AiringWanted {
  const firstStarts = new Map<string, EpochMs>();
  const firstStartOf = (episode: string) => {
    const known = firstStarts.get(episode);
    if (known !== undefined) return known;
    let first = Number.POSITIVE_INFINITY;
    for (const { show } of episodes.get(episode) ?? [])
      if (show.gone !== true) first = Math.min(first, show.start);
    firstStarts.set(episode, first);
    return first;
  };
  return (rule, { episode, show }) => {
    const outcome = doneOf(episode);
    const isOver =
      outcome !== undefined && isOfLaterSeason(episode, { doneAt: outcome.at, start: show.start });
    const done = isOver ? undefined : outcome;
    // A newer rule is a new order for an episode that was declined before.
    if (done !== undefined && (done.became === "recorded" || rule.createdAt <= done.at)) return done.became;
    if (!dependsOnOthers(rule)) return undefined;
    const isLater = show.start - firstStartOf(episode) >= RULE_LIMITS.repeatAfterMs;
    if (rule.newOnly === true && (isLater || show.isRepeat === true)) return "repeat";
    return rule.airing === "first" && isLater ? "later" : undefined;
  };
}

interface EpisodeCandidate<S extends AiredShow> {
  readonly episode: string;
  /** By start. */
  readonly airings: readonly MatchedAiring<S>[];
  readonly unwanted: AiringWanted;
}

function orderOf<S extends AiredShow>({
  episode,
  airings,
  unwanted,
}: EpisodeCandidate<S>): Order<S> | undefined {
  const wanted: Wanted<S>[] = [];
  for (const airing of airings) {
    const rule = airing.rules.find((each) => unwanted(each, airing) === undefined);
    if (rule !== undefined) wanted.push({ airing, rule });
  }
  const first = firstInRank(wanted);
  if (first === undefined) return undefined;
  // An airing that the first rule of all wants has no other rule before it.
  const airingsOfFirst = wanted.filter(({ rule }) => rule.id === first.id).map(({ airing }) => airing);
  const chosen = chooseAiring(airingsOfFirst, first.quality);
  if (chosen === undefined) return undefined;
  const ofKind = (kind: OrderingRule["kind"]) => {
    if (first.kind === kind) return first;
    if (isKindBefore(kind, first.kind)) return undefined;
    return chosen.rules.find((rule) => rule.kind === kind && unwanted(rule, chosen) === undefined);
  };
  return {
    episode,
    show: chosen.show,
    seriesRecordingId: ofKind("series")?.id,
    keywordId: ofKind("keyword")?.id,
    rule: ofKind("rule"),
  };
}

/** An airing with the first rule that wants it. */
interface Wanted<S extends AiredShow> {
  readonly airing: MatchedAiring<S>;
  readonly rule: OrderingRule;
}

function firstInRank(wanted: readonly Wanted<AiredShow>[]): OrderingRule | undefined {
  let first: OrderingRule | undefined;
  for (const { rule } of wanted) if (first === undefined || byRank(rule, first) < 0) first = rule;
  return first;
}

/** @param airings by time, all of one episode */
function chooseAiring<A extends Airing>(airings: readonly A[], quality: Quality): A | undefined {
  const [first] = airings;
  if (first === undefined) return undefined;
  const wantsHd = quality === "Prefer HD" || quality === "HD Only";
  const within = first.show.start + RULE_LIMITS.qualityWithinMs;
  return airings.find(({ show, isHd }) => isHd === wantsHd && show.start <= within) ?? first;
}
