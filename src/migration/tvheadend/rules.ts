import { genreOfCode } from "../../model/genre.ts";
import type { PartOfDay, RuleConditions } from "../../model/rule.ts";
import { MINUTE, SECOND } from "../../model/time.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { Collector } from "../collector.ts";
import { ANY_TEXT, spanNote, widerNote } from "../conditions.ts";
import type { FoundChannel, FoundRule } from "../found.ts";
import { MIGRATION_LIMITS } from "../limits.ts";
import { folderOf, ruleName } from "../names.ts";
import type { OriginFolders } from "../origin-folders.ts";
import type { Channels } from "./channels.ts";
import type { Value, Values } from "./packed.ts";
import {
  flagOf,
  listOf,
  numberOf,
  paddingOf,
  positiveOf,
  type Setting,
  settingsIn,
  textOf,
} from "./settings.ts";
import { titleCondition } from "./title-pattern.ts";

const DAY_MINUTES = 1440;
const ALL_WEEKDAYS = 7;
/** Tvheadend's priorities 0 (important) to 4 (unimportant); 5 and 6 stand for its own default. */
const PRIORITIES = [90, 70, 50, 30, 10];
/** `btype`: which broadcasts of a show a rule wants. */
const NEW_ONLY = [1, 3];
const REPEATS_ONLY = 2;
/** `record`: once per month, week or day, in this rule or in all. */
const ONCE_PER: Readonly<Record<number, string>> = {
  12: "month",
  13: "month",
  4: "week",
  10: "week",
  5: "day",
  11: "day",
};
/** Conditions that we do not have; without them the rule wants more than it did. */
const NARROWING: Readonly<Record<string, string>> = {
  star_rating: "a minimum star rating",
  minyear: "the earliest year",
  maxyear: "the latest year",
  minseason: "the lowest season",
  maxseason: "the highest season",
  cat2: "a second category",
  cat3: "a third category",
};

/** Reads its rules for shows (autorec) and for times (timerec). */
export async function readRules(
  folders: OriginFolders,
  channels: Channels,
  collector: Collector,
): Promise<void> {
  for (const setting of await settingsIn(folders, "dvr/autorec", collector))
    takeRule(setting, channels, collector);
  for (const setting of await settingsIn(folders, "dvr/timerec", collector))
    takeTimeRule(setting, channels, collector);
}

/** A rule for a time of day records whatever is on: here the shows that begin in that time. */
function takeTimeRule({ id, values }: Setting, channels: Channels, collector: Collector): void {
  const name = nameOf([values.name, values.title], id);
  const wanted = channelsOf(values, channels);
  const [from, until] = [minuteOfDay(values.start), minuteOfDay(values.stop)];
  if (typeof wanted === "string") return collector.leaveOut("rule", name, wanted);
  if (wanted.length === 0)
    return collector.leaveOut("rule", name, "It has no channel, and recorded nothing.");
  if (from === undefined || until === undefined)
    return collector.leaveOut("rule", name, "It has no time of day, and recorded nothing.");
  if (hasNoWeekday(values)) return collector.leaveOut("rule", name, NO_WEEKDAY);
  collector.rule({
    id,
    order: {
      name,
      ...(flagOf(values.enabled) === false ? { isPaused: true } : {}),
      ...ANY_TEXT,
      between: { from, until },
      quality: "Prefer HD",
      ...withoutUndefined({ weekdays: weekdaysOf(values.weekdays), ...placeOf(values) }),
    },
    channels: wanted,
    notes: [spanNote("Tvheadend")],
  });
}

