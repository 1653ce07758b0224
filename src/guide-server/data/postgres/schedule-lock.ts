import type { Cluster } from "../../../kit/postgres/cluster.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { SECOND } from "../../../model/time.ts";
import { guarded } from "./guarded.ts";

/** The advisory lock of those who change schedules. */
const SCHEDULES = 25_002;

const AGAIN_MS = SECOND / 4;

/**
 * Runs work while no other process of the database changes schedules.
 *
 * @param onLocked called before the work: others may have changed schedules until then
 */
export function scheduleLock(
  cluster: Cluster,
  { clock, onLocked }: { readonly clock: Clock; readonly onLocked: () => Promise<void> },
): <T>(work: () => Promise<T>) => Promise<T> {
  return async (work) => {
    const client = await cluster.connect();
    const ask = (name: string) =>
      guarded(() => client.query<{ done: boolean }>(`SELECT ${name}(${SCHEDULES}) AS done`));
    try {
      const never = new AbortController().signal;
      while ((await ask("pg_try_advisory_lock")).rows[0]?.done !== true) await clock.sleep(AGAIN_MS, never);
      await onLocked();
      const value = await work();
      await ask("pg_advisory_unlock");
      client.release();
      return value;
    } catch (error) {
      // With its connection the lock ends, whatever has happened.
      client.release(true);
      throw error;
    }
  };
}
