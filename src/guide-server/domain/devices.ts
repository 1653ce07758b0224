import type { DeviceChange, DeviceOrder } from "../../guide-wire/records.ts";
import { isOneLine } from "../../model/one-line.ts";
import type { EpochMs } from "../../model/time.ts";
import type { Decision } from "../data/decision.ts";
import { type Account, type GuideTables, type OwnedDevice, put, remove } from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { notAcceptable, type Refusal } from "../refusal.ts";
import { reportedTypes } from "./device-types.ts";
import { takeIds } from "./ids.ts";
import { endOf, listedTimers } from "./timer-lists.ts";
import { isNoUid, withUid } from "./uids.ts";

export function devicesOf(tables: GuideTables, account: Account): readonly OwnedDevice[] {
  return [...tables.devices.values()].filter(({ accountId }) => accountId === account.id);
}

/** `undefined` also for a device of another account. */
export function deviceOf(tables: GuideTables, account: Account, id: string): OwnedDevice | undefined {
  const device = tables.devices.get(id);
  return device?.accountId === account.id ? device : undefined;
}

/**
 * Adds all devices or none. A box repeats a request that got no answer: a device whose uid the account has is the same device,
 * and gets label and type of the order. Without a uid, each order is a further device.
 */
export function addDevices(
  tables: GuideTables,
  account: Account,
  orders: readonly DeviceOrder[],
): Decision<readonly OwnedDevice[]> {
  for (const order of orders) {
    const refusal = checkDevice(order);
    if (refusal !== undefined) return refusal;
  }
  const own = devicesOf(tables, account);
  const added = orders.filter(({ uid }) => knownByUid(own, uid) === undefined).length;
  if (own.length + added > SERVER_LIMITS.devicesPerAccount) {
    return notAcceptable(
      "devices",
      `An account can have at most ${SERVER_LIMITS.devicesPerAccount} devices.`,
    );
  }
  const { ids, change } = takeIds(tables, "device", added);
  const free = [...ids];
  const devices: OwnedDevice[] = [];
  for (const { uid = "", label, type_id: typeId } of orders) {
    const known = knownByUid([...own, ...devices], uid);
    devices.push(
      known === undefined
        ? { id: free.shift() ?? 0, accountId: account.id, uid, label, typeId }
        : { ...known, label, typeId },
    );
  }
  const types = reportedTypes(
    tables,
    devices.map(({ typeId }) => typeId),
  );
  const changed = devices.filter((device) => !isAsStored(tables, device));
  return {
    changes: [...(added === 0 ? [] : [change]), ...types, ...changed.map((device) => put("devices", device))],
    value: devices,
  };
}

function knownByUid(own: readonly OwnedDevice[], uid = ""): OwnedDevice | undefined {
  return isNoUid(uid) ? undefined : withUid(own, uid)[0];
}

function isAsStored({ devices }: GuideTables, { id, label, typeId }: OwnedDevice): boolean {
  const stored = devices.get(String(id));
  return stored?.label === label && stored.typeId === typeId;
}

/**
 * The account's device with the uid of the order, unchanged, or a new device. A box without a uid gets the device
 * with its label and type on which nobody is signed in; two such boxes at the same time are two devices.
 */
export function deviceForLogin(
  tables: GuideTables,
  account: Account,
  { order, now }: { readonly order: DeviceOrder; readonly now: EpochMs },
): Decision<OwnedDevice | undefined> {
  const own = devicesOf(tables, account);
  const known = isNoUid(order.uid)
    ? own.find((device) => isSameBox(device, order) && !isSignedIn(tables, device, now))
    : withUid(own, order.uid ?? "")[0];
  if (known !== undefined) return { changes: [], value: known };
  const added = addDevices(tables, account, [order]);
  return "kind" in added ? added : { changes: added.changes, value: added.value[0] };
}

function isSameBox({ uid, label, typeId }: OwnedDevice, order: DeviceOrder): boolean {
  return isNoUid(uid) && label === order.label && typeId === order.type_id;
}

function isSignedIn({ tokens }: GuideTables, { id }: OwnedDevice, now: EpochMs): boolean {
  return [...tokens.values()].some(
    ({ deviceId, disposedAt, expiresAt }) => deviceId === id && disposedAt === undefined && expiresAt > now,
  );
}

/** The largest 32-bit integer. Databases in the field hold no larger id. */
const TYPE_ID_MAX = 2 ** 31 - 1;

/** Any type is accepted, also an unpublished one (device-types.ts). */
export function checkDevice({ label, uid, type_id }: DeviceChange): Refusal | undefined {
  const { nameLength } = SERVER_LIMITS;
  if (label !== undefined && (label.trim() === "" || label.length > nameLength || !isOneLine(label))) {
    return notAcceptable("label", `A device has a label of 1 to ${nameLength} characters, on one line.`);
  }
  if (uid !== undefined && (uid.length > nameLength || !isOneLine(uid))) {
    return notAcceptable("uid", `The uid of a device has at most ${nameLength} characters, on one line.`);
  }
  if (type_id !== undefined && (type_id < 0 || type_id > TYPE_ID_MAX)) {
    return notAcceptable(
      "type_id",
      `A device type has an id from 0 to ${TYPE_ID_MAX}: see GET devices/types.`,
    );
  }
  return undefined;
}

const NO_DEVICE = notAcceptable("id", "The account has no such device: see GET devices.");

/** Changes label and type and ignores every other field. */
export function changeDevice(
  tables: GuideTables,
  account: Account,
  { id, change }: { readonly id: string; readonly change: DeviceChange },
): Decision<OwnedDevice> {
  const device = deviceOf(tables, account, id);
  if (device === undefined) return NO_DEVICE;
  const { label = device.label, type_id = device.typeId } = change;
  // An invalid label that predates the checks must not prevent a change of the type.
  const refusal = checkDevice(label === device.label ? { type_id } : { label, type_id });
  if (refusal !== undefined) return refusal;
  const changed = { ...device, label, typeId: type_id };
  const same = changed.label === device.label && changed.typeId === device.typeId;
  const types = reportedTypes(tables, [changed.typeId]);
  return { changes: same ? [] : [...types, put("devices", changed)], value: changed };
}

/** Deletes a device unless it still has timers to record: nobody would record them. */
export function deleteDevice(
  tables: GuideTables,
  account: Account,
  { id, now }: { readonly id: string; readonly now: EpochMs },
): Decision<undefined> {
  const device = deviceOf(tables, account, id);
  if (device === undefined) return NO_DEVICE;
  const inUse = listedTimers(tables, account, now).some(
    (timer) =>
      timer.deviceId === device.id &&
      timer.action === "record" &&
      timer.state !== "completed" &&
      timer.state !== "failed" &&
      endOf(timer) > now,
  );
  if (inUse) {
    return notAcceptable("id", "The device has timers that have not ended: delete or move them first.");
  }
  if ([...tables.rules.values()].some(({ deviceId }) => deviceId === device.id)) {
    return notAcceptable("id", "The device has series recordings or keywords: delete or move them first.");
  }
  // Removes the device's records too. A later sign-in with the same uid creates a new device.
  const records = (["tokens", "received", "logs"] as const).flatMap((table) =>
    [...tables[table].values()]
      .filter(({ deviceId }) => deviceId === device.id)
      .map((record) => remove(table, record.id)),
  );
  return { changes: [remove("devices", id), remove("heard", id), ...records], value: undefined };
}