function takeRule({ id, values }: Setting, channels: Channels, collector: Collector): void {
  const name = nameOf([values.name, values.title, values.comment], id);
  const wanted = channelsOf(values, channels);
  if (typeof wanted === "string") return collector.leaveOut("rule", name, wanted);
  const refusal = refusalOf(values, wanted);
  if (refusal !== undefined) return collector.leaveOut("rule", name, refusal);
  const wider = widerThanBefore(values);
  const notes = [...wider.map(widerNote), ...otherNotes(values)];
  const isPaused = flagOf(values.enabled) === false || wider.length > 0;
  const rule: FoundRule = {
    id,
    order: {
      name,
      ...(isPaused ? { isPaused } : {}),
      ...conditionsOf(values),
      ...(NEW_ONLY.includes(numberOf(values.btype) ?? 0) ? { newOnly: true } : {}),
      quality: "Prefer HD",
      ...withoutUndefined({
        keep: keepOf(values),
        ...placeOf(values),
      }),
      ...paddingOf(values),
    },
    channels: wanted,
    notes,
  };
  for (const part of byWeekdayOfStart(rule)) collector.rule(part);
}

/** Here Friday night ends on Saturday morning; in Tvheadend, its weekday is that of the start. So both parts come. */
function byWeekdayOfStart(rule: FoundRule): readonly FoundRule[] {
  const { id, order, notes } = rule;
  const { weekdays, between } = order;
  if (weekdays === undefined || between === undefined || between.until === 0) return [rule];
  if (between.from < between.until) return [rule];
  const evening = { ...order, between: { ...between, until: 0 } };
  const morning = { ...order, between: { ...between, from: 0 } };
  return [
    { ...rule, order: evening, notes: [...notes, MORNING_NOTE] },
    { ...rule, id: `${id} morning`, order: morning },
  ];
}

const MORNING_NOTE =
  "The part after midnight is a rule of its own, because Tvheadend counts it to the weekday on which a show begins.";

function nameOf(names: readonly (Value | undefined)[], id: string): string {
  return names.map((name) => ruleName(textOf(name))).find((name) => name !== undefined) ?? id;
}

function keepOf({ maxcount }: Values): number | undefined {
  const count = positiveOf(maxcount);
  return count === undefined ? undefined : Math.min(count, MIGRATION_LIMITS.keep);
}

function placeOf({ pri, directory }: Values) {
  return {
    priority: PRIORITIES[numberOf(pri) ?? PRIORITIES.length],
    folder: folderOf((textOf(directory) ?? "").split("/")),
  };
}

const NO_WEEKDAY = "It has no weekday.";

function hasNoWeekday({ weekdays }: Values): boolean {
  return weekdays !== undefined && listOf(weekdays).length === 0;
}

/** @returns a sentence if none can be meant */
function channelsOf({ channel, tag }: Values, { byId, byTag }: Channels): readonly FoundChannel[] | string {
  const [ofChannel, ofTag] = [textOf(channel), textOf(tag)];
  const one = byId.get(ofChannel ?? "");
  if (ofChannel !== undefined && one === undefined) return "Its channel no longer exists.";
  const tagged = byTag.get(ofTag ?? "") ?? [];
  if (ofTag !== undefined && tagged.length === 0) return "No channel has its tag.";
  if (one === undefined) return tagged;
  return ofTag === undefined || tagged.includes(one) ? [one] : "Its channel does not have its tag.";
}

/** Why such a rule records nothing, or has no counterpart. */
function refusalOf(values: Values, channels: readonly FoundChannel[]): string | undefined {
  if (hasNoWeekday(values)) return NO_WEEKDAY;
  if (numberOf(values.btype) === REPEATS_ONLY) return "It records only repeats, which rules here cannot do.";
  const { words, expression, genres, minMinutes, maxMinutes } = conditionsOf(values);
  const isEmpty = words === undefined && genres === undefined && expression === ANY_TEXT.expression;
  if (isEmpty && channels.length === 0 && minMinutes === undefined && maxMinutes === undefined)
    return "It has no condition, and recorded nothing.";
  return undefined;
}

