import { expect } from "vitest";
import type { GuideServer } from "../../../src/guide-server/server.ts";
import { DAY, formatInstant, HOUR } from "../../../src/model/time.ts";
import { FieldBox } from "./field-box.ts";
import { fieldRequest, type Json } from "./field-http.ts";

/** 2026-11-20T09:00:00Z, the hour 0 of the first day. */
export const NOW = Date.UTC(2026, 10, 20, 9);
const CHANNELS = 8;
export const EMAIL = "household@example.org";
export const PASSWORD = "long enough";

/** Each channel has a show of an hour at each second hour. */
const showId = (channel: number, day: number, hour: number) => (day * 24 + hour) * 10 + channel + 1;
export const titleOf = (channel: number, day: number, hour: number) =>
  `${channel} of day ${day}, hour ${hour}`;
const startOf = (day: number, hour: number) => NOW + day * DAY + hour * HOUR;
const eitOf = (channel: number, day: number, hour: number) => 1000 + showId(channel, day, hour);

export function guideOf(days: readonly number[]) {
  const channels = Array.from({ length: CHANNELS }, (_, n) => ({ id: 100 + n, name: `C${n}`, region_id: 1 }));
  const hours = Array.from({ length: 12 }, (_, n) => n * 2);
  const shows = days.flatMap((day) =>
    hours.flatMap((hour) =>
      channels.map(({ id }, n) => ({
        id: showId(n, day, hour),
        channelId: id,
        start: startOf(day, hour),
        durationMinutes: 60,
        title: titleOf(n, day, hour),
        eitId: eitOf(n, day, hour),
      })),
    ),
  );
  const regions = [{ id: 1, name: "Home", timezone: "Australia/Sydney" }];
  return { regions, channels, manufacturers: [], types: [], series: [], shows };
}

/** The two boxes of a household, a person's actions on them from a telephone, and the expected results. */
export class Household {
  readonly one: FieldBox;
  readonly two: FieldBox;
  readonly wanted = new Map<FieldBox, string[]>();
  readonly lost: string[] = [];
  /** Ids of timers that each box is to forget. */
  readonly withdrawn = new Map<FieldBox, string[]>();
  readonly #server: GuideServer;
  readonly #baseUrl: string;
  #credentials: Json = {};

  constructor(server: GuideServer, { baseUrl, types, uids }: Place) {
    this.#server = server;
    this.#baseUrl = baseUrl;
    const [one, two] = types;
    this.one = new FieldBox({ baseUrl, uid: uids[0], label: "TV", typeId: one });
    this.two = new FieldBox({ baseUrl, uid: uids[1], label: "TV", typeId: two });
    for (const box of [this.one, this.two]) {
      this.wanted.set(box, []);
      this.withdrawn.set(box, []);
    }
  }

