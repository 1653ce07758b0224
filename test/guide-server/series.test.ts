import { describe, expect, it } from "vitest";
import type { ShowData } from "../../src/guide-server/domain/catalogue.ts";
import { openGuideServer } from "../../src/guide-server/server.ts";
import type { Timer } from "../../src/guide-wire/records.ts";
import { silentLog } from "../../src/kit/log.ts";
import { DAY, formatInstant, HOUR } from "../../src/model/time.ts";
import { engineOf } from "./engines.ts";
import { GUIDE, type Hosted, hosted, NOW } from "./hosted.ts";

const CHANNELS = [
  { id: 7, name: "Harbour", region_id: 1, network_id: 3 },
  { id: 8, name: "Harbour HD", region_id: 1, network_id: 3, is_hd: 1 },
];

function episode(id: number, number: number, more: Partial<ShowData> = {}): ShowData {
  return {
    ...{ id, channelId: 7, seriesId: "900", episodeId: `900 e${number}`, title: "Low Tide" },
    ...{ start: NOW + number * DAY, durationMinutes: 60 },
    ...more,
  };
}

async function guideWith(shows: readonly ShowData[], more: object = {}): Promise<Hosted> {
  return hosted({ guide: { ...GUIDE, channels: CHANNELS, series: [], shows }, ...more });
}

async function publish(guide: Hosted, ...shows: readonly ShowData[]): Promise<void> {
  await guide.server.seed({ ...GUIDE, channels: CHANNELS, series: [], shows });
}

async function post(guide: Hosted, path: string, fields: object): Promise<number> {
  const text = JSON.stringify({ device_id: guide.deviceId, ...fields });
  const headers = { "content-type": "application/json" };
  const answer = await guide.ask({ method: "POST", path, text, headers });
  expect(answer.status).toBe(201);
  const [list] = Object.values(JSON.parse(answer.body.toString())) as (readonly { readonly id: number }[])[];
  return list?.[0]?.id ?? 0;
}

const bookSeries = (guide: Hosted, fields: object = {}) =>
  post(guide, "/series/recordings", { series_id: "900", ...fields });

async function timers(guide: Hosted): Promise<readonly Timer[]> {
  return (await guide.ask({ method: "GET", path: "/shows/timers" })).read("timers").timers;
}

async function tell(guide: Hosted, timer: Timer | undefined, state: string): Promise<void> {
  const value = { state };
  const ask = { method: "PUT", path: `/shows/timers/${timer?.id}` } as const;
  expect((await guide.send(ask, "json", { kind: "timer-set", value })).status).toBe(200);
}

const brief = (list: readonly Timer[]) => list.map(({ show_id, action }) => [show_id, action]);

