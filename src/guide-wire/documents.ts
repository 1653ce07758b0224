import { z } from "zod";
import { BroadcastEvent, BroadcastService, BroadcastSpan, ScannedService } from "./broadcast-records.ts";
import {
  Channel,
  Device,
  DeviceChange,
  DeviceOrder,
  DeviceType,
  Manufacturer,
  NewShowEntry,
  PopularityEntry,
  PvrLogEntry,
  Region,
  SeriesSummary,
  Setting,
  Show,
  Timer,
  TimerBatchEntry,
  TimerChange,
  TimerOrder,
  type Wire,
} from "./records.ts";
import { Rule, RuleChange, RuleMatch, RuleOrder, RulePreviewOrder } from "./rule-records.ts";
import {
  Favourite,
  Keyword,
  KeywordChange,
  KeywordOrder,
  SeriesRecording,
  SeriesRecordingChange,
  SeriesRecordingOrder,
} from "./series-records.ts";

/** A sign-in request. `region_id` is only for a new account; without `device` none is registered. */
const LoginRequest = z.object({
  member: z.object({
    email_address: z.string(),
    password: z.string(),
    region_id: z.int().optional(),
  }),
  device: DeviceOrder.optional(),
});

/** No service has longer tokens (recorder/config/secrets.ts could not read one again). */
const TOKEN_LENGTH_MAX = 10_000;

/** The answer to a login: the token for all requests on account data. */
const LoginAnswer = z.object({
  member: z.object({
    id: z.string(),
    email_address: z.string(),
    token: z.string().max(TOKEN_LENGTH_MAX),
    /** ISO 8601. */
    token_expiry: z.string().optional(),
    region_id: z.int().optional(),
    timezone: z.string().optional(),
  }),
  device: Device.optional(),
});

/** Body of an answer with an error status. The specification does not define it; this form is ours. */
const ErrorDocument = z.object({
  error: z.object({
    /** The HTTP status. */
    status: z.int(),
    /** A machine-readable code: `not_found`, `not_acceptable` … */
    code: z.string(),
    /** A sentence for people: the problem and its remedy. */
    message: z.string(),
    /** The faulty field of the request. */
    field: z.string().optional(),
  }),
});

/** Every document of the API. A schema describes the JSON form; XML uses elements and attributes for the same data. */
export const DOCUMENTS = {
  regions: z.object({ regions: z.array(Region) }),
  channels: z.object({ regions: z.array(Region), channels: z.array(Channel) }),
  manufacturers: z.object({ manufacturers: z.array(Manufacturer) }),
  devices: z.object({ types: z.array(DeviceType), devices: z.array(Device) }),
  "device-types": z.object({ types: z.array(DeviceType) }),
  timers: z.object({
    timers: z.array(Timer),
    /** Only in the answer to an added timer, and documented only for XML. */
    min_hit_minutes: z.int().optional(),
  }),
  popular: z.object({ series_info: z.array(SeriesSummary), most_popular: z.array(PopularityEntry) }),
  "new-shows": z.object({ series_info: z.array(SeriesSummary), new_shows: z.array(NewShowEntry) }),
  shows: z.object({
    shows: z.array(Show),
    timers: z.array(Timer),
    channels: z.array(Channel),
    /** Seconds since 1970: the value for the next request. */
    last_update_time: z.int().optional(),
  }),
  series: z.object({ series_info: z.array(SeriesSummary) }),
  "series-recordings": z.object({ series_recordings: z.array(SeriesRecording) }),
  favourites: z.object({ favourites: z.array(Favourite) }),
  keywords: z.object({ keywords: z.array(Keyword) }),
  rules: z.object({ rules: z.array(Rule) }),
  "rule-matches": z.object({
    /** By start; the first ones. */
    rule_matches: z.array(RuleMatch),
    /** All matches, those with the outcome `records`, and those of them without an identified episode. */
    total: z.int(),
    records: z.int(),
    unidentified: z.int(),
    /** Absent if all are counted; otherwise those that begin later are not. */
    counted_until: z.string().exactOptional(),
  }),
  settings: z.object({ settings: z.array(Setting) }),
  login: LoginAnswer,
  error: ErrorDocument,
  "login-request": LoginRequest,
  "device-add": z.object({ devices: z.array(DeviceOrder).min(1) }),
  "device-set": DeviceChange,
  "timer-add": TimerOrder,
  "timer-set": TimerChange,
  "timer-batch": z.object({ timers: z.array(TimerBatchEntry) }),
  "series-recording-add": SeriesRecordingOrder,
  "series-recording-set": SeriesRecordingChange,
  "favourite-add": Favourite,
  "keyword-add": KeywordOrder,
  "keyword-set": KeywordChange,
  "rule-add": RuleOrder,
  "rule-set": RuleChange,
  "rule-preview": RulePreviewOrder,
  scans: z.object({ scans: z.array(ScannedService) }),
  "pvr-logs": z.object({ logs: z.array(PvrLogEntry) }),
  "pvr-logs-taken": z.object({ count_of_log_entries: z.int() }),
  "broadcast-guide": z.object({
    services: z.array(BroadcastService),
    spans: z.array(BroadcastSpan),
    events: z.array(BroadcastEvent),
  }),
  /** The number of stored events, and of those left out. */
  "broadcast-guide-taken": z.object({ count_of_events: z.int(), count_left_out: z.int() }),
} as const;

