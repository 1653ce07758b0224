import { eventOf } from "../../../../guide-wire/programmes.ts";
import type { Show } from "../../../../guide-wire/records.ts";
import { type Clock, yieldToLoop } from "../../../../kit/time/clock.ts";
import { MODEL_LIMITS } from "../../../../model/limits.ts";
import type { Rule } from "../../../../model/rule.ts";
import { MINUTE } from "../../../../model/time.ts";
import { lengthMs } from "../../../../model/window.ts";
import type { AiredShow, DescribedShow } from "../../../../rules/airing.ts";
import { episodeOf, isIdentified } from "../../../../rules/episode.ts";
import { dependsOnOthers } from "../../../../rules/expansion.ts";
import type { ExpandedTimer, MatchedAiring } from "../../../../rules/orders.ts";
import type { RuleSet } from "../../../../rules/rule-set.ts";
import { BOOKING_LIMITS } from "../limits.ts";

/** A show without its description: those of a guide would fill the memory. */
export type FoundShow = AiredShow & { readonly subtitle: string };

export interface GuideChannel {
  readonly id: number;
  readonly isHd: boolean;
  readonly networkId: number | undefined;
}

interface Search {
  readonly channels: readonly GuideChannel[];
  /** All shows of these channels, at most `MODEL_LIMITS.programmeChannels`. */
  readonly read: (channelIds: readonly number[]) => Promise<readonly Show[]>;
  readonly rules: RuleSet;
  /** The rule whose shows are searched for; absent: those of all rules. */
  readonly sought?: Rule;
  /** Their shows are found whether a rule wants them or not. */
  readonly timers: readonly Pick<ExpandedTimer, "showId" | "channelId">[];
  readonly clock: Clock;
}

interface Found {
  /** Shows that a rule wants or a timer is for, and the other airings of their episodes. */
  readonly airings: readonly MatchedAiring<FoundShow>[];
  /** Channels of which the guide has shows. */
  readonly heard: ReadonlySet<number>;
}

/** Reads the guide in portions, and matches each show with all rules; other work runs in between. */
export async function searchGuide(search: Search): Promise<Found> {
  const { rules, clock } = search;
  const timerShows = new Set(search.timers.map(({ showId }) => showId));
  const found: MatchedAiring<FoundShow>[] = [];
  const others: MatchedAiring<FoundShow>[] = [];
  const needsOthers = rules.rules.some(({ rule }) => dependsOnOthers(rule));
  const byId = new Map(channelsToRead(search).map((channel) => [channel.id, channel]));
  const ids = [...byId.keys()];
  const heard = new Set<number>();
  let sinceMs = clock.monotonicMs();
  for (let from = 0; from < ids.length; from += MODEL_LIMITS.programmeChannels) {
    for (const record of await search.read(ids.slice(from, from + MODEL_LIMITS.programmeChannels))) {
      const show = describedShow(record);
      const channel = show && byId.get(show.channelId);
      if (show === undefined || channel === undefined) continue;
      heard.add(channel.id);
      const { isHd, networkId } = channel;
      const wanting = rules.wanting({ show, isHd, networkId });
      const airing = { show: withoutTexts(show), episode: episodeOf(show), isHd, networkId, rules: wanting };
      if (wanting.length > 0 || timerShows.has(show.id)) found.push(airing);
      else if (needsOthers && isIdentified(show)) others.push(airing);
      if (clock.monotonicMs() - sinceMs < BOOKING_LIMITS.searchSliceMs) continue;
      await yieldToLoop();
      sinceMs = clock.monotonicMs();
    }
  }
  // Other airings say whether one is the first.
  const episodes = new Set(found.map(({ episode }) => episode));
  const airings = [...found, ...others.filter(({ episode }) => episodes.has(episode))];
  return { airings, heard };
}

/** Those that the rules name, and those of timers; all if a rule names none, or needs the other airings. */
function channelsToRead({ channels, rules, sought, timers }: Search): readonly GuideChannel[] {
  const searching =
    sought === undefined ? rules.rules.map(({ rule }) => ({ ...rule.wants, ...rule })) : [sought];
  if (searching.some((rule) => rule.channelIds === undefined || dependsOnOthers(rule))) return channels;
  const ids = new Set([
    ...searching.flatMap(({ channelIds = [] }) => channelIds),
    ...timers.map(({ channelId }) => channelId),
  ]);
  return channels.filter(({ id }) => ids.has(id));
}

function withoutTexts({ desc: _desc, category: _category, ...show }: DescribedShow): FoundShow {
  return show;
}

/** `undefined` for a show that is withdrawn or lacks a time. */
function describedShow(show: Show): DescribedShow | undefined {
  const event = eventOf(show);
  if (event === undefined) return undefined;
  const { id, channel_id: channelId, series_id = "", episode_id = "", desc = "", category = [] } = show;
  const { subtitle = "", title } = show;
  return {
    id,
    channelId,
    // The service writes 0 for no series.
    seriesId: series_id === "0" ? "" : series_id,
    episodeId: episode_id === "0" ? "" : episode_id,
    start: event.start,
    durationMinutes: lengthMs(event) / MINUTE,
    title,
    subtitle,
    desc,
    category,
  };
}
