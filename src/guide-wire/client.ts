import type { HttpAnswer } from "../kit/http/http.ts";
import type { ChangeListener } from "../model/ports.ts";
import { type EpochMs, SECOND } from "../model/time.ts";
import { withoutUndefined } from "../model/without-undefined.ts";
import { followChanges } from "./changes.ts";
import type { Document } from "./documents.ts";
import { type Credentials, exchange, type GuideClientOptions, type Order } from "./exchange.ts";
import type { DeviceChange, DeviceOrder, TimerChange, TimerOrder } from "./records.ts";
import { serverTimeOf } from "./refusal.ts";
import { createRequests, decodeAnswer, type GuideAnswer } from "./requests.ts";
import { type RulesClient, rulesClient } from "./rules-client.ts";
import { type SeriesClient, seriesClient } from "./series-client.ts";

export type TimersAnswer = GuideAnswer<"timers"> & {
  /** Absent: the service gives none, or an unusable one. */
  readonly etag?: string;
  /** The list is the one with the known ETag; the answer itself has no timers. */
  readonly isUnchanged?: true;
};

/** The requested shows; by default all of the account's region. */
export interface ShowFilter {
  readonly channelIds?: readonly number[];
  /** Only shows changed since then; the next request uses the answer's `last_update_time`, in seconds. */
  readonly since?: EpochMs;
  /** Leaves out the account's timers, which otherwise come along. */
  readonly hideTimers?: boolean;
}

/**
 * The requests of the guide service. Requests on account data need credentials; regions, manufacturers and types do
 * not.
 *
 * Every method sends one request, retries nothing, and fails with a RecorderdError: GUIDE_NAME_UNRESOLVED,
 * GUIDE_UNREACHABLE, GUIDE_TLS_FAILED, GUIDE_TIMEOUT, GUIDE_BODY_TOO_LARGE, the code of the answer's status, or that
 * of an unusable document (see codec.ts). Its facts name `method`, `endpoint` (the path, no query) and, with an
 * answer, `status` and possibly `retryAfterMs`, `html` and `plain` (neither JSON nor XML); the service's error document
 * adds `serviceCode` and `field`. Methods on account data fail at once with GUIDE_SIGN_IN_NEEDED without credentials. An answer to a PUT
 * may have no body: its lists are then empty.
 */
export interface GuideClient {
  regions(signal: AbortSignal): Promise<GuideAnswer<"regions">>;
  region(regionId: number, signal: AbortSignal): Promise<GuideAnswer<"regions">>;
  channels(signal: AbortSignal): Promise<GuideAnswer<"channels">>;
  regionChannels(regionId: number, signal: AbortSignal): Promise<GuideAnswer<"channels">>;
  manufacturers(signal: AbortSignal): Promise<GuideAnswer<"manufacturers">>;
  manufacturer(manufacturerId: string, signal: AbortSignal): Promise<GuideAnswer<"manufacturers">>;
  deviceTypes(signal: AbortSignal): Promise<GuideAnswer<"device-types">>;
  devices(signal: AbortSignal): Promise<GuideAnswer<"devices">>;
  device(deviceId: number, signal: AbortSignal): Promise<GuideAnswer<"devices">>;
  /** At least one. */
  addDevices(devices: readonly DeviceOrder[], signal: AbortSignal): Promise<GuideAnswer<"devices">>;
  setDevice(deviceId: number, change: DeviceChange, signal: AbortSignal): Promise<GuideAnswer<"devices">>;
  deleteDevice(deviceId: number, signal: AbortSignal): Promise<void>;
  timers(signal: AbortSignal): Promise<GuideAnswer<"timers">>;
  /** @param knownTag the ETag of a list that the caller has */
  timers(signal: AbortSignal, knownTag: string | undefined): Promise<TimersAnswer>;
  /**
   * Announces changes of the timer list until the stream ends: an extension of the field. A service without it answers
   * GUIDE_NOT_FOUND. It has no deadline of its own.
   */
  changes(listener: ChangeListener, signal: AbortSignal): Promise<void>;
  timer(timerId: string, signal: AbortSignal): Promise<GuideAnswer<"timers">>;
  addTimer(order: TimerOrder, signal: AbortSignal): Promise<GuideAnswer<"timers">>;
  setTimer(timerId: string, change: TimerChange, signal: AbortSignal): Promise<GuideAnswer<"timers">>;
  deleteTimer(timerId: string, signal: AbortSignal): Promise<void>;
  mostPopular(signal: AbortSignal): Promise<GuideAnswer<"popular">>;
  newShows(signal: AbortSignal): Promise<GuideAnswer<"new-shows">>;
  /** A request of the field beyond the specification: a service may lack it. */
  shows(filter: ShowFilter, signal: AbortSignal): Promise<GuideAnswer<"shows">>;
  /** The service's settings for the account and facts about itself: also a request of the field. */
  settings(signal: AbortSignal): Promise<GuideAnswer<"settings">>;
  /** Only for a service whose `settings` announce it. */
  sendBroadcastGuide(
    guide: Document<"broadcast-guide">,
    signal: AbortSignal,
  ): Promise<GuideAnswer<"broadcast-guide-taken">>;
  login(request: Document<"login-request">, signal: AbortSignal): Promise<GuideAnswer<"login">>;
  /** Series, keywords and favourites, which the service expands into timers: also requests of the field. */
  readonly series: SeriesClient;
  readonly rules: RulesClient;
  /** Ends the token at the service. */
  logout(signal: AbortSignal): Promise<void>;
}

