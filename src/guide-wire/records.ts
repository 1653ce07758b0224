import { z } from "zod";
import { GUIDE_WIRE_LIMITS } from "./limits.ts";

/*
 * Every record of the guide service with its field names and types in JSON: identifiers of timers, series and
 * manufacturers are strings, those of devices, types, regions, channels and shows numbers. In XML all of them are
 * attributes. These schemas are strict and describe the written form; liberal.ts derives the readers from them. A
 * field is required if a record is useless without it, and optional if services in the field omit it.
 */

type ReadonlyDeep<T> = T extends (infer E)[]
  ? readonly ReadonlyDeep<E>[]
  : T extends object
    ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
    : T;

/** The read-only type of a wire schema. */
export type Wire<S extends z.ZodType> = ReadonlyDeep<z.infer<S>>;

/** An identifier of a timer, a series, an episode or a manufacturer. */
export const Id = z.string().max(GUIDE_WIRE_LIMITS.idLength);

/**
 * Whether every object has a property of this name, such as `__proto__`. Documents have the identifiers of timers as keys: such
 * a timer would be lost, or stop a recorder for good.
 */
export function isBuiltInName(id: string): boolean {
  return id in Object.prototype;
}

/** A field whose bad value counts as absent. */
function lenient<S extends z.ZodOptional>(schema: S) {
  return schema.catch(undefined as z.output<S>);
}

/** 0 or 1: the service's form of a boolean. */
export const Flag = z.int();
/** Whole minutes in the specification. The simulator's events last seconds: it sends fractions, which we accept. */
export const Minutes = z.number();
export const Bits16 = z.int().min(0).max(0xffff);

export const Region = z.object({
  id: z.int(),
  name: z.string(),
  city: z.string().optional(),
  state: z.string().optional(),
  country: z.string().optional(),
  /** ISO 3166-1 alpha-3; required by set-top clients in the field. */
  country_code_3: z.string().optional(),
  /** A zone name of the tz database or a POSIX zone string. */
  timezone: z.string().optional(),
});
export type Region = Wire<typeof Region>;

/** @see EN 300 468 §5.2.3 */
export const DvbTriplet = z.object({
  original_network_id: Bits16,
  transport_stream_id: Bits16,
  service_id: Bits16,
});
export type DvbTriplet = Wire<typeof DvbTriplet>;

export const Channel = z.object({
  id: z.int(),
  name: z.string(),
  name_short: z.string().optional(),
  network_id: z.int().optional(),
  region_id: z.int().optional(),
  is_hd: Flag.optional(),
  /** Logical channel numbers, separated by commas. */
  lcns: z.string().optional(),
  region_name: z.string().optional(),
  network_name: z.string().optional(),
  is_hidden: Flag.optional(),
  icon_src: z.string().optional(),
  icon_width: z.int().optional(),
  icon_height: z.int().optional(),
  /** Absent if unknown; an empty list is written as absent. */
  dvb: z.array(DvbTriplet).optional(),
  /** Alternative broadcast names of the channel; an extension of the field. */
  known_names: z.array(z.string()).optional(),
});
export type Channel = Wire<typeof Channel>;

export const Manufacturer = z.object({
  id: Id,
  name: z.string(),
  url: z.string().optional(),
});
export type Manufacturer = Wire<typeof Manufacturer>;

export const DeviceType = z.object({
  id: z.int(),
  manufacturer_id: z.int().optional(),
  manufacturer_name: z.string().optional(),
  manufacturer_url: z.string().optional(),
  model: z.string().optional(),
  notes: z.string().optional(),
  can_have_device_sub: Flag.optional(),
});
export type DeviceType = Wire<typeof DeviceType>;

export const Device = z.object({
  id: z.int(),
  /** Typically a MAC address; may be empty. */
  uid: Id.optional(),
  label: z.string(),
  type_id: z.int(),
  manufacturer: z.string().optional(),
  model: z.string().optional(),
});
export type Device = Wire<typeof Device>;

/** An order for a device: the service creates its id. */
export const DeviceOrder = z.object({
  uid: Id.optional(),
  label: z.string(),
  type_id: z.int(),
});
export type DeviceOrder = Wire<typeof DeviceOrder>;

/** A change of a device. Only label and type_id can change; clients send the other fields along. */
export const DeviceChange = z.object({
  id: z.int().optional(),
  uid: Id.optional(),
  label: z.string().optional(),
  type_id: z.int().optional(),
});
export type DeviceChange = Wire<typeof DeviceChange>;

/** The known states of a timer. A service may use others, which are kept unchanged. */
export const TIMER_STATES = [
  "new",
  "waiting",
  "sent",
  "missing",
  "pending",
  "running",
  "completed",
  "failed",
  "unknown",
] as const;

export const TIMER_ACTIONS = ["record", "forget"] as const;

