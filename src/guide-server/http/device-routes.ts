import { addDevices, changeDevice, deleteDevice, deviceOf, devicesOf } from "../domain/devices.ts";
import { withUid } from "../domain/uids.ts";
import { isRefusal, notFound } from "../refusal.ts";
import { MEDIA_TYPE, NO_SUCH_OWN, NOT_ON_LIST, UNAUTHORIZED, UNAVAILABLE } from "./conditions.ts";
import { accountRoute, type GuideRoute, reply } from "./route.ts";
import { devicesDocument } from "./wire.ts";

const always = { 401: UNAUTHORIZED, 415: MEDIA_TYPE, 503: UNAVAILABLE } as const;
const NO_DEVICE = NO_SUCH_OWN("device");

export const DEVICE_ROUTES: readonly GuideRoute[] = [
  accountRoute(
    {
      method: "GET",
      path: "/devices",
      summary: "The account's devices and their types; both lists may be empty",
      success: 200,
      query: { uid: "Only the device with this uid." },
      answer: "devices",
      statuses: { ...always, 404: "The parameter uid is given, and no device of the account has it." },
      checksMediaType: true,
    },
    async ({ tables, account, request }) => {
      const uid = request.query.get("uid");
      const own = devicesOf(tables, account);
      const found = uid === null ? own : withUid(own, uid);
      if (uid !== null && found.length === 0) return notFound(NO_DEVICE, "uid");
      return reply(devicesDocument(tables, found));
    },
  ),
  accountRoute(
    {
      method: "GET",
      path: "/devices/{device_id}",
      summary: "One device and its type",
      success: 200,
      answer: "devices",
      statuses: { ...always, 404: NO_DEVICE },
      checksMediaType: true,
    },
    async ({ tables, account, request }) => {
      const device = deviceOf(tables, account, request.params["device_id"] ?? "");
      return device === undefined ? notFound(NO_DEVICE) : reply(devicesDocument(tables, [device]));
    },
  ),
  accountRoute(
    {
      method: "POST",
      path: "/devices",
      summary:
        "Add one or more devices; all or none. A uid that the account has is the same device, which gets label and type. In XML, the header Location names the first",
      success: 201,
      body: "device-add",
      answer: "devices",
      statuses: {
        ...always,
        406: "The body is not a valid document, holds no device, a label is missing, empty or too long, a type_id is out of range, or the account has too many devices.",
      },
    },
    async ({ tables, commit, account, format, baseUrl }, { devices }) => {
      const added = await commit((tables) => addDevices(tables, account, devices));
      if (isRefusal(added)) return added;
      const [first] = added;
      const located = format === "xml" && first !== undefined;
      return reply(
        devicesDocument(tables, added),
        located ? { Location: `${baseUrl}/devices/${first.id}.xml` } : {},
      );
    },
  ),
  accountRoute(
    {
      method: "PUT",
      path: "/devices/{device_id}",
      summary: "Change label and type of a device; its other fields stay",
      success: 200,
      body: "device-set",
      answer: "devices",
      statuses: {
        ...always,
        406: "The account has no such device, the body is not a valid document, the label is empty or too long, or the type_id is out of range.",
      },
    },
    async ({ tables, commit, account, request }, change) => {
      const id = request.params["device_id"] ?? "";
      const changed = await commit((tables) => changeDevice(tables, account, { id, change }));
      return isRefusal(changed) ? changed : reply(devicesDocument(tables, [changed]));
    },
  ),
  accountRoute(
    {
      method: "DELETE",
      path: "/devices/{device_id}",
      summary: "Delete a device",
      success: 200,
      statuses: {
        ...always,
        405: NOT_ON_LIST,
        406: "The account has no such device, or it has timers that have not ended, series recordings or keywords.",
      },
      checksMediaType: true,
    },
    async ({ commit, account, request, now }) => {
      const id = request.params["device_id"] ?? "";
      const deleted = await commit((tables) => deleteDevice(tables, account, { id, now }));
      return isRefusal(deleted) ? deleted : reply();
    },
  ),
];
