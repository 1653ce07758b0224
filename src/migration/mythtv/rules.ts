import type { EpochMs } from "../../model/time.ts";
import type { Collector } from "../collector.ts";
import { ANY_TEXT, literal, spanNote, widerNote } from "../conditions.ts";
import type { FoundChannel, FoundRule, ReadOptions } from "../found.ts";
import { MIGRATION_LIMITS } from "../limits.ts";
import { localTimeAt, weekdayOf } from "../local-time.ts";
import { ruleName, titleOf } from "../names.ts";
import type { MythChannels } from "./channels.ts";
import type { Database } from "./database.ts";
import type { Row } from "./dump.ts";
import { FILTER, filtersOf, lackingIn } from "./filters.ts";
import { instantIn, minuteOfDay, minutesBetween, zoneOf } from "./times.ts";

/*
 * MythTV's rules, table `record`. Kept: type, title, search, channel, time of day and weekday where the rule or its filters ask for
 * them, new episodes, the newest N, priority, padding, inactive. Times of a rule are those of the show it was made from.
 */

export interface RulesContext {
  readonly database: Database;
  readonly channels: MythChannels;
  readonly options: ReadOptions;
  readonly file: string;
  readonly into: Collector;
}

/** `RecordingType`. 3, 9 and 10 are of old versions; 2 and 5 meant a time there, and mean a number of recordings now. */
const TYPE = {
  none: 0,
  single: 1,
  daily: 2,
  channel: 3,
  weekly: 5,
  one: 6,
  override: 7,
  dont: 8,
  findDaily: 9,
  findWeekly: 10,
  template: 11,
} as const;
/** `RecSearchType`. */
const SEARCH = { none: 0, power: 1, title: 2, keyword: 3, people: 4, manual: 5 } as const;
/** Bits of `dupin`. */
const NEW_EPISODES = 0x10 | 0x20 | 0x80;
const FIRST_NEW = 0x80;
/** MythTV takes a show that begins this much earlier or later for the same time. */
const SAME_TIME_MINUTES = 10;

/** A row with its numbers. */
interface MythRule {
  readonly row: Row;
  readonly id: string;
  readonly name: string;
  readonly type: number;
  readonly search: number;
  readonly start: EpochMs | undefined;
  readonly stop: EpochMs | undefined;
  /** By their bits. */
  readonly filters: ReadonlySet<number>;
  /** From a version without filters for channel and time: the type says them. */
  readonly isOld: boolean;
}

export function readRules(context: RulesContext): void {
  for (const row of context.database.rules) readRule(ruleIn(row, context), context);
}

function ruleIn(row: Row, { database, options }: RulesContext): MythRule {
  const zone = zoneOf(database, options.timeZone);
  return {
    row,
    id: `rule ${row["recordid"]}`,
    name: ruleName(row["title"]) ?? `Rule ${row["recordid"]}`,
    type: numberOf(row["type"]),
    search: numberOf(row["search"]),
    start: instantIn(`${row["startdate"]} ${row["starttime"]}`, zone),
    stop: instantIn(`${row["enddate"]} ${row["endtime"]}`, zone),
    filters: filtersOf(numberOf(row["filter"])),
    isOld: !database.filters.has(String(FILTER.thisTime)),
  };
}

function readRule(rule: MythRule, context: RulesContext): void {
  const { into } = context;
  const { type, name } = rule;
  if (type === TYPE.none || type === TYPE.template) return;
  if (type === TYPE.override || type === TYPE.dont)
    return into.leaveOut("rule", name, "It changes a single showing of another rule.");
  if (type === TYPE.single) return readTimer(rule, context);
  const text = textOf(rule);
  if (typeof text === "string") return into.leaveOut("rule", name, text);
  if (rule.start === undefined && needsTime(rule))
    return into.problem({ file: context.file, what: `The rule "${name}" has no usable time.` });
  into.rule({
    id: rule.id,
    order: {
      name,
      ...text,
      ...slotOf(rule, context.options.timeZone),
      ...handlingOf(rule),
    },
    channels: channelsOf(rule, context.channels),
    notes: notesOf(rule),
  });
}

function readTimer(
  { row, id, start, stop }: MythRule,
  { channels, options, file, into }: RulesContext,
): void {
  const title = titleOf(row["title"]) ?? "Untitled";
  if (start === undefined || stop === undefined || stop <= start)
    return into.problem({ file, what: `The timer "${title}" has no usable times.` });
  if (stop <= options.now) return;
  if (row["inactive"] === "1") return into.leaveOut("timer", title, "It is inactive in MythTV.");
  const [byCallsign] = channels.byCallsign(row["station"]);
  into.timer({
    id,
    title,
    channel: byCallsign ?? channels.byId(row["chanid"]),
    event: { start, stop },
    ...paddingOf(row),
    notes: numberOf(row["recpriority"]) === 0 ? [] : [`Its priority of ${row["recpriority"]} is not kept.`],
  });
}

type Text = Pick<FoundRule["order"], "expression" | "within">;

/** @returns a sentence where a rule cannot look for it */
function textOf({ row, search }: MythRule): Text | string {
  const phrase = row["description"]?.trim() ?? "";
  switch (search) {
    case SEARCH.none: {
      const title = row["title"]?.trim() ?? "";
      return title === "" ? "It has no title." : { expression: `^${literal(title)}$` };
    }
    case SEARCH.title:
      return phrase === "" ? "It searches for no text." : { expression: literal(phrase) };
    case SEARCH.keyword:
      return phrase === "" ? "It searches for no text." : { expression: literal(phrase), within: "all" };
    case SEARCH.manual:
      return ANY_TEXT;
    case SEARCH.power:
      return "It is a power search: its SQL conditions have no counterpart.";
    case SEARCH.people:
      return "It searches for people, which rules here cannot do.";
    default:
      return `Its kind of search (${search}) is unknown.`;
  }
}

