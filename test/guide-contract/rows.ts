import type { ErrorCode } from "../../src/model/errors.ts";

/*
 * The summary table of the guide interface, and what each status says there. Nothing but data: scripts/make-contract.mjs draws
 * docs/dev/guide-contract.md from it, and contract.test.ts makes its tests of it.
 */

export interface ContractRow {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path as the interface writes it. */
  readonly path: string;
  /** Not in the interface's table: a request of the field that our client makes as well. */
  readonly beyond?: true;
  /** Status → what is so then, the rest of the name of its test. */
  readonly statuses: Readonly<Record<number, string>>;
}

const LOADING = "the server loads its data, and says when to try again";
const STRANGER = "the token is none of the account's";
const NOT_OURS = "the body is of a type that is neither JSON nor XML";
const NO_ID = "the request names no record of the list";
const NO_DATA = "the server has no such data yet";

export const CONTRACT: readonly ContractRow[] = [
  { method: "GET", path: "regions", statuses: { 200: "all regions come", 404: NO_DATA, 503: LOADING } },
  {
    method: "GET",
    path: "regions/{region_id}",
    statuses: { 200: "the one region comes", 404: "there is no such region", 503: LOADING },
  },
  {
    method: "GET",
    path: "regions/channels",
    statuses: { 200: "the channels of all regions come, with their triplets", 404: NO_DATA, 503: LOADING },
  },
  {
    method: "GET",
    path: "regions/{region_id}/channels",
    statuses: { 200: "the region and its channels come", 404: "there is no such region", 503: LOADING },
  },
  {
    method: "GET",
    path: "devices/manufacturers",
    statuses: { 200: "all manufacturers come", 404: NO_DATA, 503: LOADING },
  },
  {
    method: "GET",
    path: "devices/manufacturers/{manufacturer_id}",
    statuses: { 200: "the one manufacturer comes", 404: "there is no such manufacturer", 503: LOADING },
  },
  {
    method: "GET",
    path: "devices",
    statuses: {
      200: "the account's devices and their types come",
      401: STRANGER,
      404: "the account has no device with the uid that is asked for",
      415: NOT_OURS,
      503: LOADING,
    },
  },
  {
    method: "GET",
    path: "devices/{device_id}",
    statuses: {
      200: "the one device and its type come",
      401: STRANGER,
      404: "the account has no such device",
      415: NOT_OURS,
      503: LOADING,
    },
  },
  {
    method: "POST",
    path: "devices",
    statuses: {
      201: "all devices are added, and in XML Location names the first",
      401: STRANGER,
      406: "the device type is out of range",
      415: NOT_OURS,
      503: LOADING,
    },
  },
  {
    method: "PUT",
    path: "devices/{device_id}",
    statuses: {
      200: "label and type are changed",
      401: STRANGER,
      406: "the account has no such device",
      415: NOT_OURS,
      503: LOADING,
    },
  },
  {
    method: "DELETE",
    path: "devices/{device_id}",
    statuses: {
      200: "the device is gone",
      401: STRANGER,
      405: NO_ID,
      406: "the device has something to record",
      415: NOT_OURS,
      503: LOADING,
    },
  },
  {
    method: "GET",
    path: "shows/timers",
    statuses: {
      200: "the account's timers come",
      401: STRANGER,
      404: "the account has no device whose timers are asked for",
      503: LOADING,
    },
  },
  {
    method: "GET",
    path: "shows/timers/{timer_id}",
    statuses: {
      200: "the one timer comes, every field of its type",
      401: STRANGER,
      404: "the account has no such timer",
      503: LOADING,
    },
  },
  {
    method: "POST",
    path: "shows/timers",
    statuses: {
      201: "the show is booked, and in XML min_hit_minutes comes with it",
      401: STRANGER,
      404: "there is no such show",
      406: "the show is over",
      415: NOT_OURS,
      503: LOADING,
    },
  },
  {
    method: "PUT",
    path: "shows/timers/{timer_id}",
    statuses: {
      200: "state and message are changed, everything else stays",
      401: STRANGER,
      404: "the account has no such timer",
      406: "there is no such state",
      415: NOT_OURS,
      503: LOADING,
    },
  },
  {
    method: "DELETE",
    path: "shows/timers/{timer_id}",
    statuses: { 200: "the timer is gone", 401: STRANGER, 405: NO_ID, 503: LOADING },
  },
  {
    method: "GET",
    path: "series/most_popular",
    statuses: {
      200: "series come by votes, the first with ratio 1",
      401: STRANGER,
      404: NO_DATA,
      503: LOADING,
    },
  },
  {
    method: "GET",
    path: "new_shows",
    statuses: {
      200: "new series come by first broadcast, or with Coming Soon",
      401: STRANGER,
      404: NO_DATA,
      503: LOADING,
    },
  },
  {
    method: "DELETE",
    path: "logout",
    statuses: {
      200: "the token ends, and no other",
      401: STRANGER,
      404: "the token has ended before",
      503: LOADING,
    },
  },
  {
    method: "GET",
    path: "devices/types",
    beyond: true,
    statuses: { 200: "all device types come", 404: NO_DATA, 503: LOADING },
  },
  {
    method: "GET",
    path: "shows",
    beyond: true,
    statuses: {
      200: "the shows of a channel come, without timers if wanted",
      401: STRANGER,
      404: "nothing has changed since",
      503: LOADING,
    },
  },
  {
    method: "POST",
    path: "login",
    beyond: true,
    statuses: {
      201: "a token comes that works, and the device with it",
      401: "the password is wrong",
      406: "the device type is out of range",
      415: NOT_OURS,
      429: "too many logins have failed, and it says when to try again",
      503: LOADING,
    },
  },
  {
    method: "GET",
    path: "user/settings",
    beyond: true,
    statuses: { 200: "what the service says of itself and the account comes", 401: STRANGER, 503: LOADING },
  },
  {
    method: "POST",
    path: "broadcast_guide",
    beyond: true,
    statuses: {
      200: "what the broadcast tells becomes shows",
      401: STRANGER,
      404: "the server takes none",
      406: "the body is not a valid document",
      415: NOT_OURS,
      503: LOADING,
    },
  },
  {
    method: "GET",
    path: "series",
    beyond: true,
    statuses: { 200: "series with all the words in their titles come", 401: STRANGER, 503: LOADING },
  },
  {
    method: "GET",
    path: "series/recordings",
    beyond: true,
    statuses: { 200: "the account's series recordings come", 401: STRANGER, 503: LOADING },
  },
  {
    method: "POST",
    path: "series/recordings",
    beyond: true,
    statuses: {
      201: "the series is booked, and its episodes are timers",
      401: STRANGER,
      404: "there is no such series",
      406: "the recording_quality is none",
      415: NOT_OURS,
      503: LOADING,
    },
  },
  {
    method: "PUT",
    path: "series/recordings/{series_recording_id}",
    beyond: true,
    statuses: {
      200: "what is given changes, and its timers with it",
      401: STRANGER,
      404: "the account has no such series recording",
      406: "the start_minutes are no minute of a day",
      415: NOT_OURS,
      503: LOADING,
    },
  },
  {
    method: "DELETE",
    path: "series/recordings/{series_recording_id}",
    beyond: true,
    statuses: {
      200: "it is gone, and a forget is all that is left of its timers",
      401: STRANGER,
      405: NO_ID,
      503: LOADING,
    },
  },
  {
    method: "GET",
    path: "series/favourites",
    beyond: true,
    statuses: { 200: "the account's favourites come", 401: STRANGER, 503: LOADING },
  },
  {
    method: "POST",
    path: "series/favourites",
    beyond: true,
    statuses: {
      201: "the series is a favourite, once",
      401: STRANGER,
      404: "there is no such series",
      406: "the body names no series",
      415: NOT_OURS,
      503: LOADING,
    },
  },
  {
    method: "DELETE",
    path: "series/favourites/{series_id}",
    beyond: true,
    statuses: { 200: "the series is no favourite", 401: STRANGER, 405: NO_ID, 503: LOADING },
  },
  {
    method: "GET",
    path: "keywords",
    beyond: true,
    statuses: { 200: "the account's keywords come", 401: STRANGER, 503: LOADING },
  },
  {
    method: "POST",
    path: "keywords",
    beyond: true,
    statuses: {
      201: "what has the words in its title is booked",
      401: STRANGER,
      404: "device_id is not the account's",
      406: "the keyword has no word",
      415: NOT_OURS,
      503: LOADING,
    },
  },
  {
    method: "PUT",
    path: "keywords/{keyword_id}",
    beyond: true,
    statuses: {
      200: "what is given changes, and its timers with it",
      401: STRANGER,
      404: "the account has no such keyword",
      406: "the recording_quality is none",
      415: NOT_OURS,
      503: LOADING,
    },
  },
  {
    method: "DELETE",
    path: "keywords/{keyword_id}",
    beyond: true,
    statuses: { 200: "it is gone, and so are its timers", 401: STRANGER, 405: NO_ID, 503: LOADING },
  },
  {
    method: "GET",
    path: "rules",
    beyond: true,
    statuses: { 200: "the account's rules come, with every condition", 401: STRANGER, 503: LOADING },
  },
  {
    method: "POST",
    path: "rules",
    beyond: true,
    statuses: {
      201: "what fits is booked, and its timers carry what the rule says",
      401: STRANGER,
      404: "device_id is not the account's",
      406: "the expression has a mistake",
      415: NOT_OURS,
      503: LOADING,
    },
  },
  {
    method: "PUT",
    path: "rules/{rule_id}",
    beyond: true,
    statuses: {
      200: "an omitted condition is absent, and the timers follow",
      401: STRANGER,
      404: "the account has no such rule",
      406: "the folder leaves that of the recordings",
      415: NOT_OURS,
      503: LOADING,
    },
  },
  {
    method: "DELETE",
    path: "rules/{rule_id}",
    beyond: true,
    statuses: { 200: "it is gone, and so are its timers", 401: STRANGER, 405: NO_ID, 503: LOADING },
  },
  {
    method: "POST",
    path: "rules/preview",
    beyond: true,
    statuses: {
      200: "what would be booked comes, and nothing is booked",
      401: STRANGER,
      404: "the account has no such rule to replace",
      406: "no condition says what is wanted",
      415: NOT_OURS,
      503: LOADING,
    },
  },
];

/** The client's error code for each status. */
export const CLIENT_CODES: Readonly<Record<number, ErrorCode>> = {
  401: "GUIDE_SIGN_IN_NEEDED",
  404: "GUIDE_NOT_FOUND",
  405: "GUIDE_METHOD_REFUSED",
  406: "GUIDE_NOT_ACCEPTABLE",
  415: "GUIDE_MEDIA_TYPE_REFUSED",
  429: "GUIDE_UNAVAILABLE",
  503: "GUIDE_UNAVAILABLE",
};

/** `GET regions 404` */
export function caseKey({ method, path }: ContractRow, status: number): string {
  return `${method} ${path} ${status}`;
}

export function caseName(row: ContractRow, status: number, wire: string): string {
  return `${caseKey(row, status)} in ${wire}: ${row.statuses[status]}`;
}
