import type { TimerOrder } from "../../guide-wire/records.ts";
import { type EpochMs, HOUR, MINUTE, parseInstant } from "../../model/time.ts";
import type { Show } from "../data/show.ts";
import type { Decision } from "../data/store.ts";
import {
  type Account,
  type GuideTables,
  type OwnedDevice,
  put,
  type StoredTimer,
  type User,
} from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { isRefusal, notAcceptable, notFound, type Refusal } from "../refusal.ts";
import { takeId } from "./ids.ts";
import { endOf, listedTimers, timersToDrop } from "./timer-lists.ts";
import { appendReport, changedTimer, clientFields } from "./timers.ts";
import { voteFor } from "./votes.ts";

/** What is to be recorded, as the guide has it or as the client says. */
type Broadcast = Pick<
  StoredTimer,
  "showId" | "eitId" | "bookedEitId" | "channelId" | "name" | "start" | "durationMinutes"
>;

/** `by` is the user who books; absent where the server books, or nobody known. */
export interface Booking {
  readonly order: TimerOrder;
  readonly now: EpochMs;
  readonly by?: User;
  /** The device that books for itself or for another one, where that is known. */
  readonly device?: Pick<OwnedDevice, "id"> | undefined;
}

/**
 * Books a show, or a broadcast that is not in the guide. A new timer is `waiting` unless the client says otherwise. The device
 * gets no second timer for the same broadcast: the first one takes over padding, state and message of the order.
 */
export function addTimer(tables: GuideTables, account: Account, unchecked: Booking): Decision<StoredTimer> {
  const booking = { ...unchecked, order: withoutForeignState(unchecked) };
  const { order, now } = booking;
  const broadcast = broadcastOf(tables, order);
  if (isRefusal(broadcast)) return broadcast;
  if (endOf(broadcast) <= now) {
    return notAcceptable(order.show_id === undefined ? "start_time" : "show_id", "It is over already.");
  }
  const before = listedTimers(tables, account, now).find((timer) =>
    isSame(timer, { booked: broadcast, order, now }),
  );
  return before === undefined
    ? createTimer(tables, account, { booked: broadcast, booking })
    : mergeOrder(tables, account, { timer: before, booking });
}

/** Only its own device reports the state of a timer: an order by another device loses its state here. */
function withoutForeignState({ order, device }: Booking): TimerOrder {
  if (device === undefined || device.id === order.device_id) return order;
  const { state: _state, ...rest } = order;
  return rest;
}

/** Whether the timer records what the order asks for: the same show, or without one the same channel and time. */
function isSame(
  timer: StoredTimer,
  { booked, order, now }: { readonly booked: Broadcast; readonly order: TimerOrder; readonly now: EpochMs },
): boolean {
  const hasEnded = timer.state === "failed" || timer.state === "completed" || endOf(timer) <= now;
  if (timer.action !== "record" || hasEnded || timer.deviceId !== order.device_id) return false;
  if (namesShow(order)) return timer.showId === booked.showId;
  return (
    timer.channelId === booked.channelId &&
    timer.start === booked.start &&
    timer.durationMinutes === booked.durationMinutes
  );
}

/** A timer that a rule has made belongs to the person from then on: it stays when the rule goes. */
function mergeOrder(
  tables: GuideTables,
  account: Account,
  { timer, booking }: { readonly timer: StoredTimer; readonly booking: Booking },
): Decision<StoredTimer> {
  const { order, now, by } = booking;
  const { seriesRecordingId: _s, keywordId: _k, episode: _e, ...own } = timer;
  const next = changedTimer(tables, { account, timer: own, change: order, now });
  if (isRefusal(next)) return next;
  const value = by === undefined || next.bookedBy !== undefined ? next : { ...next, bookedBy: by.id };
  const isAsBefore = JSON.stringify(value) === JSON.stringify(timer);
  return { changes: isAsBefore ? [] : [put("timers", value)], value };
}

