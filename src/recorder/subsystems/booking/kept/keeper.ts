import type { GuideClient } from "../../../../guide-wire/client.ts";
import type { Log } from "../../../../kit/log.ts";
import { backOffMs } from "../../../../kit/time/back-off.ts";
import type { Chance, Clock } from "../../../../kit/time/clock.ts";
import { WakeSignal } from "../../../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../../../model/errors.ts";
import { MODEL_LIMITS } from "../../../../model/limits.ts";
import type { Rule } from "../../../../model/rule.ts";
import type { DurationMs } from "../../../../model/time.ts";
import type { TimerId } from "../../../../model/timer.ts";
import { expandInSteps, isOrder } from "../../../../rules/expansion.ts";
import { LoopShare } from "../../../../rules/loop-share.ts";
import { cancelOnce } from "../../../store/booking.ts";
import { BOOKING_LIMITS } from "../limits.ts";
import type { GuideReader } from "./guide-reader.ts";
import { searchGuide } from "./guide-search.ts";
import { accountTimers, broughtUpToDate, expansionInput, type PlanView } from "./known.ts";
import {
  leavingTimers,
  type RuleSteps,
  roomFor,
  stepsOf,
  withFollowed,
  withLeaving,
  withOrdered,
  withOrdering,
  withoutTimers,
} from "./steps.ts";
import type { RuleOrderedShow, RuleStore } from "./store.ts";

interface Booking {
  /** An earlier run may have booked it: the service's list says so. */
  readonly looksFirst: boolean;
  readonly signal: AbortSignal;
}

const NOTHING_FOUND = { airings: [], heard: new Set<number>() };