export function createGuideClient(options: GuideClientOptions): GuideClient {
  const requests = createRequests(options);
  const { ask, remove, body } = requests;
  /** An ETag belongs to one address, which names user and token. */
  let tagged: Credentials | undefined;
  async function timers(signal: AbortSignal, tag?: string): Promise<TimersAnswer> {
    const account = options.credentials();
    const isOurs = tagged?.email === account?.email && tagged?.token === account?.token;
    const order: Order = {
      ...{ path: ["shows", "timers"], account: true },
      knownTag: isOurs ? tag : undefined,
    };
    const answer = await exchange(options, order, signal);
    const serverTime = serverTimeOf(answer);
    const heard = withoutUndefined({ serverTime, etag: usableTag(answer) });
    if (answer.status === 304) return { ...NO_TIMERS, format: options.wire, isUnchanged: true, ...heard };
    tagged = account;
    return { ...(await decodeAnswer("timers", { order, answer, options }, signal)), ...heard };
  }
  return {
    regions: (signal) => ask("regions", { path: ["regions"] }, signal),
    region: (id, signal) => ask("regions", { path: ["regions", id] }, signal),
    channels: (signal) => ask("channels", { path: ["regions", "channels"] }, signal),
    regionChannels: (id, signal) => ask("channels", { path: ["regions", id, "channels"] }, signal),
    manufacturers: (signal) => ask("manufacturers", { path: ["devices", "manufacturers"] }, signal),
    manufacturer: (id, signal) => ask("manufacturers", { path: ["devices", "manufacturers", id] }, signal),
    deviceTypes: (signal) => ask("device-types", { path: ["devices", "types"] }, signal),
    devices: (signal) => ask("devices", { path: ["devices"], account: true }, signal),
    device: (id, signal) => ask("devices", { path: ["devices", id], account: true }, signal),
    addDevices: (devices, signal) =>
      ask(
        "devices",
        { method: "POST", path: ["devices"], account: true, body: body("device-add", { devices }) },
        signal,
      ),
    setDevice: (id, change, signal) =>
      ask(
        "devices",
        { method: "PUT", path: ["devices", id], account: true, body: body("device-set", change) },
        signal,
      ),
    deleteDevice: (id, signal) => remove(["devices", id], signal),
    timers,
    changes: (listener, signal) => followChanges(options, listener, signal),
    timer: (id, signal) => ask("timers", { path: ["shows", "timers", id], account: true }, signal),
    addTimer: (order, signal) =>
      ask(
        "timers",
        { method: "POST", path: ["shows", "timers"], account: true, body: body("timer-add", order) },
        signal,
      ),
    setTimer: (id, change, signal) =>
      ask(
        "timers",
        { method: "PUT", path: ["shows", "timers", id], account: true, body: body("timer-set", change) },
        signal,
      ),
    deleteTimer: (id, signal) => remove(["shows", "timers", id], signal),
    mostPopular: (signal) => ask("popular", { path: ["series", "most_popular"], account: true }, signal),
    newShows: (signal) => ask("new-shows", { path: ["new_shows"], account: true }, signal),
    shows: (filter, signal) =>
      ask("shows", { path: ["shows"], query: showQuery(filter), account: true }, signal),
    settings: (signal) => ask("settings", { path: ["user", "settings"], account: true }, signal),
    sendBroadcastGuide: (guide, signal) =>
      ask(
        "broadcast-guide-taken",
        { method: "POST", path: ["broadcast_guide"], account: true, body: body("broadcast-guide", guide) },
        signal,
      ),
    login: (request, signal) =>
      ask(
        "login",
        {
          method: "POST",
          path: ["login"],
          body: body("login-request", request),
          secrets: [request.member.password],
          unauthorized: "the e-mail address or the password is wrong",
        },
        signal,
      ),
    logout: (signal) => remove(["logout"], signal),
    series: seriesClient(requests),
    rules: rulesClient(requests),
  };
}

const NO_TIMERS = { value: { timers: [] }, malformed: [] } as const;

/** A tag goes into a header of later requests. @see RFC 9110 §8.8.3 */
function usableTag({ headers: { etag = "" } }: HttpAnswer): string | undefined {
  return /^(W\/)?"[\x21\x23-\x7e]{1,200}"$/.test(etag) ? etag : undefined;
}

/** A service in the field requires `last_update_time`: 0 requests everything. */
function showQuery({ channelIds = [], since = 0, hideTimers = false }: ShowFilter): Record<string, string> {
  return {
    last_update_time: String(Math.floor(since / SECOND)),
    ...(channelIds.length === 0 ? {} : { channel_id: channelIds.join(",") }),
    ...(hideTimers ? { hide_timers: "1" } : {}),
  };
}
