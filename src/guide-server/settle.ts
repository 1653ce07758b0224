import type { EpochMs } from "../model/time.ts";
import type { GuideStore } from "./data/store.ts";
import type { Account } from "./data/tables.ts";
import { devicesOf } from "./domain/devices.ts";
import { expandDevice } from "./domain/expand-device.ts";
import { SERVER_LIMITS } from "./limits.ts";

/**
 * Brings an account's timers in line with its rules of all kinds, if related data has changed since the
 * last time. It runs before an account is answered: inactive boxes cost nothing, and each answer is current.
 *
 * @throws RecorderdError STORE_WRITE_FAILED
 */
export async function settleAccount(store: GuideStore, account: Account, now: EpochMs): Promise<void> {
  const { staleDevices } = store;
  const tables = store.of(account.id);
  const withRules = new Set([...tables.rules.values()].map(({ deviceId }) => deviceId));
  for (const { id: deviceId } of devicesOf(tables, account)) {
    const since = withRules.has(deviceId) ? now - SERVER_LIMITS.expandAgainMs : Number.NEGATIVE_INFINITY;
    await staleDevices.settle({ deviceId, since, now }, () =>
      expandDevice(store, { account, deviceId, now }),
    );
  }
}
