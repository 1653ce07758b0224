import type { DeviceOrder, TimerOrder, Timer as WireTimer } from "../guide-wire/records.ts";
import type { Log } from "../kit/log.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { WakeSignal } from "../kit/time/wake-signal.ts";
import { RecorderdError } from "../model/errors.ts";
import type { DurationMs, EpochMs } from "../model/time.ts";
import type { GuideStore } from "./data/store.ts";
import type { Account, BoxLog, GuideTables, Received, ToldOnce, User } from "./data/tables.ts";
import { accountByEmail } from "./domain/accounts.ts";
import { addShow, type GuideData, publish, type ShowData } from "./domain/catalogue.ts";
import { addDevices } from "./domain/devices.ts";
import { fallenSilent, type SilentDevice } from "./domain/heard.ts";
import type { NewAccount, SignIn } from "./domain/login.ts";
import { addTimer } from "./domain/timer-add.ts";
import { listedTimers } from "./domain/timer-lists.ts";
import {
  openSessions,
  removeUser,
  type UserChange,
  type UserOrder,
  userNamed,
  usersOf,
} from "./domain/users.ts";
import { forgetOld } from "./forget.ts";
import { wireTimer } from "./http/wire.ts";
import { accepted } from "./refusal.ts";
import { type KeptListing, listingsKept, sayZone } from "./xmltv/listing-facts.ts";
import { type ListingOutcome, type ListingsOrder, readListings } from "./xmltv/listings.ts";

/**
 * The guide server as its own process sees it, without HTTP and without passwords: for seeding it, for the simulator and for
 * support. Whatever resolves is on the disk.
 *
 * All of it fails with RecorderdError GUIDE_NOT_FOUND or GUIDE_NOT_ACCEPTABLE where a request would be refused with 404 or 406, and
 * with STORE_WRITE_FAILED.
 */
export interface GuideServerAdmin {
  addAccount(account: NewAccount): Promise<{ readonly accountId: string }>;
  /** Households by the e-mail addresses that they were made with, each with its users. */
  households(): readonly Household[];
  addUser(email: string, user: UserOrder): Promise<void>;
  /** A user that is another one then has no sessions any more. */
  changeUser(name: string, change: UserChange): Promise<void>;
  removeUser(name: string): Promise<void>;
  /** Publishes regions, channels, manufacturers, device types, series and shows; records replace those with the same id. */
  seed(data: GuideData): Promise<void>;
  /** @returns the id of the show */
  addShow(show: Omit<ShowData, "id">): Promise<number>;
  /** @returns the id of the device */
  addDevice(email: string, device: DeviceOrder): Promise<number>;
  /** As POST shows/timers. @returns the id of the timer */
  addTimer(email: string, order: TimerOrder): Promise<string>;
  /** The current timers as clients see them; reading them here marks none as served. */
  timers(email: string): readonly WireTimer[];
  /** Reads listings in XMLTV into the guide; requests are answered meanwhile. */
  readListings(order: ListingsOrder): Promise<readonly ListingOutcome[]>;
  /** Given when somebody has said what a channel of a listing is: read with it, listings say something else. */
  readonly remapped: WakeSignal;
  /** Forgets what is too old to be of use: shows, timers, sessions, and what boxes told; nothing by a clock that is not trusted. */
  forgetOld(): Promise<void>;
  /** Devices that nothing was heard of for so long; each is told once, until it was heard of again. */
  fallenSilent(afterMs: DurationMs): Promise<readonly SilentDevice[]>;
  /** What is kept of the listings that are read, by rank. */
  listings(): readonly KeptListing[];
  /** Of which zone all times of a listing are, when it is read again. @returns whether there is such a listing */
  sayZone(id: string, zone: string | undefined): boolean;
  /** What the boxes of the account were found to receive. */
  received(email: string): readonly Received[];
  /** Lines of the account's boxes' own logs, oldest first. */
  boxLogs(email: string): readonly BoxLog[];
  /** What clients told about a timer, oldest first, also of one that is in no list any more. */
  told(timerId: string): readonly ToldOnce[];
}

/** A household and who is in it, without passwords. */
export interface Household {
  readonly email: string;
  readonly users: readonly (Pick<User, "rights" | "createdAt"> & {
    readonly name: string;
    readonly sessions: number;
  })[];
}

export interface GuideServerAdminOptions {
  readonly store: GuideStore;
  readonly signIn: SignIn;
  readonly remapped: WakeSignal;
  readonly isClockTrusted: () => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
}

export function createGuideServerAdmin({
  store,
  signIn,
  remapped,
  isClockTrusted,
  clock,
  log,
}: GuideServerAdminOptions): GuideServerAdmin {
  const accountOf = (email: string): Account => {
    const account = accountByEmail(store.tables, email);
    if (account === undefined) throw new RecorderdError("GUIDE_NOT_FOUND", "There is no such account.");
    return account;
  };
  const householdOf = (name: string): Account => {
    const account = store.tables.accounts.get(userNamed(store.tables, name)?.accountId ?? "");
    if (account === undefined) throw new RecorderdError("GUIDE_NOT_FOUND", "There is no such user.");
    return account;
  };
  return {
    addAccount: async (account) => ({ accountId: accepted(await signIn.addAccount(account)).id }),
    households: () => householdsOf(store.tables, clock.now()),
    addUser: async (email, user) => void accepted(await signIn.addUser(accountOf(email), user)),
    changeUser: async (name, change) =>
      void accepted(await signIn.changeUser(householdOf(name), name, change)),
    removeUser: async (name) => {
      const account = householdOf(name);
      accepted(await store.commit((tables) => removeUser(tables, account, name)));
    },
    seed: async (data) => void accepted(await store.commit((tables) => publish(tables, data, clock.now()))),
    addShow: async (show) => accepted(await store.commit((tables) => addShow(tables, show, clock.now()))).id,
    addDevice: async (email, device) => {
      const account = accountOf(email);
      const [added] = accepted(await store.commit((tables) => addDevices(tables, account, [device])));
      return added?.id ?? 0;
    },
    addTimer: async (email, order) => {
      const account = accountOf(email);
      const now = clock.now();
      return accepted(await store.commit((tables) => addTimer(tables, account, { order, now }))).id;
    },
    timers: (email) => listedTimers(store.tables, accountOf(email), clock.now()).map(wireTimer),
    remapped,
    readListings: (order) => readListings(store, order, log),
    listings: () => listingsKept(store),
    sayZone: (id, zone) => sayZone(store, id, zone),
    forgetOld: async () => {
      if (await isClockTrusted()) await forgetOld(store, clock.now());
    },
    fallenSilent: async (afterMs) =>
      accepted(await store.commit((tables) => fallenSilent(tables, { now: clock.now(), afterMs }))),
    received: (email) => ownOf(store.tables.received, accountOf(email)),
    boxLogs: (email) => ownOf(store.tables.logs, accountOf(email)),
    told: (timerId) => store.tables.timers.get(timerId)?.told ?? [],
  };
}

function householdsOf(tables: GuideTables, now: EpochMs): readonly Household[] {
  return [...tables.accounts.values()].map((account) => ({
    email: account.email,
    users: usersOf(tables, account).map((user) => ({
      name: user.id,
      rights: user.rights,
      createdAt: user.createdAt,
      sessions: openSessions(tables, user, now),
    })),
  }));
}

function ownOf<T extends { readonly accountId: string }>(
  table: ReadonlyMap<string, T>,
  { id }: Account,
): readonly T[] {
  return [...table.values()].filter(({ accountId }) => accountId === id);
}
