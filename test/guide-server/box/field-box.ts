import { type FieldAnswer, fieldRequest, type Json } from "./field-http.ts";

/*
 * A set-top box of the field, written from what was observed of one: it reads fields without asking whether they are there, takes every
 * timer that it is given for its own, says `pending` of all of them at each look, and takes an empty list of shows for a new guide.
 */

export interface FieldTimer extends Json {
  readonly id: string;
  readonly name: string;
  readonly channel_id: number;
  readonly device_id: number;
  readonly eit_id: number;
  readonly start_time: string;
  readonly duration_minutes: number;
  readonly action: string;
}

interface Held {
  readonly timer: FieldTimer;
  readonly state: "pending" | "running" | "completed" | "failed";
  /** The state in the last report to the service. */
  readonly told?: string;
}

export interface FieldBoxOptions {
  readonly baseUrl: string;
  readonly uid: string;
  readonly label: string;
  readonly typeId: number;
}

const MINUTE = 60_000;
/** In the order of a list of timers, whatever order it came in. */
const FORGETS_FIRST = (a: FieldTimer, b: FieldTimer) =>
  Number(b.action === "forget") - Number(a.action === "forget");

export class FieldBox {
  readonly #options: FieldBoxOptions;
  #member: { readonly email_address: string; readonly token: string } | undefined;
  #deviceId = 0;
  #channelIds: readonly number[] = [];
  /** The timers on the box's disk: a reboot does not lose them. */
  readonly #held = new Map<string, Held>();
  #lastUpdate = 0;
  /** The messages on the screen after refusals. */
  readonly shown: string[] = [];
  /** Names of all recordings, and the ids of timers that the service ordered the box to forget. */
  readonly recorded: string[] = [];
  readonly forgotten: string[] = [];
  /** Timers that it was given though they are another device's. */
  readonly foreign: string[] = [];
  /** How often it has loaded the guide from the beginning. */
  wholeLoads = 0;
  isOnline = true;
  isPowered = true;

  constructor(options: FieldBoxOptions) {
    this.#options = options;
  }

  get deviceId(): number {
    return this.#deviceId;
  }

  /** The person has chosen a country and a region. @returns the id of the first region there */
  async chooseRegion(country: string): Promise<number> {
    const { json } = await this.#ask("GET", "regions");
    const regions = listIn(json, "regions");
    // It does not survive a region without its country.
    const codes = regions.map((region) => (region["country_code_3"] as string).toLowerCase());
    return Number(regions[codes.indexOf(country.toLowerCase())]?.["id"]);
  }

  /** @param regionId of a new customer. @returns whether it is signed in */
  async signIn(email: string, password: string, regionId?: number): Promise<boolean> {
    const { uid, label, typeId: type_id } = this.#options;
    const region = regionId === undefined ? {} : { region_id: regionId };
    const member = { email_address: email, password, ...region };
    const answer = await this.#ask("POST", "login", { member, device: { uid, label, type_id } });
    if (answer.status >= 300) return false;
    const given = answer.json["member"] as Json;
    this.#member = { email_address: String(given["email_address"]), token: String(given["token"]) };
    this.#deviceId = Number((answer.json["device"] as Json)["id"]);
    const settings = listIn((await this.#ask("GET", "user/settings")).json, "settings");
    const sendsLogs = settings.some(({ name, value }) => name === "send_pvr_logs" && value === "1");
    const { json } = await this.#ask("GET", `regions/${given["region_id"]}/channels`);
    this.#channelIds = listIn(json, "channels").map(({ id, lcns }) => {
      (lcns as string).split(",");
      return Number(id);
    });
    const log = { timestamp: Math.floor(Date.parse("2026-11-20T08:00:00Z") / 1000), log_message: "set up" };
    if (sendsLogs) await this.#ask("POST", "user/pvr_logs", { logs: [log] });
    return true;
  }

  async signOut(): Promise<void> {
    await this.#ask("DELETE", "logout");
    this.#member = undefined;
  }

