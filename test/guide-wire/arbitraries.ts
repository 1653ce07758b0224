import type { Document, DocumentKind } from "../../src/guide-wire/documents.ts";
import { isBuiltInName } from "../../src/guide-wire/records.ts";
import { anyText, fc } from "../properties.ts";

/** Texts that are hard on codecs: markup, quotes, CDATA ends, control characters, every script, 4-byte characters. */
const NASTY = [
  "",
  " ",
  "  padded\t",
  "\r\n",
  "& < > \" '",
  "<![CDATA[x]]>",
  "]]>",
  "&amp;lt;&#65;",
  "<!-- -->",
  "😀👩‍👩‍👧",
  "שלום עולם \u202eabc",
  "𠮷野家",
  "Žluťoučký kůň",
  "Ã© Â£ Ã¤",
  "é£ÿ",
  "\u0080\u009f\u00a0",
  "7.30",
  "0x1F",
  "true",
  "null",
  "__proto__",
];

/** Characters that XML 1.0 can carry, which is all but the controls, halves of pairs and the two non-characters. */
const xmlChar = anyText({ minLength: 1, maxLength: 1 })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
  .filter((char) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(char));

const text = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: xmlChar, maxLength: 12 }),
);

const int = fc.integer();
const idText = fc.oneof(
  fc.nat().map(String),
  text.filter((id) => id !== "" && !isBuiltInName(id)),
);
const flag = fc.constantFrom(0, 1);
const bits16 = fc.integer({ min: 0, max: 0xffff });
const float = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

/** A record that has `required` and any of `optional`. */
function record<R, O>(
  required: { readonly [K in keyof R]: fc.Arbitrary<R[K]> },
  optional: { readonly [K in keyof O]: fc.Arbitrary<O[K]> },
) {
  const keys = Object.keys(required) as (keyof R)[];
  return fc.record<R & O, keyof R>({ ...required, ...optional } as never, { requiredKeys: keys });
}

const few = <T>(entry: fc.Arbitrary<T>) => fc.array(entry, { maxLength: 3 });
const told = { onid: bits16, tsid: bits16, sid: bits16 };
const some = <T>(entry: fc.Arbitrary<T>) => fc.array(entry, { minLength: 1, maxLength: 3 });

const region = record(
  { id: int, name: text },
  { city: text, state: text, country: text, country_code_3: text, timezone: text },
);

const channel = record(
  { id: int, name: text },
  {
    name_short: text,
    network_id: int,
    region_id: int,
    is_hd: flag,
    lcns: text,
    region_name: text,
    network_name: text,
    is_hidden: flag,
    icon_src: text,
    icon_width: int,
    icon_height: int,
    dvb: some(fc.record({ original_network_id: bits16, transport_stream_id: bits16, service_id: bits16 })),
    known_names: some(text),
  },
);

const manufacturer = record({ id: text, name: text }, { url: text });

const deviceType = record(
  { id: int },
  {
    manufacturer_id: int,
    manufacturer_name: text,
    manufacturer_url: text,
    model: text,
    notes: text,
    can_have_device_sub: flag,
  },
);

const device = record({ id: int, label: text, type_id: int }, { uid: text, manufacturer: text, model: text });
const deviceOrder = record({ label: text, type_id: int }, { uid: text });

const timerFields = {
  name: text,
  device_id: int,
  channel_id: int,
  show_id: int,
  start_time: text,
  duration_minutes: int,
  action: text,
  state: text,
  message: text,
  series_recording_id: int,
  keyword_id: int,
  "pre-padding": int,
  "post-padding": int,
  "padding-type": text,
  ...{ rule_id: int, priority: int, keep_newest: int, folder: text },
  // A field that the specification does not know: kept.
  recorder_note: text,
};

function timerWith(required: readonly (keyof typeof timerFields)[]) {
  return fc.record({ id: idText, ...timerFields }, { requiredKeys: ["id", ...required] });
}

const timer = timerWith([
  "name",
  "device_id",
  "channel_id",
  "start_time",
  "duration_minutes",
  "action",
  "state",
]);

const langText = fc.oneof(text, fc.record({ value: text, lang: text }));
const category = record({ name: text }, { eit: text });

const series = record(
  { id: idText },
  {
    episode_count: int,
    title: langText,
    subtitle: langText,
    desc: langText,
    credits: fc.oneof(
      fc.record({ actors: some(text), director: some(text) }),
      fc.record({ actors: some(text) }),
    ),
    date: text,
    category: some(category),
    language: langText,
    country: langText,
    video: fc.record({ aspect: text }),
    rating: text,
    "star-rating": text,
    subtitles: some(text),
  },
);

const show = record(
  { id: int, channel_id: int, start: text, stop: text, title: text },
  {
    series_id: text,
    episode_id: text,
    start_unix: int,
    stop_unix: int,
    subtitle: text,
    desc: text,
    category: some(category),
    eit_id: int,
    rating: text,
    date: text,
    deleted_record: flag,
  },
);

