import type { EpochMs } from "../model/time.ts";
import type { GuideStore } from "./data/store.ts";
import type { Account } from "./data/tables.ts";
import { devicesOf } from "./domain/devices.ts";
import { expandDevice } from "./domain/expand-device.ts";
import { SERVER_LIMITS } from "./limits.ts";

/**
 * Has an account's timers be what its series recordings and keywords ask for, where anything has changed since that was last so. Called
 * before an account is answered: a box that asks for nothing costs nothing, and whoever asks sees what is.
 *
 * @throws RecorderdError STORE_WRITE_FAILED
 */
export async function settleAccount(store: GuideStore, account: Account, now: EpochMs): Promise<void> {
  const { staleDevices, tables } = store;
  const withRules = new Set([...tables.rules.values()].map(({ deviceId }) => deviceId));
  for (const { id: deviceId } of devicesOf(tables, account)) {
    const since = withRules.has(deviceId) ? now - SERVER_LIMITS.expandAgainMs : Number.NEGATIVE_INFINITY;
    if (!staleDevices.takeIfStale(tables, { deviceId, since })) continue;
    staleDevices.recordSettled(deviceId, now);
    await store.commit(() => expandDevice(tables, { account, deviceId, now }));
  }
}
