import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  mergeUpdate,
  type ScheduledEvent,
  type ScheduleUpdate,
} from "../../../src/guide-server/broadcast/service-schedule.ts";
import type { Document } from "../../../src/guide-wire/documents.ts";
import type { Show } from "../../../src/guide-wire/records.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../src/model/time.ts";
import { type Hosted, hosted, NOW } from "../hosted.ts";
import { listing, type Slot } from "../xmltv/listing.ts";
import { readListings } from "../xmltv/read-listings.ts";

type Guide = Document<"broadcast-guide">;

/** One that is in no guide yet. */
const SALT = { onid: 0x2000, tsid: 1, sid: 5 };
const START = NOW + HOUR;

/** `[event id, start in minutes, minutes, title]` */
type Row = readonly [eventId: number, at: number, minutes: number, title: string];

function eventOf([eit_id, at, minutes, title]: Row): Guide["events"][number] {
  const start_unix = (START + at * MINUTE) / SECOND;
  return { ...SALT, eit_id, title, start_unix, stop_unix: start_unix + minutes * 60 };
}

function guideOf(rows: readonly Row[], { told = [] as readonly (readonly [number, number])[] } = {}): Guide {
  return {
    services: [{ ...SALT, name: "Salt TV", received: 1 }],
    spans: told.map(([from, to]) => ({
      ...SALT,
      start_unix: (START + from * MINUTE) / SECOND,
      stop_unix: (START + to * MINUTE) / SECOND,
    })),
    events: rows.map(eventOf),
  };
}

async function bring(guide: Hosted, value: Guide) {
  const ask = { method: "POST", path: "/broadcast_guide" } as const;
  const answer = await guide.send(ask, "json", { kind: "broadcast-guide", value });
  expect(answer.status).toBe(200);
  return answer.read("broadcast-guide-taken");
}

async function shown(guide: Hosted): Promise<readonly Show[]> {
  const { channels } = (await guide.ask({ method: "GET", path: "/regions/1/channels" })).read("channels");
  const id = channels.find(({ name }) => name === "Salt TV")?.id;
  return (await guide.ask({ method: "GET", path: `/shows?channel_id=${id}` })).read("shows").shows;
}

/** Shows in the form of the rows that brought them. */
const rowsOf = (shows: readonly Show[]) =>
  shows.map(({ eit_id, start_unix = 0, stop_unix = 0, title }) => [
    eit_id,
    (start_unix * SECOND - START) / MINUTE,
    (stop_unix - start_unix) / 60,
    title,
  ]);

let written = 0;
async function readListing(guide: Hosted, slots: readonly Slot[]): Promise<void> {
  const file = join(guide.folder, "listing.xml");
  await writeFile(file, listing({ "tv.200000010005": "Salt TV" }, slots));
  written += 1;
  await utimes(file, written, written);
  await readListings(guide, file);
}

const slot = (at: number, minutes: number, title: string): Slot => ({
  channel: "tv.200000010005",
  start: START + at * MINUTE,
  minutes,
  title,
});

const EVENING: readonly Row[] = [
  [1, 0, 30, "News"],
  [2, 30, 60, "Salt Road"],
  [3, 90, 90, "The Pier"],
];

const RUNNING: Row = [0, -60, 45, "Afternoon"];

/** The case, the rows that come, the spans in which they are complete, and the resulting ids and starts. */
const NEWS: readonly (readonly [string, readonly Row[], readonly (readonly [number, number])[], string])[] = [
  ["keeps every event if all are repeated", EVENING, [], "1@0 2@30 3@90"],
  [
    "moves the next event after an overrun, and keeps the one after until its own update",
    [
      [1, 0, 40, "News"],
      [2, 40, 60, "Salt Road"],
    ],
    [[0, 41]],
    "1@0 2@40 3@90",
  ],
  ["replaces an event by another at the same time", [[9, 30, 60, "Debate"]], [], "1@0 9@30 3@90"],
  ["replaces several events by one that covers them", [[9, 20, 200, "Football"]], [], "1@0 9@20"],
  ["loses an event that its complete span lacks", [[3, 90, 90, "The Pier"]], [[30, 90]], "1@0 3@90"],
  ["keeps a running event that a past span lacks", [], [[-120, -30]], "0@-60 1@0 2@30 3@90"],
  ["loses all events of an empty span", [], [[60, 180]], "1@0 2@30"],
  ["ignores past events", [[4, -180, 60, "Past"]], [], "1@0 2@30 3@90"],
  ["moves an id to its new event", [[2, 180, 30, "Late News"]], [], "1@0 3@90 2@180"],
];