const airings = { start_minutes: int, network_id: int, channel_id: int, recording_quality: text };
const seriesRecording = record(
  { id: int, series_id: text, device_id: int },
  { name: text, ...airings, show_id: int },
);
const favourite = record({ series_id: text }, { name: text });
const keyword = record({ id: int, keyword: text, device_id: int }, airings);
const ruleFields = {
  ...{ is_paused: flag, words: text, expression: text, series_id: text, genres: text, search_in: text },
  ...{ exclude: text, channel_ids: text, weekdays: text, start_after: int, start_before: int },
  ...{ min_minutes: int, max_minutes: int, is_new_only: flag, airing: text, recording_quality: text },
  ...{ keep_newest: int, priority: int, "pre-padding": int, "post-padding": int, folder: text },
};
const ruleMatch = record(
  {
    ...{ show_id: int, channel_id: int, title: text, start: text, stop: text, outcome: text },
    is_identified: flag,
  },
  { subtitle: text },
);

/** A document of every kind. */
const ANY: { readonly [K in DocumentKind]: fc.Arbitrary<unknown> } = {
  regions: fc.record({ regions: few(region) }),
  channels: fc.record({ regions: few(region), channels: few(channel) }),
  manufacturers: fc.record({ manufacturers: few(manufacturer) }),
  devices: fc.record({ types: few(deviceType), devices: few(device) }),
  "device-types": fc.record({ types: few(deviceType) }),
  timers: record({ timers: few(timer) }, { min_hit_minutes: int }),
  popular: fc.record({
    series_info: few(series),
    most_popular: few(fc.record({ series_id: text, num_votes: int, popularity_ratio: float })),
  }),
  "new-shows": fc.record({
    series_info: few(series),
    new_shows: few(record({ series_id: text, start_date: text }, { channel_id: int })),
  }),
  shows: record({ shows: few(show), timers: few(timer), channels: few(channel) }, { last_update_time: int }),
  settings: fc.record({ settings: few(fc.record({ name: text, value: text, type: int })) }),
  login: record(
    {
      member: record(
        { id: text, email_address: text, token: text },
        { token_expiry: text, region_id: int, timezone: text },
      ),
    },
    { device },
  ),
  error: fc.record({ error: record({ status: int, code: text, message: text }, { field: text }) }),
  "login-request": record(
    { member: record({ email_address: text, password: text }, { region_id: int }) },
    { device: deviceOrder },
  ),
  "device-add": fc.record({ devices: some(deviceOrder) }),
  "device-set": record({}, { id: int, uid: text, label: text, type_id: int }),
  "timer-add": fc.record({ ...timerFields, eit_id: int }, { requiredKeys: ["device_id"] }),
  "timer-set": fc.record({ id: text, ...timerFields }, { requiredKeys: [] }),
  "timer-batch": fc.record({ timers: few(timerWith([])) }),
  series: fc.record({ series_info: few(series) }),
  "series-recordings": fc.record({ series_recordings: few(seriesRecording) }),
  favourites: fc.record({ favourites: few(favourite) }),
  keywords: fc.record({ keywords: few(keyword) }),
  "series-recording-add": record({ device_id: int }, { series_id: text, ...airings, show_id: int }),
  "series-recording-set": record({}, { device_id: int, ...airings }),
  "favourite-add": favourite,
  "keyword-add": record({ keyword: text, device_id: int }, airings),
  "keyword-set": record({}, { keyword: text, device_id: int, ...airings }),
  rules: fc.record({
    rules: few(record({ id: int, device_id: int, name: text }, { ...ruleFields, created_at: text })),
  }),
  "rule-matches": record(
    { rule_matches: few(ruleMatch), total: int, records: int, unidentified: int },
    { counted_until: text },
  ),
  "rule-add": record({ device_id: int, name: text }, ruleFields),
  "rule-set": record({ name: text }, { device_id: int, ...ruleFields }),
  "rule-preview": record({ device_id: int, name: text }, { id: int, ...ruleFields }),
  scans: fc.record({
    scans: few(record({ channel_name: text, onid: bits16, tsid: bits16, sid: bits16 }, { channel_id: int })),
  }),
  "pvr-logs": fc.record({ logs: few(fc.record({ message: text, level: text })) }),
  "pvr-logs-taken": fc.record({ count_of_log_entries: int }),
  "broadcast-guide": fc.record({
    services: few(record(told, { name: text, received: int })),
    spans: few(fc.record({ ...told, start_unix: int, stop_unix: int })),
    events: few(
      record(
        { ...told, start_unix: int, stop_unix: int, eit_id: bits16, title: text },
        { desc: text, programme_crid: text, series_crid: text },
      ),
    ),
  }),
  "broadcast-guide-taken": fc.record({ count_of_events: int, count_left_out: int }),
};

export const KINDS = Object.keys(ANY) as readonly DocumentKind[];

/** The arbitrary of one kind with its type; the table above is checked by `encodeDocument`, which refuses anything else. */
export function anyOf<K extends DocumentKind>(kind: K): fc.Arbitrary<Document<K>> {
  return ANY[kind] as fc.Arbitrary<Document<K>>;
}
