import type { PartOfDay, RuleConditions, RuleOrder } from "../../model/rule.ts";
import { MINUTE } from "../../model/time.ts";
import { genreText } from "../genre.ts";
import { reader, say } from "../state/language.ts";

const NAMED_CHANNELS = 3;
const WEEKDAYS = "1,2,3,4,5";
const WEEKEND = "6,7";

/** A rule in one line: “New episodes on BBC One, weekdays after 18:00, keep the newest 5”. */
export function ruleLine(order: RuleOrder, channelName: (id: number) => string): string {
  const phrases = [
    whatText(order, channelName),
    ...subjectTexts(order),
    whenText(order),
    lengthText(order),
    order.keep === undefined ? undefined : say("rules-line-keep", { count: order.keep }),
  ];
  return joined(phrases.filter((phrase) => phrase !== undefined));
}

function joined(phrases: readonly string[]): string {
  return phrases.reduce((first, more) => say("rules-line-and", { first, more }));
}

function whatText(
  { newOnly, airing, channelIds = [] }: RuleOrder,
  channelName: (id: number) => string,
): string {
  const what = newOnly ? (airing === "first" ? "new-first" : "new") : (airing ?? "all");
  if (channelIds.length === 0) return say("rules-line-what", { what });
  const names = channelIds.slice(0, NAMED_CHANNELS).map(channelName);
  const others = channelIds.length - names.length;
  const all = others === 0 ? names : [...names, say("rules-line-others", { count: others })];
  return say("rules-line-what-on", { what, channels: reader().list(all) });
}

/** Leaves out the words that the name of the rule says already. */
function subjectTexts(order: RuleOrder): readonly (string | undefined)[] {
  const { name, words, expression, seriesId, genres, without } = order;
  const place = order.within ?? "title";
  return [
    words === undefined || (words === name && place === "title")
      ? undefined
      : say("rules-line-words", { words, place }),
    expression === undefined ? undefined : say("rules-line-expression", { expression, place }),
    seriesId === undefined ? undefined : say("rules-line-series"),
    genres === undefined ? undefined : say("rules-line-genres", { genres: joined(genres.map(genreText)) }),
    without === undefined ? undefined : say("rules-line-without", { words: without }),
  ];
}

function whenText({ weekdays, between }: RuleConditions): string | undefined {
  const days = weekdays === undefined ? undefined : daysText(weekdays);
  if (between === undefined) return days;
  const time = timeText(between);
  return days === undefined ? time : say("rules-line-days-and-time", { days, time });
}

function daysText(weekdays: readonly number[]): string {
  const days = weekdays.toSorted((a, b) => a - b);
  if (days.join() === WEEKDAYS) return say("rules-line-weekdays");
  if (days.join() === WEEKEND) return say("rules-line-weekend");
  return reader().list(days.map((day) => reader().dayOfWeek(day)));
}

function timeText({ from, until }: PartOfDay): string {
  const times = { from: reader().timeOfDay(from), until: reader().timeOfDay(until) };
  if (until === 0) return say("rules-line-after", { from: times.from });
  return from === 0 ? say("rules-line-before", { until: times.until }) : say("rules-line-between", times);
}

function lengthText({ minMinutes, maxMinutes }: RuleConditions): string | undefined {
  if (minMinutes === undefined && maxMinutes === undefined) return undefined;
  const least = reader().duration((minMinutes ?? 0) * MINUTE);
  const most = reader().duration((maxMinutes ?? 0) * MINUTE);
  if (maxMinutes === undefined) return say("rules-line-least", { least });
  return minMinutes === undefined
    ? say("rules-line-most", { most })
    : say("rules-line-length", { least, most });
}
