import { z } from "zod";
import type { DurationMs } from "../../model/time.ts";
import { type ApiRoute, route } from "../../web/route.ts";
import { At, Count, list, Name, Text } from "../../web/schemas.ts";
import type { Account, GuideTables, OwnedDevice } from "../data/tables.ts";
import { lastLogsOf } from "../domain/box-logs.ts";
import { deviceType } from "../domain/device-types.ts";
import { changeDevice, deleteDevice, deviceOf, devicesOf } from "../domain/devices.ts";
import { notReceived, receivedBy } from "../domain/scans.ts";
import { accepted, notFound } from "../refusal.ts";
import type { Household, HouseholdOf } from "./household.ts";

const DeviceSchema = z.object({
  id: Count,
  label: Text,
  uid: Text,
  model: Text,
  heardAt: At.exactOptional().describe("Rounded to the hour; absent if the device has never made contact."),
  isSilent: z.boolean(),
});
const DevicesSchema = z.object({ silentAfterMs: Count, devices: list(DeviceSchema) });
const DeviceDetailsSchema = z.object({
  received: Count.describe("Number of services found by its own scans."),
  scannedAt: At.exactOptional().describe("Time of the latest scan; absent without one."),
  notReceived: list(z.object({ id: Count, name: Text })).describe(
    "Channels of the household's region that its scans did not find; none if it reported no scan.",
  ),
  logs: list(z.object({ at: At, text: Text })).describe("The latest 50 lines of its log, newest first."),
});
const LOGS_SHOWN = 50;
const Id = z.strictObject({ id: Name });
const Done = z.object({});
const NO_DEVICE = notFound("The household has no such device.");

/** Boxes and recorders of the household. */
export function deviceRoutes(
  of: HouseholdOf,
  { silentAfterMs }: { readonly silentAfterMs: DurationMs },
): readonly ApiRoute[] {
  return [
    route({
      method: "GET",
      path: "/v1/devices",
      summary: "Boxes and recorders of the household, and their last contact",
      answer: DevicesSchema,
      handle: async ({ request }) => {
        const household = await of(request);
        const devices = devicesOf(household.tables, household.account);
        return { silentAfterMs, devices: devices.map((one) => deviceView(household, one, silentAfterMs)) };
      },
    }),
    route({
      method: "GET",
      path: "/v1/devices/:id",
      summary: "The services that a device receives, and the latest lines of its log",
      params: Id,
      answer: DeviceDetailsSchema,
      handle: async ({ params: { id }, request }) => {
        const { tables, account } = await of(request);
        return deviceDetails(tables, account, accepted(deviceOf(tables, account, id) ?? NO_DEVICE));
      },
    }),
    route({
      method: "PUT",
      path: "/v1/devices/:id",
      summary: "Rename a device",
      params: Id,
      body: z.strictObject({ label: Name }),
      answer: DeviceSchema,
      handle: async ({ params: { id }, body, request }) => {
        const household = await of(request);
        const { account, change } = household;
        accepted(deviceOf(household.tables, account, id) ?? NO_DEVICE);
        const changed = await change((tables) => changeDevice(tables, account, { id, change: body }));
        return deviceView(household, changed, silentAfterMs);
      },
    }),
    route({
      method: "DELETE",
      path: "/v1/devices/:id",
      summary: "Remove a device that has nothing left to record",
      params: Id,
      answer: Done,
      handle: async ({ params: { id }, request }) => {
        const { account, now, change } = await of(request);
        await change((tables) => deleteDevice(tables, account, { id, now }));
        return {};
      },
    }),
  ];
}

function deviceDetails(
  tables: GuideTables,
  account: Account,
  device: OwnedDevice,
): z.input<typeof DeviceDetailsSchema> {
  const received = receivedBy(tables, device);
  const scannedAt = received.reduce((latest, { at }) => Math.max(latest, at), 0);
  const missing = received.length === 0 ? [] : notReceived(tables, account, received);
  return {
    received: received.length,
    ...(received.length === 0 ? {} : { scannedAt }),
    notReceived: missing.map(({ id, name }) => ({ id, name })),
    logs: lastLogsOf(tables, device, LOGS_SHOWN).map(({ at, text }) => ({ at, text })),
  };
}

function deviceView(
  { tables, now }: Household,
  { id, label, uid, typeId }: OwnedDevice,
  silentAfterMs: DurationMs,
) {
  const heardAt = tables.heard.get(String(id))?.at;
  return {
    id,
    label,
    uid,
    model: deviceType(tables, typeId).model ?? "",
    ...(heardAt === undefined ? {} : { heardAt }),
    isSilent: heardAt !== undefined && now - heardAt >= silentAfterMs,
  };
}
