import type { GuideClient } from "../../../../guide-wire/client.ts";
import type { Show } from "../../../../guide-wire/records.ts";
import type { Clock } from "../../../../kit/time/clock.ts";
import type { Rule } from "../../../../model/rule.ts";
import type { EpochMs } from "../../../../model/time.ts";
import { compileRule, type OrderingRule } from "../../../../rules/compiled-rule.ts";
import { localTimeIn } from "../../../../rules/local-time.ts";
import { RuleSet } from "../../../../rules/rule-set.ts";
import { BOOKING_LIMITS } from "../limits.ts";
import type { GuideChannel } from "./guide-search.ts";

/** The guide and the rules, ready for one search. */
export interface OpenedGuide {
  readonly channels: readonly GuideChannel[];
  readonly read: (channelIds: readonly number[]) => Promise<readonly Show[]>;
  readonly rules: RuleSet;
}

export interface GuideReader {
  open(
    rules: readonly Rule[],
    signal: AbortSignal,
    options?: { readonly remembers?: true },
  ): Promise<OpenedGuide>;
  /** Drops remembered shows. */
  forget(): void;
}

interface Remembered {
  readonly at: EpochMs;
  readonly shows: readonly Show[];
}

/**
 * Reads the guide of the account's region. Previews follow each other while a person edits: their shows are remembered
 * for a while. A round of the keeper reads fresh ones and remembers none.
 */
export function createGuideReader({
  client,
  regionId,
  clock,
}: {
  readonly client: Pick<GuideClient, "region" | "regionChannels" | "shows">;
  readonly regionId: number;
  readonly clock: Clock;
}): GuideReader {
  const remembered = new Map<string, Remembered>();

  async function fetched(channelIds: readonly number[], signal: AbortSignal): Promise<readonly Show[]> {
    const { value } = await client.shows({ channelIds, hideTimers: true }, signal);
    return value.shows;
  }

  async function rememberedShows(
    channelIds: readonly number[],
    signal: AbortSignal,
  ): Promise<readonly Show[]> {
    const key = channelIds.join(",");
    const known = remembered.get(key);
    if (known !== undefined && clock.now() - known.at < BOOKING_LIMITS.freshMs) return known.shows;
    const shows = await fetched(channelIds, signal);
    remembered.set(key, { at: clock.now(), shows });
    return shows;
  }

  return {
    open: async (rules, signal, { remembers = false } = {}) => {
      const [{ value: channels }, { value: region }] = await Promise.all([
        client.regionChannels(regionId, signal),
        client.region(regionId, signal),
      ]);
      return {
        channels: channels.channels.map(({ id, is_hd = 0, network_id }) => ({
          id,
          isHd: is_hd !== 0,
          networkId: network_id,
        })),
        read: (ids) => (remembers ? rememberedShows(ids, signal) : fetched(ids, signal)),
        rules: new RuleSet(
          rules.map((rule) => compileRule(orderingRule(rule))),
          localTimeIn(region.regions[0]?.timezone),
        ),
      };
    },
    forget: () => remembered.clear(),
  };
}

export function orderingRule({ name: _name, deviceId: _device, ...order }: Rule): OrderingRule {
  return { ...order, kind: "rule", wants: order };
}
