import { expect } from "vitest";
import { signal } from "./calls.ts";
import type { Parties } from "./parties.ts";

const ANY_AIRING = { start_minutes: -1, network_id: -1, channel_id: -1, recording_quality: "Prefer HD" };

async function bookSeries(p: Parties, seriesId: string): Promise<number> {
  const order = { series_id: seriesId, device_id: p.server.deviceId };
  const { series_recordings } = (await p.client().series.addRecording(order, signal)).value;
  return series_recordings[0]?.id ?? 0;
}

async function bookKeyword(p: Parties, keyword: string): Promise<number> {
  const { value } = await p.client().series.addKeyword({ keyword, device_id: p.server.deviceId }, signal);
  return value.keywords[0]?.id ?? 0;
}

async function timersOf(p: Parties, field: "series_recording_id" | "keyword_id", id: number) {
  const { timers } = (await p.client().timers(signal)).value;
  return timers.filter((timer) => timer[field] === id);
}

/** The successes of series recordings, favourites and keywords. */
export const SERIES_SUCCESSES: Readonly<Record<string, (parties: Parties) => Promise<void>>> = {
  "GET series 200": async (p) => {
    const { series_info } = (await p.client().series.list("THING new", signal)).value;
    expect(series_info).toEqual([p.subject.series[1]]);
    expect((await p.client().series.list("thin", signal)).value.series_info).toEqual([]);
    const all = (await p.client().series.list("", signal)).value.series_info;
    expect(all.map(({ id }) => id)).toEqual(p.subject.seriesByTitle);
  },
  "GET series/recordings 200": async (p) => {
    const [{ id: series_id, title: name }] = p.subject.series;
    const id = await bookSeries(p, series_id);
    const { series_recordings } = (await p.client().series.recordings(signal)).value;
    const { deviceId: device_id } = p.server;
    expect(series_recordings).toContainEqual({
      id,
      name,
      series_id,
      device_id,
      ...ANY_AIRING,
      show_id: -1,
    });
    await p.client().series.deleteRecording(id, signal);
  },
  "POST series/recordings 201": async (p) => {
    const id = await bookSeries(p, p.subject.series[1].id);
    expect(await bookSeries(p, p.subject.series[1].id)).toBe(id);
    const { id: showId, channelId, title } = p.subject.lone;
    expect(await timersOf(p, "series_recording_id", id)).toMatchObject([
      { name: title, channel_id: channelId, show_id: showId, state: "waiting", keyword_id: 0 },
    ]);
    await p.client().series.deleteRecording(id, signal);
  },
  "PUT series/recordings/{series_recording_id} 200": async (p) => {
    const id = await bookSeries(p, p.subject.series[1].id);
    const change = { channel_id: p.subject.channels[0].id, start_minutes: 90, recording_quality: "SD Only" };
    const { series_recordings } = (await p.client().series.setRecording(id, change, signal)).value;
    expect(series_recordings).toMatchObject([
      { id, series_id: p.subject.series[1].id, network_id: -1, ...change },
    ]);
    const timers = await timersOf(p, "series_recording_id", id);
    expect(timers.filter(({ action }) => action === "record")).toEqual([]);
    await p.client().series.deleteRecording(id, signal);
  },
  "DELETE series/recordings/{series_recording_id} 200": async (p) => {
    const id = await bookSeries(p, p.subject.series[1].id);
    const [timer] = await timersOf(p, "series_recording_id", id);
    await p.client().series.deleteRecording(id, signal);
    expect(await timersOf(p, "series_recording_id", id)).toMatchObject([
      { id: timer?.id, action: "forget", state: "waiting" },
    ]);
    await p.client().setTimer(timer?.id ?? "", { state: "completed" }, signal);
    expect(await timersOf(p, "series_recording_id", id)).toEqual([]);
    expect((await p.client().series.recordings(signal)).value.series_recordings).not.toContainEqual(
      expect.objectContaining({ id }),
    );
  },
  "GET series/favourites 200": async (p) => {
    const [{ id: series_id, title: name }] = p.subject.series;
    await p.client().series.addFavourite(series_id, signal);
    const { favourites } = (await p.client().series.favourites(signal)).value;
    expect(favourites).toContainEqual({ series_id, name });
  },
  "POST series/favourites 201": async (p) => {
    const [, , { id: series_id, title: name }] = p.subject.series;
    const favourite = { series_id, name };
    for (const _time of ["first", "second"]) {
      const { value } = await p.client().series.addFavourite(series_id, signal);
      expect(value).toEqual({ favourites: [favourite] });
    }
    const { favourites } = (await p.client().series.favourites(signal)).value;
    expect(favourites.filter((one) => one.series_id === series_id)).toEqual([favourite]);
  },
  "DELETE series/favourites/{series_id} 200": async (p) => {
    const [, { id }] = p.subject.series;
    await p.client().series.addFavourite(id, signal);
    await p.client().series.deleteFavourite(id, signal);
    const { favourites } = (await p.client().series.favourites(signal)).value;
    expect(favourites.map(({ series_id }) => series_id)).not.toContain(id);
  },
  "GET keywords 200": async (p) => {
    const id = await bookKeyword(p, "“Küche” & mehr");
    const { keywords } = (await p.client().series.keywords(signal)).value;
    const { deviceId: device_id } = p.server;
    expect(keywords).toContainEqual({ id, keyword: "“Küche” & mehr", device_id, ...ANY_AIRING });
  },
  "POST keywords 201": async (p) => {
    const id = await bookKeyword(p, "THING new");
    expect(await timersOf(p, "keyword_id", id)).toMatchObject([
      { show_id: p.subject.lone.id, series_recording_id: 0 },
    ]);
    await p.client().series.deleteKeyword(id, signal);
  },
  "PUT keywords/{keyword_id} 200": async (p) => {
    const id = await bookKeyword(p, "thing that is not there");
    expect(await timersOf(p, "keyword_id", id)).toEqual([]);
    const { keywords } = (await p.client().series.setKeyword(id, { keyword: "thing" }, signal)).value;
    expect(keywords).toMatchObject([{ id, keyword: "thing", ...ANY_AIRING }]);
    expect(await timersOf(p, "keyword_id", id)).toMatchObject([{ show_id: p.subject.lone.id }]);
    await p.client().series.deleteKeyword(id, signal);
  },
  "DELETE keywords/{keyword_id} 200": async (p) => {
    const id = await bookKeyword(p, "new");
    await p.client().series.deleteKeyword(id, signal);
    expect(await timersOf(p, "keyword_id", id)).toEqual([]);
    expect((await p.client().series.keywords(signal)).value.keywords.map((one) => one.id)).not.toContain(id);
  },
};
