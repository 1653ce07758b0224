import { request } from "node:http";
import { type EpochMs, MINUTE, SECOND } from "../../src/model/time.ts";

/*
 * A set-top box as the field has them (the field's rules of the exchange): it reads plain JSON with its own eyes, none of our
 * codecs, and knows of the server only its address.
 */

type Json = Readonly<Record<string, unknown>>;

export interface BoxChannel {
  readonly id: number;
  readonly name: string;
  readonly name_short?: string;
  readonly known_names?: readonly string[];
  readonly dvb_triplets?: readonly Json[];
}

/** A service on the air, as the box's own scan found it. */
export interface AirService {
  readonly name: string;
  readonly onid: number;
  readonly tsid: number;
  readonly sid: number;
}

export interface BoxTimer extends Json {
  readonly id: string;
  readonly name: string;
  readonly channel_id: number;
  readonly start_time: string;
  readonly duration_minutes: number;
  readonly action: string;
  readonly state: string;
}

export interface BoxOptions {
  readonly baseUrl: string;
  readonly member: { readonly email_address: string; readonly password: string };
  readonly uid: string;
  readonly air: readonly AirService[];
  /** Both ways of the field to say that a forget is done. */
  readonly forgetsBy: "completed" | "delete";
}

interface Member {
  readonly email_address: string;
  readonly token: string;
  readonly region_id: number;
}

/** Channels of one request for shows. */
const CHANNELS_AT_ONCE = 30;

export class SetTopBox {
  readonly #options: BoxOptions;
  #member: Member = { email_address: "", token: "", region_id: 0 };
  #deviceId = 0;
  #lastUpdate = 0;
  #channels: readonly BoxChannel[] = [];
  readonly #timers = new Map<string, BoxTimer>();
  readonly #shows = new Map<string, Json>();
  readonly #recorded: string[] = [];
  readonly #statuses = new Map<string, number>();
  /** Timers that it overlooks in the next list, as a box with a fault does. */
  readonly overlooks = new Set<string>();

  constructor(options: BoxOptions) {
    this.#options = options;
  }

  get deviceId(): number {
    return this.#deviceId;
  }
  /** Names of its completed recordings. */
  get recorded(): readonly string[] {
    return this.#recorded;
  }
  /** Its own guide: titles by show. */
  get shows(): ReadonlyMap<string, Json> {
    return this.#shows;
  }
  get timers(): ReadonlyMap<string, BoxTimer> {
    return this.#timers;
  }
  /** How often which request was answered how. */
  get statuses(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#statuses);
  }