function conditionsOf(values: Values): RuleConditions {
  const title = textOf(values.title);
  const genres = genresOf(values);
  const text = title !== undefined ? titleCondition(title) : genres === undefined ? ANY_TEXT : {};
  const isWide = flagOf(values.fulltext) === true || flagOf(values.mergetext) === true;
  return {
    ...text,
    ...(title !== undefined && isWide ? { within: "all" } : {}),
    ...withoutUndefined({
      genres,
      weekdays: weekdaysOf(values.weekdays),
      between: betweenOf(values),
      minMinutes: minutesOf(values.minduration, Math.ceil),
      maxMinutes: minutesOf(values.maxduration, Math.floor),
    }),
  };
}

/** The genre of the content code, and the category. A category has the name that the guide gives it. */
function genresOf({ content_type: code, cat1 }: Values): readonly string[] | undefined {
  const genre = genreOfCode(numberOf(code) ?? 0);
  const category = textOf(cat1);
  const all = [...(genre === undefined ? [] : [genre]), ...(category === undefined ? [] : [category])];
  return all.length === 0 ? undefined : all;
}

function weekdaysOf(value: Value | undefined): readonly number[] | undefined {
  const days = listOf(value)
    .map(numberOf)
    .filter((day) => day !== undefined && day >= 1 && day <= ALL_WEEKDAYS);
  const each = [...new Set(days)].map(Number).toSorted((a, b) => a - b);
  return each.length === 0 || each.length === ALL_WEEKDAYS ? undefined : each;
}

/** Both ends count in Tvheadend, and only together; ours is half-open. */
function betweenOf({ start, start_window: last }: Values): PartOfDay | undefined {
  const [from, to] = [minuteOfDay(start), minuteOfDay(last)];
  if (from === undefined || to === undefined) return undefined;
  const until = (to + 1) % DAY_MINUTES;
  return from === until ? undefined : { from, until };
}

function minuteOfDay(value: Value | undefined): number | undefined {
  const [, hours, minutes] = /^(\d\d):(\d\d)$/.exec(textOf(value) ?? "") ?? [];
  const minute = hours === undefined ? numberOf(value) : Number(hours) * 60 + Number(minutes);
  return minute !== undefined && minute >= 0 && minute < DAY_MINUTES ? minute : undefined;
}

function minutesOf(seconds: Value | undefined, round: (minutes: number) => number): number | undefined {
  const length = positiveOf(seconds);
  const minutes = length === undefined ? 0 : round((length * SECOND) / MINUTE);
  return minutes > 0 && minutes <= DAY_MINUTES ? minutes : undefined;
}

function widerThanBefore(values: Values): readonly string[] {
  return Object.entries(NARROWING).flatMap(([key, what]) =>
    positiveOf(values[key]) === undefined && textOf(values[key]) === undefined ? [] : [what],
  );
}

function otherNotes(values: Values): readonly string[] {
  const period = ONCE_PER[numberOf(values.record) ?? -1];
  const atOnce = positiveOf(values.maxsched);
  const genre = numberOf(values.content_type) ?? 0;
  return [
    ...(period === undefined ? [] : [`It recorded once per ${period}; here it records every episode.`]),
    ...(atOnce === undefined
      ? []
      : [`It planned at most ${atOnce} recordings ahead; here there is no such limit.`]),
    ...(genre % 16 === 0 ? [] : ["Its genre is the main one here."]),
    ...(hasSeparateEnds(values) ? [ENDS_NOTE] : []),
    ...(textOf(values.serieslink) === undefined
      ? []
      : ["It followed a series of the broadcast; here it follows the title."]),
  ];
}

const ENDS_NOTE =
  "In its expression, ^ and $ stand for the ends of title, subtitle and description together: in Tvheadend, for those of each.";

/** A search of all texts compares each of them alone, unless it merges them. */
function hasSeparateEnds({ title, fulltext, mergetext }: Values): boolean {
  const isEach = flagOf(fulltext) === true && flagOf(mergetext) !== true;
  return isEach && /(?:^|[^\\[])[\^$]/.test(textOf(title) ?? "");
}
