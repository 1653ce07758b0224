import type { Steps } from "../model/steps.ts";
import type { AiredShow } from "./airing.ts";
import { groupedInSteps } from "./grouped.ts";
import { RULE_LIMITS } from "./limits.ts";
import type { ExpandedTimer, Order } from "./orders.ts";
import { titleKey } from "./title.ts";

export interface MatchedTimer<T extends ExpandedTimer, S extends AiredShow = AiredShow> {
  readonly timer: T;
  readonly order: Order<S>;
}

/** Two that may be one have the same key; `isSame` decides about them. */
interface Match {
  readonly ofTimer: (timer: ExpandedTimer) => string;
  readonly ofOrder: (order: Order) => string;
  readonly isSame?: (timer: ExpandedTimer, order: Order) => boolean;
}

/** From the surest to the weakest. */
const MATCHES: readonly Match[] = [
  {
    ofTimer: ({ episode, showId }) => `${showId} ${episode}`,
    ofOrder: ({ episode, show }) => `${show.id} ${episode}`,
  },
  { ofTimer: ({ episode }) => episode ?? "", ofOrder: ({ episode }) => episode },
  { ofTimer: ({ showId }) => String(showId), ofOrder: ({ show }) => String(show.id) },
  {
    ofTimer: ({ channelId, name }) => `${channelId} ${titleKey(name)}`,
    ofOrder: ({ show }) => `${show.channelId} ${titleKey(show.title)}`,
    isSame: (timer, order) => distance(timer, order) <= RULE_LIMITS.sameAiringMs,
  },
];

/** Pairs timers with orders, each at most once; among several timers, the nearest in time. */
export function* matchTimers<T extends ExpandedTimer, S extends AiredShow>(
  timers: readonly T[],
  orders: readonly Order<S>[],
): Steps<readonly MatchedTimer<T, S>[]> {
  const matched: MatchedTimer<T, S>[] = [];
  const [freeTimers, left] = [new Set(timers), new Set(orders)];
  for (const { ofTimer, ofOrder, isSame = () => true } of MATCHES) {
    if (freeTimers.size === 0) break;
    const byKey = yield* groupedInSteps(freeTimers, ofTimer);
    for (const order of left) {
      yield;
      const [timer] = (byKey.get(ofOrder(order)) ?? [])
        .filter((one) => freeTimers.has(one) && isSame(one, order))
        .sort((a, b) => distance(a, order) - distance(b, order));
      if (timer === undefined) continue;
      matched.push({ timer, order });
      freeTimers.delete(timer);
      left.delete(order);
    }
  }
  return matched;
}

function distance(timer: ExpandedTimer, { show }: Order): number {
  return Math.abs(timer.start - show.start);
}