export type DocumentKind = keyof typeof DOCUMENTS;
export type Document<K extends DocumentKind> = Wire<(typeof DOCUMENTS)[K]>;

/** The layout of a document beyond its schema. */
export interface Layout {
  /** Name of the root element, and of another one; the name of the main list is accepted too. */
  readonly root: string;
  readonly alsoRoot?: string;
  /** Lists of the document → the name of their elements. */
  readonly lists: Readonly<Record<string, string>>;
  /** The list that a document of this kind must have; other missing lists count as empty. */
  readonly primary?: string;
  readonly atLeastOne?: true;
  /** The body is one record of this list, not a list. */
  readonly oneOf?: string;
  /** Groups written as child elements of the root. */
  readonly groups?: readonly string[];
}

const SERIES_INFO = { series_info: "series_info" };
const SERIES_RECORDINGS = { series_recordings: "series_recording" };
const FAVOURITES = { favourites: "favourite" };
const RULES = { rules: "rule" };
const KEYWORDS = { keywords: "keyword" };

export const LAYOUTS: Readonly<Record<DocumentKind, Layout>> = {
  regions: { root: "regions", lists: { regions: "region" }, primary: "regions" },
  channels: {
    root: "regions",
    lists: { regions: "region", channels: "channel" },
    primary: "channels",
  },
  manufacturers: {
    root: "devices",
    lists: { manufacturers: "manufacturer" },
    primary: "manufacturers",
  },
  devices: { root: "devices", lists: { types: "type", devices: "device" }, primary: "devices" },
  "device-types": { root: "devices", lists: { types: "type" }, primary: "types" },
  timers: { root: "shows", lists: { timers: "timer" }, primary: "timers" },
  popular: {
    root: "series",
    lists: { ...SERIES_INFO, most_popular: "popular" },
    primary: "most_popular",
  },
  "new-shows": {
    root: "series",
    lists: { ...SERIES_INFO, new_shows: "new_show" },
    primary: "new_shows",
  },
  shows: {
    root: "shows",
    lists: { shows: "show", timers: "timer", channels: "channel" },
    primary: "shows",
  },
  series: { root: "series", lists: SERIES_INFO, primary: "series_info" },
  "series-recordings": {
    root: "series",
    lists: SERIES_RECORDINGS,
    primary: "series_recordings",
  },
  favourites: { root: "series", lists: FAVOURITES, primary: "favourites" },
  keywords: { root: "keywords", lists: KEYWORDS, primary: "keywords" },
  rules: { root: "rules", lists: RULES, primary: "rules" },
  "rule-matches": {
    root: "rules",
    lists: { rule_matches: "rule_match" },
    primary: "rule_matches",
  },
  settings: { root: "settings", alsoRoot: "user", lists: { settings: "setting" }, primary: "settings" },
  login: { root: "login", lists: {}, groups: ["member", "device"] },
  error: { root: "error", lists: {} },
  "login-request": { root: "login", lists: {}, groups: ["member", "device"] },
  "device-add": { root: "devices", lists: { devices: "device" }, primary: "devices", atLeastOne: true },
  "device-set": { root: "devices", lists: { devices: "device" }, oneOf: "devices" },
  "timer-add": { root: "shows", lists: { timers: "timer" }, oneOf: "timers" },
  "timer-set": { root: "shows", lists: { timers: "timer" }, oneOf: "timers" },
  "timer-batch": { root: "shows", lists: { timers: "timer" }, primary: "timers" },
  "series-recording-add": { root: "series", lists: SERIES_RECORDINGS, oneOf: "series_recordings" },
  "series-recording-set": { root: "series", lists: SERIES_RECORDINGS, oneOf: "series_recordings" },
  "favourite-add": { root: "series", lists: FAVOURITES, oneOf: "favourites" },
  "keyword-add": { root: "keywords", lists: KEYWORDS, oneOf: "keywords" },
  "keyword-set": { root: "keywords", lists: KEYWORDS, oneOf: "keywords" },
  "rule-add": { root: "rules", lists: RULES, oneOf: "rules" },
  "rule-set": { root: "rules", lists: RULES, oneOf: "rules" },
  "rule-preview": { root: "rules", lists: RULES, oneOf: "rules" },
  scans: { root: "scans", lists: { scans: "scan" }, primary: "scans" },
  "pvr-logs": { root: "logs", alsoRoot: "user", lists: { logs: "log" }, primary: "logs" },
  "pvr-logs-taken": { root: "logs", lists: {} },
  "broadcast-guide": {
    root: "broadcast_guide",
    lists: { services: "service", spans: "span", events: "event" },
    primary: "services",
  },
  "broadcast-guide-taken": { root: "broadcast_guide", lists: {} },
};