/** The fields of a timer besides its identifier, all optional. */
const timerFields = {
  name: z.string().optional(),
  device_id: z.int().optional(),
  channel_id: z.int().optional(),
  show_id: z.int().optional(),
  /** The event without padding; ISO 8601, `2026-11-20T09:30:00+00:00`. Stored as sent. */
  start_time: z.string().optional(),
  duration_minutes: Minutes.optional(),
  action: z.string().optional(),
  state: z.string().optional(),
  message: z.string().optional(),
  /** 0 when none. */
  series_recording_id: z.int().optional(),
  /** 0 when none. */
  keyword_id: z.int().optional(),
  /** EIT event id, by which set-top clients in the field find the event. 0 when unknown. @see EN 300 468 §5.2.4 */
  eit_id: z.int().optional(),
  "pre-padding": Minutes.optional(),
  "post-padding": Minutes.optional(),
  "padding-type": z.string().optional(),
  /** Facts of the rule that made the timer, an extension of the field: other services may use these names otherwise. */
  rule_id: lenient(z.int().optional()),
  priority: lenient(z.int().optional()),
  keep_newest: lenient(z.int().optional()),
  /** Relative, its levels separated by `/`. */
  folder: lenient(z.string().optional()),
};

/** Unknown fields are kept: set-top clients echo a timer with all fields from the service. */
export const Timer = z.looseObject({
  id: Id.min(1).refine((id) => !isBuiltInName(id)),
  ...timerFields,
  name: z.string(),
  device_id: z.int(),
  channel_id: z.int(),
  start_time: z.string(),
  duration_minutes: Minutes,
  action: z.string(),
  state: z.string(),
});
export type Timer = Wire<typeof Timer>;

/**
 * An order for a timer. The specification also requires show_id; set-top clients in the field name the event by
 * eit_id, channel_id, start_time and duration_minutes instead.
 */
export const TimerOrder = z.looseObject({
  ...timerFields,
  device_id: z.int(),
});
export type TimerOrder = Wire<typeof TimerOrder>;

/** A change of a timer: omitted fields keep their values. */
export const TimerChange = z.looseObject({ id: Id.optional(), ...timerFields });
export type TimerChange = Wire<typeof TimerChange>;

/** One entry of a batch of changes. */
export const TimerBatchEntry = z.looseObject({ id: Id.min(1), ...timerFields });
export type TimerBatchEntry = Wire<typeof TimerBatchEntry>;

export const PopularityEntry = z.object({
  series_id: Id,
  num_votes: z.int(),
  /** Relative to the most popular series of the list, which has 1. */
  popularity_ratio: z.number(),
});
export type PopularityEntry = Wire<typeof PopularityEntry>;

export const NewShowEntry = z.object({
  series_id: Id,
  /** Weekday, day, month, year in words, `Coming Soon`, or empty. */
  start_date: z.string(),
  /** 0 when unknown. */
  channel_id: z.int().optional(),
});
export type NewShowEntry = Wire<typeof NewShowEntry>;

/** A text, optionally with its language. */
export const LangText = z.union([z.string(), z.object({ value: z.string(), lang: z.string() })]);
export type LangText = Wire<typeof LangText>;

export function plainText(text: LangText): string {
  return typeof text === "string" ? text : text.value;
}

export const Category = z.object({
  name: z.string(),
  /** Content code of the broadcast. @see EN 300 468 §6.2.9 */
  eit: z.string().optional(),
});
export type Category = Wire<typeof Category>;

export const Credits = z.object({
  actors: z.array(z.string()).optional(),
  director: z.array(z.string()).optional(),
});

export const Subtitles = z.array(z.string());

/** An entry of `series_info`. Some series lack fields; an empty list or group is written as absent. */
export const SeriesSummary = z.object({
  id: Id,
  episode_count: z.int().optional(),
  title: LangText.optional(),
  subtitle: LangText.optional(),
  desc: LangText.optional(),
  credits: Credits.optional(),
  /** The year. */
  date: z.string().optional(),
  category: z.array(Category).optional(),
  language: LangText.optional(),
  country: LangText.optional(),
  video: z.object({ aspect: z.string().optional() }).optional(),
  rating: z.string().optional(),
  "star-rating": z.string().optional(),
  /** Kinds of subtitles: `onscreen`, `teletext` … */
  subtitles: Subtitles.optional(),
});
export type SeriesSummary = Wire<typeof SeriesSummary>;

/** One broadcast of the guide. */
export const Show = z.object({
  id: z.int(),
  channel_id: z.int(),
  series_id: Id.optional(),
  episode_id: Id.optional(),
  start: z.string(),
  stop: z.string(),
  /** Seconds since 1970. */
  start_unix: z.int().optional(),
  stop_unix: z.int().optional(),
  title: z.string(),
  subtitle: z.string().optional(),
  desc: z.string().optional(),
  category: z.array(Category).optional(),
  eit_id: z.int().optional(),
  rating: z.string().optional(),
  date: z.string().optional(),
  /** 1: the show is no longer broadcast at this time. */
  deleted_record: Flag.optional(),
});
export type Show = Wire<typeof Show>;

export const Setting = z.object({
  name: z.string(),
  value: z.string(),
  /** 2: a string. */
  type: z.int(),
});
export type Setting = Wire<typeof Setting>;

/** Value 1 means that the service accepts POST broadcast_guide. */
export const BROADCAST_GUIDE_SETTING = "broadcast_guide";

/** A line of a set-top client's own log, in any form. */
export const PvrLogEntry = z.looseObject({});
