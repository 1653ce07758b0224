import { yieldToLoop } from "../kit/time/clock.ts";
import { RecorderdError } from "../model/errors.ts";
import { LIMITS } from "../model/limits.ts";
import type { GuideAccount } from "../model/ports.ts";
import type { ProgrammeAnswer, ProgrammeOrder } from "../model/programme.ts";
import type { Channel as ModelChannel } from "../model/service.ts";
import { parseInstant, SECOND } from "../model/time.ts";
import type { MalformedTimer, Timer as ModelTimer, TimerAction, TimerList } from "../model/timer.ts";
import type { GuideAnswer, GuideClient } from "./client.ts";
import { airingOf, programmeOf } from "./programmes.ts";
import type { MalformedRecord } from "./raw.ts";
import type { Channel, Timer } from "./records.ts";

/** Where the account lives and which of its devices this recorder is. */
interface AccountScope {
  readonly regionId: number;
  /** Only timers of this device are this recorder's; without it, all of the account. */
  readonly deviceId?: number;
}

/** Timers of a list whose reading keeps others waiting. */
const LONG_LIST = 500;

/** The account's port over a client. Nothing is cached, nothing retried. */
export function guideAccount(client: GuideClient, scope: AccountScope): GuideAccount {
  return {
    timers: async (signal) => {
      try {
        const list = timerListOf(await client.timers(signal), scope.deviceId);
        // What is made of it keeps others waiting as long again.
        if (list.timers.length > LONG_LIST) await yieldToLoop();
        return list;
      } catch (error) {
        if (meansNothing(error)) return { timers: [], malformed: [] };
        throw error;
      }
    },
    channels: async (signal) =>
      (await client.regionChannels(scope.regionId, signal)).value.channels.map(channelOf),
    programmes: async (order, signal) => {
      const { channelIds, since } = order;
      const filter = { channelIds: channelIds.map(Number), ...(since === undefined ? {} : { since }) };
      try {
        return programmesOf(await client.shows({ ...filter, hideTimers: true }, signal), order);
      } catch (error) {
        if (since === undefined || !meansNothing(error)) throw error;
        return { programmes: {}, updatedTo: since };
      }
    },
    airings: async (order, signal) => {
      const filter = { channelIds: order.channelIds.map(Number), hideTimers: true };
      const { value } = await client.shows(filter, signal);
      return value.shows.flatMap((show) => {
        const airing = airingOf(show);
        return airing !== undefined && order.isWanted(airing) ? [airing] : [];
      });
    },
    tell: async (timerId, told, signal) => {
      try {
        await client.setTimer(timerId, { ...told }, signal);
      } catch (error) {
        if (!meansTold(error)) throw error;
      }
    },
    remove: (timerId, signal) => client.deleteTimer(timerId, signal),
  };
}

function programmesOf({ value }: GuideAnswer<"shows">, { showIds }: ProgrammeOrder): ProgrammeAnswer {
  const { shows, last_update_time } = value;
  // What is no longer broadcast then says nothing of what a timer orders.
  const known = shows.filter(({ id, deleted_record }) => showIds.has(String(id)) && deleted_record !== 1);
  return {
    programmes: Object.fromEntries(known.map((show) => [String(show.id), programmeOf(show)])),
    ...(last_update_time === undefined ? {} : { updatedTo: last_update_time * SECOND }),
  };
}

/** Services answer 404 where nothing is new, and some instead of any empty list. The 404 page of a web server means a wrong address. */
function meansNothing(error: unknown): boolean {
  return error instanceof RecorderdError && error.code === "GUIDE_NOT_FOUND" && error.facts["html"] !== true;
}

/** The status says that it is told. What document comes with it is the service's affair, unless it is somebody else's page. */
function meansTold(error: unknown): boolean {
  if (!(error instanceof RecorderdError) || error.facts["html"] === true) return false;
  const { code, facts } = error;
  return (
    (code === "GUIDE_DOCUMENT_INVALID" || code === "GUIDE_DOCUMENT_TORN") && Number(facts["status"]) < 300
  );
}

function timerListOf(answer: GuideAnswer<"timers">, deviceId: number | undefined): TimerList {
  const ours = answer.value.timers.filter((timer) => deviceId === undefined || timer.device_id === deviceId);
  const read = ours.map(timerOf);
  const unreadable = answer.malformed.filter((record) => !isOfOtherDevice(record, deviceId)).map(apart);
  return {
    timers: read.filter((timer): timer is ModelTimer => "event" in timer),
    malformed: [...read.filter((timer): timer is MalformedTimer => "reason" in timer), ...unreadable],
    ...(answer.serverTime === undefined ? {} : { serverTime: answer.serverTime }),
  };
}

function isOfOtherDevice({ raw }: MalformedRecord, deviceId: number | undefined): boolean {
  if (deviceId === undefined || typeof raw !== "object" || raw === null || !("device_id" in raw))
    return false;
  // What is not even a number says nothing about whose it is.
  return /^\d+$/.test(String(raw.device_id)) && Number(raw.device_id) !== deviceId;
}

function apart({ id, reason }: MalformedRecord): MalformedTimer {
  const sentence = `The timer cannot be read: ${reason}`;
  return id === undefined ? { reason: sentence } : { id, reason: sentence };
}

function timerOf(timer: Timer): ModelTimer | MalformedTimer {
  const start = parseInstant(timer.start_time);
  const minutes = timer.duration_minutes;
  const malformed = (reason: string): MalformedTimer => ({
    id: timer.id,
    reason: `The timer cannot be read: ${reason}`,
  });
  if (start === undefined) return malformed("its start_time is not an ISO 8601 time with its zone");
  // To the second: a third of a minute in decimals is not quite one.
  const seconds = Math.round(minutes * 60);
  if (seconds <= 0) return malformed("its duration_minutes is not positive, or less than half a second");
  if (minutes > LIMITS.timerMinutesMax) {
    return malformed(`its duration_minutes is more than ${LIMITS.timerMinutesMax}`);
  }
  return {
    id: timer.id,
    name: timer.name,
    deviceId: String(timer.device_id),
    channelId: String(timer.channel_id),
    showId: String(timer.show_id ?? 0),
    event: { start, stop: start + seconds * SECOND },
    action: actionOf(timer.action),
    state: timer.state,
    ...padding("beforeMinutes", timer["pre-padding"]),
    ...padding("afterMinutes", timer["post-padding"]),
    seriesRecordingId: String(timer.series_recording_id ?? 0),
    keywordId: String(timer.keyword_id ?? 0),
  };
}

function actionOf(action: string): TimerAction {
  return action === "record" || action === "forget" ? action : "other";
}

/** Padding makes a window longer; what would make it shorter, or absurd, is not taken from the wire. */
function padding<K extends "beforeMinutes" | "afterMinutes">(key: K, minutes: number | undefined) {
  const usable = minutes !== undefined && minutes >= 0 && minutes <= LIMITS.timerMinutesMax;
  return (usable ? { [key]: minutes } : {}) as { readonly [P in K]?: number };
}

export function channelOf(channel: Channel): ModelChannel {
  const triplets = (channel.dvb ?? []).map((dvb) => ({
    onid: dvb.original_network_id,
    tsid: dvb.transport_stream_id,
    sid: dvb.service_id,
  }));
  const lcns = (channel.lcns ?? "").split(",").map((lcn) => lcn.trim());
  return {
    id: String(channel.id),
    name: channel.name,
    nameShort: channel.name_short ?? "",
    knownNames: channel.known_names ?? [],
    triplets,
    lcns: lcns.filter((lcn) => /^\d{1,5}$/.test(lcn)).map(Number),
  };
}
