import { describe, expect, it } from "vitest";
import { put } from "../../src/guide-server/data/tables.ts";
import { recordContact } from "../../src/guide-server/domain/device-contact.ts";
import { SERVER_LIMITS } from "../../src/guide-server/limits.ts";
import { DAY, formatInstant, HOUR, MINUTE } from "../../src/model/time.ts";
import { casesOf, IS_LONG } from "../lane.ts";
import { GUIDE, type Hosted, hosted, NOW, PASSWORD } from "./hosted.ts";
import { type AirService, SetTopBox } from "./set-top-box.ts";

const CHANNELS = 65;
const POLL_MS = 15 * MINUTE;
/** Each day brings the same: what goes wrong by the day shows on the third. */
const DAYS = casesOf({ sample: 3, all: 7 });
const ONE = { onid: 0x1010, tsid: 0x0400 };
const channelId = (n: number) => 100 + n;

/** Every channel has a triplet but the first, which the guide knows by a name of the air, and the second, which the air lacks. */
const channels = Array.from({ length: CHANNELS }, (_, n) => ({
  id: channelId(n),
  name: `Channel ${n}`,
  region_id: 1,
  ...(n === 0 ? { known_names: ["First on Air"] } : {}),
  ...(n < 2
    ? {}
    : {
        dvb: [{ original_network_id: ONE.onid, transport_stream_id: ONE.tsid, service_id: n }],
      }),
}));
const air: readonly AirService[] = [
  { ...ONE, sid: 0x900, name: "FIRST ON AIR" },
  ...Array.from({ length: CHANNELS - 2 }, (_, n) => ({ ...ONE, sid: n + 2, name: `Air ${n + 2}` })),
  { ...ONE, sid: 0x901, name: "Nobody's" },
];

/** Each channel has a show every six hours; ids are the same whenever they are published. */
function showsOfDay(day: number) {
  return channels.flatMap(({ id }) =>
    [0, 6, 12, 18].map((hour) => ({
      id: id * 1000 + day * 10 + hour / 6,
      channelId: id,
      start: NOW + day * DAY + hour * HOUR,
      durationMinutes: 60,
      title: `Show ${id} ${day} ${hour}`,
    })),
  );
}
const showId = (n: number, day: number, hour: number) => channelId(n) * 1000 + day * 10 + hour / 6;
const titleOf = (n: number, day: number, hour: number) => `Show ${channelId(n)} ${day} ${hour}`;
const guideOf = (days: readonly number[]) => ({ ...GUIDE, channels, shows: days.flatMap(showsOfDay) });

async function living(forgetsBy: "completed" | "delete") {
  const guide = await hosted({ guide: guideOf([0, 1, 2]) });
  const member = { email_address: guide.email, password: PASSWORD };
  const box = new SetTopBox({ baseUrl: guide.baseUrl, member, uid: "B0:0B", air, forgetsBy });
  await box.start();
  return { guide, box };
}

const book = (guide: Hosted, box: SetTopBox, show: number) =>
  guide.server.addTimer(guide.email, { device_id: box.deviceId, show_id: show });

const stateOf = async (guide: Hosted, id: string) =>
  (await guide.server.timers(guide.email)).find((timer) => timer.id === id)?.state;

/** A person at home, who does something on each day and changes her mind about some of it. */
class Viewer {
  readonly wanted: string[] = [];
  readonly #guide: Hosted;
  readonly #box: SetTopBox;
  #withdrawn: string | undefined;

  constructor(guide: Hosted, box: SetTopBox) {
    this.#guide = guide;
    this.#box = box;
  }

