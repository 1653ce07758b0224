import { z } from "zod";
import {
  Channel,
  DeviceType,
  DvbTriplet,
  Manufacturer,
  RECORDING_QUALITIES,
  Region,
  SeriesSummary,
  TIMER_ACTIONS,
  TIMER_STATES,
  type Wire,
} from "../../guide-wire/records.ts";
import type { ReadShows } from "./show.ts";

/*
 * What the guide server keeps. Regions, channels, manufacturers, device types and summaries of series have the form of the
 * wire; the rest is kept in the server's own. Instants are UTC milliseconds.
 */

const Id = z.string().min(1);
const Instant = z.int();

/** A household: what its users share, and whose devices, timers and rules are theirs together. */
const Account = z.strictObject({
  id: Id,
  /** In lower case; unique. It was made with this one, whatever its users are called. */
  email: z.string(),
  regionId: z.int(),
  createdAt: Instant,
});
export type Account = Wire<typeof Account>;

/** What a user may do: see domain/rights.ts. */
export const RIGHTS = ["owner", "member", "viewer"] as const;
export type Rights = (typeof RIGHTS)[number];

const User = z.strictObject({
  /** Its name, in lower case, an e-mail address or a word: what it signs in with. Nobody else on the server has it. */
  id: Id,
  accountId: Id,
  /** As kit/http/password.ts hashed it. */
  password: z.string(),
  rights: z.enum(RIGHTS),
  createdAt: Instant,
});
export type User = Wire<typeof User>;

/** The token itself is not kept: its SHA-256 is its id. */
const Token = z.strictObject({
  id: Id,
  accountId: Id,
  userId: Id,
  createdAt: Instant,
  expiresAt: Instant,
  /** Logged out then. */
  disposedAt: Instant.optional(),
  /** The device that it was given to. */
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
  /** How often it was chosen: one for each account that booked an episode while it had none booked. */
  votes: z.int(),
  /** First broadcast lies ahead or is recent. */
  isNew: z.boolean(),
});
export type Series = Wire<typeof Series>;

const TimerReport = z.strictObject({
  at: Instant,
  state: z.enum(TIMER_STATES).optional(),
  message: z.string().optional(),
});
/** What a client told about a timer, once. */
export type TimerReport = Wire<typeof TimerReport>;

const StoredTimer = z.strictObject({
  id: Id,
  accountId: Id,
  deviceId: z.int(),
  channelId: z.int(),
  /** 0 when the show is not in the guide. */
  showId: z.int(),
  /** Event id of the broadcast, as the show has it; absent where nobody knows it. */
  eitId: z.int().optional(),
  /** The event id by which the client booked. The client finds the timer by it, whatever the show has. */
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
  /** Of those that the server made: the rules that want it, and which episode it is for (domain/episode.ts). */
  seriesRecordingId: z.int().optional(),
  keywordId: z.int().optional(),
  episode: z.string().optional(),
  /** Fields that are not the interface's: kept as sent, and echoed. */
  extra: z.record(z.string(), z.unknown()),
  createdAt: Instant,
  /** The user who booked it; absent where the server or nobody known did. */
  bookedBy: Id.optional(),
  /** First read by a client: a recorder may hold it since then. */
  servedAt: Instant.optional(),
  /** The order as it is now was first read by its recorder then. */
  sentAt: Instant.optional(),
  /** Whether a recorder has told a state of its own of the order as it is now. */
  acknowledged: z.boolean().optional(),
  /** No longer in any list; kept for its history. */
  removedAt: Instant.optional(),
  told: z.array(TimerReport),
});
export type StoredTimer = Wire<typeof StoredTimer>;

/** What is to be recorded whenever it is on the air: the server makes timers of it. */
const Rule = z.strictObject({
  id: z.int(),
  accountId: Id,
  deviceId: z.int(),
  wants: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("series"),
      seriesId: Id,
      /** Only this episode, as the show had it when it was chosen. */
      only: z.strictObject({ showId: z.int(), episode: Id }).optional(),
    }),
    z.strictObject({ kind: z.literal("keyword"), keyword: z.string() }),
  ]),
  /** Minute of the day; like the two after it, any where it is left out. */
  startMinutes: z.int().optional(),
  networkId: z.int().optional(),
  channelId: z.int().optional(),
  quality: z.enum(RECORDING_QUALITIES),
  createdAt: Instant,
  /** The user who did. */
  bookedBy: Id.optional(),
});
export type Rule = Wire<typeof Rule>;

/** A device needs no further timer for an episode: it has it, or its owner has deleted the timer. Its id names both. */
const DoneEpisode = z.strictObject({
  id: Id,
  deviceId: z.int(),
  at: Instant,
  became: z.enum(["recorded", "declined"]),
});
export type DoneEpisode = Wire<typeof DoneEpisode>;

