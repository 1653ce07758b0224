import { BROADCAST_GUIDE_SETTING } from "../../guide-wire/records.ts";
import { appendLogs } from "../domain/box-logs.ts";
import { zoneOf } from "../domain/complete-records.ts";
import { isAllowed } from "../domain/rights.ts";
import { recordScan } from "../domain/scans.ts";
import { isRefusal } from "../refusal.ts";
import { MEDIA_TYPE, UNAUTHORIZED, UNAVAILABLE } from "./conditions.ts";
import { accountRoute, type GuideRoute, reply } from "./route.ts";

const reading = { 401: UNAUTHORIZED, 503: UNAVAILABLE } as const;
const writing = { ...reading, 415: MEDIA_TYPE } as const;

/** The field's number for a setting of type string. */
const STRING = 2;

/** Requests of set-top boxes in the field, beyond the API's specification. */
export const BOX_ROUTES: readonly GuideRoute[] = [
  accountRoute(
    {
      method: "GET",
      path: "/user/settings",
      summary: "Settings of the account: the user and the user's rights, region and time zone",
      success: 200,
      answer: "settings",
      statuses: reading,
    },
    async ({ tables, signIn, account, user }) => {
      const region = tables.regions.get(String(account.regionId));
      const writes = isAllowed(user.rights, "write");
      const values: Readonly<Record<string, string>> = {
        email_address: user.id,
        rights: user.rights,
        region_id: String(account.regionId),
        ...(region === undefined ? {} : { timezone: zoneOf(region) }),
        ...(signIn.takesGuide && writes ? { [BROADCAST_GUIDE_SETTING]: "1" } : {}),
        // Without it, boxes in the field send no logs.
        ...(writes ? { send_pvr_logs: "1" } : {}),
      };
      return reply({
        settings: Object.entries(values).map(([name, value]) => ({ name, value, type: STRING })),
      });
    },
  ),
  accountRoute(
    {
      method: "POST",
      path: "/user/pvr_logs",
      summary: "Store lines of a box's own log",
      success: 201,
      body: "pvr-logs",
      answer: "pvr-logs-taken",
      statuses: { ...writing, 406: "The body is not a valid document." },
    },
    async ({ commit, account, device, now }, { logs }) => {
      const taken = await commit((tables) => appendLogs(tables, account, { logs, device, now }));
      return isRefusal(taken) ? taken : reply({ count_of_log_entries: taken });
    },
  ),
  accountRoute(
    {
      method: "POST",
      path: "/scans",
      summary: "Report the services that a box receives; channels without a triplet get it from the report",
      success: 200,
      body: "scans",
      statuses: {
        ...writing,
        406: "The body is not a valid document, or the account has too many services.",
      },
    },
    async ({ commit, account, device, now }, { scans }) => {
      const taken = await commit((tables) => recordScan(tables, account, { scans, device, now }));
      return isRefusal(taken) ? taken : reply();
    },
  ),
];
