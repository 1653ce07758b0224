import { expect } from "vitest";
import { signal } from "./calls.ts";
import type { Parties } from "./parties.ts";

const EVERY_FIELD = {
  ...{
    name: "“Küche” & mehr",
    words: "thing",
    expression: "new|old",
    genres: "movie,Krimi",
    search_in: "all",
  },
  ...{ exclude: "trailer", channel_ids: "7,8", weekdays: "1,7", start_after: 60, start_before: 1200 },
  ...{ min_minutes: 1, max_minutes: 600, is_paused: 1, is_new_only: 1, airing: "first" },
  ...{ recording_quality: "HD Only", keep_newest: 3, priority: 70, folder: "Films/New" },
  ...{ "pre-padding": 2, "post-padding": 9 },
};

async function book(p: Parties, order: object): Promise<number> {
  const wanted = { name: "Things", words: "thing new", device_id: p.server.deviceId, ...order };
  return (await p.client().rules.add(wanted, signal)).value.rules[0]?.id ?? 0;
}

async function timersOf(p: Parties, id: number) {
  const { timers } = (await p.client().timers(signal)).value;
  return timers.filter(({ rule_id }) => rule_id === id);
}

/** The successes of rules. */
export const RULE_SUCCESSES: Readonly<Record<string, (parties: Parties) => Promise<void>>> = {
  "GET rules 200": async (p) => {
    const channel_ids = p.subject.channels.map(({ id }) => id).join(",");
    const id = await book(p, { ...EVERY_FIELD, channel_ids });
    const { rules } = (await p.client().rules.all(signal)).value;
    const { deviceId: device_id } = p.server;
    expect(rules).toContainEqual({
      ...{ ...EVERY_FIELD, channel_ids, id, device_id },
      created_at: expect.stringMatching(/^20/),
    });
    expect(await book(p, { ...EVERY_FIELD, channel_ids })).toBe(id);
    await p.client().rules.delete(id, signal);
  },
  "POST rules 201": async (p) => {
    const id = await book(p, { keep_newest: 3, priority: 70, folder: "Films/New", "pre-padding": 2 });
    expect(await timersOf(p, id)).toMatchObject([
      {
        ...{ show_id: p.subject.lone.id, series_recording_id: 0, keyword_id: 0 },
        ...{ keep_newest: 3, priority: 70, folder: "Films/New", "pre-padding": 2 },
      },
    ]);
    await p.client().rules.delete(id, signal);
  },
  "PUT rules/{rule_id} 200": async (p) => {
    const id = await book(p, { exclude: "thing", priority: 70 });
    expect(await timersOf(p, id)).toEqual([]);
    const change = { name: "Other", words: "thing" };
    const { rules } = (await p.client().rules.set(id, change, signal)).value;
    const { created_at: _at, ...rule } = rules[0] ?? {};
    const { deviceId: device_id } = p.server;
    expect(rule).toEqual({ ...change, id, device_id, recording_quality: "Prefer HD" });
    const [timer] = await timersOf(p, id);
    expect(timer?.show_id).toBe(p.subject.lone.id);
    expect(timer?.priority).toBeUndefined();
    await p.client().rules.delete(id, signal);
  },
  "DELETE rules/{rule_id} 200": async (p) => {
    const id = await book(p, {});
    await p.client().rules.delete(id, signal);
    expect(await timersOf(p, id)).toEqual([]);
    expect((await p.client().rules.all(signal)).value.rules.map((one) => one.id)).not.toContain(id);
  },
  "POST rules/preview 200": async (p) => {
    const before = (await p.client().timers(signal)).value.timers.length;
    const order = { name: "Things", words: "thing new", device_id: p.server.deviceId };
    const { value } = await p.client().rules.preview(order, signal);
    const { id: show_id, channelId: channel_id, title } = p.subject.lone;
    expect(value).toMatchObject({
      ...{ total: 1, records: 1 },
      rule_matches: [{ show_id, channel_id, title, outcome: "records" }],
    });
    expect((await p.client().timers(signal)).value.timers).toHaveLength(before);
  },
};