const FavouriteSeries = z.strictObject({ id: Id, accountId: Id, seriesId: Id });
export type FavouriteSeries = Wire<typeof FavouriteSeries>;

/** When a device was last heard of, to the hour; its id is the device's. */
const DeviceContact = z.strictObject({
  id: Id,
  at: Instant,
  /** Its owner was warned of its silence. */
  warned: z.literal(true).optional(),
});
export type DeviceContact = Wire<typeof DeviceContact>;

/** A service that a box of the account has found on the air; its id is account, device and triplet. */
const ReceivedService = z.strictObject({
  id: Id,
  accountId: Id,
  /** Absent where nobody knows which device it was, as before version 3 of the journal. */
  deviceId: z.int().optional(),
  /** The channel of the guide that it is, where that is known. */
  channelId: z.int().optional(),
  name: z.string(),
  triplet: DvbTriplet,
  at: Instant,
});
export type ReceivedService = Wire<typeof ReceivedService>;

/** A line of a box's own log, as JSON. */
const BoxLog = z.strictObject({
  id: Id,
  accountId: Id,
  /** As of what is received. */
  deviceId: z.int().optional(),
  at: Instant,
  text: z.string(),
});
export type BoxLog = Wire<typeof BoxLog>;

/** The next id of a kind: ids are never given twice. */
const Counter = z.strictObject({
  id: z.enum(["account", "channel", "device", "listed", "log", "timer", "show", "rule"]),
  next: z.int(),
});
export type Counter = Wire<typeof Counter>;

/** Which channel of the guide a channel of a listing is; its id is that of the listing. */
const ListingLink = z.strictObject({ id: Id, channelId: z.int() });
export type ListingLink = Wire<typeof ListingLink>;

/** What a person says a channel of a listing is (xmltv/channels.ts). */
const ChannelTarget = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("ignore") }),
  z.strictObject({ kind: z.literal("channel"), id: z.int() }),
  z.strictObject({ kind: z.literal("triplet"), triplet: DvbTriplet }),
  z.strictObject({ kind: z.literal("lcn"), lcn: z.string() }),
  z.strictObject({ kind: z.literal("name"), name: z.string() }),
]);
export type ChannelTarget = Wire<typeof ChannelTarget>;

/** What was said on the page of a channel of a listing; its id is that of the listing. */
const Mapping = z.strictObject({
  id: Id,
  /** Absent: it is to be found by itself again; goes when that has come to pass. */
  target: ChannelTarget.optional(),
  /** Listings were read with it. */
  markApplied: z.literal(true).optional(),
});
export type Mapping = Wire<typeof Mapping>;

/** A channel of a listing as it was last read, and what it was found to be; its id is rank of the listing and id there. */
const ListingChannel = z.strictObject({
  id: Id,
  rank: z.int(),
  listedId: z.string(),
  name: z.string(),
  by: z.enum([
    "table",
    "before",
    "triplet",
    "name",
    "short name",
    "known name",
    "lcn",
    "new",
    "ignored",
    "taken",
  ]),
  channelId: z.int().optional(),
  note: z.string().optional(),
});
export type ListingChannel = Wire<typeof ListingChannel>;

export const TABLES = {
  counters: Counter,
  accounts: Account,
  users: User,
  tokens: Token,
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

type Tables = { readonly [T in TableName]: ReadonlyMap<string, RecordOf<T>> };

/** Everything: by table and by id as text, and the shows. */
export type GuideTables = Tables & { readonly shows: ReadShows };

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

/** Whether it could be read again once it is written. */
export function isReadable(change: Change): boolean {
  return change.kind === "remove" || TABLES[change.table].safeParse(change.record).success;
}

/** How a change is written: `["put","timers",{…}]` or `["remove","tokens","…"]`. */
export function formatChange(change: Change): string {
  return JSON.stringify([change.kind, change.table, change.kind === "put" ? change.record : change.id]);
}

const Line = z.array(z.tuple([z.enum(["put", "remove"]), z.enum(TABLE_NAMES), z.unknown()]));

/** Shows were here before they had a database of their own; guides publish them again. */
const FORMER_TABLE = "shows";

/** @throws ZodError when it is not what `formatChange` writes */
export function parseChanges(line: unknown): readonly Change[] {
  const entries = z.array(z.array(z.unknown())).parse(line);
  return Line.parse(entries.filter(([, table]) => table !== FORMER_TABLE)).map(([kind, table, value]) =>
    kind === "put"
      ? put(table, TABLES[table].parse(value) as RecordOf<TableName>)
      : remove(table, Id.parse(value)),
  );
}
