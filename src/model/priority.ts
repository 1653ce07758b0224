import { formatTimeOfDay } from "./time.ts";
import type { Timer } from "./timer.ts";

/** The conditions of a rule; all that are present must hold. */
export interface PriorityMatch {
  /** Series recording of the account that ordered the timer, by its id at the service. */
  readonly seriesId?: string | undefined;
  /** The guide's id of the series; the rule applies only once the guide has described the show. */
  readonly series?: string | undefined;
  /** Keyword of the account that ordered the timer, by its id at the service. */
  readonly keywordId?: string | undefined;
  /** Name of the channel, or its id at the service. */
  readonly channel?: string | undefined;
  /** `*` stands for any text; case does not matter. */
  readonly title?: string | undefined;
  /** The event begins at `from` or later, and before `until`: `HH:MM`. The span includes midnight if `until` is not later. */
  readonly time?: { readonly from: string; readonly until: string } | undefined;
}

export interface PriorityRule {
  readonly match: PriorityMatch;
  readonly priority: number;
}

/** The priority of a timer for which nobody has set one. */
export const DEFAULT_PRIORITY = 50;
export const PRIORITY_MAX = 100;

/** The first matching rule of the configuration counts, then the priority of the rule that ordered the timer. */
export function priorityOf(
  timer: Timer,
  {
    rules,
    channelName,
    series,
    timeZone,
  }: {
    readonly rules: readonly PriorityRule[];
    readonly channelName: string;
    /** The guide's id of the series; absent: none, or unknown. */
    readonly series?: string | undefined;
    /** The zone of times in rules, an IANA name. */
    readonly timeZone: string;
  },
): number {
  const rule = rules.find(({ match }) => isAbout(match, { timer, channelName, series, timeZone }));
  return rule?.priority ?? timer.rule?.priority ?? DEFAULT_PRIORITY;
}

function isAbout(
  match: PriorityMatch,
  {
    timer,
    channelName,
    series,
    timeZone,
  }: {
    readonly timer: Timer;
    readonly channelName: string;
    readonly series: string | undefined;
    readonly timeZone: string;
  },
): boolean {
  const { seriesId, keywordId, channel, title, time } = match;
  return (
    (match.series === undefined || match.series === series) &&
    (seriesId === undefined || seriesId === timer.seriesRecordingId) &&
    (keywordId === undefined || keywordId === timer.keywordId) &&
    (channel === undefined || channel === timer.channelId || isAlike(channel, channelName)) &&
    (title === undefined || isTitled(title, timer.name)) &&
    (time === undefined || isWithin(time, formatTimeOfDay(timer.event.start, timeZone).slice(0, 5)))
  );
}

function isAlike(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** Compares part by part from the left, because a regular expression could take long. */
function isTitled(pattern: string, title: string): boolean {
  const [first = "", ...rest] = pattern.toLowerCase().split("*");
  const text = title.toLowerCase();
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Times of day compare as texts. */
function isWithin({ from, until }: { readonly from: string; readonly until: string }, at: string): boolean {
  return from < until ? from <= at && at < until : from <= at || at < until;
}
