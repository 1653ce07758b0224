import { z } from "zod";
import {
  Channel,
  DeviceType,
  DvbTriplet,
  Manufacturer,
  Region,
  SeriesSummary,
  TIMER_ACTIONS,
  TIMER_STATES,
  type Wire,
} from "../../guide-wire/records.ts";
import { QUALITIES } from "../../model/rule.ts";
import { ListingChannel, ListingLink, Mapping } from "./listing-records.ts";
import type { ReadShows } from "./show.ts";

/*
 * The stored records of the guide server. Regions, channels, manufacturers, device types and summaries of series
 * have the form of the wire; the rest has the server's own form. Instants are UTC milliseconds.
 */

const Id = z.string().min(1);
const Instant = z.int();

/** A household: its users share its devices, timers and rules. */
const Account = z.strictObject({
  id: Id,
  /** Lower case; unique. The address from the household's creation, independent of its users' names. */
  email: z.string(),
  regionId: z.int(),
  createdAt: Instant,
});
export type Account = Wire<typeof Account>;

/** The roles of users, see domain/rights.ts. */
export const RIGHTS = ["owner", "member", "viewer"] as const;
export type Rights = (typeof RIGHTS)[number];

const User = z.strictObject({
  /** The sign-in name: lower case, an e-mail address or a word, unique on the server. */
  id: Id,
  accountId: Id,
  /** Hashed by kit/http/password.ts. */
  password: z.string(),
  rights: z.enum(RIGHTS),
  createdAt: Instant,
});
export type User = Wire<typeof User>;

/** The id is the SHA-256 of the token, which is not stored itself. */
const Token = z.strictObject({
  id: Id,
  accountId: Id,
  userId: Id,
  createdAt: Instant,
  expiresAt: Instant,
  /** Instant of the logout. */
  disposedAt: Instant.optional(),
  /** The device that signed in with it. */
  deviceId: z.int().optional(),
});
export type Token = Wire<typeof Token>;

const OwnedDevice = z.strictObject({
  id: z.int(),
  accountId: Id,
  uid: z.string(),
  label: z.string(),
  typeId: z.int(),
});
export type OwnedDevice = Wire<typeof OwnedDevice>;

const Series = z.strictObject({
  id: Id,
  summary: SeriesSummary,
  /** The number of accounts that ordered an episode while they had none ordered. */
  votes: z.int(),
  /** Whether the first broadcast is ahead or recent. */
  isNew: z.boolean(),
});
export type Series = Wire<typeof Series>;

const TimerReport = z.strictObject({
  at: Instant,
  state: z.enum(TIMER_STATES).optional(),
  message: z.string().optional(),
});
/** One report of a client on a timer. */
export type TimerReport = Wire<typeof TimerReport>;

const StoredTimer = z.strictObject({
  id: Id,
  accountId: Id,
  deviceId: z.int(),
  channelId: z.int(),
  /** 0 for a show that is not in the guide. */
  showId: z.int(),
  /** EIT event id, from the show; absent if unknown. */
  eitId: z.int().optional(),
  /** The event id that the client ordered by. The client finds the timer by it even if the show has another. */
  bookedEitId: z.int().optional(),
  name: z.string(),
  start: Instant,
  durationMinutes: z.number().positive(),
  action: z.enum(TIMER_ACTIONS),
  state: z.enum(TIMER_STATES),
  message: z.string(),
  /** Absent: the recorder's own padding. */
  prePadding: z.int().optional(),
  postPadding: z.int().optional(),
  paddingType: z.string().optional(),
  /** Timers from rules: the rules that want this timer, and its episode (domain/episode.ts). */
  seriesRecordingId: z.int().optional(),
  keywordId: z.int().optional(),
  /** The rule that the recording follows, and what it says. Its padding holds where nobody gave the timer another. */
  ruleId: z.int().optional(),
  priority: z.int().optional(),
  keepNewest: z.int().optional(),
  folder: z.string().optional(),
  ruleBeforeMinutes: z.int().optional(),
  ruleAfterMinutes: z.int().optional(),
  episode: z.string().optional(),
  /** Fields outside the API: stored and echoed unchanged. */
  extra: z.record(z.string(), z.unknown()),
  createdAt: Instant,
  /** The user who ordered it; absent for the server or an unknown user. */
  bookedBy: Id.optional(),
  /** First read by a client: from then on a recorder may have it. */
  servedAt: Instant.optional(),
  /** First read of the current order by its recorder. */
  sentAt: Instant.optional(),
  /** Whether a recorder has reported a state of its own for the current order. */
  acknowledged: z.boolean().optional(),
  /** No longer listed; kept for its history. */
  removedAt: Instant.optional(),
  told: z.array(TimerReport),
});
export type StoredTimer = Wire<typeof StoredTimer>;

/** The order of a rule (model/rule.ts) without its quality, as rules/read-order.ts accepted it. */
const StoredOrder = z.strictObject({
  name: z.string(),
  isPaused: z.literal(true).exactOptional(),
  words: z.string().exactOptional(),
  expression: z.string().exactOptional(),
  seriesId: z.string().exactOptional(),
  genres: z.array(z.string()).exactOptional(),
  within: z.literal("all").exactOptional(),
  without: z.string().exactOptional(),
  channelIds: z.array(z.int()).exactOptional(),
  weekdays: z.array(z.int()).exactOptional(),
  between: z.strictObject({ from: z.int(), until: z.int() }).exactOptional(),
  minMinutes: z.int().exactOptional(),
  maxMinutes: z.int().exactOptional(),
  newOnly: z.literal(true).exactOptional(),
  airing: z.literal("first").exactOptional(),
  keep: z.int().exactOptional(),
  priority: z.int().exactOptional(),
  beforeMinutes: z.int().exactOptional(),
  afterMinutes: z.int().exactOptional(),
  folder: z.string().exactOptional(),
});

