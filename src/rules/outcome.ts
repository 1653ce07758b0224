import type { RuleMatch, RuleOutcome } from "../model/rule.ts";
import type { Steps } from "../model/steps.ts";
import type { DurationMs, EpochMs } from "../model/time.ts";
import { withoutUndefined } from "../model/without-undefined.ts";
import { type AiredShow, byTime, endOf } from "./airing.ts";
import type { OrderingRule } from "./compiled-rule.ts";
import { isIdentified } from "./episode.ts";
import { type Expansion, type ExpansionInput, isLost, isOpen, isOrder } from "./expansion.ts";
import type { ExpandedTimer, MatchedAiring, Order } from "./orders.ts";

type TitledShow = AiredShow & { readonly subtitle: string };

interface OutcomeInput<T extends ExpandedTimer, S extends TitledShow> {
  readonly rule: OrderingRule;
  readonly input: ExpansionInput<T, S>;
  readonly expansion: Expansion<T, S>;
  /** Matches that begin within this time. */
  readonly withinMs: DurationMs;
  /** So many are listed, the others only counted. */
  readonly listedMax: number;
  /** The number of timers that can still be added. */
  readonly room: number;
  /** The search ended here, with too many shows. */
  readonly until?: EpochMs | undefined;
}

/** The shows that fit a rule, and what becomes of them. */
export interface Matches {
  /** By start; the first ones. */
  readonly matches: readonly RuleMatch[];
  /** All matches, the recorded ones, and those of them without an identified episode. */
  readonly total: number;
  readonly records: number;
  readonly unidentified: number;
  /** Absent if all are counted; otherwise those that begin later are not. */
  readonly countedUntil?: EpochMs;
}

export function* matchesOf<T extends ExpandedTimer, S extends TitledShow>(
  order: OutcomeInput<T, S>,
): Steps<Matches> {
  const { rule, input, withinMs, listedMax, until: countedUntil } = order;
  const { now } = input;
  const before = countedUntil ?? now + withinMs;
  const outcomeOf = judge(order);
  yield;
  const fitting: MatchedAiring<S>[] = [];
  const isOwn = ({ id }: OrderingRule) => id === rule.id;
  for (const airing of input.airings) {
    const { show, rules } = airing;
    const isInTime = show.start > now && show.start < before;
    if (isInTime && show.gone !== true && rules.some(isOwn)) fitting.push(airing);
    yield;
  }
  fitting.sort(byTime);
  const matches: RuleMatch[] = [];
  let [records, unidentified] = [0, 0];
  for (const airing of fitting) {
    const outcome = outcomeOf(airing);
    if (outcome === "records") records += 1;
    if (outcome === "records" && !isIdentified(airing.show)) unidentified += 1;
    if (matches.length < listedMax) matches.push(matchOf(airing.show, outcome));
    yield;
  }
  const counts = { total: fitting.length, records, unidentified };
  return { matches, ...counts, ...withoutUndefined({ countedUntil }) };
}

function matchOf(show: TitledShow, outcome: RuleOutcome): RuleMatch {
  return {
    showId: show.id,
    channelId: show.channelId,
    title: show.title,
    ...(show.subtitle === "" ? {} : { subtitle: show.subtitle }),
    start: show.start,
    stop: endOf(show),
    outcome,
    isIdentified: isIdentified(show),
  };
}

function judge<T extends ExpandedTimer, S extends TitledShow>({
  rule,
  input,
  expansion,
  room,
}: OutcomeInput<T, S>): (airing: MatchedAiring<S>) => RuleOutcome {
  const { orders, continued, unwanted } = expansion;
  const refused = new Set<Order>(orders.slice(Math.max(0, room)));
  const byShow = new Map(orders.map((order) => [order.show.id, order]));
  for (const { order } of continued) byShow.set(order.show.id, order);
  const standing = input.timers.filter(
    (timer) => isOrder(timer) && !isOpen(timer, input.now) && !isLost(timer, input.now),
  );
  const timers = new Map(standing.map((timer) => [timer.showId, timer]));
  return (airing) => {
    const timer = timers.get(airing.show.id);
    if (timer !== undefined) return timer.ruleId === rule.id ? "records" : "ordered";
    const order = byShow.get(airing.show.id);
    if (order !== undefined) {
      if (order.rule?.id !== rule.id) return "ordered";
      return refused.has(order) ? "noRoom" : "records";
    }
    return unwanted(rule, airing) ?? "otherAiring";
  };
}
