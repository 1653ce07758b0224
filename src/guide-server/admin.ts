import type { DeviceOrder, TimerOrder, Timer as WireTimer } from "../guide-wire/records.ts";
import type { Log } from "../kit/log.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { WakeSignal } from "../kit/time/wake-signal.ts";
import { RecorderdError } from "../model/errors.ts";
import type { DurationMs, EpochMs } from "../model/time.ts";
import { NOBODY } from "./data/engine.ts";
import type { GuideStore } from "./data/store.ts";
import type { Account, BoxLog, ReceivedService, TimerReport, User } from "./data/tables.ts";
import { accountByEmail } from "./domain/accounts.ts";
import { addShow, type GuideData, publish, type ShowData } from "./domain/catalogue.ts";
import { newlySilentDevices, type SilentDevice } from "./domain/device-contact.ts";
import { addDevices } from "./domain/devices.ts";
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
import { forgetOld, forgetShows } from "./forget.ts";
import { wireTimer } from "./http/wire.ts";
import type { ListChanges } from "./list-changes.ts";
import { accepted } from "./refusal.ts";
import { settlingWaiting } from "./settle-waiting.ts";
import { type ListingState, listingStates, setListingZone } from "./xmltv/listing-facts.ts";
import { type ListingOutcome, type ListingsOrder, readListings } from "./xmltv/listings.ts";

/**
 * Direct access to the guide server for its own process, without HTTP and passwords: for seeding, the simulator and
 * support. Every result is on the disk when its promise resolves.
 *
 * All methods fail with RecorderdError GUIDE_NOT_FOUND or GUIDE_NOT_ACCEPTABLE where a request would get 404 or 406,
 * and with STORE_WRITE_FAILED.
 */
export interface GuideServerAdmin {
  addAccount(account: NewAccount): Promise<{ readonly accountId: string }>;
  /** Households by the e-mail addresses they were created with, each with its users. */
  households(): Promise<readonly Household[]>;
  addUser(email: string, user: UserOrder): Promise<void>;
  /** Changing a user ends its sessions. */
  changeUser(name: string, change: UserChange): Promise<void>;
  removeUser(name: string): Promise<void>;
  /**
   * Publishes regions, channels, manufacturers, device types, series and shows; records replace those with the same
   * id.
   */
  seed(data: GuideData): Promise<void>;
  addShow(show: Omit<ShowData, "id">): Promise<number>;
  addDevice(email: string, device: DeviceOrder): Promise<number>;
  /** Like POST shows/timers. @returns the id of the timer */
  addTimer(email: string, order: TimerOrder): Promise<string>;
  /** The current timers as clients see them; this read marks none as served. */
  timers(email: string): Promise<readonly WireTimer[]>;
  /** Reads XMLTV listings into the guide; requests are answered meanwhile. */
  readListings(order: ListingsOrder): Promise<readonly ListingOutcome[]>;
  /** Signals a new channel mapping by a person: listings must be read again with it. */
  readonly mappingsChanged: WakeSignal;
  /** Does work if it is due and no other server of the same database does it. */
  once(name: string, everyMs: DurationMs, work: () => Promise<void>): Promise<boolean>;
  /** Removes old shows, timers, sessions and data from boxes; nothing while the clock is not trusted. */
  forgetOld(): Promise<void>;
  /** Removes old shows from this server's copy, with the same condition. */
  forgetShows(): Promise<void>;
  /** Tells clients that wait for changes of timers that rules now want. */
  settleWaiting(): Promise<void>;
  /** Devices without contact for this long; each is reported once until its next contact. */
  newlySilentDevices(afterMs: DurationMs): Promise<readonly SilentDevice[]>;
  /** The state of each current listing, by rank. */
  listings(): readonly ListingState[];
  /** Sets the zone for all times of a listing, used at its next reading. @returns whether the listing exists */
  setListingZone(id: string, zone: string | undefined): Promise<boolean>;
  receivedServices(email: string): Promise<readonly ReceivedService[]>;
  /** Log lines of the account's boxes, oldest first. */
  boxLogs(email: string): Promise<readonly BoxLog[]>;
  /** The reports of clients on a timer, oldest first, also for one that is no longer listed. */
  timerReports(timerId: string): Promise<readonly TimerReport[]>;
}

/** A household and its users, without passwords. */
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
  readonly changes: ListChanges;
  readonly mappingsChanged: WakeSignal;
  readonly isClockTrusted: () => Promise<boolean>;
  readonly clock: Clock;
  readonly log: Log;
}

