import type { Log } from "../../../kit/log.ts";
import type { DatabaseAddress } from "../../../kit/postgres/address.ts";
import { type Clock, systemClock } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { GuideStore } from "../store.ts";
import { Store } from "../store.ts";
import { Announcements } from "./announcements.ts";
import { openCluster } from "./guarded.ts";
import { Jobs } from "./jobs.ts";
import { Messages } from "./messages.ts";
import { openPostgresRecords } from "./postgres-records.ts";
import { scheduleLock } from "./schedule-lock.ts";
import { SharedShows } from "./shared-shows.ts";

export interface SharedStoreOptions {
  readonly address: DatabaseAddress;
  readonly password: string | undefined;
  /** For this process's copy of the shows. */
  readonly folder: string;
  readonly clock: Clock;
  /** Absent: the real one, as connections are not simulated, whatever clock the guide follows. */
  readonly connectionClock?: Clock;
  readonly log: Log;
}

/**
 * The data in a PostgreSQL database, which several processes share.
 *
 * @throws RecorderdError GUIDE_UNAVAILABLE, STORE_TOO_NEW, FILE_UNREADABLE
 */
export async function openSharedStore(options: SharedStoreOptions): Promise<GuideStore> {
  const { address, password, folder, clock, connectionClock = systemClock(), log } = options;
  const cluster = await openCluster({ address, password });
  let shared: SharedShows | undefined;
  try {
    const { db, records } = await openPostgresRecords(cluster, address.text);
    shared = await SharedShows.open(db, folder);
    const { shows, news } = shared;
    const follow = () => shared?.follow();
    const jobs = new Jobs(db, clock);
    const quietly = (work: () => Promise<unknown>) => void work().catch(warning(log));
    const messages = new Messages(db, quietly);
    return await Store.open({
      engine: records,
      shows,
      news,
      others: messages,
      alone: scheduleLock(cluster, { clock, onLocked: async () => follow() }),
      job: (name, everyMs, work) => jobs.run(name, everyMs, work),
      reachShows: async (change) => shared?.reach(change),
      hear: (changed) =>
        new Announcements(cluster, {
          clock: connectionClock,
          listener: {
            changed: (owners) => quietly(() => changed(owners)),
            showsChanged: () => quietly(async () => follow()),
            told: (sender, message) => messages.told(sender, message),
            resumed: () => quietly(() => Promise.all([follow(), changed()])),
          },
        }),
    });
  } catch (error) {
    shared?.shows[Symbol.dispose]();
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}

/** Nobody waits for the work, and it is done again when the database is there again. */
function warning(log: Log): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof RecorderdError)) throw error;
    log.warn("the database is not available", { code: error.code, text: error.message });
  };
}
