import type { Genre, PartOfDay, Quality, RuleOrder } from "../../model/rule.ts";
import { isGenre } from "../genre.ts";

/** The fields of the dialog as a person fills them in; empty: no such condition. */
export interface RuleForm {
  readonly name: string;
  readonly words: string;
  readonly expression: string;
  readonly isInAllText: boolean;
  readonly without: string;
  readonly genres: readonly Genre[];
  /** Categories by their names in the guide, separated by commas. */
  readonly categories: string;
  readonly channelIds: readonly number[];
  readonly weekdays: readonly number[];
  /** `18:00` */
  readonly from: string;
  readonly until: string;
  readonly minMinutes: string;
  readonly maxMinutes: string;
  readonly isNewOnly: boolean;
  readonly isFirstOnly: boolean;
  readonly quality: Quality;
  readonly keep: string;
  readonly priority: string;
  readonly beforeMinutes: string;
  readonly afterMinutes: string;
  readonly folder: string;
  readonly isPaused: boolean;
  /** No field shows it; a change of the others must not lose it. */
  readonly seriesId: string;
}

export type RuleDraft = Partial<RuleOrder>;

const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
/** Names of rules in requests: longer ones are cut. */
const NAME_LENGTH = 100;

export function formOf(draft: RuleDraft): RuleForm {
  const { words = "", expression = "", without = "", seriesId = "", folder = "", name = "" } = draft;
  const { genres = [], channelIds = [], weekdays = [], quality = "Prefer HD" } = draft;
  return {
    name: name === subjectOf(draft) ? "" : name,
    words,
    expression,
    isInAllText: draft.within === "all",
    without,
    genres: genres.filter(isGenre),
    categories: genres.filter((one) => !isGenre(one)).join(", "),
    channelIds,
    weekdays,
    ...timesOf(draft.between),
    minMinutes: textOf(draft.minMinutes),
    maxMinutes: textOf(draft.maxMinutes),
    isNewOnly: draft.newOnly === true,
    isFirstOnly: draft.airing === "first",
    quality,
    keep: textOf(draft.keep),
    priority: textOf(draft.priority),
    beforeMinutes: textOf(draft.beforeMinutes),
    afterMinutes: textOf(draft.afterMinutes),
    folder,
    isPaused: draft.isPaused === true,
    seriesId,
  };
}

export function orderOf(form: RuleForm): RuleOrder {
  const genres = [...form.genres, ...namesIn(form.categories)];
  const conditions = {
    ...filled("words", form.words),
    ...filled("expression", form.expression),
    ...filled("seriesId", form.seriesId),
    ...(genres.length === 0 ? {} : { genres }),
    ...(form.isInAllText ? { within: "all" as const } : {}),
    ...filled("without", form.without),
    ...(form.channelIds.length === 0 ? {} : { channelIds: form.channelIds }),
    ...(form.weekdays.length === 0 ? {} : { weekdays: form.weekdays }),
    ...partOfDay(form),
    ...number("minMinutes", form.minMinutes),
    ...number("maxMinutes", form.maxMinutes),
  };
  return {
    name: form.name.trim() || subjectOf(conditions),
    ...conditions,
    ...(form.isNewOnly ? { newOnly: true } : {}),
    ...(form.isFirstOnly ? { airing: "first" } : {}),
    quality: form.quality,
    ...number("keep", form.keep),
    ...number("priority", form.priority),
    ...number("beforeMinutes", form.beforeMinutes),
    ...number("afterMinutes", form.afterMinutes),
    ...filled("folder", form.folder),
    ...(form.isPaused ? { isPaused: true } : {}),
  };
}

/** The name of a rule that a person gave none: what it looks for; empty while it looks for nothing. */
export function subjectOf({ words, expression, genres }: RuleDraft): string {
  return (words ?? expression ?? genres?.join(", ") ?? "").slice(0, NAME_LENGTH);
}

/** A rule without any of these would want every show. */
export function looksForSomething({ words, expression, seriesId, genres }: RuleOrder): boolean {
  return [words, expression, seriesId, genres].some((one) => one !== undefined);
}

/** Whether the dialog must unfold them for the viewer to see all conditions. */
export function hasMoreConditions(form: RuleForm): boolean {
  const { words, expression, channelIds, isNewOnly } = form;
  const simple = formOf({
    words,
    expression,
    channelIds,
    ...(isNewOnly ? { newOnly: true } : {}),
    ...filled("seriesId", form.seriesId),
  });
  return JSON.stringify(simple) !== JSON.stringify(form);
}

function namesIn(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function textOf(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}

function filled<K extends string>(key: K, text: string): { readonly [N in K]?: string } {
  return (text.trim() === "" ? {} : { [key]: text.trim() }) as { readonly [N in K]?: string };
}

function number<K extends string>(key: K, text: string): { readonly [N in K]?: number } {
  return (text.trim() === "" ? {} : { [key]: Number(text) }) as { readonly [N in K]?: number };
}

/** Midnight is an open end. */
function timesOf({ from, until }: PartOfDay = { from: 0, until: 0 }): Pick<RuleForm, "from" | "until"> {
  return { from: timeText(from), until: timeText(until % DAY_MINUTES) };
}

function timeText(minutes: number): string {
  if (minutes === 0) return "";
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(minutes / HOUR_MINUTES))}:${two(minutes % HOUR_MINUTES)}`;
}

function partOfDay({ from, until }: Pick<RuleForm, "from" | "until">): { readonly between?: PartOfDay } {
  const between = { from: minutesOf(from), until: minutesOf(until) };
  return between.from === 0 && between.until === 0 ? {} : { between };
}

function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text === "" ? [] : text.split(":").map(Number);
  return hours * HOUR_MINUTES + minutes;
}
