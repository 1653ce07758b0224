import { nameKey } from "../model/channel-name.ts";
import type { Imported, ImportOrder, Origin } from "../model/imported.ts";
import type { LibraryEntry } from "../model/library.ts";
import type { RuleConditions, RuleOrder } from "../model/rule.ts";
import type { Channel } from "../model/service.ts";
import type { EpochMs } from "../model/time.ts";
import { intersection, lengthMs, type Window } from "../model/window.ts";
import { readRuleOrder } from "../rules/read-order.ts";
import { channelFor } from "./channels.ts";
import type { FoundChannel, FoundRecorder, FoundRecording, FoundRule, FoundTimer } from "./found.ts";
import { ordersOf } from "./orders.ts";

/** The fate of one thing: it comes, it came before, or it cannot come; `why` is a sentence. */
export type Fate =
  | { readonly is: "new" }
  | { readonly is: "there" }
  | { readonly is: "cannot"; readonly why: string };

export interface PlannedRecording {
  readonly of: FoundRecording;
  /** One for each file that is new. */
  readonly orders: readonly ImportOrder[];
  readonly fate: Fate;
}

export interface PlannedTimer {
  readonly of: FoundTimer;
  readonly fate: Fate;
  /** The show of our guide to order; present if it is new. */
  readonly showId?: number;
  readonly notes: readonly string[];
}

export interface PlannedRule {
  readonly of: FoundRule;
  readonly fate: Fate;
  /** Present unless it cannot come. */
  readonly order?: RuleOrder;
  readonly notes: readonly string[];
}

export interface PlannedChannel {
  readonly of: FoundChannel;
  /** The channel of our guide; absent if it has none. */
  readonly channel?: Channel;
}

/** The work of an import, for people to read before it is done. */
export interface ImportPlan {
  readonly channels: readonly PlannedChannel[];
  readonly recordings: readonly PlannedRecording[];
  readonly timers: readonly PlannedTimer[];
  readonly rules: readonly PlannedRule[];
}

/** One broadcast of our guide. */
export interface KnownShow {
  readonly id: number;
  readonly title: string;
  readonly start: EpochMs;
  readonly stop: EpochMs;
}

/** The things that we have already. */
export interface KnownHere {
  readonly entries: readonly Pick<LibraryEntry, "file" | "imported">[];
  readonly channels: readonly Channel[];
  /** Shows of a channel of our guide that overlap with a span. */
  readonly shows: (channelId: string, span: Window) => readonly KnownShow[];
  /** Shows that are ordered. */
  readonly ordered: ReadonlySet<number>;
  readonly rules: readonly RuleConditions[];
  /** Why no timer can be ordered now; absent if they can. The same holds for rules. */
  readonly noTimers?: string;
  readonly noRules?: string;
  readonly now: EpochMs;
}

export function planImport(from: Origin, found: FoundRecorder, here: KnownHere): ImportPlan {
  return {
    channels: found.channels.map((of) => planned(of, channelFor(of, here.channels))),
    recordings: plannedRecordings(from, found.recordings, here),
    timers: plannedTimers(found.timers, here),
    rules: plannedRules(found.rules, here),
  };
}

function planned(of: FoundChannel, channel: Channel | undefined): PlannedChannel {
  return channel === undefined ? { of } : { of, channel };
}

function plannedRecordings(
  from: Origin,
  found: readonly FoundRecording[],
  { entries }: KnownHere,
): readonly PlannedRecording[] {
  const ids = new Set(entries.flatMap(({ imported }) => (imported === undefined ? [] : [idKey(imported)])));
  const files = new Set(entries.map(({ file }) => file));
  return found.map((of) => {
    // The same file twice in one recorder comes once.
    const orders = ordersOf(from, of).filter((order) => !ids.has(idKey(order)) && !files.has(order.file));
    for (const order of orders) {
      ids.add(idKey(order));
      files.add(order.file);
    }
    return { of, orders, fate: { is: orders.length === 0 ? "there" : "new" } };
  });
}

function idKey({ from, id }: Pick<Imported, "from" | "id">): string {
  return `${from} ${id}`;
}