function createTimer(
  tables: GuideTables,
  account: Account,
  { booked, booking }: { readonly booked: Broadcast; readonly booking: Booking },
): Decision<StoredTimer> {
  const { order, now, by, device } = booking;
  const fields = clientFields(tables, account, order);
  if (isRefusal(fields)) return fields;
  if (JSON.stringify(fields.extra).length > SERVER_LIMITS.extraBytes) {
    return notAcceptable(undefined, "The fields that are not the interface's take too much room.");
  }
  const room = timersToDrop(tables, account, { count: 1, now });
  if (room === undefined) {
    return notAcceptable(
      "timers",
      `An account has at most ${SERVER_LIMITS.timersPerAccount} timers: delete some.`,
    );
  }
  const { id, change } = takeId(tables, "timer");
  const created = newTimer(booked, { id, accountId: account.id, deviceId: order.device_id, now });
  const booker = by === undefined ? {} : { bookedBy: by.id };
  // A device that books for itself holds the timer without having read it.
  const served = device?.id === order.device_id ? { servedAt: now } : {};
  const timer = { ...created, ...fields, ...booker, ...served, told: appendReport(created, fields, now) };
  const votes = voteFor(tables, account, {
    seriesId: tables.shows.get(timer.showId)?.seriesId ?? "",
    now,
  });
  return { changes: [...room, change, put("timers", timer), ...votes], value: timer };
}

/** A timer of which nobody has said anything yet. */
export function newTimer(
  broadcast: Broadcast & Partial<Pick<StoredTimer, "episode" | "seriesRecordingId" | "keywordId">>,
  {
    id,
    now,
    ...whose
  }: Pick<StoredTimer, "accountId" | "deviceId"> & { readonly id: number; readonly now: EpochMs },
): StoredTimer {
  return {
    id: String(id),
    ...whose,
    ...broadcast,
    action: "record",
    state: "waiting",
    message: "",
    extra: {},
    createdAt: now,
    told: [],
  };
}

/** Set-top clients send 0 or −1 for a show that they do not know. */
function namesShow(order: TimerOrder): order is TimerOrder & { readonly show_id: number } {
  return order.show_id !== undefined && order.show_id > 0;
}

function broadcastOf(tables: GuideTables, order: TimerOrder): Broadcast | Refusal {
  if (!namesShow(order)) return broadcastWithoutShow(tables, order);
  const show = tables.shows.get(order.show_id);
  return show === undefined || show.gone === true
    ? notFound("There is no such show in the guide: see GET shows.", "show_id")
    : broadcastOfShow(show);
}

function broadcastOfShow({ id, eitId, channelId, title, start, durationMinutes }: Show): Broadcast {
  return { showId: id, eitId, channelId, name: title, start, durationMinutes };
}

/** The client names the broadcast itself; a show of the guide that is the same lends its id. */
function broadcastWithoutShow(tables: GuideTables, order: TimerOrder): Broadcast | Refusal {
  const { channel_id, start_time, duration_minutes, eit_id, name = "" } = order;
  if (channel_id === undefined || start_time === undefined || duration_minutes === undefined) {
    return notAcceptable("show_id", "A timer needs show_id, or channel_id, start_time and duration_minutes.");
  }
  if (!tables.channels.has(String(channel_id))) {
    return notFound("There is no such channel: see GET regions/channels.", "channel_id");
  }
  const start = parseInstant(start_time);
  if (start === undefined) {
    return notAcceptable("start_time", "It is not like 2026-11-20T09:30:00+00:00.");
  }
  const { timerMinutesMax, nameLength } = SERVER_LIMITS;
  if (duration_minutes <= 0 || duration_minutes > timerMinutesMax) {
    return notAcceptable("duration_minutes", `It is not above 0 and up to ${timerMinutesMax}.`);
  }
  if (name.length > nameLength) {
    return notAcceptable("name", `It has more than ${nameLength} characters.`);
  }
  const show = sameShow(tables, { channelId: channel_id, start, eitId: eit_id });
  return {
    showId: show?.id ?? 0,
    ...(show === undefined ? {} : { eitId: show.eitId }),
    ...(eit_id === undefined || eit_id <= 0 ? {} : { bookedEitId: eit_id }),
    channelId: channel_id,
    name: name === "" ? (show?.title ?? "") : name,
    start,
    durationMinutes: duration_minutes,
  };
}

interface BroadcastQuery {
  readonly channelId: number;
  readonly start: EpochMs;
  readonly eitId: number | undefined;
}

/** Event ids are used again after some time: one is the same only when it begins at about the same time. */
function sameShow(tables: GuideTables, { channelId, start, eitId }: BroadcastQuery): Show | undefined {
  const near = tables.shows.list({
    channelIds: [channelId],
    startFrom: start - 3 * HOUR,
    startBefore: start + 3 * HOUR,
  });
  return (
    near.find((show) => Math.abs(show.start - start) < MINUTE) ??
    near.find((show) => eitId !== undefined && show.eitId === eitId)
  );
}