  /** Only its list of timers is on its disk: its guide, and its memory of reports, are gone. */
  reboot(): void {
    this.#lastUpdate = 0;
    for (const [id, { timer, state }] of this.#held) this.#held.set(id, { timer, state });
  }

  /** Time has come this far: what is on the box's own list is recorded, with a network or without. */
  tick(now: number): void {
    if (!this.isPowered) return;
    for (const [id, { state, ...held }] of this.#held) {
      const start = Date.parse(held.timer.start_time);
      const stop = start + held.timer.duration_minutes * MINUTE;
      const next =
        state === "pending" && now >= stop
          ? "failed"
          : state === "pending" && now >= start
            ? "running"
            : state === "running" && now >= stop
              ? "completed"
              : state;
      if (next === "completed" && state === "running") this.recorded.push(held.timer.name);
      this.#held.set(id, { ...held, state: next });
    }
  }

  /** One look at the service; without network, power or a token there is none. */
  async look(): Promise<void> {
    if (!this.isOnline || !this.isPowered || this.#member === undefined) return;
    const fromShows = await this.#readShows();
    const { json } = await this.#ask("GET", "shows/timers");
    const timers = new Map([...fromShows, ...(listIn(json, "timers") as FieldTimer[])].map((t) => [t.id, t]));
    const told: Json[] = [];
    for (const timer of [...timers.values()].sort(FORGETS_FIRST)) {
      if (timer.device_id !== this.#deviceId) this.foreign.push(timer.name);
      if (timer.action === "forget") await this.#forget(timer);
      else told.push(...this.#scheduled(timer));
    }
    if (told.length > 0) await this.#ask("PUT", "shows/timers", { timers: told });
  }

  /** The person books on the box, which knows the broadcast alone. @param times how often the button is pressed */
  async book(event: Json, times = 1): Promise<void> {
    const order = { message: "", action: "record", state: "pending", device_id: this.#deviceId, ...event };
    for (let time = 0; time < times; time += 1) {
      const [timer] = listIn((await this.#ask("POST", "shows/timers", order)).json, "timers");
      if (timer !== undefined) this.#hold(timer as FieldTimer);
    }
  }

  /** Changes a timer: the box deletes it and books it again. */
  async change(name: string, change: Json): Promise<void> {
    const [id, held] = [...this.#held].find(([, { timer }]) => timer.name === name) ?? [];
    if (id === undefined || held === undefined) throw new Error(`the box has no ${name}`);
    this.#held.delete(id);
    await this.#ask("DELETE", `shows/timers/${id}`);
    const { channel_id, eit_id, start_time, duration_minutes } = held.timer;
    await this.book({ name, channel_id, eit_id, start_time, duration_minutes, ...change });
  }

  #hold(timer: FieldTimer): void {
    // The event is looked for by its id in the broadcast: without one there is nothing to record.
    if (!(timer.eit_id > 0)) return;
    const state = this.#held.get(timer.id)?.state ?? "pending";
    this.#held.set(timer.id, { ...this.#held.get(timer.id), timer, state });
  }

  async #forget(timer: FieldTimer): Promise<void> {
    this.#held.delete(timer.id);
    this.forgotten.push(timer.id);
    await this.#ask("DELETE", `shows/timers/${timer.id}`);
  }

  #scheduled(timer: FieldTimer): readonly Json[] {
    this.#hold(timer);
    const held = this.#held.get(timer.id);
    if (held === undefined) return [];
    const { state, told } = held;
    this.#held.set(timer.id, { ...held, told: state });
    if (state !== told) return [{ ...timer, state, message: `it is ${state}` }];
    const isOpen = state === "pending" || state === "running";
    return isOpen ? [{ ...timer, state: "pending", message: "already up to date" }] : [];
  }

  /** Reads the changes since the last look; 404 means none. @returns the new timers */
  async #readShows(): Promise<readonly FieldTimer[]> {
    const query = { last_update_time: String(this.#lastUpdate), channel_id: this.#channelIds.join(",") };
    if (this.#lastUpdate === 0) this.wholeLoads += 1;
    const { status, json } = await this.#ask("GET", "shows", {}, query);
    if (status === 404) return [];
    this.#lastUpdate = listIn(json, "shows").length === 0 ? 0 : Number(json["last_update_time"]);
    return listIn(json, "timers") as readonly FieldTimer[];
  }

  async #ask(method: string, path: string, body: Json = {}, query: Json = {}): Promise<FieldAnswer> {
    const url = new URL(path, `${this.#options.baseUrl}/`);
    const all = { api_key: "box", application_version: "3.1", ...this.#member, ...query };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, String(value));
    const answer = await fieldRequest({ method, url }, body);
    if (answer.status === 401) this.#member = undefined;
    if (answer.status >= 400 && answer.status !== 404) {
      this.shown.push(...listIn(answer.json, "errors").map(({ error_msg }) => String(error_msg)));
    }
    return answer;
  }
}

function listIn(json: Json, name: string): readonly Json[] {
  const list = json[name];
  if (!Array.isArray(list)) throw new Error(`there is no list ${name}`);
  return list as readonly Json[];
}