  async morningOf(day: number): Promise<void> {
    await this.#guide.server.seed(guideOf([day + 2]));
    for (const n of [3, 4, 40]) {
      await book(this.#guide, this.#box, showId(n, day, 12));
      this.wanted.push(titleOf(n, day, 12));
    }
    this.#withdrawn = await book(this.#guide, this.#box, showId(5, day, 18));
    const start_time = formatInstant(NOW + day * DAY + 18 * HOUR);
    const name = `seen on the box on day ${day}`;
    const local = { eit_id: 5000 + day, channel_id: channelId(7), start_time, duration_minutes: 60 };
    await this.#box.bookHere({ ...local, name });
    this.wanted.push(name);
    const regretted = await this.#box.bookHere({ ...local, channel_id: channelId(8), name: "no" });
    await this.#box.deleteHere(regretted);
  }

  /** She deletes what the box already has. */
  async noon(): Promise<void> {
    await this.#guide.ask({ method: "DELETE", path: `/shows/timers/${this.#withdrawn}` });
  }
}

describe("a set-top box", () => {
  it.each(IS_LONG ? (["completed", "delete"] as const) : (["delete"] as const))(
    "works for days and records each wanted event once, if it acknowledges a forget by %s",
    async (forgetsBy) => {
      const { guide, box } = await living(forgetsBy);
      await using _guide = guide;
      const viewer = new Viewer(guide, box);
      for (let poll = 0; poll < (DAYS * DAY) / POLL_MS; poll += 1) {
        const hour = (poll * POLL_MS) / HOUR;
        if (hour % 24 === 1) await viewer.morningOf(Math.floor(hour / 24));
        if (hour % 24 === 12) await viewer.noon();
        if (hour % 24 === 3) await box.readShows();
        if (hour % 24 === 4) expect(await box.sendLogs([{ level: 1, text: "well" }, { text: "so" }])).toBe(2);
        await box.poll(guide.clock.now());
        await guide.clock.advance(POLL_MS);
      }
      await box.poll(guide.clock.now());
      expect([...box.recorded].sort()).toEqual([...viewer.wanted].sort());
      const left = (await guide.server.timers(guide.email)).map(({ name, action, state }) => [
        name,
        action,
        state,
      ]);
      expect(left.sort()).toEqual(viewer.wanted.map((name) => [name, "record", "completed"]).sort());
      expect(Object.keys(box.statuses).filter((status) => !/ 20[01]$/.test(status))).toEqual([]);
      // 64 channels are three requests a day.
      expect(box.statuses["GET shows 200"]).toBe(3 * DAYS);
      // Her deletions on the box itself come back as forgets too.
      expect(box.statuses["DELETE shows/timers/N 200"]).toBe((forgetsBy === "delete" ? 3 : 1) * DAYS);
      const texts = (await guide.server.boxLogs(guide.email)).map(({ text }) => text);
      expect(texts.slice(0, 2)).toEqual(['{"level":1,"text":"well"}', '{"text":"so"}']);
      expect(texts.length).toBe(2 * DAYS);
    },
  );

  it("has the server's guide after reading its changes once a day", async () => {
    const { guide, box } = await living("delete");
    await using _guide = guide;
    await box.readShows();
    const received = new Set(box.mapped().map(({ channel }) => channel.id));
    expect(received.size).toBe(CHANNELS - 1);
    const ofDays = (days: readonly number[]) =>
      days.flatMap(showsOfDay).filter((show) => received.has(show.channelId));
    expect(box.shows.size).toBe(ofDays([0, 1, 2]).length);
    await guide.clock.advance(HOUR);
    const [first] = showsOfDay(2).filter((show) => received.has(show.channelId));
    if (first === undefined) throw new Error("no show");
    const moved = { ...first, start: first.start + 2 * HOUR };
    const after = { ...guideOf([3]), shows: [...showsOfDay(3), moved] };
    await guide.server.seed(after);
    await box.readShows();
    expect(box.shows.size).toBe(ofDays([0, 1, 2, 3]).length);
    expect(box.shows.get(String(moved.id))?.["start"]).toBe(formatInstant(moved.start));
  });

  it("sees a timer as waiting, then as sent, then in its reported state", async () => {
    const { guide, box } = await living("completed");
    await using _guide = guide;
    const id = await book(guide, box, showId(3, 0, 12));
    expect(await stateOf(guide, id)).toBe("waiting");
    box.overlooks.add(id);
    await box.poll(guide.clock.now());
    expect(await stateOf(guide, id)).toBe("sent");
    await box.poll(guide.clock.now());
    expect(await stateOf(guide, id)).toBe("pending");
    await box.poll(guide.clock.now());
    expect(await stateOf(guide, id)).toBe("pending");
  });

  it("loses a timer that it skips in favour of a later list, until it acknowledges it", async () => {
    const { guide, box } = await living("completed");
    await using _guide = guide;
    const [lost, kept] = [await book(guide, box, showId(3, 0, 12)), await book(guide, box, showId(4, 0, 12))];
    box.overlooks.add(lost);
    await box.poll(guide.clock.now());
    expect([await stateOf(guide, lost), await stateOf(guide, kept)]).toEqual(["sent", "pending"]);
    await guide.clock.advance(POLL_MS);
    const later = await book(guide, box, showId(9, 0, 12));
    box.overlooks.add(lost);
    await box.poll(guide.clock.now());
    const states = Promise.all([lost, kept, later].map((id) => stateOf(guide, id)));
    expect(await states).toEqual(["missing", "pending", "pending"]);
    await box.poll(guide.clock.now());
    expect(await stateOf(guide, lost)).toBe("pending");
  });

  it("is not affected by what another device of the household reads", async () => {
    const { guide, box } = await living("completed");
    await using _guide = guide;
    const id = await book(guide, box, showId(3, 0, 12));
    for (let reading = 0; reading < 2; reading += 1)
      await guide.ask({ method: "GET", path: "/shows/timers" });
    expect(await stateOf(guide, id)).toBe("waiting");
  });

  it("acknowledges a forget like a timer: waiting, sent, gone", async () => {
    const { guide, box } = await living("completed");
    await using _guide = guide;
    const id = await book(guide, box, showId(3, 0, 12));
    await box.poll(guide.clock.now());
    await guide.ask({ method: "DELETE", path: `/shows/timers/${id}` });
    expect(await stateOf(guide, id)).toBe("waiting");
    await guide.ask({ method: "GET", path: `/shows/timers?device_id=${box.deviceId}` });
    expect(await stateOf(guide, id)).toBe("waiting");
    await box.poll(guide.clock.now());
    expect(await stateOf(guide, id)).toBeUndefined();
    expect([...box.timers.keys()]).toEqual([]);
  });
});

describe("a scan", () => {
  it("gives a channel without a triplet the one it was found with, and changes no other", async () => {
    const { guide, box } = await living("completed");
    await using _guide = guide;
    const answer = (await guide.ask({ method: "GET", path: "/regions/1/channels" })).read(
      "channels",
    ).channels;
    const triplets = answer.map(({ id, dvb = [] }) => [id, dvb.map(({ service_id }) => service_id)] as const);
    expect(triplets.slice(0, 3)).toEqual([
      [channelId(0), [0x900]],
      [channelId(1), []],
      [channelId(2), [2]],
    ]);
    expect(box.mapped()[0]?.service.name).toBe("FIRST ON AIR");
    const unknown = (await guide.server.receivedServices(guide.email)).filter(
      (found) => found.channelId === undefined,
    );
    expect(unknown.map(({ name }) => name)).toEqual(["Nobody's"]);
  });

  it("moves no triplet, replaces none, and ignores an ambiguous one", async () => {
    const { guide } = await living("completed");
    await using _guide = guide;
    const scan = (service: object) =>
      guide.ask({
        method: "POST",
        path: "/scans",
        text: JSON.stringify({ scans: [{ ...ONE, ...service }] }),
      });
    await guide.clock.advance(SERVER_LIMITS.scanMs + MINUTE);
    await scan({ channel_id: channelId(1), channel_name: "Channel 1", sid: 5 });
    await scan({ channel_id: channelId(2), channel_name: "Channel 2", sid: 0x700 });
    const { channels: now } = (await guide.ask({ method: "GET", path: "/regions/1/channels" })).read(
      "channels",
    );
    const ids = now.map(({ dvb = [] }) => dvb.map(({ service_id }) => service_id));
    expect(ids.slice(0, 6)).toEqual([[0x900], [], [2], [3], [4], [5]]);
    const scans = ["channel 1", "CHANNEL 1"].map((channel_name, n) => ({
      channel_name,
      ...ONE,
      sid: 0x701 + n,
    }));
    await guide.send({ method: "POST", path: "/scans" }, "json", { kind: "scans", value: { scans } });
    const { channels: after } = (await guide.ask({ method: "GET", path: "/regions/1/channels" })).read(
      "channels",
    );
    expect(after).toEqual(now);
  });

  it("expires a day later for channels that it no longer finds", async () => {
    const { guide, box } = await living("completed");
    await using _guide = guide;
    expect((await guide.server.receivedServices(guide.email)).length).toBe(air.length);
    await guide.clock.advance(SERVER_LIMITS.scanMs + MINUTE);
    await box.start();
    expect((await guide.server.receivedServices(guide.email)).length).toBe(air.length);
    await guide.clock.advance(SERVER_LIMITS.scanMs + MINUTE);
    await box.scan([{ name: "Only one", ...ONE, sid: 1 }]);
    expect((await guide.server.receivedServices(guide.email)).map(({ name }) => name)).toEqual(["Only one"]);
  });
});

describe("scan results of boxes", () => {
  it("are stored for each box: a scan of one keeps those of another, and shared channels are learnt once", async () => {
    const { guide, box } = await living("completed");
    await using _guide = guide;
    await guide.clock.advance(SERVER_LIMITS.scanMs + MINUTE);
    const services = [
      { channel_name: "Channel 1", ...ONE, sid: 0x902 },
      { channel_name: "Nobody's", ...ONE, sid: 0x901 },
    ];
    const value = { scans: services };
    await guide.send({ method: "POST", path: "/scans" }, "json", { kind: "scans", value });
    const of = async (id: number) =>
      (await guide.server.receivedServices(guide.email)).filter(({ deviceId }) => deviceId === id);
    expect([(await of(box.deviceId)).length, (await of(guide.deviceId)).length]).toEqual([
      air.length,
      services.length,
    ]);
    const { channels: learnt } = (await guide.ask({ method: "GET", path: "/regions/1/channels" })).read(
      "channels",
    );
    expect(learnt[1]?.dvb).toMatchObject([{ service_id: 0x902 }]);
    await box.scan([...air, { name: "Channel 1", ...ONE, sid: 0x902 }]);
    expect((await of(box.deviceId)).length).toBe(air.length + 1);
    await box.sendLogs([{ text: "mine" }]);
    expect(await guide.server.boxLogs(guide.email)).toMatchObject([{ deviceId: box.deviceId }]);
  });

  it("are removed with the box and its token", async () => {
    const { guide, box } = await living("completed");
    await using _guide = guide;
    await box.sendLogs([{ text: "mine" }]);
    await guide.ask({ method: "DELETE", path: `/devices/${box.deviceId}` });
    expect(await guide.server.receivedServices(guide.email)).toEqual([]);
    expect(await guide.server.boxLogs(guide.email)).toEqual([]);
    await expect(box.poll(guide.clock.now())).rejects.toThrow();
    expect((await guide.ask({ method: "GET", path: "/devices" })).status).toBe(200);
  });
});

describe("a silent device", () => {
  it("is reported once after the configured days, and again after its next sign of life", async () => {
    const { guide, box } = await living("completed");
    await using _guide = guide;
    const silent = async () =>
      (await guide.server.newlySilentDevices(5 * DAY)).map(({ device, heardAt }) => [
        device.id,
        heardAt - NOW,
      ]);
    const advanceAndAsk = async (ms: number) => {
      await guide.clock.advance(ms);
      await guide.ask({ method: "GET", path: "/shows/timers" });
    };
    for (let day = 0; day < 4; day += 1) await advanceAndAsk(DAY);
    expect(await silent()).toEqual([]);
    await advanceAndAsk(DAY);
    expect(await silent()).toEqual([[box.deviceId, 0]]);
    expect(await silent()).toEqual([]);
    await box.poll(guide.clock.now());
    await advanceAndAsk(4 * DAY);
    expect(await silent()).toEqual([]);
    await advanceAndAsk(DAY);
    expect(await silent()).toEqual([[box.deviceId, 5 * DAY]]);
  });

  it("counts as seen even if the clock was set back since", () => {
    const device = { id: 7, accountId: "1", uid: "", label: "Box", typeId: 1 };
    const heard = new Map([["7", { id: "7", at: NOW + 365 * DAY }]]);
    expect(recordContact({ heard }, device, NOW)).toEqual([put("heard", { id: "7", at: NOW })]);
  });

  it("is not reported after deletion", async () => {
    const { guide, box } = await living("completed");
    await using _guide = guide;
    await guide.ask({ method: "DELETE", path: `/devices/${box.deviceId}` });
    await guide.clock.advance(4 * DAY);
    await guide.ask({ method: "GET", path: "/shows/timers" });
    await guide.clock.advance(DAY);
    expect(await guide.server.newlySilentDevices(5 * DAY)).toEqual([]);
  });
});
