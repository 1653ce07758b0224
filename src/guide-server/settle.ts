import type { EpochMs } from "../model/time.ts";
import type { GuideStore } from "./data/store.ts";
import type { Account, GuideTables, StoredTimer } from "./data/tables.ts";
import { devicesOf } from "./domain/devices.ts";
import { expandDevice } from "./domain/expand-device.ts";
import { SERVER_LIMITS } from "./limits.ts";

/**
 * Brings an account's timers in line with its rules of all kinds, if related data has changed since the
 * last time. It runs before an account is answered: inactive boxes cost nothing, and each answer is current.
 *
 * @throws RecorderdError STORE_WRITE_FAILED
 */
export async function settleAccount(
  store: GuideStore,
  {
    account,
    tables,
    now,
  }: { readonly account: Account; readonly tables: GuideTables; readonly now: EpochMs },
): Promise<void> {
  const work = async () => {
    let isWhole = true;
    for (const { id: deviceId } of devicesOf(tables, account)) {
      const done = await expandDevice(store, { account, deviceId, now });
      isWhole &&= done;
    }
    return isWhole;
  };
  // A request that waited for another one's work looks again after it.
  while (isUnsettled(store, { account, tables, now })) {
    if (await store.settle(account.id, now, work)) return;
  }
}

function isUnsettled(
  store: Pick<GuideStore, "settled" | "news">,
  {
    account,
    tables,
    now,
  }: { readonly account: Account; readonly tables: GuideTables; readonly now: EpochMs },
): boolean {
  if (!hasRules(tables)) return false;
  const last = store.settled(account.id);
  if (last === undefined) return true;
  if (tables.rules.size > 0 && last.at <= now - SERVER_LIMITS.expandAgainMs) return true;
  return store.news.concerns(last.shows, tables);
}

/** Timers of rules that were deleted are still to be withdrawn. Without any, there is nothing to bring in line. */
function hasRules({ rules, timers }: GuideTables): boolean {
  return rules.size > 0 || [...timers.values()].some(isOfRule);
}

function isOfRule({ ruleId, seriesRecordingId, keywordId }: StoredTimer): boolean {
  return ruleId !== undefined || seriesRecordingId !== undefined || keywordId !== undefined;
}