describe("a series recording", () => {
  it("records each episode once, from the channel of the wanted quality, and none that has begun", async () => {
    await using guide = await guideWith([
      ...[episode(1, 1), episode(2, 2), episode(3, 2, { channelId: 8 })],
      ...[episode(4, 1, { start: NOW + 3 * DAY }), episode(5, 9, { start: NOW - HOUR / 2 })],
      episode(6, 40),
    ]);
    const id = await bookSeries(guide);
    const list = await timers(guide);
    expect(list.map(({ show_id, channel_id }) => [show_id, channel_id])).toEqual([
      [1, 7],
      [3, 8],
    ]);
    for (const timer of list) expect(timer).toMatchObject({ series_recording_id: id, name: "Low Tide" });
    // Shows further ahead are ordered once they are near enough.
    await guide.clock.advanceTo(NOW + 13 * DAY);
    expect((await timers(guide)).map(({ show_id }) => show_id)).toContain(6);
  });

  it("follows a show that moves or gets another id, with the same timer id", async () => {
    await using guide = await guideWith([episode(1, 1)]);
    await bookSeries(guide);
    const [before] = await timers(guide);
    await publish(guide, episode(1, 1, { start: NOW + DAY + HOUR }));
    expect(await timers(guide)).toMatchObject([
      { id: before?.id, show_id: 1, start_time: formatInstant(NOW + DAY + HOUR) },
    ]);
    const other = { seriesId: "901", title: "High Water" };
    await publish(guide, episode(1, 1, other), episode(2, 1, { start: NOW + 2 * DAY }));
    expect(await timers(guide)).toMatchObject([{ id: before?.id, show_id: 2 }]);
  });

  it("books the next airing after a failure, and none after a success", async () => {
    await using guide = await guideWith([
      ...[episode(1, 1), episode(2, 1, { start: NOW + 5 * DAY }), episode(3, 1, { start: NOW + 60 * DAY })],
      ...[episode(4, 2), episode(5, 2, { start: NOW + 6 * DAY })],
    ]);
    await bookSeries(guide);
    const [first, second] = await timers(guide);
    await guide.clock.advanceTo(NOW + DAY + 2 * HOUR);
    await tell(guide, first, "failed");
    expect((await timers(guide)).map(({ show_id }) => show_id)).toEqual([1, 4, 2]);
    await guide.clock.advanceTo(NOW + 2 * DAY + 2 * HOUR);
    await tell(guide, second, "completed");
    await tell(guide, (await timers(guide)).at(-1), "completed");
    // Long after the timers are forgotten.
    await guide.clock.advanceTo(NOW + 50 * DAY);
    expect(await timers(guide)).toEqual([]);
  });

  it("does not rebook an episode that a person deleted or booked", async () => {
    await using guide = await guideWith([
      episode(1, 1),
      episode(2, 1, { start: NOW + 5 * DAY }),
      episode(3, 2),
    ]);
    await guide.server.addTimer(guide.email, { device_id: guide.deviceId, show_id: 3 });
    const id = await bookSeries(guide);
    const [own, manual] = await timers(guide);
    expect([own, manual]).toMatchObject([{ show_id: 1 }, { show_id: 3, series_recording_id: 0 }]);
    await guide.ask({ method: "DELETE", path: `/shows/timers/${own?.id}` });
    expect(brief(await timers(guide))).toEqual([
      [1, "forget"],
      [3, "record"],
    ]);
    await guide.ask({ method: "DELETE", path: `/series/recordings/${id}` });
    // A series that is booked again is wanted whole.
    await guide.clock.advanceTo(NOW + 1000);
    await bookSeries(guide);
    expect(brief(await timers(guide))).toEqual([
      [1, "forget"],
      [1, "record"],
      [3, "record"],
    ]);
  });

  it("is withdrawn with its timers, by a forget if a recorder may have one, unless another rule wants it", async () => {
    await using guide = await guideWith([episode(1, 1), episode(2, 2, { title: "Low Tide: Finale" })]);
    const id = await bookSeries(guide);
    // Boxes leave a field empty instead of out.
    const keyword = await post(guide, "/keywords", {
      keyword: "finale",
      recording_quality: "",
      channel_id: "",
    });
    await timers(guide);
    await publish(guide, episode(3, 3));
    await guide.ask({ method: "DELETE", path: `/series/recordings/${id}` });
    expect(await timers(guide)).toMatchObject([
      { show_id: 1, action: "forget", state: "waiting" },
      { show_id: 2, action: "record", series_recording_id: 0, keyword_id: keyword },
    ]);
  });

  it("does not record what was recorded before there was a rule, long after that timer is forgotten", async () => {
    await using guide = await guideWith([episode(1, 1)]);
    await guide.server.addTimer(guide.email, { device_id: guide.deviceId, show_id: 1 });
    const [booked] = await timers(guide);
    await guide.clock.advanceTo(NOW + DAY + 2 * HOUR);
    await tell(guide, booked, "completed");
    await guide.clock.advanceTo(NOW + 40 * DAY);
    await guide.server.forgetOld();
    await publish(guide, episode(8, 1, { start: NOW + 41 * DAY }), episode(9, 42));
    await bookSeries(guide);
    expect(brief(await timers(guide))).toEqual([[9, "record"]]);
  });

  it("records the same number of the next season, once, if the guide does not name seasons", async () => {
    const [later, again] = [{ start: NOW + 190 * DAY }, { start: NOW + 230 * DAY }];
    const named = { episodeId: "900 s1e2" };
    await using guide = await guideWith([
      ...[episode(1, 1), episode(2, 1, later), episode(3, 1, again)],
      ...[episode(4, 2, named), episode(5, 2, { ...named, ...later })],
    ]);
    await bookSeries(guide);
    expect(brief(await timers(guide)).map(([id]) => id)).toEqual([1, 4]);
    await guide.clock.advanceTo(NOW + 2 * DAY + 2 * HOUR);
    for (const timer of await timers(guide)) await tell(guide, timer, "completed");
    // A token that is used lives longer.
    await guide.clock.advanceTo(NOW + 100 * DAY);
    await guide.server.forgetOld();
    expect(await timers(guide)).toEqual([]);
    await guide.clock.advanceTo(NOW + 189 * DAY);
    const [next, ...others] = await timers(guide);
    expect(brief([next, ...others].flatMap((one) => one ?? []))).toEqual([[2, "record"]]);
    await guide.clock.advanceTo(NOW + 190 * DAY + 2 * HOUR);
    await tell(guide, next, "completed");
    await guide.clock.advanceTo(NOW + 225 * DAY);
    await guide.server.forgetOld();
    expect(await timers(guide)).toEqual([]);
  });

  it("keeps its list of recorded episodes across a restart of the server", async () => {
    await using guide = await guideWith([episode(1, 1), episode(2, 2)]);
    await bookSeries(guide);
    const [first] = await timers(guide);
    await guide.clock.advanceTo(NOW + DAY + 2 * HOUR);
    await tell(guide, first, "completed");
    const before = await timers(guide);
    await guide.server[Symbol.asyncDispose]();
    const { folder: dataFolder, clock } = guide;
    await using server = await openGuideServer({
      ...(await engineOf(dataFolder)),
      dataFolder,
      clock,
      log: silentLog,
    });
    expect(await server.timers(guide.email)).toEqual(before);
    await server.seed({ ...GUIDE, series: [], shows: [episode(9, 1, { start: NOW + 4 * DAY })] });
    const { baseUrl } = await server.listen({ host: "127.0.0.1", port: 0 });
    const list = await fetch(
      `${baseUrl}/shows/timers?email_address=${encodeURIComponent(guide.email)}&token=${guide.token}`,
    );
    expect(await list.json()).toEqual({ timers: before });
  });

  it("prevents the deletion of its device", async () => {
    await using guide = await guideWith([episode(1, 50)]);
    await bookSeries(guide);
    const answer = await guide.ask({ method: "DELETE", path: `/devices/${guide.deviceId}` });
    expect(answer.status).toBe(406);
    expect(answer.read("error").error.message).toContain("series recordings");
  });
});
