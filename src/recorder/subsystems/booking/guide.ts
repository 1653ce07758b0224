import type { GuideClient } from "../../../guide-wire/client.ts";
import type { TimerOrder } from "../../../guide-wire/records.ts";
import type { Log } from "../../../kit/log.ts";
import { type Clock, systemChance } from "../../../kit/time/clock.ts";
import { Turns } from "../../../kit/time/turns.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { GuideAccount, Orders } from "../../../model/ports.ts";
import { type Reach, unreceivedNames, unreceivedText } from "../../../model/reach.ts";
import { MINUTE } from "../../../model/time.ts";
import type { GuideApi, ShowView } from "../../../web/guide-api.ts";
import { WEB_LIMITS } from "../../../web/limits.ts";
import { bookOnce, cancelOnce } from "../../store/booking.ts";
import { chosenRules } from "./chosen-rules.ts";
import { createKeptRules } from "./kept/api.ts";
import { createGuideReader } from "./kept/guide-reader.ts";
import { createRuleKeeper, type RuleKeeper } from "./kept/keeper.ts";
import type { PlanView } from "./kept/known.ts";
import type { RuleStore } from "./kept/store.ts";
import { RecentShows } from "./recent-shows.ts";
import type { AskBurden } from "./rule-cost.ts";
import { createRulesApi } from "./rules.ts";
import { createSeriesApi } from "./series.ts";

interface GuideApiParts {
  readonly client: GuideClient;
  readonly account: Pick<GuideAccount, "channels">;
  readonly deviceId: number | undefined;
  /** The folder of the order notes. */
  readonly folder: string;
  /** The tuners that receive a channel; `undefined` if unknown. */
  readonly reach: (channelId: string) => Reach | undefined;
  readonly burden: AskBurden;
  /** The rules that the recorder keeps itself. */
  readonly ruleStore: RuleStore;
  readonly regionId: number;
  readonly plan: () => PlanView;
  /** Whether the service has listed the timers since the start. */
  readonly isListed: () => boolean;
  /** Polls the service for its timers. */
  readonly onOrdered: () => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** The guide service for people: its channels, its shows and bookings, whose timers come with the next list. */
export function createGuideApi(parts: GuideApiParts): {
  readonly face: Omit<GuideApi, "signIn">;
  readonly orders: Orders;
  readonly keeper: RuleKeeper;
} {
  const { client, account, folder, onOrdered, clock, signal } = parts;
  /** One order after the other: each checks first whether it exists. */
  const orderTurns = new Turns();
  const recentShows = new RecentShows({ client, clock, signal });

  async function device(): Promise<number> {
    if (parts.deviceId !== undefined) return parts.deviceId;
    const { value } = await client.devices(signal);
    const [first] = value.devices;
    if (first !== undefined) return first.id;
    throw new RecorderdError(
      "GUIDE_NOT_FOUND",
      "The account has no device that can record: create one with recorderd login --uid NAME.",
    );
  }

  const kept = {
    store: parts.ruleStore,
    reader: createGuideReader({ client, regionId: parts.regionId, clock }),
    plan: parts.plan,
  };
  const keeper = createRuleKeeper({
    ...kept,
    client,
    isListed: parts.isListed,
    book: (showId, { looksFirst, signal: until }) =>
      orderTurns.run(async () => {
        const order: TimerOrder = { device_id: await device(), show_id: showId };
        const { answer } = await bookOnce({ client, order, looksFirst, folder, clock, signal: until });
        return answer.value.timers[0]?.id;
      }),
    onOrdered,
    clock,
    chance: systemChance,
    log: parts.log,
  });

  const face: Omit<GuideApi, "signIn"> = {
    series: createSeriesApi({ client, device, reach: parts.reach, onOrdered, signal }),
    rules: chosenRules({
      service: createRulesApi({ client, device, burden: parts.burden, onOrdered, signal }),
      recorder: createKeptRules({
        ...kept,
        device,
        burden: parts.burden,
        onChange: () => {
          keeper.wake();
          onOrdered();
        },
        clock,
        signal,
      }),
      recorderHasRules: () => parts.ruleStore.current.rules.length > 0,
    }),
    channels: () => account.channels(signal),
    shows: async ({ channelIds, from, to, search }) => {
      const words = search?.toLocaleLowerCase().split(/\s+/) ?? [];
      const all = await recentShows.of(
        channelIds ?? (await account.channels(signal)).map(({ id }) => Number(id)),
      );
      const found = all.filter(
        (show) =>
          show.stop > (from ?? 0) &&
          show.start < (to ?? Number.POSITIVE_INFINITY) &&
          matchesWords(show, words),
      );
      return found.slice(0, WEB_LIMITS.guideShows);
    },
    book: (order) =>
      orderTurns.run(async () => {
        const { showId, beforeMinutes, afterMinutes } = order;
        const wanted: TimerOrder = {
          device_id: await device(),
          show_id: showId,
          ...paddingOf({ beforeMinutes, afterMinutes }),
        };
        const { answer } = await bookOnce({ client, order: wanted, folder, clock, signal });
        onOrdered();
        const [timer] = answer.value.timers;
        if (timer === undefined) return {};
        const reach = parts.reach(String(timer.channel_id));
        const warning = reach && unreceivedText(reach);
        if (reach === undefined || warning === undefined) return { timerId: timer.id };
        return { timerId: timer.id, warning, unreceived: unreceivedNames([reach]) };
      }),
    change: async (timerId, padding) => {
      await client.setTimer(timerId, { id: timerId, ...paddingOf(padding) }, signal);
      onOrdered();
    },
    cancel: async (timerId) => {
      await client.deleteTimer(timerId, signal);
      onOrdered();
    },
  };
  const orders: Orders = {
    book: ({ showId, padding: { beforeMs, afterMs } }, until) =>
      orderTurns.run(async () => {
        const order: TimerOrder = {
          device_id: await device(),
          show_id: Number(showId),
          "pre-padding": Math.round(beforeMs / MINUTE),
          "post-padding": Math.round(afterMs / MINUTE),
        };
        const { answer } = await bookOnce({ client, order, looksFirst: true, folder, clock, signal: until });
        onOrdered();
        return answer.value.timers[0]?.id;
      }),
    cancel: async (timerId, until) => {
      await cancelOnce(client, timerId, until);
      onOrdered();
    },
  };
  return { face, orders, keeper };
}

function paddingOf({
  beforeMinutes,
  afterMinutes,
}: {
  readonly beforeMinutes?: number | undefined;
  readonly afterMinutes?: number | undefined;
}) {
  return {
    ...(beforeMinutes === undefined ? {} : { "pre-padding": beforeMinutes }),
    ...(afterMinutes === undefined ? {} : { "post-padding": afterMinutes }),
  };
}

/** Whether title and programme data contain every word. */
function matchesWords({ title, programme }: ShowView, words: readonly string[]): boolean {
  const { subtitle = "", description = "" } = programme;
  const text = `${title} ${subtitle} ${description}`.toLocaleLowerCase();
  return words.every((word) => text.includes(word));
}