  async start(): Promise<void> {
    const device = { uid: this.#options.uid, label: "Box", type_id: 2 };
    const login = await this.#ask("PUT", "login", { member: this.#options.member, device });
    const { member, device: own } = login as {
      readonly member: Member;
      readonly device: { readonly id: number };
    };
    this.#member = member;
    this.#deviceId = own.id;
    const { settings } = await this.#ask("GET", "user/settings");
    if (!Array.isArray(settings)) throw new Error("no settings");
    await this.#readChannels();
    const names = new Map(this.mapped().map(({ channel, service }) => [service, channel.id]));
    await this.scan(this.#options.air, names);
    await this.#readChannels();
  }

  /** Reports the services of a scan, with the channels that the box assigns to them. */
  async scan(air: readonly AirService[], names: ReadonlyMap<AirService, number> = new Map()): Promise<void> {
    const scans = air.map((service) => {
      const id = names.get(service);
      const { name: channel_name, onid, tsid, sid } = service;
      return { ...(id === undefined ? {} : { channel_id: id }), channel_name, onid, tsid, sid };
    });
    await this.#ask("POST", "scans", { scans });
  }

  async #readChannels(): Promise<void> {
    const { channels } = await this.#ask("GET", `regions/${this.#member.region_id}/channels`);
    this.#channels = channels as readonly BoxChannel[];
  }

  /** Channels of the guide with the service that each is: by triplet, else by one of its names. */
  mapped(): readonly { readonly channel: BoxChannel; readonly service: AirService }[] {
    const { air } = this.#options;
    return this.#channels.flatMap((channel) => {
      const triplets = channel.dvb_triplets ?? [];
      const names = [channel.name, channel.name_short ?? "", ...(channel.known_names ?? [])];
      const folded = names.map((name) => name.toUpperCase());
      const service =
        air.find(({ onid, tsid, sid }) =>
          triplets.some(
            (each) =>
              each["original_network_id"] === onid &&
              each["transport_stream_id"] === tsid &&
              each["service_id"] === sid,
          ),
        ) ?? air.find(({ name }) => folded.includes(name.toUpperCase()));
      return service === undefined ? [] : [{ channel, service }];
    });
  }

  /** Only what has changed since the last time. */
  async readShows(): Promise<void> {
    const ids = this.mapped().map(({ channel }) => channel.id);
    let last = this.#lastUpdate;
    for (let at = 0; at < ids.length; at += CHANNELS_AT_ONCE) {
      const batch = ids.slice(at, at + CHANNELS_AT_ONCE).join(",");
      const query = { last_update_time: String(this.#lastUpdate), channel_id: batch, hide_timers: "1" };
      const { shows, timers, last_update_time } = await this.#ask("GET", "shows", {}, query);
      if ((timers as readonly Json[]).length > 0) throw new Error("it did not hide the timers");
      for (const show of shows as readonly Json[]) {
        if (show["deleted_record"] === 1) this.#shows.delete(String(show["id"]));
        else this.#shows.set(String(show["id"]), show);
      }
      last = Number(last_update_time);
    }
    this.#lastUpdate = last;
  }

  /** One poll of the timers: forgets first, whatever the order; then new timers, all reported in one request. */
  async poll(now: EpochMs): Promise<void> {
    const { timers } = (await this.#ask("GET", "shows/timers")) as { readonly timers: readonly BoxTimer[] };
    const own = timers.filter((timer) => timer["device_id"] === this.#deviceId);
    const told: BoxTimer[] = [];
    for (const timer of own.filter(({ action }) => action === "forget")) {
      this.#timers.delete(timer.id);
      if (this.#options.forgetsBy === "delete") await this.#ask("DELETE", `shows/timers/${timer.id}`);
      else told.push({ ...timer, state: "completed", message: "forgotten" });
    }
    for (const timer of own.filter(({ action }) => action === "record")) {
      if (this.overlooks.delete(timer.id) || isOver(timer.state)) continue;
      const { state: before } = this.#timers.get(timer.id) ?? timer;
      const state = stateAt(timer, before, now);
      if (state === "completed" && before !== "completed") this.#recorded.push(timer.name);
      this.#timers.set(timer.id, { ...timer, state });
      if (state !== timer.state) told.push({ ...timer, state, message: `it is ${state}` });
    }
    if (told.length > 0) await this.#ask("PUT", "shows/timers", { timers: told });
  }

  /** A person books on the box itself: the box knows only the EIT data. */
  async bookHere(event: Json): Promise<string> {
    const order = { message: "", action: "record", state: "pending", device_id: this.#deviceId };
    const { timers } = await this.#ask("POST", "shows/timers", { ...order, ...event });
    const [timer] = timers as readonly BoxTimer[];
    if (timer === undefined) throw new Error("no timer");
    this.#timers.set(timer.id, timer);
    return timer.id;
  }

  async deleteHere(id: string): Promise<void> {
    this.#timers.delete(id);
    await this.#ask("DELETE", `shows/timers/${id}`);
  }

  async sendLogs(logs: readonly Json[]): Promise<unknown> {
    return (await this.#ask("POST", "user/pvr_logs", { logs }))["count_of_log_entries"];
  }

  /** Everything that it asks has credentials, the media types of the field, and a body, GET as well. */
  async #ask(method: string, path: string, body: Json = {}, query: Readonly<Record<string, string>> = {}) {
    const url = new URL(path, `${this.#options.baseUrl}/`);
    const { email_address, token } = this.#member;
    for (const [name, value] of Object.entries({ api_key: "box", ...query }))
      url.searchParams.set(name, value);
    if (token !== "") {
      url.searchParams.set("email_address", email_address);
      url.searchParams.set("token", token);
    }
    const { status, text } = await exchange(method, url, JSON.stringify(body));
    const key = `${method} ${path.replace(/\d+/g, "N")} ${status}`;
    this.#statuses.set(key, (this.#statuses.get(key) ?? 0) + 1);
    return (text === "" ? {} : JSON.parse(text)) as Json;
  }
}

function isOver(state: string): boolean {
  return state === "completed" || state === "failed";
}

/** A timer's state by a clock that the box reads every quarter of an hour. */
function stateAt({ start_time, duration_minutes }: BoxTimer, before: string, now: EpochMs): string {
  const start = Date.parse(start_time);
  const isRunning = before === "running" || before === "pending";
  if (now >= start + duration_minutes * MINUTE) return isRunning ? "completed" : "failed";
  return now >= start ? "running" : "pending";
}

function exchange(method: string, url: URL, body: string): Promise<{ status: number; text: string }> {
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    "content-length": Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, timeout: 30 * SECOND }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
      );
      answer.on("error", reject);
    });
    sent.on("timeout", () => sent.destroy(new Error("no answer")));
    sent.on("error", reject);
    sent.end(body);
  });
}
