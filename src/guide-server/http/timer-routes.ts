import { deviceOf } from "../domain/devices.ts";
import { addTimer } from "../domain/timer-add.ts";
import { listedUntil, markServed, ownTimerOf, ownTimers } from "../domain/timer-lists.ts";
import { changeTimer, changeTimers, deleteTimer, NO_TIMER } from "../domain/timers.ts";
import { isRefusal, notFound } from "../refusal.ts";
import { MEDIA_TYPE, NO_SUCH_OWN, NOT_ON_LIST, UNAUTHORIZED, UNAVAILABLE } from "./conditions.ts";
import { answerFormat } from "./format.ts";
import { currentTag, type ListFacts, listTag } from "./list-tag.ts";
import { PAGING, pageOf } from "./paging.ts";
import { type AccountCall, accountRoute, type GuideRoute, reply, unchanged } from "./route.ts";
import { wireTimer } from "./wire.ts";

/** The shortest interval for a client to poll its timers. */
const MIN_HIT_MINUTES = 2;

const reading = { 401: UNAUTHORIZED, 503: UNAVAILABLE } as const;
const writing = { ...reading, 415: MEDIA_TYPE } as const;
const BAD_FIELDS =
  "the state is not one of the nine, padding is out of range, or the fields outside the protocol are too large";

/**
 * A list is another one for each reader: reading marks timers as sent, for some readers, and a marked timer is a change.
 * So whoever has the current list has left nothing unmarked.
 */
function listFacts({ tables, account, user, device, request }: AccountCall): ListFacts {
  const { format, encoding } = answerFormat(request);
  const asked = ["device_id", "per_page", "page"].map((name) => request.query.get(name));
  return {
    version: tables.seen,
    scope: [account.id, device?.id ?? null, user.rights, format, encoding, ...asked],
  };
}

export const TIMER_ROUTES: readonly GuideRoute[] = [
  accountRoute(
    {
      method: "GET",
      path: "/shows/timers",
      summary:
        "All current timers, forgets first, of the signed-in device, or else of the account; the list may be empty",
      success: 200,
      query: { device_id: "Only the timers of this device.", ...PAGING },
      answer: "timers",
      isConditional: true,
      statuses: { ...reading, 404: "The parameter device_id is given, and the account has no such device." },
    },
    async (call) => {
      const { tables, commit, account, user, device: reader, request, now } = call;
      const deviceId = request.query.get("device_id");
      if (deviceId !== null && deviceOf(tables, account, deviceId) === undefined) {
        return notFound(NO_SUCH_OWN("device"), "device_id");
      }
      const device = deviceId === null ? reader : { id: Number(deviceId) };
      const facts = listFacts(call);
      const tag = currentTag(request.headers["if-none-match"], facts, now);
      if (tag !== undefined) return unchanged(tag);
      const wanted = ownTimers(tables, { account, device }, now);
      const { records, headers } = pageOf(request.query, wanted);
      const ETag = listTag(facts, { from: now, until: listedUntil(wanted) });
      const served = await commit(() => markServed(records, { now, reader, user }));
      return isRefusal(served) ? served : reply({ timers: served.map(wireTimer) }, { ...headers, ETag });
    },
  ),
  accountRoute(
    {
      method: "GET",
      path: "/shows/timers/changes",
      summary:
        "Server-sent events: `list`, at once and whenever the account's timers, rules or devices change",
      success: 200,
      events:
        'The event `list` has the data `{"version":"…"}`: another version means that the list may be another.',
      statuses: {
        ...reading,
        429: "The account has too many such streams.",
        503: `${UNAVAILABLE} Or: the server has too many such streams.`,
      },
    },
    async ({ changes, session, tables, request }) => {
      if (request.method === "HEAD") return reply();
      const events = changes.subscribe(session, tables.seen);
      return isRefusal(events) ? events : { kind: "reply", events };
    },
  ),
  accountRoute(
    {
      method: "GET",
      path: "/shows/timers/{timer_id}",
      summary: "One timer",
      success: 200,
      answer: "timers",
      statuses: { ...reading, 404: "The account or the signed-in device has no such timer." },
    },
    async ({ commit, account, user, device: reader, request, now }) => {
      const id = request.params["timer_id"] ?? "";
      const served = await commit((tables) => {
        const timer = ownTimerOf(tables, { account, device: reader }, { id, now });
        return timer === undefined ? NO_TIMER : markServed([timer], { now, reader, user });
      });
      return isRefusal(served) ? served : reply({ timers: served.map(wireTimer) });
    },
  ),
  accountRoute(
    {
      method: "POST",
      path: "/shows/timers",
      summary:
        "Book a show by show_id, or a broadcast by channel_id, start_time and duration_minutes, for a device; repeating a booking returns the existing timer",
      success: 201,
      body: "timer-add",
      answer: "timers",
      statuses: {
        ...writing,
        404: "show_id is not in the guide, device_id is not the account's, or channel_id is unknown.",
        406: `The body is not a valid document or lacks a field, the event has ended, ${BAD_FIELDS}, or the account has too many timers.`,
      },
    },
    async ({ commit, account, user, device, now, format }, order) => {
      const booking = { order, now, by: user, device };
      const added = await commit((tables) => addTimer(tables, account, booking));
      if (isRefusal(added)) return added;
      const hint = format === "xml" ? { min_hit_minutes: MIN_HIT_MINUTES } : {};
      return reply({ timers: [wireTimer(added)], ...hint });
    },
  ),
  accountRoute(
    {
      method: "PUT",
      path: "/shows/timers/{timer_id}",
      summary:
        "Change state, message, device and padding of a timer; state completed on a forget acknowledges it. A timer that moves to another device gets a new id there if the first device may have it",
      success: 200,
      body: "timer-set",
      answer: "timers",
      statuses: {
        ...writing,
        404: "The account or the signed-in device has no such timer, or device_id is not the account's.",
        406: `The body is not a valid document or holds more than one timer, ${BAD_FIELDS}.`,
      },
    },
    async ({ commit, account, device, request, now }, change) => {
      const id = request.params["timer_id"] ?? "";
      const changed = await commit((tables) => changeTimer(tables, { account, device }, { id, change, now }));
      return isRefusal(changed) ? changed : reply({ timers: [wireTimer(changed)] });
    },
  ),
  accountRoute(
    {
      method: "PUT",
      path: "/shows/timers",
      summary:
        "Change several timers, all or none; the answer omits timers that the account or the signed-in device does not have",
      success: 200,
      body: "timer-batch",
      answer: "timers",
      statuses: {
        ...writing,
        404: "A device_id is not the account's.",
        406: `The body is not a valid document, an entry cannot be read or has no id, ${BAD_FIELDS}.`,
      },
    },
    async ({ commit, account, device, now }, { timers: entries }) => {
      const changed = await commit((tables) => changeTimers(tables, { account, device }, { entries, now }));
      return isRefusal(changed) ? changed : reply({ timers: changed.map(wireTimer) });
    },
  ),
  accountRoute(
    {
      method: "DELETE",
      path: "/shows/timers/{timer_id}",
      summary:
        "Delete a timer, which becomes a forget while a recorder may have it; deleting a forget acknowledges it, for the signed-in device only; a missing timer is not an error",
      success: 200,
      statuses: { ...reading, 405: NOT_ON_LIST },
    },
    async ({ commit, account, device, request, now }) => {
      const id = request.params["timer_id"] ?? "";
      const deleted = await commit((tables) => deleteTimer(tables, { account, device }, { id, now }));
      return isRefusal(deleted) ? deleted : reply();
    },
  ),
];
