import type { RuleMatch, RuleOutcome } from "../model/rule.ts";
import type { Steps } from "../model/steps.ts";
import type { DurationMs } from "../model/time.ts";
import { type AiredShow, byTime, endOf } from "./airing.ts";
import type { OrderingRule } from "./compiled-rule.ts";
import { isIdentified } from "./episode.ts";
import { airingWanted, type Expansion, type ExpansionInput, isLost, isOpen, isOrder } from "./expansion.ts";
import type { ExpandedTimer, Order } from "./orders.ts";

type TitledShow = AiredShow & { readonly subtitle: string };

interface OutcomeInput<T extends ExpandedTimer, S extends TitledShow> {
  readonly rule: OrderingRule;
  readonly input: ExpansionInput<T, S>;
  readonly expansion: Expansion<T, S>;
  /** Matches that begin within this time. */
  readonly withinMs: DurationMs;
  /** The number of timers that can still be added. */
  readonly room: number;
}

/** Every show that fits a rule, by start, and what becomes of it. */
export function* matchesOf<T extends ExpandedTimer, S extends TitledShow>(
  order: OutcomeInput<T, S>,
): Steps<readonly RuleMatch[]> {
  const { rule, input, withinMs } = order;
  const outcomeOf = yield* judge(order);
  const fitting = input.airings
    .filter(
      ({ show, rules }) =>
        show.gone !== true &&
        show.start > input.now &&
        show.start < input.now + withinMs &&
        rules.some(({ id }) => id === rule.id),
    )
    .sort(byTime);
  yield;
  const matches: RuleMatch[] = [];
  for (const { show } of fitting) {
    matches.push({
      showId: show.id,
      channelId: show.channelId,
      title: show.title,
      ...(show.subtitle === "" ? {} : { subtitle: show.subtitle }),
      start: show.start,
      stop: endOf(show),
      outcome: outcomeOf(show),
      isIdentified: isIdentified(show),
    });
    yield;
  }
  return matches;
}

function* judge<T extends ExpandedTimer, S extends TitledShow>({
  rule,
  input,
  expansion,
  room,
}: OutcomeInput<T, S>): Steps<(show: S) => RuleOutcome> {
  const { orders, continued } = expansion;
  const refused = new Set<Order>(orders.slice(Math.max(0, room)));
  const all = [...orders, ...continued.map(({ order }) => order)];
  const byShow = new Map(all.map((order) => [order.show.id, order]));
  const standing = input.timers.filter(
    (timer) => isOrder(timer) && !isOpen(timer, input.now) && !isLost(timer, input.now),
  );
  const timers = new Map(standing.map((timer) => [timer.showId, timer]));
  const wants = yield* airingWanted(input);
  return (show) => {
    const timer = timers.get(show.id);
    if (timer !== undefined) return timer.ruleId === rule.id ? "records" : "ordered";
    const order = byShow.get(show.id);
    if (order !== undefined) {
      if (order.rule?.id !== rule.id) return "ordered";
      return refused.has(order) ? "noRoom" : "records";
    }
    return wants(rule, show) ?? "otherAiring";
  };
}
