import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { RecordOf, TableName } from "../../src/guide-server/data/tables.ts";
import type { ShowData } from "../../src/guide-server/domain/catalogue.ts";
import { DAY, type EpochMs, HOUR, MINUTE } from "../../src/model/time.ts";

export const CHANNELS = 200;
const DAYS = 14;
const SHOWS_A_DAY = 35;
const SHOWS = CHANNELS * DAYS * SHOWS_A_DAY;
export const TIMERS_OF_ACCOUNT = 20;

/** A stored record of an account. */
export interface Row {
  readonly table: TableName;
  readonly id: string;
  readonly owner: string;
  readonly body: string;
  readonly sum: number;
}

/** The names, by an account's number from 1. */
export const emailOf = (account: number): string => `home${account}@bench.example`;
/** Its token, and those of further recorders. */
export const tokenOf = (account: number): string => `token-of-account-${account}`;
export const deviceOf = (account: number): number => account;

/** A show by its number, below `SHOWS`. Channels are filled day by day. */
function showOf(number: number, first: EpochMs): ShowData {
  const index = Math.floor(number / CHANNELS);
  return {
    id: number + 1,
    channelId: 1 + (number % CHANNELS),
    start: first + Math.floor((index * DAY) / SHOWS_A_DAY / MINUTE) * MINUTE,
    durationMinutes: 41,
    title: `Programme ${number % 977} of channel ${number % CHANNELS}`,
    subtitle: `Part ${index}`,
    desc: "Two friends, one boat & a storm that nobody saw coming. ".repeat(3),
    eitId: number % 0x1_0000,
  };
}

export function allShows(first: EpochMs): readonly ShowData[] {
  return Array.from({ length: SHOWS }, (_, number) => showOf(number, first));
}

/** The numbers of shows that an account has booked, and of one that it can book: they differ from account to account. */
export function showNumber(account: number, nth: number): number {
  // The first days pass while the bench runs.
  const later = SHOWS / 2;
  return later + ((account * 7919 + nth * 4637) % (SHOWS - later));
}

/** All records of an account, in the form in which the server stores them: the one place that knows it. */
export function rowsOfAccount(
  account: number,
  { first, now, password }: { readonly first: EpochMs; readonly now: EpochMs; readonly password: string },
): readonly Row[] {
  const accountId = String(account);
  const email = emailOf(account);
  const createdAt = now - DAY;
  const row = <T extends TableName>(table: T, record: RecordOf<T>): Row => {
    const body = JSON.stringify(record);
    return { table, id: String(record.id), owner: accountId, body, sum: crc32(body) };
  };
  return [
    row("accounts", { id: accountId, email, regionId: 1, createdAt }),
    row("users", { id: email, accountId, password, rights: "owner", createdAt }),
    row("tokens", {
      id: createHash("sha256").update(tokenOf(account)).digest("hex"),
      ...{ accountId, userId: email, createdAt, expiresAt: now + 100 * DAY, deviceId: deviceOf(account) },
    }),
    row("devices", { id: deviceOf(account), accountId, uid: `uid-${account}`, label: "Recorder", typeId: 1 }),
    row("heard", { id: String(deviceOf(account)), at: now + HOUR }),
    ...Array.from({ length: TIMERS_OF_ACCOUNT }, (_, nth) => {
      const show = showOf(showNumber(account, nth), first);
      return row("timers", {
        id: String((account - 1) * TIMERS_OF_ACCOUNT + nth + 1),
        ...{ accountId, deviceId: deviceOf(account), channelId: show.channelId, showId: show.id },
        ...{ name: show.title, start: show.start, durationMinutes: show.durationMinutes },
        ...{ action: "record", state: "pending", message: "", extra: {}, acknowledged: true },
        ...{ createdAt, bookedBy: email, servedAt: createdAt, sentAt: createdAt },
        told: [{ at: createdAt, state: "pending" }],
      });
    }),
  ];
}

/** The next ids after so many accounts. */
export function countersAfter(accounts: number): readonly RecordOf<"counters">[] {
  return [
    { id: "account", next: accounts + 1 },
    { id: "device", next: accounts + 1 },
    { id: "timer", next: accounts * TIMERS_OF_ACCOUNT + 1 },
  ];
}
