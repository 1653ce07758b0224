import { yieldToLoop } from "../kit/time/clock.ts";
import { RecorderdError } from "../model/errors.ts";
import type { GuideAccount } from "../model/ports.ts";
import type { ProgrammeAnswer, ProgrammeOrder } from "../model/programme.ts";
import type { Channel as ModelChannel } from "../model/service.ts";
import { parseWireInstant, SECOND } from "../model/time.ts";
import type { MalformedTimer, Timer as ModelTimer, TimerAction, TimerList } from "../model/timer.ts";
import { withoutUndefined } from "../model/without-undefined.ts";
import type { GuideClient } from "./client.ts";
import { GUIDE_WIRE_LIMITS } from "./limits.ts";
import { airingOf, programmeOf } from "./programmes.ts";
import type { MalformedRecord } from "./raw.ts";
import type { Channel, Timer } from "./records.ts";
import type { GuideAnswer } from "./requests.ts";
import { ruleOfTimer } from "./rule-of-timer.ts";
import { webAddress } from "./web-address.ts";

/** The account's region, and the device that this recorder is. */
interface AccountScope {
  readonly regionId: number;
  /** Limits timers to this device; absent: all of the account. */
  readonly deviceId?: number;
}

/** Above this many timers, other work gets a turn. */
const LONG_LIST = 500;

/** Implements the account's port with a client. It keeps only the last list that has an ETag, and retries nothing. */
export function guideAccount(client: GuideClient, scope: AccountScope): GuideAccount {
  let known: { readonly etag: string; readonly list: TimerList } | undefined;
  return {
    timers: async (signal, { isWhole } = { isWhole: false }) => {
      const before = isWhole ? undefined : known;
      try {
        const answer = await client.timers(signal, before?.etag);
        const { etag, isUnchanged, serverTime } = answer;
        if (isUnchanged === true && before !== undefined) {
          return { ...before.list, ...withoutUndefined({ serverTime }) };
        }
        const { serverTime: _now, ...list } = timerListOf(answer, scope.deviceId);
        known = etag === undefined || list.malformed.length > 0 ? undefined : { etag, list };
        // Processing the list takes as long as reading it.
        if (list.timers.length > LONG_LIST) await yieldToLoop();
        return { ...list, ...withoutUndefined({ serverTime }) };
      } catch (error) {
        if (!isEmptyAnswer(error)) throw error;
        known = undefined;
        return { timers: [], malformed: [], isNotFound: true };
      }
    },
    changes: (listener, signal) => client.changes(listener, signal),
    channels: async (signal) =>
      (await client.regionChannels(scope.regionId, signal)).value.channels.map(channelOf),
    programmes: async (order, signal) => {
      const { channelIds, since } = order;
      const filter = { channelIds: channelIds.map(Number), ...(since === undefined ? {} : { since }) };
      try {
        return programmesOf(await client.shows({ ...filter, hideTimers: true }, signal), order);
      } catch (error) {
        if (since === undefined || !isEmptyAnswer(error)) throw error;
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
        if (!isDelivered(error)) throw error;
      }
    },
    remove: (timerId, signal) => client.deleteTimer(timerId, signal),
  };
}

function programmesOf({ value }: GuideAnswer<"shows">, { showIds }: ProgrammeOrder): ProgrammeAnswer {
  const { shows, last_update_time } = value;
  // A show that is no longer broadcast says nothing about a timer's event.
  const known = shows.filter(({ id, deleted_record }) => showIds.has(String(id)) && deleted_record !== 1);
  return {
    programmes: Object.fromEntries(known.map((show) => [String(show.id), programmeOf(show)])),
    ...(last_update_time === undefined ? {} : { updatedTo: last_update_time * SECOND }),
  };
}

/**
 * Services answer 404 when nothing is new, and some for any empty list. A web server's own 404, a page or plain words, means a
 * wrong address or a service that is being replaced. A framework's or a gateway's own 404 in JSON looks like the service's.
 */
function isEmptyAnswer(error: unknown): boolean {
  if (!(error instanceof RecorderdError) || error.code !== "GUIDE_NOT_FOUND") return false;
  return error.facts["html"] !== true && error.facts["plain"] !== true;
}