function plannedTimers(found: readonly FoundTimer[], here: KnownHere): readonly PlannedTimer[] {
  const ordered = new Set(here.ordered);
  return found.map((of) => {
    const timer = plannedTimer(of, { ...here, ordered });
    if (timer.showId !== undefined) ordered.add(timer.showId);
    return timer;
  });
}

function plannedTimer(of: FoundTimer, here: KnownHere): PlannedTimer {
  const { event, channel: theirs, title, notes } = of;
  const cannot = (why: string): PlannedTimer => ({ of, fate: { is: "cannot", why }, notes });
  if (event.stop <= here.now) return cannot("Its time is over.");
  if (here.noTimers !== undefined) return cannot(here.noTimers);
  const channel = channelFor(theirs, here.channels);
  if (channel === undefined) return cannot(`The guide has no channel ${theirs.name}.`);
  const show = showFor(of, here.shows(channel.id, event));
  if (show === undefined) return cannot(`The guide has no such show on ${channel.name} at that time.`);
  if (here.ordered.has(show.id)) return { of, fate: { is: "there" }, notes };
  const differs = nameKey(show.title) === nameKey(title) ? [] : [`The guide calls it "${show.title}".`];
  return { of, fate: { is: "new" }, showId: show.id, notes: [...notes, ...differs] };
}

/** The show that is most of the event, and the event most of it: one with the same title first. */
function showFor({ event, title }: FoundTimer, shows: readonly KnownShow[]): KnownShow | undefined {
  const key = nameKey(title);
  const scored = shows.map((show) => {
    const commonMs = lengthMs(intersection(event, show));
    const share = Math.min(commonMs / lengthMs(show), commonMs / lengthMs(event));
    return { show, share, isNamed: nameKey(show.title) === key };
  });
  const [best] = scored
    .filter(({ share }) => share >= 0.5)
    .toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed) || b.share - a.share);
  return best?.show;
}

function plannedRules(found: readonly FoundRule[], here: KnownHere): readonly PlannedRule[] {
  const keys = new Set(here.rules.map(conditionsKey));
  return found.map((of) => {
    const rule = plannedRule(of, here);
    if (rule.order === undefined) return rule;
    const key = conditionsKey(rule.order);
    if (keys.has(key)) return { ...rule, fate: { is: "there" } };
    keys.add(key);
    return rule;
  });
}

function plannedRule(of: FoundRule, { channels, noRules }: KnownHere): PlannedRule {
  const { order, channels: theirs, notes } = of;
  const cannot = (why: string): PlannedRule => ({ of, fate: { is: "cannot", why }, notes });
  if (noRules !== undefined) return cannot(noRules);
  const read = readRuleOrder(order);
  // Its expression may be one for another engine.
  if ("mistakes" in read) return cannot(read.mistakes.map(({ problem }) => problem).join(" "));
  const matched = theirs.map((one) => ({ one, channel: channelFor(one, channels) }));
  const missing = matched.flatMap(({ one, channel }) => (channel === undefined ? [one.name] : []));
  if (theirs.length > 0 && missing.length === theirs.length)
    return cannot(`The guide has none of its channels: ${listed(missing)}.`);
  const ids = matched.flatMap(({ channel }) => (channel === undefined ? [] : [Number(channel.id)]));
  const channelIds = [...new Set(ids)].toSorted((a, b) => a - b);
  return {
    of,
    fate: { is: "new" },
    order: { ...order, ...(channelIds.length === 0 ? {} : { channelIds }) },
    notes: missing.length === 0 ? notes : [...notes, `The guide lacks these channels: ${listed(missing)}.`],
  };
}

const NAMES_SHOWN = 5;

function listed(names: readonly string[]): string {
  const more = names.length - NAMES_SHOWN;
  return names.slice(0, NAMES_SHOWN).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Equal for two rules that want the same shows. */
function conditionsKey({
  words,
  expression,
  seriesId,
  genres,
  within,
  without,
  channelIds,
  weekdays,
  between,
  minMinutes,
  maxMinutes,
}: RuleConditions): string {
  const sorted = <T>(all: readonly T[] | undefined) => all?.map(String).toSorted();
  return JSON.stringify([
    ...[words, expression, seriesId, sorted(genres), within, without, sorted(channelIds)],
    ...[sorted(weekdays), between?.from, between?.until, minMinutes, maxMinutes],
  ]);
}
