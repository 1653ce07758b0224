import type { DurationMs, EpochMs } from "../../model/time.ts";
import type { Transaction } from "../data/decision.ts";
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

/** A device that has been silent for long, with its last contact. */
export interface SilentDevice {
  readonly device: OwnedDevice;
  readonly heardAt: EpochMs;
}

/** The device of a request: that of its login, else the one that the request names. */
export function deviceOfRequest(
  tables: GuideTables,
  account: Account,
  { token, named }: { readonly token: Token; readonly named: string | null },
): OwnedDevice | undefined {
  const own = token.deviceId;
  return deviceOf(tables, account, own === undefined ? (named ?? "") : String(own));
}

/** Stores the contact of a device, at most once per `contactEveryMs`. */
export function recordContact(
  { heard }: Pick<GuideTables, "heard">,
  device: OwnedDevice | undefined,
  now: EpochMs,
): readonly Change[] {
  if (device === undefined) return [];
  const id = String(device.id);
  const last = heard.get(id);
  // A contact in the future comes from a clock that was set back since then.
  const isFresh =
    last !== undefined && last.warned === undefined && Math.abs(now - last.at) < SERVER_LIMITS.contactEveryMs;
  return isFresh ? [] : [put("heard", { id, at: now })];
}

/**
 * The devices that have fallen silent and whose owners have not been warned. A device without any contact is not
 * silent.
 */
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
