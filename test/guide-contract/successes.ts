import { expect } from "vitest";
import { HOUR, SECOND } from "../../src/model/time.ts";
import { hosted, NOW, PASSWORD } from "../guide-server/hosted.ts";
import { signal } from "./calls.ts";
import type { Parties } from "./parties.ts";
import { RULE_SUCCESSES } from "./rule-successes.ts";
import { SERIES_SUCCESSES } from "./series-successes.ts";

const NOT_FOUND = { code: "GUIDE_NOT_FOUND" };
const ENDED = { code: "GUIDE_SIGN_IN_NEEDED" };

/** Every success of the contract, by its key: the request, and that all came or happened that should. */
export const SUCCESSES: Readonly<Record<string, (parties: Parties) => Promise<void>>> = {
  ...RULE_SUCCESSES,
  ...SERIES_SUCCESSES,
  "GET user/settings 200": async (p) => {
    const { settings } = (await p.client().settings(signal)).value;
    expect(settings).toContainEqual({ name: "email_address", value: p.server.email, type: 2 });
    expect(settings).toContainEqual({ name: "broadcast_guide", value: "1", type: 2 });
  },
  "POST broadcast_guide 200": async (p) => {
    await using other = await hosted();
    const triplet = { onid: 0x1010, tsid: 0x0221, sid: 0x0220 };
    const [start_unix, stop_unix] = [(NOW + 3 * HOUR) / SECOND, (NOW + 4 * HOUR) / SECOND];
    const event = { ...triplet, eit_id: 9, start_unix, stop_unix, title: "“Küche” & mehr" };
    const guide = { services: [triplet], spans: [{ ...triplet, start_unix, stop_unix }], events: [event] };
    const { value } = await p.clientOf(other).sendBroadcastGuide(guide, signal);
    expect(value).toEqual({ count_of_events: 1, count_left_out: 0 });
    const { shows } = (await p.clientOf(other).shows({}, signal)).value;
    expect(shows).toContainEqual(
      expect.objectContaining({ channel_id: 7, eit_id: 9, start_unix, stop_unix, title: event.title }),
    );
    await p.clientOf(other).sendBroadcastGuide(guide, signal);
  },
  "GET regions 200": async (p) => {
    expect((await p.client().regions(signal)).value).toEqual({ regions: p.subject.regions });
  },
  "GET regions/{region_id} 200": async (p) => {
    const last = p.subject.regions.at(-1);
    expect((await p.client().region(last?.id ?? 0, signal)).value).toEqual({ regions: [last] });
  },
  "GET regions/channels 200": async (p) => {
    const { regions, channels } = p.subject;
    expect((await p.client().channels(signal)).value).toEqual({ regions, channels });
  },
  "GET regions/{region_id}/channels 200": async (p) => {
    const { regions, channels } = p.subject;
    expect((await p.client().regionChannels(1, signal)).value).toEqual({ regions: [regions[0]], channels });
  },
  "GET devices/manufacturers 200": async (p) => {
    expect((await p.client().manufacturers(signal)).value).toEqual({
      manufacturers: p.subject.manufacturers,
    });
  },
  "GET devices/manufacturers/{manufacturer_id} 200": async (p) => {
    expect((await p.client().manufacturer("1", signal)).value).toEqual({
      manufacturers: p.subject.manufacturers,
    });
  },
  "GET devices 200": async (p) => {
    const { types, devices } = (await p.client().devices(signal)).value;
    expect(devices).toContainEqual({ id: p.server.deviceId, uid: "AA:BB", label: "Lounge", type_id: 1 });
    expect(types).toContainEqual(p.subject.types[0]);
  },
  "GET devices/{device_id} 200": async (p) => {
    const device = { id: p.server.deviceId, uid: "AA:BB", label: "Lounge", type_id: 1 };
    const { value } = await p.client().device(device.id, signal);
    expect(value).toEqual({ types: [p.subject.types[0]], devices: [device] });
  },
  "POST devices 201": async (p) => {
    const [own, other] = p.subject.types;
    const orders = [
      { uid: "é & <1>", label: "Küche", type_id: other.id },
      { label: "Den", type_id: own.id },
    ];
    const { value } = await p.client().addDevices(orders, signal);
    const [first] = value.devices;
    expect(value.devices).toMatchObject(orders);
    expect(value.types).toEqual([other, own]);
    const location = p.last()?.answer.headers["location"];
    expect(location).toBe(p.wire === "xml" ? `${p.server.baseUrl}/devices/${first?.id}.xml` : undefined);
    for (const { id } of value.devices) await p.client().deleteDevice(id, signal);
  },
  "PUT devices/{device_id} 200": async (p) => {
    const id = await p.server.server.addDevice(p.server.email, { uid: "u", label: "old", type_id: 1 });
    const [, type] = p.subject.types;
    const change = { uid: "other", label: "new", type_id: type.id };
    const { value } = await p.client().setDevice(id, change, signal);
    const device = { ...change, id, uid: "u" };
    expect(value).toEqual({ types: [type], devices: [device] });
    expect((await p.client().device(id, signal)).value.devices).toEqual([device]);
  },
  "DELETE devices/{device_id} 200": async (p) => {
    const id = await p.server.server.addDevice(p.server.email, { label: "spare", type_id: 1 });
    await p.client().deleteDevice(id, signal);
    await expect(p.client().device(id, signal)).rejects.toMatchObject(NOT_FOUND);
  },
  "GET shows/timers 200": async (p) => {
    const id = await p.book();
    const before = await p.server.server.timers(p.server.email);
    const { timers } = (await p.client().timers(signal)).value;
    expect(timers).toEqual(before);
    expect(timers).toContainEqual(expect.objectContaining({ id, device_id: p.server.deviceId }));
  },
  "GET shows/timers/{timer_id} 200": async (p) => {
    const id = await p.book();
    expect((await p.client().timer(id, signal)).value.timers).toEqual([
      {
        ...{ id, name: "Booked", device_id: p.server.deviceId },
        channel_id: p.subject.channels[0].id,
        show_id: expect.any(Number),
        ...{ start_time: "2026-11-20T10:00:00+00:00", duration_minutes: 60, action: "record" },
        ...{ state: "waiting", message: "", series_recording_id: 0, keyword_id: 0 },
        eit_id: expect.any(Number),
      },
    ]);
  },
  "POST shows/timers 201": async (p) => {
    const { id: show_id, channelId: channel_id, title: name } = p.subject.show;
    const order = { show_id, device_id: p.server.deviceId, message: "bitte", box_note: "behalten" };
    const { timers, min_hit_minutes } = (await p.client().addTimer(order, signal)).value;
    expect(timers).toMatchObject([{ ...order, name, channel_id, state: "waiting" }]);
    expect(min_hit_minutes).toBe(p.wire === "xml" ? 2 : undefined);
  },
  "PUT shows/timers/{timer_id} 200": async (p) => {
    const id = await p.book();
    const [before] = (await p.client().timer(id, signal)).value.timers;
    const change = { state: "running", message: 'läuft "jetzt" & <hier>', "post-padding": 5 };
    const { timers } = (await p.client().setTimer(id, { name: "other", ...change }, signal)).value;
    expect(timers).toEqual([{ ...before, ...change }]);
  },
  "DELETE shows/timers/{timer_id} 200": async (p) => {
    const id = await p.book();
    await p.client().deleteTimer(id, signal);
    await expect(p.client().timer(id, signal)).rejects.toMatchObject(NOT_FOUND);
  },
  "GET series/most_popular 200": async (p) => {
    const { series_info, most_popular } = (await p.client().mostPopular(signal)).value;
    const popular = p.subject.series.slice(0, 2).map(({ id, title }) => [id, title]);
    expect(series_info.map(({ id, title }) => [id, title])).toEqual(popular);
    const [first, second] = most_popular;
    expect(first).toEqual({
      series_id: p.subject.series[0].id,
      num_votes: expect.any(Number),
      popularity_ratio: 1,
    });
    expect(second?.popularity_ratio).toBeLessThan(1);
  },
  "GET new_shows 200": async (p) => {
    expect((await p.client().newShows(signal)).value.new_shows).toEqual(p.subject.newShows);
  },
  "DELETE logout 200": async (p) => {
    const member = { email_address: p.server.email, password: PASSWORD };
    const { token } = (await p.client().login({ member }, signal)).value.member;
    const other = p.clientAs(token);
    await other.logout(signal);
    await expect(other.timers(signal)).rejects.toMatchObject(ENDED);
    await p.client().timers(signal);
  },
  "GET devices/types 200": async (p) => {
    expect((await p.client().deviceTypes(signal)).value).toEqual({
      types: expect.arrayContaining([...p.subject.types]),
    });
  },
  "GET shows 200": async (p) => {
    await p.book();
    const { id, channelId: channel_id, title } = p.subject.lone;
    const channelIds = [channel_id];
    const all = (await p.client().shows({ channelIds }, signal)).value;
    expect(all.shows).toMatchObject([{ id, channel_id, series_id: p.subject.series[1].id, title }]);
    expect(all.timers.length).toBeGreaterThan(0);
    const without = (await p.client().shows({ channelIds, hideTimers: true }, signal)).value;
    expect(without).toMatchObject({ shows: [{ id }], timers: [] });
  },
  "POST login 201": async (p) => {
    const member = { email_address: p.server.email, password: PASSWORD };
    const device = { uid: "aa:bb", label: "Other", type_id: 2 };
    const { value } = await p.client().login({ member, device }, signal);
    expect(value.device).toEqual({ id: p.server.deviceId, uid: "AA:BB", label: "Lounge", type_id: 1 });
    expect(value.member).toMatchObject({ id: "1", region_id: 1, timezone: p.subject.regions[0]?.timezone });
    await p.clientAs(value.member.token).timers(signal);
  },
};