/** An order for every matching airing: the server makes timers from it. */
const Rule = z.strictObject({
  id: z.int(),
  accountId: Id,
  deviceId: z.int(),
  wants: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("series"),
      seriesId: Id,
      /** Limits the rule to this episode, identified when it was chosen. */
      only: z.strictObject({ showId: z.int(), episode: Id }).optional(),
    }),
    z.strictObject({ kind: z.literal("keyword"), keyword: z.string() }),
    z.strictObject({ kind: z.literal("rule"), order: StoredOrder }),
  ]),
  /** Minute of the day. Like the next two fields, it does not restrict when absent. */
  startMinutes: z.int().optional(),
  networkId: z.int().optional(),
  channelId: z.int().optional(),
  quality: z.enum(QUALITIES),
  createdAt: Instant,
  /** The user who ordered it. */
  bookedBy: Id.optional(),
});
export type Rule = Wire<typeof Rule>;

/**
 * An episode for which a device needs no further timer: it has a recording, or its owner deleted the timer. The id
 * names device and episode.
 */
const DoneEpisode = z.strictObject({
  id: Id,
  deviceId: z.int(),
  at: Instant,
  became: z.enum(["recorded", "declined"]),
});
export type DoneEpisode = Wire<typeof DoneEpisode>;

const FavouriteSeries = z.strictObject({ id: Id, accountId: Id, seriesId: Id });
export type FavouriteSeries = Wire<typeof FavouriteSeries>;

/** The last contact of a device, to the hour; its id is the device's. */
const DeviceContact = z.strictObject({
  id: Id,
  at: Instant,
  /** Its owner has been warned of its silence. */
  warned: z.literal(true).optional(),
});
export type DeviceContact = Wire<typeof DeviceContact>;

/** A service that a box of the account receives; its id combines account, device and triplet. */
const ReceivedService = z.strictObject({
  id: Id,
  accountId: Id,
  /** Absent for an unknown device, and in data older than version 3 of the journal. */
  deviceId: z.int().optional(),
  /** Its channel in the guide, if known. */
  channelId: z.int().optional(),
  name: z.string(),
  triplet: DvbTriplet,
  at: Instant,
});
export type ReceivedService = Wire<typeof ReceivedService>;

/** A line of a box's log, as JSON. */
const BoxLog = z.strictObject({
  id: Id,
  accountId: Id,
  /** Absent like that of `ReceivedService`. */
  deviceId: z.int().optional(),
  at: Instant,
  text: z.string(),
});
export type BoxLog = Wire<typeof BoxLog>;

/** A browser that is signed in to the pages. The id is the SHA-256 of its cookie, which is not stored itself. */
const Visit = z.strictObject({
  id: Id,
  accountId: Id,
  userId: Id,
  createdAt: Instant,
  expiresAt: Instant,
});
export type Visit = Wire<typeof Visit>;

/** The next id of a kind: ids are never reused. */
const Counter = z.strictObject({
  id: z.enum(["account", "channel", "device", "listed", "log", "timer", "show", "rule"]),
  next: z.int(),
});
export type Counter = Wire<typeof Counter>;

export const TABLES = {
  counters: Counter,
  accounts: Account,
  users: User,
  tokens: Token,
  visits: Visit,
  devices: OwnedDevice,
  regions: Region,
  channels: Channel,
  manufacturers: Manufacturer,
  types: DeviceType,
  listings: ListingLink,
  listed: ListingChannel,
  mappings: Mapping,
  series: Series,
  timers: StoredTimer,
  rules: Rule,
  episodes: DoneEpisode,
  favourites: FavouriteSeries,
  heard: DeviceContact,
  received: ReceivedService,
  logs: BoxLog,
} as const;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];
export type RecordOf<T extends TableName> = Wire<(typeof TABLES)[T]>;

/** Tables whose records belong to one account each. All others are the catalogue, which all accounts share. */
const OF_ACCOUNTS: ReadonlySet<TableName> = new Set([
  "accounts",
  "users",
  "tokens",
  "visits",
  "devices",
  "timers",
  "rules",
  "episodes",
  "favourites",
  "heard",
  "received",
  "logs",
]);

export function isOfAccounts(table: TableName): boolean {
  return OF_ACCOUNTS.has(table);
}

type Tables = { readonly [T in TableName]: ReadonlyMap<string, RecordOf<T>> };

/** The records of one account and the catalogue: tables by name, each by id as text. Also the shows. */
export type GuideTables = Tables & {
  readonly shows: ReadShows;
  /** Another text after every change of the account's timers, rules or devices. */
  readonly seen: string;
};

type Put<T extends TableName> = {
  readonly kind: "put";
  readonly table: T;
  readonly record: RecordOf<T>;
};

export type Change =
  | { [T in TableName]: Put<T> }[TableName]
  | { readonly kind: "remove"; readonly table: TableName; readonly id: string };

export function put<T extends TableName>(table: T, record: RecordOf<T>): Change {
  return { kind: "put", table, record } as Change;
}

export function remove(table: TableName, id: string): Change {
  return { kind: "remove", table, id };
}

/** Whether the change can be read back after it is written. */
export function isReadable(change: Change): boolean {
  return change.kind === "remove" || TABLES[change.table].safeParse(change.record).success;
}
