import type { TimerOrder } from "../../guide-wire/records.ts";
import { type EpochMs, HOUR, MINUTE, parseWireInstant, SECOND } from "../../model/time.ts";
import type { Decision } from "../data/decision.ts";
import type { Show } from "../data/show.ts";
import {
  type Account,
  type GuideTables,
  type OwnedDevice,
  put,
  type StoredTimer,
  type User,
} from "../data/tables.ts";
import { SERVER_LIMITS } from "../limits.ts";
import { badField, isRefusal, notAcceptable, notFound, type Refusal } from "../refusal.ts";
import { takeId } from "./ids.ts";
import { endOf, listedTimers, timersToDrop } from "./timer-lists.ts";
import { appendReport, changedTimer, clientFields } from "./timers.ts";
import { voteFor } from "./votes.ts";

/** The broadcast to record, from the guide or from the client. */
type Broadcast = Pick<
  StoredTimer,
  "showId" | "eitId" | "bookedEitId" | "channelId" | "name" | "start" | "durationMinutes"
>;

/** `by` is the user who orders; absent for orders of the server or of an unknown user. */
export interface Booking {
  readonly order: TimerOrder;
  readonly now: EpochMs;
  readonly by?: User;
  /** The ordering device, if known; it may order for another one. */
  readonly device?: Pick<OwnedDevice, "id"> | undefined;
}

/**
 * Adds a timer for a show or for a broadcast outside the guide. A new timer is `waiting` unless the client gives
 * another state. A device gets no second timer for the same broadcast: the existing one takes padding, state and
 * message from the order.
 */
export function addTimer(tables: GuideTables, account: Account, unchecked: Booking): Decision<StoredTimer> {
  const booking = { ...unchecked, order: withoutForeignState(unchecked) };
  const { order, now } = booking;
  if (/^\s*forget\s*$/i.test(order.action ?? "")) {
    return notAcceptable("action", "A new timer records. To cancel one, delete it.");
  }
  const broadcast = broadcastOf(tables, order);
  if (isRefusal(broadcast)) return broadcast;
  if (endOf(broadcast) <= now) {
    return notAcceptable(
      order.show_id === undefined ? "start_time" : "show_id",
      "The broadcast has already ended.",
    );
  }
  const before = listedTimers(tables, account, now).find((timer) =>
    isSame(timer, { booked: broadcast, order, now }),
  );
  return before === undefined
    ? createTimer(tables, account, { booked: broadcast, booking })
    : mergeOrder(tables, account, { timer: before, booking });
}

/** Drops the state from an order by another device: only a timer's own device reports its state. */
function withoutForeignState({ order, device }: Booking): TimerOrder {
  if (device === undefined || device.id === order.device_id) return order;
  const { state: _state, ...rest } = order;
  return rest;
}

/** Whether the timer records the ordered show, or without a show the same channel and time. */
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

/** A repeated order makes a rule's timer the person's own: it stays when the rule goes. */
function mergeOrder(
  tables: GuideTables,
  account: Account,
  { timer, booking }: { readonly timer: StoredTimer; readonly booking: Booking },
): Decision<StoredTimer> {
  const { order, now, by } = booking;
  const next = changedTimer(tables, { account, timer: withoutRules(timer), change: order, now });
  if (isRefusal(next)) return next;
  const value = by === undefined || next.bookedBy !== undefined ? next : { ...next, bookedBy: by.id };
  const isAsBefore = JSON.stringify(value) === JSON.stringify(timer);
  return { changes: isAsBefore ? [] : [put("timers", value)], value };
}

/** The timer without the fields that rules set. */
export function withoutRules(timer: StoredTimer): StoredTimer {
  const { seriesRecordingId: _s, keywordId: _k, episode: _e, ruleId: _r, ...withoutIds } = timer;
  const { priority: _p, keepNewest: _n, folder: _f, ...withoutHandling } = withoutIds;
  const { ruleBeforeMinutes: _b, ruleAfterMinutes: _a, ...own } = withoutHandling;
  return own;
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
    return notAcceptable(undefined, "The fields outside the protocol are too large.");
  }
  const room = timersToDrop(tables, account, { count: 1, now });
  if (room === undefined) {
    return notAcceptable(
      "timers",
      `An account can have at most ${SERVER_LIMITS.timersPerAccount} timers: delete some.`,
    );
  }
  const { id, change } = takeId(tables, "timer");
  const created = newTimer(booked, { id, accountId: account.id, deviceId: order.device_id, now });
  const booker = by === undefined ? {} : { bookedBy: by.id };
  // A device that orders for itself has the timer without reading it.
  const served = device?.id === order.device_id ? { servedAt: now } : {};
  const timer = { ...created, ...fields, ...booker, ...served, told: appendReport(created, fields, now) };
  const votes = voteFor(tables, account, {
    seriesId: tables.shows.get(timer.showId)?.seriesId ?? "",
    now,
  });
  return { changes: [...room, change, put("timers", timer), ...votes], value: timer };
}

/** A timer without any report. */
export function newTimer(
  broadcast: Broadcast & Partial<StoredTimer>,
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

/** Set-top clients send 0 or −1 for an unknown show. */
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

/** The client describes the broadcast itself; a matching show of the guide contributes its id. */
function broadcastWithoutShow(tables: GuideTables, order: TimerOrder): Broadcast | Refusal {
  const { channel_id, start_time, duration_minutes, eit_id, name = "" } = order;
  if (channel_id === undefined || start_time === undefined || duration_minutes === undefined) {
    return notAcceptable("show_id", "A timer needs show_id, or channel_id, start_time and duration_minutes.");
  }
  if (!tables.channels.has(String(channel_id))) {
    return notFound("There is no such channel: see GET regions/channels.", "channel_id");
  }
  const instant = parseWireInstant(start_time);
  if (instant === undefined) {
    return badField("start_time", "must be like 2026-11-20T09:30:00+00:00");
  }
  // Timers are told in whole seconds: a part of one would make a second timer that looks the same.
  const start = Math.floor(instant / SECOND) * SECOND;
  const { timerMinutesMax, nameLength } = SERVER_LIMITS;
  if (duration_minutes <= 0 || duration_minutes > timerMinutesMax) {
    return badField("duration_minutes", `must be above 0 and at most ${timerMinutesMax}`);
  }
  if (name.length > nameLength) {
    return badField("name", `has more than ${nameLength} characters`);
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

/** Event ids are reused after some time: a match must also begin at about the same time. */
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
