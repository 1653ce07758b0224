import { MINUTE } from "../../../../model/time.ts";
import type { TimerId } from "../../../../model/timer.ts";
import type { Expansion } from "../../../../rules/expansion.ts";
import type { ExpandedTimer, Order } from "../../../../rules/orders.ts";
import { BOOKING_LIMITS } from "../limits.ts";
import type { FoundShow } from "./guide-search.ts";
import type { KeptRules, KeptTimer, RuleOrderedShow } from "./store.ts";

/** The work that makes the account's timers match the rules. */
export interface RuleSteps {
  readonly cancel: readonly TimerId[];
  /** Timers that stay, with their new orders. */
  readonly follow: Readonly<Record<TimerId, RuleOrderedShow>>;
  /** By start. */
  readonly order: readonly RuleOrderedShow[];
}

/** A timer whose episode is broadcast in another show now is replaced; one that only moved follows its show. */
export function stepsOf(
  { orders, continued, withdrawn }: Expansion<ExpandedTimer, FoundShow>,
  room: number,
): RuleSteps {
  const moved = continued.filter(({ timer, order }) => timer.showId !== order.show.id);
  const follow = continued.filter((pair) => !moved.includes(pair));
  const wanted = [...orders, ...moved.map(({ order }) => order)].flatMap((order) => orderedShow(order) ?? []);
  return {
    cancel: [...withdrawn, ...moved.map(({ timer }) => timer)].map(({ id }) => id),
    follow: Object.fromEntries(
      follow.flatMap(({ timer, order }) => {
        const show = orderedShow(order);
        return show === undefined ? [] : [[timer.id, show]];
      }),
    ),
    order: wanted.toSorted((a, b) => a.start - b.start).slice(0, Math.max(0, room)),
  };
}

function orderedShow({ episode, show, rule }: Order<FoundShow>): RuleOrderedShow | undefined {
  if (rule === undefined) return undefined;
  const { id: showId, channelId, title: name, start, durationMinutes } = show;
  return { ruleId: rule.id, episode, showId, channelId, name, start, stop: start + durationMinutes * MINUTE };
}

/** The number of timers that rules may still add. */
export function roomFor({ timers, ordering }: KeptRules): number {
  return BOOKING_LIMITS.keptTimers - Object.keys(timers).length - ordering.length;
}

/** Before the service is asked: the order is on its way. */
export function withOrdering(kept: KeptRules, orders: readonly RuleOrderedShow[]): KeptRules {
  return { ...kept, ordering: [...kept.ordering, ...orders] };
}

/** The service has answered: orders with their timers' ids, and those that it refused. */
export function withOrdered(
  kept: KeptRules,
  answered: readonly { readonly order: RuleOrderedShow; readonly timerId?: TimerId }[],
): KeptRules {
  const shows = new Set(answered.map(({ order }) => order.showId));
  const added = answered.flatMap(({ order, timerId }) =>
    timerId === undefined ? [] : [[timerId, order] as const],
  );
  return {
    ...kept,
    ordering: kept.ordering.filter(({ showId }) => !shows.has(showId)),
    timers: { ...kept.timers, ...Object.fromEntries(added) },
  };
}

export function withFollowed(kept: KeptRules, follow: RuleSteps["follow"]): KeptRules {
  const changed = Object.entries(follow).flatMap(([id, show]) => {
    const timer = kept.timers[id];
    return timer === undefined || isSame(timer, show) ? [] : [[id, { ...timer, ...show }] as const];
  });
  return changed.length === 0
    ? kept
    : { ...kept, timers: { ...kept.timers, ...Object.fromEntries(changed) } };
}

function isSame(timer: KeptTimer, show: RuleOrderedShow): boolean {
  return (Object.keys(show) as (keyof RuleOrderedShow)[]).every((key) => timer[key] === show[key]);
}

/** Before the service is asked: the timers leave, and their absence is no news. */
export function withLeaving(kept: KeptRules, ids: readonly TimerId[]): KeptRules {
  const leaving = ids.flatMap((id) => {
    const timer = kept.timers[id];
    return timer === undefined ? [] : [[id, { ...timer, isLeaving: true as const }] as const];
  });
  return leaving.length === 0
    ? kept
    : { ...kept, timers: { ...kept.timers, ...Object.fromEntries(leaving) } };
}

export function withoutTimers(kept: KeptRules, ids: readonly TimerId[]): KeptRules {
  const gone = new Set(ids);
  const timers = Object.entries(kept.timers).filter(([id]) => !gone.has(id));
  return { ...kept, timers: Object.fromEntries(timers) };
}

export function leavingTimers({ timers }: KeptRules): readonly TimerId[] {
  return Object.entries(timers).flatMap(([id, { isLeaving }]) => (isLeaving ? [id] : []));
}
