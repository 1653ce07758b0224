import type { DurationMs, EpochMs } from "../../model/time.ts";
import type { Transaction } from "../data/store.ts";
import {
  type Account,
  type Change,
  type GuideTables,
  type OwnedDevice,
  put,
  type Token,
} from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { deviceOf } from "./devices.ts";

/** A device of whom nothing was heard for long, and since when. */
export interface SilentDevice {
  readonly device: OwnedDevice;
  readonly heardAt: EpochMs;
}

/** The device that a request is of: that of its login, else the one that it names. */
export function deviceOfRequest(
  tables: GuideTables,
  account: Account,
  { token, named }: { readonly token: Token; readonly named: string | null },
): OwnedDevice | undefined {
  const own = token.deviceId;
  return deviceOf(tables, account, own === undefined ? (named ?? "") : String(own));
}

/** Writes down that a device was heard of, unless it was a while ago only. */
export function recordContact(
  { heard }: Pick<GuideTables, "heard">,
  device: OwnedDevice | undefined,
  now: EpochMs,
): readonly Change[] {
  if (device === undefined) return [];
  const id = String(device.id);
  const last = heard.get(id);
  // What is from the future is of a clock that was set back since.
  const isFresh =
    last !== undefined && last.warned === undefined && Math.abs(now - last.at) < SERVER_LIMITS.contactEveryMs;
  return isFresh ? [] : [put("heard", { id, at: now })];
}

/** Devices that have fallen silent and of which nobody was warned yet. One that was never heard of is not silent: it was never there. */
export function newlySilentDevices(
  tables: GuideTables,
  { now, afterMs }: { readonly now: EpochMs; readonly afterMs: DurationMs },
): Transaction<readonly SilentDevice[]> {
  const silent = [...tables.heard.values()].filter(
    ({ at, warned }) => warned === undefined && now - at >= afterMs,
  );
  return {
    changes: silent.map((heard) => put("heard", { ...heard, warned: true })),
    value: silent.flatMap(({ id, at }) => {
      const device = tables.devices.get(id);
      return device === undefined ? [] : [{ device, heardAt: at }];
    }),
  };
}
