import type { DeviceChange, DeviceOrder } from "../../guide/records.ts";
import { isOneLine } from "../../kit/one-line.ts";
import type { EpochMs } from "../../model/time.ts";
import type { Decision } from "../data/store.ts";
import { type Account, type GuideTables, type OwnedDevice, put, remove } from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { notAcceptable, type Refusal } from "../refusal.ts";
import { takeIds } from "./ids.ts";
import { endOf, listedTimers } from "./timer-lists.ts";

export function devicesOf(tables: GuideTables, account: Account): readonly OwnedDevice[] {
  return [...tables.devices.values()].filter(({ accountId }) => accountId === account.id);
}

/** `undefined` also for a device of another account. */
export function deviceOf(tables: GuideTables, account: Account, id: string): OwnedDevice | undefined {
  const device = tables.devices.get(id);
  return device?.accountId === account.id ? device : undefined;
}

/** Adds all of them or none. */
export function addDevices(
  tables: GuideTables,
  account: Account,
  orders: readonly DeviceOrder[],
): Decision<readonly OwnedDevice[]> {
  for (const order of orders) {
    const refusal = checkDevice(tables, order);
    if (refusal !== undefined) return refusal;
  }
  if (devicesOf(tables, account).length + orders.length > SERVER_LIMITS.devicesPerAccount) {
    return notAcceptable("devices", `An account has at most ${SERVER_LIMITS.devicesPerAccount} devices.`);
  }
  const { ids, change } = takeIds(tables, "device", orders.length);
  const devices = orders.map(({ uid = "", label, type_id }, index) => ({
    id: ids[index] ?? 0,
    accountId: account.id,
    uid,
    label,
    typeId: type_id,
  }));
  return { changes: [change, ...devices.map((device) => put("devices", device))], value: devices };
}

/** The account's device with the uid of the order, as it is; a new one when there is none. */
export function deviceForLogin(
  tables: GuideTables,
  account: Account,
  order: DeviceOrder,
): Decision<OwnedDevice | undefined> {
  const known = devicesOf(tables, account).find(
    ({ uid }) => uid !== "" && uid.toUpperCase() === order.uid?.toUpperCase(),
  );
  if (known !== undefined) return { changes: [], value: known };
  const added = addDevices(tables, account, [order]);
  return "kind" in added ? added : { changes: added.changes, value: added.value[0] };
}

function checkDevice(tables: GuideTables, { label, uid, type_id }: DeviceChange): Refusal | undefined {
  const { nameLength } = SERVER_LIMITS;
  if (label !== undefined && (label.trim() === "" || label.length > nameLength || !isOneLine(label))) {
    return notAcceptable("label", `A device has a label of 1 to ${nameLength} characters, on one line.`);
  }
  if (uid !== undefined && (uid.length > nameLength || !isOneLine(uid))) {
    return notAcceptable("uid", `The uid of a device has at most ${nameLength} characters, on one line.`);
  }
  if (type_id !== undefined && !tables.types.has(String(type_id))) {
    return notAcceptable("type_id", "There is no such device type: choose one of GET devices/types.");
  }
  return undefined;
}

const NO_DEVICE = notAcceptable("id", "The account has no such device: see GET devices.");

/** Label and type can change; everything else in the change is not looked at. */
export function changeDevice(
  tables: GuideTables,
  account: Account,
  { id, change }: { readonly id: string; readonly change: DeviceChange },
): Decision<OwnedDevice> {
  const device = deviceOf(tables, account, id);
  if (device === undefined) return NO_DEVICE;
  const { label = device.label, type_id = device.typeId } = change;
  // A label from before labels were checked keeps nobody from changing the type.
  const refusal = checkDevice(tables, label === device.label ? { type_id } : { label, type_id });
  if (refusal !== undefined) return refusal;
  const changed = { ...device, label, typeId: type_id };
  const same = changed.label === device.label && changed.typeId === device.typeId;
  return { changes: same ? [] : [put("devices", changed)], value: changed };
}

/** A device that still has something to record is not deleted: nobody would record it. */
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
    return notAcceptable("id", "The device has timers that are not over: delete them first, or move them.");
  }
  if ([...tables.rules.values()].some(({ deviceId }) => deviceId === device.id)) {
    return notAcceptable(
      "id",
      "The device has series recordings or keywords: delete them first, or move them.",
    );
  }
  // With what it has told; and who signed in as it does so anew, as another one.
  const told = (["tokens", "received", "logs"] as const).flatMap((table) =>
    [...tables[table].values()]
      .filter(({ deviceId }) => deviceId === device.id)
      .map((record) => remove(table, record.id)),
  );
  return { changes: [remove("devices", id), remove("heard", id), ...told], value: undefined };
}