export interface KeeperParts {
  readonly client: Pick<GuideClient, "deleteTimer">;
  readonly store: RuleStore;
  readonly reader: GuideReader;
  readonly plan: () => PlanView;
  /** Whether the service has listed the timers since the start: before that, a missing one is no news. */
  readonly isListed: () => boolean;
  /** Books a show once, even if an earlier answer was lost. @returns the timer's id, if the answer has it */
  readonly book: (showId: number, booking: Booking) => Promise<TimerId | undefined>;
  /** Polls the service for its timers. */
  readonly onOrdered: () => void;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

/** Orders and cancels timers so that they match the rules that the recorder keeps. */
export interface RuleKeeper {
  readonly name: "rules";
  /** Expands the rules now. */
  readonly wake: () => void;
  run(signal: AbortSignal): Promise<void>;
}

export function createRuleKeeper(parts: KeeperParts): RuleKeeper {
  const { client, store, reader, plan, onOrdered, clock, chance, log } = parts;
  const wakeSignal = new WakeSignal();

  /** A change of the rules ends the round: it wakes the keeper for another one. */
  async function round(signal: AbortSignal): Promise<void> {
    if (isEmpty()) return;
    if (parts.isListed()) await store.change((kept) => broughtUpToDate(kept, plan(), clock.now()));
    // An interrupted round may have left some.
    await place(store.current.ordering, { looksFirst: true, signal });
    await cancel(leavingTimers(store.current), signal);
    // Until their timers are known, they could be ordered twice.
    if (store.current.ordering.length > 0) return;
    const { rules } = store.current;
    const isCurrent = () => store.current.rules === rules && !signal.aborted;
    const steps = await expanded(rules, signal);
    if (!isCurrent()) return;
    await store.change((kept) => withFollowed(kept, steps.follow));
    await store.change((kept) => withLeaving(kept, steps.cancel));
    await cancel(steps.cancel, signal);
    const { keptOrdersAtOnce } = BOOKING_LIMITS;
    for (let from = 0; from < steps.order.length && isCurrent(); from += keptOrdersAtOnce) {
      const some = steps.order.slice(from, from + keptOrdersAtOnce);
      await store.change((kept) => withOrdering(kept, some));
      await place(some, { looksFirst: false, signal });
    }
  }

  function isEmpty(): boolean {
    const { rules, timers, ordering } = store.current;
    return rules.length === 0 && ordering.length === 0 && Object.keys(timers).length === 0;
  }

  async function expanded(rules: readonly Rule[], signal: AbortSignal): Promise<RuleSteps> {
    const search = { timers: accountTimers(store.current, plan()).filter(isOrder), clock };
    const { airings, heard } =
      rules.length === 0
        ? NOTHING_FOUND
        : await searchGuide({ ...(await reader.open(rules, signal)), ...search });
    const input = expansionInput(store.current, plan(), { airings, now: clock.now() });
    const expansion = await new LoopShare(clock).run(expandInSteps(input));
    const steps = stepsOf(expansion, roomFor(store.current));
    // A guide that has lost a channel for a moment has not moved its shows.
    const isSilent = ({ ruleId, channelId }: RuleOrderedShow) =>
      rules.some(({ id, isPaused }) => id === ruleId && isPaused !== true) && !heard.has(channelId);
    const cancel = steps.cancel.filter((id) => {
      const timer = store.current.timers[id];
      return timer === undefined || !isSilent(timer);
    });
    return { ...steps, cancel };
  }

  /** Books orders that are noted as on their way. */
  async function place(orders: readonly RuleOrderedShow[], booking: Booking): Promise<void> {
    const answered: { readonly order: RuleOrderedShow; readonly timerId?: TimerId }[] = [];
    try {
      for (const order of orders) {
        const outcome = order.stop <= clock.now() ? "refused" : await bookOne(order, booking);
        if (outcome === "refused") answered.push({ order });
        // An answer without the timer: the next round looks for it.
        else if (outcome !== undefined) answered.push({ order, timerId: outcome });
      }
    } finally {
      if (answered.length > 0) {
        await store.change((kept) => withOrdered(kept, answered));
        onOrdered();
      }
    }
  }

  /** A refused order is dropped; the next round wants it again, if a rule does. @throws RecorderdError if it may be taken */
  async function bookOne(
    { showId, name }: RuleOrderedShow,
    booking: Booking,
  ): Promise<TimerId | "refused" | undefined> {
    try {
      return await parts.book(showId, booking);
    } catch (error) {
      if (!(error instanceof RecorderdError) || !REFUSALS.includes(error.code)) throw error;
      log.warn("the guide service refused a timer of a rule", { showId, title: name, code: error.code });
      return "refused";
    }
  }

  /** Cancels timers that are noted as leaving. */
  async function cancel(ids: readonly TimerId[], signal: AbortSignal): Promise<void> {
    for (const id of ids) {
      await cancelOnce(client, id, signal);
      await store.change((kept) => withoutTimers(kept, [id]));
    }
    if (ids.length > 0) onOrdered();
  }

  function waitAfter({ facts: { retryAfterMs } }: RecorderdError, failures: number): DurationMs {
    const [firstMs, maxMs] = [BOOKING_LIMITS.keptRetryMs, MODEL_LIMITS.guideBackOffMsMax];
    const asked = typeof retryAfterMs === "number" ? { retryAfterMs } : {};
    return backOffMs({ failures, firstMs, maxMs, ...asked }, chance);
  }

  return {
    name: "rules",
    wake: () => wakeSignal.signal(),
    run: async (signal) => {
      let failures = 0;
      while (!signal.aborted) {
        let pauseMs: DurationMs = BOOKING_LIMITS.keptLookMs;
        try {
          await round(signal);
          failures = 0;
        } catch (error) {
          if (signal.aborted) return;
          if (!(error instanceof RecorderdError)) throw error;
          failures += 1;
          pauseMs = waitAfter(error, failures);
          log.warn("the rules cannot be expanded now; retrying", { code: error.code, text: error.message });
        }
        reader.forget();
        await wakeSignal.waitFor(pauseMs, { clock, signal });
      }
    },
  };
}

/** The service has not taken the order. */
const REFUSALS: readonly RecorderdError["code"][] = [
  "GUIDE_NOT_ACCEPTABLE",
  "GUIDE_NOT_FOUND",
  "GUIDE_FORBIDDEN",
];
