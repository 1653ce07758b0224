import type { Log } from "../../../kit/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { GuideStore } from "../store.ts";
import { Store } from "../store.ts";
import { type DatabaseAddress, poolConfigs } from "./address.ts";
import { Announcements } from "./announcements.ts";
import { Cluster } from "./cluster.ts";
import { Jobs } from "./jobs.ts";
import { openPostgresRecords } from "./postgres-records.ts";
import { scheduleLock } from "./schedule-lock.ts";
import { SharedShows } from "./shared-shows.ts";

export interface SharedStoreOptions {
  readonly address: DatabaseAddress;
  readonly password: string | undefined;
  /** For this process's copy of the shows. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The data in a PostgreSQL database, which several processes share.
 *
 * @throws RecorderdError GUIDE_UNAVAILABLE, STORE_TOO_NEW, FILE_UNREADABLE
 */
export async function openSharedStore(options: SharedStoreOptions): Promise<GuideStore> {
  const { address, password, folder, clock, log } = options;
  const cluster = new Cluster(await poolConfigs(address, password));
  try {
    const { db, records } = await openPostgresRecords(cluster, address.text);
    const shared = await SharedShows.open(db, folder);
    const { shows, news } = shared;
    const jobs = new Jobs(db, clock);
    const store = await Store.open({
      engine: records,
      shows,
      news,
      alone: scheduleLock(cluster, { clock, onLocked: () => shared.follow() }),
      job: (name, everyMs, work) => jobs.run(name, everyMs, work),
      reachShows: (change) => shared.reach(change),
    });
    const quietly = (work: Promise<void>) =>
      work.catch((error: unknown) => {
        if (!(error instanceof RecorderdError)) throw error;
        log.warn("the database cannot be used now", { code: error.code, text: error.message });
      });
    const announcements = new Announcements(cluster, {
      clock,
      listener: {
        changed: (owners) => void quietly(store.heard(owners)),
        showsChanged: () => void quietly(shared.follow()),
        resumed: () => void quietly(Promise.all([shared.follow(), store.heard()]).then(() => {})),
      },
    });
    return endingWith(store, announcements);
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}

function endingWith(store: Store, announcements: AsyncDisposable): GuideStore {
  const close = store[Symbol.asyncDispose].bind(store);
  store[Symbol.asyncDispose] = async () => {
    await announcements[Symbol.asyncDispose]();
    await close();
  };
  return store;
}