describe("the EIT data of a service after an update", () => {
  const told = ([eventId, at, minutes, title]: Row): ScheduledEvent => ({
    eventId,
    start: START + at * MINUTE,
    stop: START + (at + minutes) * MINUTE,
    title,
    desc: "",
  });

  it.each(NEWS)("%s", (_, rows, spans, wanted) => {
    const news: ScheduleUpdate = {
      events: rows.map(told),
      spans: spans.map(([from, to]) => ({ from: START + from * MINUTE, to: START + to * MINUTE })),
    };
    const before = wanted.startsWith("0@") ? [RUNNING, ...EVENING] : EVENING;
    const known = mergeUpdate(before.map(told), news, NOW);
    const text = known.map(({ eventId, start }) => `${eventId}@${(start - START) / MINUTE}`).join(" ");
    expect(text).toBe(wanted);
  });
});

describe("EIT data from recorders", () => {
  it("becomes a channel and its shows, with the event ids of the broadcast", async () => {
    await using guide = await hosted();
    expect(await bring(guide, guideOf(EVENING))).toEqual({ count_of_events: 3, count_left_out: 0 });
    expect(rowsOf(await shown(guide))).toEqual(EVENING);
    const before = await shown(guide);
    await bring(guide, guideOf(EVENING));
    expect(await shown(guide)).toEqual(before);
  });

  it("moves a show and its timer with the event id, even if the next episode takes its time", async () => {
    await using guide = await hosted();
    const double: readonly Row[] = [
      [1, 0, 30, "Salt Road"],
      [2, 30, 30, "Salt Road"],
      [3, 60, 30, "News"],
    ];
    await bring(guide, guideOf(double));
    const before = await shown(guide);
    const show_id = before[1]?.id ?? 0;
    const timerId = await guide.server.addTimer(guide.email, { device_id: guide.deviceId, show_id });
    const later = double.map(([id, at, minutes, title]): Row => [id, at + 30, minutes, title]);
    await bring(guide, guideOf(later, { told: [[0, 120]] }));
    const after = await shown(guide);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(rowsOf(after)).toEqual(later);
    expect(await guide.server.timers(guide.email)).toMatchObject([
      { id: timerId, show_id, start_time: "2026-11-20T11:00:00+00:00" },
    ]);
  });

  it("reports withdrawn shows to clients", async () => {
    await using guide = await hosted();
    await bring(guide, guideOf(EVENING));
    await bring(guide, guideOf(EVENING.slice(0, 2), { told: [[0, 180]] }));
    expect(rowsOf(await shown(guide))).toEqual(EVENING.slice(0, 2));
  });

  it("yields to a listing, fills its gaps, and adds event ids", async () => {
    await using guide = await hosted();
    await bring(guide, guideOf([...EVENING, [4, 180, 60, "Late Film"]]));
    const before = await shown(guide);
    await readListing(guide, [
      slot(0, 30, "News at Ten"),
      slot(30, 60, "Salt Road: The Ferry"),
      slot(90, 90, "The Pier"),
    ]);
    const merged: readonly Row[] = [
      [1, 0, 30, "News at Ten"],
      [2, 30, 60, "Salt Road: The Ferry"],
      [3, 90, 90, "The Pier"],
      [4, 180, 60, "Late Film"],
    ];
    expect(rowsOf(await shown(guide))).toEqual(merged);
    expect((await shown(guide)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    // EIT data for times that the listing covers changes nothing but the id of an event.
    await bring(
      guide,
      guideOf([
        [7, 30, 60, "Salt Road"],
        [8, 90, 20, "Weather"],
      ]),
    );
    expect(rowsOf(await shown(guide))).toEqual([
      merged[0],
      [7, 30, 60, "Salt Road: The Ferry"],
      merged[2],
      merged[3],
    ]);
  });

  it("returns when a listing no longer covers its time", async () => {
    await using guide = await hosted();
    await readListing(guide, [slot(0, 30, "News"), slot(30, 60, "Salt Road"), slot(90, 90, "The Pier")]);
    await bring(
      guide,
      guideOf([
        [1, 0, 30, "News"],
        [2, 30, 60, "Debate"],
        [3, 90, 90, "The Pier"],
      ]),
    );
    expect((await shown(guide)).map(({ title }) => title)).toEqual(["News", "Salt Road", "The Pier"]);
    await readListing(guide, [slot(0, 30, "News"), slot(90, 90, "The Pier")]);
    expect((await shown(guide)).map(({ title }) => title)).toEqual(["News", "Debate", "The Pier"]);
  });

  it("identifies series and episodes by content reference ids", async () => {
    await using guide = await hosted();
    const value = guideOf([
      [1, 0, 30, "Salt Road"],
      [2, 600, 30, "Salt Road, again"],
    ]);
    const ids = { series_crid: "crid://salt.example/s1", programme_crid: "crid://salt.example/p7" };
    await bring(guide, { ...value, events: value.events.map((event) => ({ ...event, ...ids })) });
    const [first, second] = await shown(guide);
    expect(first?.series_id).not.toBe("");
    expect([second?.series_id, second?.episode_id]).toEqual([first?.series_id, first?.episode_id]);
    expect(first?.episode_id).toBe("crid:crid://salt.example/p7");
  });

  it("gives a channel without a triplet its own, and ignores services that no tuner receives", async () => {
    await using guide = await hosted();
    const service = { onid: 1, tsid: 2, sid: 3, name: "no triplet", received: 1 };
    const far = { onid: 1, tsid: 9, sid: 9, name: "Far away" };
    const event = { ...eventOf([1, 0, 30, "News"]), onid: 1, tsid: 9, sid: 9 };
    await bring(guide, { services: [service, far], spans: [], events: [event] });
    const { channels } = (await guide.ask({ method: "GET", path: "/regions/1/channels" })).read("channels");
    expect(channels.find(({ id }) => id === 8)?.dvb).toEqual([
      { original_network_id: 1, transport_stream_id: 2, service_id: 3 },
    ]);
    expect(channels.map(({ name }) => name)).not.toContain("Far away");
  });
});

describe("hostile EIT data", () => {
  it("leaves the guide bounded and readable for every client", async () => {
    await using guide = await hosted();
    const bad = (fields: object) => ({ ...eventOf([1, 0, 30, "News"]), ...fields });
    const far = (NOW + 65 * DAY) / SECOND;
    const value = {
      ...guideOf([]),
      events: [
        bad({ eit_id: 1, title: `A\u0000\ufffe${"x".repeat(5000)}\ud800`, desc: "d".repeat(90_000) }),
        bad({ eit_id: 2, stop_unix: 0 }),
        bad({ eit_id: 3, start_unix: far, stop_unix: far + 60 }),
        bad({ eit_id: 4, title: "\u0007" }),
        bad({ eit_id: 5, stop_unix: START / SECOND + 3 * 86_400 }),
        bad({
          eit_id: 6,
          start_unix: START / SECOND + 7200,
          stop_unix: START / SECOND + 7260,
          series_crid: "not one",
        }),
      ],
    };
    expect(await bring(guide, value)).toEqual({ count_of_events: 2, count_left_out: 4 });
    const shows = await shown(guide);
    expect(shows.map(({ eit_id }) => eit_id)).toEqual([1, 6]);
    expect(shows[0]?.title).toMatch(/^A x{290,}$/);
    expect(shows[0]?.desc?.length).toBe(4000);
    const asXml = await guide.ask({ method: "GET", path: "/shows.xml" });
    expect(asXml.read("shows").shows.length).toBeGreaterThan(2);
  });

  it("is stored up to a number of events for each service, the earliest first", async () => {
    await using guide = await hosted();
    const many = Array.from({ length: 2100 }, (_, at): Row => [at, at, 1, `E${at}`]);
    expect(await bring(guide, guideOf(many))).toEqual({ count_of_events: 2000, count_left_out: 100 });
  });

  it("is rejected where anyone may sign up, unless settings allow it", async () => {
    await using guide = await hosted({ allowSignUp: true });
    const named = async (host: Hosted) =>
      (await host.ask({ method: "GET", path: "/user/settings" }))
        .read("settings")
        .settings.map(({ name }) => name);
    expect(await named(guide)).not.toContain("broadcast_guide");
    await using own = await hosted();
    expect(await named(own)).toContain("broadcast_guide");
  });
});
