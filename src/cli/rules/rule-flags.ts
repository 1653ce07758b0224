import { type Command, InvalidArgumentError, Option } from "commander";
import { PRIORITY_MAX } from "../../model/priority.ts";
import { type PartOfDay, QUALITIES, type Quality } from "../../model/rule.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import type { RuleRequest } from "../../web/guide-api.ts";
import { filled, numberId, wholeNumber } from "../guide/guide-values.ts";

/** The options of a rule, one for each field of its order. */
export interface RuleFlags {
  readonly words?: string;
  readonly expression?: string;
  readonly series?: string;
  readonly genres?: readonly string[];
  readonly in?: "title" | "all";
  readonly without?: string;
  readonly channels?: readonly number[];
  readonly weekdays?: readonly number[];
  readonly between?: PartOfDay;
  readonly minMinutes?: number;
  readonly maxMinutes?: number;
  readonly newOnly?: true;
  readonly firstAiring?: true;
  readonly quality?: Quality;
  readonly keep?: number;
  readonly priority?: number;
  readonly padding?: readonly [before: number, after: number];
  readonly folder?: string;
  readonly paused?: true;
  readonly device?: number;
}

/** Fields of an order, by the options that set them: `--clear` takes these names. */
const FIELDS = {
  words: ["words"],
  expression: ["expression"],
  series: ["seriesId"],
  genres: ["genres"],
  in: ["within"],
  without: ["without"],
  channels: ["channelIds"],
  weekdays: ["weekdays"],
  between: ["between"],
  "min-minutes": ["minMinutes"],
  "max-minutes": ["maxMinutes"],
  "new-only": ["newOnly"],
  "first-airing": ["airing"],
  keep: ["keep"],
  priority: ["priority"],
  padding: ["beforeMinutes", "afterMinutes"],
  folder: ["folder"],
  paused: ["isPaused"],
} as const satisfies Readonly<Record<string, readonly (keyof RuleRequest)[]>>;

export type ClearableFlag = keyof typeof FIELDS;
export const CLEARABLE = Object.keys(FIELDS) as readonly ClearableFlag[];

/** A longer show, and longer padding, are a mistake. */
const MINUTES_MAX = 24 * 60;
const KEEP_MAX = 10_000;

export function withConditions(command: Command): Command {
  return command
    .option(
      "--words <text>",
      'words, all of which must be in the title; "in quotation marks" side by side',
      filled,
    )
    .option("--expression <regex>", "regular expression (RE2) that the title must match", filled)
    .option("--series <id>", "series of the guide, from recorderd series search", filled)
    .option("--genres <names>", "one of these genres, such as movie,news", listOf(filled))
    .addOption(new Option("--in <text>", "where --words and --expression search").choices(["title", "all"]))
    .option(
      "--without <text>",
      'words, or "words side by side", none of which may be in the title or the description',
      filled,
    )
    .option("--channels <ids>", "only these channels, such as 2,7", listOf(numberId))
    .option("--weekdays <days>", "only these days, such as mon-fri or sat,sun", weekdays)
    .option(
      "--between <times>",
      "only shows that begin in this part of the day, such as 18:00-23:30",
      between,
    )
    .option("--min-minutes <minutes>", "only shows of this length or longer", wholeNumber(1, MINUTES_MAX))
    .option("--max-minutes <minutes>", "only shows of this length or shorter", wholeNumber(1, MINUTES_MAX))
    .option("--new-only", "only episodes that were not broadcast before")
    .option("--first-airing", "only the first announced broadcast of an episode")
    .addOption(
      new Option("--quality <words>", "preferred quality, if several channels broadcast a show").choices([
        ...QUALITIES,
      ]),
    )
    .option(
      "--keep <count>",
      "number of newest recordings to keep; older ones are deleted",
      wholeNumber(1, KEEP_MAX),
    )
    .option("--priority <number>", `0 to ${PRIORITY_MAX}`, wholeNumber(0, PRIORITY_MAX))
    .option("--padding <minutes>", "minutes before and after, such as 2,10", padding)
    .option("--folder <path>", "folder below the folder of recordings, such as Kids/Films", filled)
    .option("--paused", "record nothing until `rules set --clear paused`")
    .option("--device <id>", "recorder to use (default: this one)", numberId);
}

/** The order with what the options set, without what `clear` names. */
export function changedOrder(
  order: RuleRequest,
  flags: RuleFlags,
  clear: readonly ClearableFlag[] = [],
): RuleRequest {
  const cleared = new Set<string>([
    ...clear.flatMap((flag) => FIELDS[flag]),
    ...(flags.in === "title" ? FIELDS.in : []),
  ]);
  const kept = Object.entries(order).filter(([field]) => !cleared.has(field));
  return { ...(Object.fromEntries(kept) as unknown as RuleRequest), ...fieldsOf(flags) };
}

function fieldsOf(flags: RuleFlags): Partial<RuleRequest> {
  const [beforeMinutes, afterMinutes] = flags.padding ?? [];
  return withoutUndefined({
    words: flags.words,
    expression: flags.expression,
    seriesId: flags.series,
    genres: flags.genres,
    within: flags.in === "all" ? flags.in : undefined,
    without: flags.without,
    channelIds: flags.channels,
    weekdays: flags.weekdays,
    between: flags.between,
    minMinutes: flags.minMinutes,
    maxMinutes: flags.maxMinutes,
    newOnly: flags.newOnly,
    airing: flags.firstAiring && ("first" as const),
    quality: flags.quality,
    keep: flags.keep,
    priority: flags.priority,
    beforeMinutes,
    afterMinutes,
    folder: flags.folder,
    isPaused: flags.paused,
    deviceId: flags.device,
  });
}

function listOf<T>(one: (text: string) => T): (text: string) => readonly T[] {
  return (text) => text.split(",").map((entry) => one(entry.trim()));
}

/** By their numbers, from 1 on. */
export const WEEKDAYS: readonly string[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

function weekdays(text: string): readonly number[] {
  const days = text.split(",").flatMap((entry) => {
    const [from = "", to = from] = entry.trim().toLowerCase().split("-");
    const [first, last] = [dayOf(from), dayOf(to)];
    // A span may include the night to Monday.
    return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, at) => ((first - 1 + at) % 7) + 1);
  });
  return [...new Set(days)].sort();
}

function dayOf(text: string): number {
  const day = /^[1-7]$/.test(text) ? Number(text) : WEEKDAYS.indexOf(text.slice(0, 3)) + 1;
  if (day > 0) return day;
  throw new InvalidArgumentError("Expected days, such as mon-fri or sat,sun.");
}

const TIME_OF_DAY = "([01]?\\d|2[0-3]):([0-5]\\d)";
const SPAN = new RegExp(`^${TIME_OF_DAY}-(?:${TIME_OF_DAY}|24:00)$`);

function between(text: string): PartOfDay {
  const [all, ...numbers] = SPAN.exec(text) ?? [];
  if (all === undefined) throw new InvalidArgumentError("Expected times of day, such as 18:00-23:30.");
  const [hours = 0, minutes = 0, toHours = 0, toMinutes = 0] = numbers.map((each) => Number(each ?? 0));
  return { from: hours * 60 + minutes, until: toHours * 60 + toMinutes };
}

function padding(text: string): readonly [number, number] {
  const [, before, after] = /^(\d{1,4}),(\d{1,4})$/.exec(text) ?? [];
  const minutes = [Number(before), Number(after)] as const;
  if (minutes.every((each) => each <= MINUTES_MAX)) return minutes;
  throw new InvalidArgumentError("Expected minutes before and after, such as 2,10.");
}