function needsTime(rule: MythRule): boolean {
  return rule.search === SEARCH.manual || wantsTime(rule);
}

function wantsTime({ type, filters, isOld }: MythRule): boolean {
  const isTimed = filters.has(FILTER.thisTime) || filters.has(FILTER.thisDayAndTime);
  return isTimed || (isOld && (type === TYPE.daily || type === TYPE.weekly));
}

function wantsWeekday({ type, search, filters, isOld }: MythRule): boolean {
  return filters.has(FILTER.thisDayAndTime) || (type === TYPE.weekly && (isOld || search === SEARCH.manual));
}

/** Time and weekday, in the zone of the recorder. The weekday is that on which the time begins. */
function slotOf(rule: MythRule, timeZone: string): Pick<FoundRule["order"], "between" | "weekdays"> {
  const { start, stop, filters } = rule;
  if (!needsTime(rule) || start === undefined)
    return filters.has(FILTER.primeTime) ? { between: { from: 19 * 60, until: 22 * 60 } } : {};
  const isSlot = rule.search === SEARCH.manual && stop !== undefined && stop > start;
  const early = isSlot ? 0 : SAME_TIME_MINUTES;
  const minutes = isSlot ? minutesBetween(start, stop) : 2 * SAME_TIME_MINUTES + 1;
  const { day, minute } = localTimeAt(start, timeZone);
  const from = minuteOfDay(minute - early);
  return {
    between: { from, until: minuteOfDay(from + minutes) },
    ...(wantsWeekday(rule) ? { weekdays: [weekdayOf(minute < early ? day - 1 : day)] } : {}),
  };
}

function channelsOf(rule: MythRule, channels: MythChannels): readonly FoundChannel[] {
  const { row, type, search, filters, isOld } = rule;
  const isBound =
    search === SEARCH.manual ||
    filters.has(FILTER.thisChannel) ||
    (isOld && (type === TYPE.channel || wantsTime(rule)));
  if (!isBound) return [];
  const named = channels.byCallsign(row["station"]);
  return named.length > 0 ? named : [channels.byId(row["chanid"])];
}

function handlingOf({ row, type, filters }: MythRule): Omit<FoundRule["order"], "name"> {
  const dupin = numberOf(row["dupin"]);
  const priority = numberOf(row["recpriority"]);
  const newest = numberOf(row["maxepisodes"]);
  const isNewOnly = filters.has(FILTER.newEpisode) || (dupin & NEW_EPISODES) !== 0;
  const isFirst = filters.has(FILTER.firstShowing) || (dupin & FIRST_NEW) !== 0 || type === TYPE.one;
  return {
    ...(row["inactive"] === "1" || lackingIn(filters).length > 0 ? { isPaused: true } : {}),
    ...(isNewOnly ? { newOnly: true } : {}),
    ...(isFirst ? { airing: "first" } : {}),
    quality: filters.has(FILTER.highDefinition) ? "HD Only" : "Prefer HD",
    ...(row["maxnewest"] === "1" && newest > 0 ? { keep: Math.min(newest, MIGRATION_LIMITS.keep) } : {}),
    // MythTV adds -99 to 99 to other priorities; ours are 0 to 100 around 50.
    ...(priority === 0 ? {} : { priority: Math.min(Math.max(50 + Math.round(priority / 2), 0), 100) }),
    ...paddingOf(row),
  };
}

/** A negative number would cut the show. */
function paddingOf(row: Row): { readonly beforeMinutes?: number; readonly afterMinutes?: number } {
  const [before, after] = ["startoffset", "endoffset"].map((column) =>
    Math.min(Math.max(numberOf(row[column]), 0), MIGRATION_LIMITS.paddingMinutes),
  ) as [number, number];
  return { ...(before > 0 ? { beforeMinutes: before } : {}), ...(after > 0 ? { afterMinutes: after } : {}) };
}

/** Differences to the rule at MythTV. */
function notesOf(rule: MythRule): readonly string[] {
  const { row, type, search, filters, isOld } = rule;
  const most = numberOf(row["maxepisodes"]);
  const isDaily = type === TYPE.findDaily || (type === TYPE.daily && !isOld && search !== SEARCH.manual);
  const isWeekly = type === TYPE.findWeekly || (type === TYPE.weekly && !isOld && search !== SEARCH.manual);
  return [
    ...lackingIn(filters).map(widerNote),
    ...(search === SEARCH.manual ? [spanNote("MythTV")] : []),
    ...(type === TYPE.one ? ["It does not end after one recording."] : []),
    ...(isDaily ? ["It is not limited to one recording a day."] : []),
    ...(isWeekly ? ["It is not limited to one recording a week."] : []),
    ...(numberOf(row["dupmethod"]) === 1 && search !== SEARCH.manual
      ? ["It records each episode once."]
      : []),
    ...(most > 0 && row["maxnewest"] !== "1" ? [`It does not stop at ${most} recordings.`] : []),
    ...((row["recgroup"] ?? "Default") === "Default"
      ? []
      : [`Its group ${titleOf(row["recgroup"])} is not kept.`]),
  ];
}

function numberOf(text: string | undefined): number {
  const value = Number(text);
  return Number.isInteger(value) ? value : 0;
}