/** A success status confirms the delivery. The document in the answer is ignored, unless it is a foreign HTML page. */
function isDelivered(error: unknown): boolean {
  if (!(error instanceof RecorderdError) || error.facts["html"] === true) return false;
  const { code, facts } = error;
  return (
    (code === "GUIDE_DOCUMENT_INVALID" || code === "GUIDE_DOCUMENT_TORN") && Number(facts["status"]) < 300
  );
}

function timerListOf(answer: GuideAnswer<"timers">, deviceId: number | undefined): TimerList {
  const ours = answer.value.timers.filter((timer) => deviceId === undefined || timer.device_id === deviceId);
  const read = ours.map(timerOf);
  const unreadable = answer.malformed
    .filter((record) => record.isUsed !== true && !isOfOtherDevice(record, deviceId))
    .map(malformedTimer);
  return {
    timers: read.filter((timer): timer is ModelTimer => "event" in timer),
    malformed: [...read.filter((timer): timer is MalformedTimer => "reason" in timer), ...unreadable],
    ...(answer.serverTime === undefined ? {} : { serverTime: answer.serverTime }),
  };
}

function isOfOtherDevice({ raw }: MalformedRecord, deviceId: number | undefined): boolean {
  if (deviceId === undefined || typeof raw !== "object" || raw === null || !("device_id" in raw))
    return false;
  // A value that is no number does not identify another device.
  return /^\d+$/.test(String(raw.device_id)) && Number(raw.device_id) !== deviceId;
}

function malformedTimer({ id, reason }: MalformedRecord): MalformedTimer {
  const sentence = `The timer cannot be read: ${reason}`;
  return id === undefined ? { reason: sentence } : { id, reason: sentence };
}

function timerOf(timer: Timer): ModelTimer | MalformedTimer {
  const start = parseWireInstant(timer.start_time);
  const minutes = timer.duration_minutes;
  const malformed = (reason: string): MalformedTimer => ({
    id: timer.id,
    reason: `The timer cannot be read: ${reason}`,
  });
  if (start === undefined) return malformed("its start_time is not an ISO 8601 time");
  // Rounded to the second: a third of a minute in decimals is inexact.
  const seconds = Math.round(minutes * 60);
  if (seconds <= 0) return malformed("its duration_minutes is not positive, or less than half a second");
  if (minutes > GUIDE_WIRE_LIMITS.timerMinutesMax) {
    return malformed(`its duration_minutes is more than ${GUIDE_WIRE_LIMITS.timerMinutesMax}`);
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
    ...withoutUndefined({ rule: ruleOfTimer(timer) }),
  };
}

function actionOf(written: string): TimerAction {
  // An empty element of XML says no more than a missing one.
  const action = written.trim().toLowerCase() || "record";
  return action === "record" || action === "forget" ? action : "other";
}

/** Padding extends a window; negative or absurd values are dropped. */
function padding<K extends "beforeMinutes" | "afterMinutes">(key: K, minutes: number | undefined) {
  const usable = minutes !== undefined && minutes >= 0 && minutes <= GUIDE_WIRE_LIMITS.timerMinutesMax;
  return (usable ? { [key]: minutes } : {}) as { readonly [P in K]?: number };
}

/** An absolute address, or one relative to the service's own. */
function iconOf(icon: string): string | undefined {
  if (URL.canParse(icon)) return webAddress(icon);
  return icon === "" || icon.length > GUIDE_WIRE_LIMITS.addressLength ? undefined : icon;
}

export function channelOf(channel: Channel): ModelChannel {
  const triplets = (channel.dvb ?? []).map((dvb) => ({
    onid: dvb.original_network_id,
    tsid: dvb.transport_stream_id,
    sid: dvb.service_id,
  }));
  const lcns = (channel.lcns ?? "").split(",").map((lcn) => lcn.trim());
  const { network_name: network = "", icon_src: icon = "" } = channel;
  return {
    id: String(channel.id),
    name: channel.name,
    nameShort: channel.name_short ?? "",
    knownNames: channel.known_names ?? [],
    triplets,
    lcns: lcns.filter((lcn) => /^\d{1,5}$/.test(lcn)).map(Number),
    ...(network === "" ? {} : { network }),
    ...withoutUndefined({ icon: iconOf(icon) }),
  };
}
