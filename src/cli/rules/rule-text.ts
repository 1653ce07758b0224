import type { PartOfDay, RuleMatch, RuleOrder, RuleOutcome } from "../../model/rule.ts";
import { type EpochMs, formatDuration, formatTimeOfDay } from "../../model/time.ts";
import type { RulePreview, RuleRequest } from "../../web/guide-api.ts";
import { plainLine } from "../plain-text.ts";
import { sizeText, tableText } from "../table.ts";
import { WEEKDAYS } from "./rule-flags.ts";

type ChannelNames = ReadonlyMap<number, string>;

export interface PreviewContext {
  readonly channels: ChannelNames;
  readonly timeZone: string;
  /** Width of the terminal. */
  readonly columns?: number;
}

const OUTCOMES: Readonly<Record<RuleOutcome, string>> = {
  records: "records",
  ordered: "ordered already",
  otherAiring: "another airing is recorded",
  recorded: "was recorded",
  declined: "was cancelled",
  repeat: "is a repeat",
  later: "is not the first airing",
  noRoom: "exceeds a limit of the account",
};

/** The shows that a rule records, and the cost. */
export function previewText(preview: RulePreview, context: PreviewContext): string {
  const { matches, total } = preview;
  if (total === 0) return "No show in the next two weeks matches.";
  const rows = matches.map((match) => [
    when(match.start, context.timeZone),
    channelName(match.channelId, context.channels),
    match.subtitle === undefined ? match.title : `${match.title}: ${match.subtitle}`,
    outcomeText(match, preview),
  ]);
  const table = tableText({ head: ["START", "CHANNEL", "TITLE", "RESULT"], rows }, context.columns);
  const more = total > matches.length ? [`and ${total - matches.length} more`] : [];
  return [table, ...more, "", ...costLines(preview, context)].join("\n");
}

function outcomeText({ outcome, showId, isIdentified }: RuleMatch, { unplaced = [] }: RulePreview): string {
  if (outcome !== "records") return OUTCOMES[outcome];
  if (unplaced.some((one) => one.showId === showId)) return "no tuner is free";
  return isIdentified ? OUTCOMES.records : "records, episode unknown";
}

function costLines(
  {
    records,
    total,
    unidentified,
    countedUntil,
    displaced = [],
    unplaced = [],
    needsBytes,
    freeBytes,
  }: RulePreview,
  { timeZone }: PreviewContext,
): readonly string[] {
  return [
    countedUntil === undefined
      ? `Records ${records} of ${total} shows in the next two weeks.`
      : `Records ${records} of the first ${total} shows, until ${when(countedUntil, timeZone)}. More match.`,
    ...(unidentified === 0
      ? []
      : [`The guide does not identify the episodes of ${unidentified} of them: repeats are recorded again.`]),
    ...(unplaced.length === 0 ? [] : [`No tuner is free for ${unplaced.length} of them.`]),
    ...displaced.map(({ title, timerId, start, lostMs }) =>
      plainLine(
        `“${title}” (timer ${timerId}, ${when(start, timeZone)}) loses ${formatDuration(lostMs)} because of it.`,
      ),
    ),
    ...(needsBytes === undefined || freeBytes === undefined ? [] : [spaceText(needsBytes, freeBytes)]),
  ];
}

function spaceText(needsBytes: number, freeBytes: number): string {
  const sizes = `It needs ${sizeText(needsBytes)}; ${sizeText(freeBytes)} are free for it`;
  return needsBytes > freeBytes ? `${sizes}: too little.` : `${sizes}.`;
}

function when(at: EpochMs, timeZone: string): string {
  const day = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(at);
  return `${day} ${formatTimeOfDay(at, timeZone)}`;
}

function channelName(id: number, channels: ChannelNames): string {
  return channels.get(id) ?? `channel ${id}`;
}

/** The conditions of a rule in one line. */
export function wantsText(order: RuleOrder, channels: ChannelNames): string {
  return conditionFields(order, channels)
    .map(([name, value]) => (value === "yes" ? name : `${name} ${value}`))
    .join("; ");
}

/** Every field of a rule. */
export function ruleDetails(
  rule: RuleRequest & { readonly id: number },
  channels: ChannelNames,
): readonly (readonly [string, string])[] {
  const { beforeMinutes, afterMinutes } = rule;
  const padding = [beforeMinutes, afterMinutes].map((minutes) => minutes ?? "default").join(",");
  return [
    ["id", String(rule.id)],
    ["name", rule.name],
    ...conditionFields(rule, channels),
    ["quality", rule.quality],
    ["keep", String(rule.keep ?? "")],
    ["priority", String(rule.priority ?? "")],
    ["padding", padding === "default,default" ? "" : padding],
    ["folder", rule.folder ?? ""],
    ["paused", yes(rule.isPaused)],
    ["device", String(rule.deviceId ?? "")],
  ];
}

type Field = readonly [name: string, value: string];

function conditionFields(order: RuleOrder, channels: ChannelNames): readonly Field[] {
  const fields: readonly Field[] = [
    ["words", order.words ?? ""],
    ["expression", order.expression ?? ""],
    ["series", order.seriesId ?? ""],
    ["genres", order.genres?.join(", ") ?? ""],
    ["in description too", yes(order.within === "all" || undefined)],
    ["without", order.without ?? ""],
    ["channels", order.channelIds?.map((id) => channelName(id, channels)).join(", ") ?? ""],
    ["weekdays", order.weekdays?.map((day) => WEEKDAYS[day - 1] ?? String(day)).join(", ") ?? ""],
    ["between", order.between === undefined ? "" : partText(order.between)],
    ["min-minutes", String(order.minMinutes ?? "")],
    ["max-minutes", String(order.maxMinutes ?? "")],
    ["new-only", yes(order.newOnly)],
    ["first-airing", yes(order.airing && true)],
  ];
  return fields.filter(([, value]) => value !== "");
}

function yes(flag: true | undefined): string {
  return flag === undefined ? "" : "yes";
}

function partText({ from, until }: PartOfDay): string {
  const time = (minutes: number) =>
    [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
  return `${time(from)}-${time(until)}`;
}