export function createGuideServerAdmin({
  store,
  signIn,
  changes,
  mappingsChanged,
  isClockTrusted,
  clock,
  log,
}: GuideServerAdminOptions): GuideServerAdmin {
  const accountOf = async (email: string): Promise<Account> => {
    const account = await accountByEmail(store, email);
    if (account === undefined) throw new RecorderdError("GUIDE_NOT_FOUND", "There is no such account.");
    return account;
  };
  const householdOf = async (name: string): Promise<Account> => {
    const id = (await userNamed(store, name))?.accountId ?? NOBODY;
    const account = (await store.of(id)).accounts.get(id);
    if (account === undefined) throw new RecorderdError("GUIDE_NOT_FOUND", "There is no such user.");
    return account;
  };
  const settleWaiting = settlingWaiting({ store, changes, clock });
  return {
    addAccount: async (account) => ({ accountId: accepted(await signIn.addAccount(account)).id }),
    households: () => householdsOf(store, clock.now()),
    addUser: async (email, user) => void accepted(await signIn.addUser(await accountOf(email), user)),
    changeUser: async (name, change) =>
      void accepted(await signIn.changeUser(await householdOf(name), name, change)),
    removeUser: async (name) => {
      const account = await householdOf(name);
      accepted(await store.commit(account.id, (tables) => removeUser(tables, account, name)));
    },
    seed: async (data) =>
      void accepted(await store.commitShared((tables) => publish(tables, data, clock.now()))),
    addShow: async (show) =>
      accepted(await store.commitShared((tables) => addShow(tables, show, clock.now()))).id,
    addDevice: async (email, device) => {
      const account = await accountOf(email);
      const [added] = accepted(
        await store.commit(account.id, (tables) => addDevices(tables, account, [device])),
      );
      return added?.id ?? 0;
    },
    addTimer: async (email, order) => {
      const account = await accountOf(email);
      const now = clock.now();
      return accepted(await store.commit(account.id, (tables) => addTimer(tables, account, { order, now })))
        .id;
    },
    timers: async (email) => {
      const account = await accountOf(email);
      return listedTimers(await store.of(account.id), account, clock.now()).map(wireTimer);
    },
    once: (name, everyMs, work) => store.job(name, everyMs, work).catch(unlessUnavailable(log)),
    mappingsChanged,
    readListings: (order) => readListings(store, order, log),
    listings: () => listingStates(store),
    setListingZone: (id, zone) => setListingZone(store, id, zone),
    forgetOld: async () => {
      if (await isClockTrusted()) await forgetOld(store, clock.now());
    },
    forgetShows: async () => {
      if (await isClockTrusted()) await forgetShows(store, clock.now()).catch(unlessUnavailable(log));
    },
    settleWaiting: async () => void (await settleWaiting().catch(unlessUnavailable(log))),
    newlySilentDevices: async (afterMs) => {
      const silent: SilentDevice[] = [];
      for await (const id of store.withOld("heard", clock.now() - afterMs + 1)) {
        await store.of(id);
        const span = { now: clock.now(), afterMs };
        silent.push(...accepted(await store.commit(id, (tables) => newlySilentDevices(tables, span))));
      }
      return silent;
    },
    receivedServices: async (email) => [...(await store.of((await accountOf(email)).id)).received.values()],
    boxLogs: async (email) => [...(await store.of((await accountOf(email)).id)).logs.values()],
    timerReports: async (timerId) => {
      for await (const { id, told } of store.all("timers")) if (id === timerId) return told;
      return [];
    },
  };
}

/** Work that is done again later is skipped while the database cannot be used. */
function unlessUnavailable(log: Log): (error: unknown) => false {
  return (error) => {
    if (!(error instanceof RecorderdError) || error.code !== "GUIDE_UNAVAILABLE") throw error;
    log.warn("the database is not available", { text: error.message });
    return false;
  };
}

async function householdsOf(store: GuideStore, now: EpochMs): Promise<readonly Household[]> {
  const found: Household[] = [];
  for await (const account of store.all("accounts")) {
    const tables = await store.of(account.id);
    found.push({
      email: account.email,
      users: usersOf(tables, account).map((user) => ({
        name: user.id,
        rights: user.rights,
        createdAt: user.createdAt,
        sessions: openSessions(tables, user, now),
      })),
    });
  }
  return found;
}
