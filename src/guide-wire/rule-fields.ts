import type { RuleOrder } from "../model/rule.ts";
import { withoutUndefined } from "../model/without-undefined.ts";
import type { RuleChange } from "./rule-records.ts";

type WireField = keyof RuleChange;

/** The wire's name of each field of an order; a mistake is reported at the name that the caller used. */
const WIRE_FIELDS: Readonly<Record<keyof RuleOrder, WireField>> = {
  name: "name",
  isPaused: "is_paused",
  words: "words",
  expression: "expression",
  seriesId: "series_id",
  genres: "genres",
  within: "search_in",
  without: "exclude",
  channelIds: "channel_ids",
  weekdays: "weekdays",
  between: "start_after",
  minMinutes: "min_minutes",
  maxMinutes: "max_minutes",
  newOnly: "is_new_only",
  airing: "airing",
  quality: "recording_quality",
  keep: "keep_newest",
  priority: "priority",
  beforeMinutes: "pre-padding",
  afterMinutes: "post-padding",
  folder: "folder",
};

export function wireFieldOf(field: keyof RuleOrder): WireField {
  return WIRE_FIELDS[field];
}

/** The field of an order for a field of the wire; `undefined` for a field that an order lacks. */
export function orderFieldOf(wireField: string): keyof RuleOrder | undefined {
  if (wireField === "start_before") return "between";
  const found = Object.entries(WIRE_FIELDS).find(([, name]) => name === wireField);
  return found?.[0] as keyof RuleOrder | undefined;
}

/** The fields of an order before they are checked (rules/read-order.ts). */
export type OrderFields = { readonly [F in keyof RuleOrder]?: unknown };

/** The fields of an order on the wire, with the names of the model. */
export function orderFields(wire: RuleChange): OrderFields {
  return withoutUndefined({
    name: wire.name,
    isPaused: flag(wire.is_paused),
    words: given(wire.words),
    expression: given(wire.expression),
    seriesId: given(wire.series_id),
    genres: listed(wire.genres),
    within: wire.search_in === "title" ? undefined : given(wire.search_in),
    without: given(wire.exclude),
    channelIds: listed(wire.channel_ids)?.map(Number),
    weekdays: listed(wire.weekdays)?.map(Number),
    between: between(wire),
    minMinutes: wire.min_minutes,
    maxMinutes: wire.max_minutes,
    newOnly: flag(wire.is_new_only),
    airing: wire.airing === "any" ? undefined : given(wire.airing),
    quality: given(wire.recording_quality) ?? "Prefer HD",
    keep: wire.keep_newest,
    priority: wire.priority,
    beforeMinutes: wire["pre-padding"],
    afterMinutes: wire["post-padding"],
    folder: given(wire.folder),
  });
}

/** The same fields for the wire. */
export function wireOrder(order: RuleOrder): Omit<RuleChange, "device_id"> {
  return {
    name: order.name,
    recording_quality: order.quality,
    ...withoutUndefined({
      is_paused: order.isPaused && 1,
      words: order.words,
      expression: order.expression,
      series_id: order.seriesId,
      genres: order.genres?.join(","),
      search_in: order.within,
      exclude: order.without,
      channel_ids: order.channelIds?.join(","),
      weekdays: order.weekdays?.join(","),
      start_after: order.between?.from,
      start_before: order.between?.until,
      min_minutes: order.minMinutes,
      max_minutes: order.maxMinutes,
      is_new_only: order.newOnly && 1,
      airing: order.airing,
      keep_newest: order.keep,
      priority: order.priority,
      "pre-padding": order.beforeMinutes,
      "post-padding": order.afterMinutes,
      folder: order.folder,
    }),
  };
}

/** XML writes an absent text as an empty one. */
function given(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function flag(value: number | undefined): true | undefined {
  return value === undefined || value === 0 ? undefined : true;
}

function listed(text: string | undefined): readonly string[] | undefined {
  return given(text)
    ?.split(",")
    .map((entry) => entry.trim());
}

/** An open end is midnight. */
function between({ start_after: from, start_before: until }: RuleChange): OrderFields["between"] {
  return from === undefined && until === undefined ? undefined : { from: from ?? 0, until: until ?? 0 };
}
