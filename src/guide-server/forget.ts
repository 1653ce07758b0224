import { yieldToLoop } from "../kit/time/clock.ts";
import type { EpochMs } from "../model/time.ts";
import type { GuideStore } from "./data/store.ts";
import { type GuideTables, remove } from "./data/tables.ts";
import { AGED_TABLES, idsToForget, KEPT_MS } from "./domain/ages.ts";
import { SERVER_LIMITS } from "./limits.ts";
import { accepted } from "./refusal.ts";

/** Records per step; other work waits for one step. */
const RECORDS_AT_ONCE = 500;

/**
 * Removes old records (domain/ages.ts) and shows in portions, and returns the space of shows to the disk.
 *
 * @throws RecorderdError STORE_WRITE_FAILED
 */
export async function forgetOld(store: GuideStore, now: EpochMs): Promise<void> {
  await forgetRecords(store, now);
  await forgetShows(store, now);
}

/** Removes the old shows alone: each server has its own copy of them. */
export async function forgetShows({ shows }: GuideStore, now: EpochMs): Promise<void> {
  // Recordings remain known by their episodes.
  while ((await shows.removeEndedBefore(now - SERVER_LIMITS.showKeptMs, RECORDS_AT_ONCE)) > 0)
    await yieldToLoop();
  while (shows.giveBackSpace()) await yieldToLoop();
}

async function forgetRecords(store: GuideStore, now: EpochMs): Promise<void> {
  for (const table of AGED_TABLES) {
    const portion = (tables: GuideTables) => portionOf(idsToForget(tables, table, now), table);
    for await (const accountId of store.withOld(table, now - KEPT_MS[table])) {
      // Another process may have changed the account since this one read it.
      await store.of(accountId);
      while (accepted(await store.commit(accountId, portion))) await yieldToLoop();
      await yieldToLoop();
    }
  }
}

function portionOf(ids: readonly string[], table: (typeof AGED_TABLES)[number]) {
  const changes = ids.slice(0, RECORDS_AT_ONCE).map((id) => remove(table, id));
  return { changes, value: ids.length > changes.length };
}