  /** The first box makes the account, the second finds it. */
  async setUp(): Promise<void> {
    const regionId = await this.one.chooseRegion("aus");
    expect(await this.one.signIn(EMAIL, "short", regionId)).toBe(false);
    expect(this.one.shown).toEqual([expect.stringContaining("8")]);
    expect(await this.one.signIn(EMAIL, PASSWORD, regionId)).toBe(true);
    await this.two.chooseRegion("aus");
    expect(await this.two.signIn(EMAIL, "forgotten")).toBe(false);
    expect(this.two.shown).toEqual([expect.stringContaining("password")]);
    expect(await this.two.signIn(EMAIL, PASSWORD)).toBe(true);
    const { member } = await this.#phone("POST", "login", {
      member: { email_address: EMAIL, password: PASSWORD },
    });
    const { email_address, token } = member as Json;
    this.#credentials = { email_address, token };
  }

  async #phone(method: string, path: string, body: Json = {}): Promise<Json> {
    const url = new URL(`/${path}`, this.#baseUrl);
    for (const [name, value] of Object.entries(this.#credentials)) url.searchParams.set(name, String(value));
    const { status, json } = await fieldRequest({ method, url }, body);
    expect([method, path, status < 300]).toEqual([method, path, true]);
    return json;
  }

  async order(box: FieldBox, show: number): Promise<string> {
    const order = { show_id: show, device_id: box.deviceId };
    const { timers } = await this.#phone("POST", "shows/timers", order);
    return String((timers as readonly Json[])[0]?.["id"]);
  }

  async want(box: FieldBox, channel: number, day: number, hour: number): Promise<string> {
    this.wanted.get(box)?.push(titleOf(channel, day, hour));
    return this.order(box, showId(channel, day, hour));
  }

  /** @param box the box that holds the timer and must receive the change */
  async withdraw(box: FieldBox, id: string): Promise<void> {
    this.withdrawn.get(box)?.push(id);
    await this.#phone("DELETE", `shows/timers/${id}`);
  }

  cancel = (id: string) => this.#phone("DELETE", `shows/timers/${id}`);

  async move(id: string, { from, to }: { readonly from: FieldBox; readonly to: FieldBox }): Promise<void> {
    this.withdrawn.get(from)?.push(id);
    await this.#phone("PUT", `shows/timers/${id}`, { device_id: to.deviceId });
  }

  timers() {
    return this.#server.timers(EMAIL);
  }

  async idOf(box: FieldBox, name: string): Promise<string> {
    const found = (await this.timers()).find(
      (timer) => timer.name === name && timer.device_id === box.deviceId,
    );
    return found?.id ?? "";
  }

  /** A broadcast event, and the name that the box gives it. */
  event(channel: number, day: number, hour: number, name: string): Json {
    const start_time = formatInstant(startOf(day, hour));
    const place = { channel_id: 100 + channel, start_time, duration_minutes: 60 };
    return { ...place, eit_id: eitOf(channel, day, hour), name };
  }
}

export interface Place {
  readonly baseUrl: string;
  readonly types: readonly [number, number];
  readonly uids: readonly [string, string];
}

/** One day of the household, hour by hour from nine in the morning. */
export class Daily {
  readonly #home: Household;
  #regretted = "";
  #moving = "";

  constructor(home: Household) {
    this.#home = home;
  }

  async at(day: number, hour: number): Promise<void> {
    if (hour === 1) await this.#morning(day);
    if (hour === 2) await this.#onTheBoxes(day);
    if (hour === 6) await this.#noon(day);
    this.#network(day, hour);
  }

  async #morning(day: number): Promise<void> {
    const { one, two } = this.#home;
    await this.#home.want(one, 0, day, 12);
    await this.#home.want(two, 1, day, 12);
    for (const box of [one, two]) await this.#home.want(box, 2, day, 12);
    this.#regretted = await this.#home.order(one, showId(3, day, 20));
    this.#moving = await this.#home.order(one, showId(4, day, 20));
    // No box has read the timer: none must receive a forget.
    await this.#home.cancel(await this.#home.order(two, showId(5, day, 20)));
  }

  async #onTheBoxes(day: number): Promise<void> {
    const { one, two, wanted } = this.#home;
    const [pressed, changed, dropped] = [`pressed ${day}`, `changed ${day}`, `dropped ${day}`];
    await one.book(this.#home.event(5, day, 16, pressed), 4);
    await two.book(this.#home.event(6, day, 16, changed));
    this.#home.withdrawn.get(two)?.push(await this.#home.idOf(two, changed));
    await two.change(changed, { duration_minutes: 75 });
    await two.book(this.#home.event(7, day, 16, dropped));
    await this.#home.withdraw(two, await this.#home.idOf(two, dropped));
    wanted.get(one)?.push(pressed);
    wanted.get(two)?.push(changed);
  }

  async #noon(day: number): Promise<void> {
    const { one, two, wanted } = this.#home;
    await this.#home.withdraw(one, this.#regretted);
    await this.#home.move(this.#moving, { from: one, to: two });
    wanted.get(two)?.push(titleOf(4, day, 20));
  }

  /** On the third day the first box is without a network, and restarts meanwhile; on the fifth the second is without power. */
  #network(day: number, hour: number): void {
    const { one, two, wanted, lost } = this.#home;
    if (day === 2) one.isOnline = hour < 4 || hour >= 17;
    // While nothing runs, and while something does.
    if (day === 2 && (hour === 9 || hour === 13)) one.reboot();
    if (day !== 4) return;
    two.isPowered = hour < 10 || hour >= 15;
    if (hour !== 10) return;
    const missed = [titleOf(1, day, 12), titleOf(2, day, 12)];
    lost.push(...missed);
    const left = (wanted.get(two) ?? []).filter((name) => !missed.includes(name));
    wanted.set(two, left);
  }
}
