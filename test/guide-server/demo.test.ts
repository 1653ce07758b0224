import { describe, expect, it } from "vitest";
import { seedDemo } from "../../src/guide-server/demo/seed-demo.ts";
import { Zone } from "../../src/guide-server/demo/zone.ts";
import { encodeDocument } from "../../src/guide-wire/codec.ts";
import { DAY, HOUR, MINUTE } from "../../src/model/time.ts";
import { casesOf } from "../lane.ts";
import { fc } from "../properties.ts";
import { hosted, NOW } from "./hosted.ts";

const YEAR = 365 * DAY;
const instants = fc.integer({ min: NOW - YEAR, max: NOW + 5 * YEAR });
const seeds = fc.nat(1_000_000);

/** The gaps in a channel's programme; empty if all events are back to back. */
function gaps(data: ReturnType<typeof seedDemo>, channelId: number): readonly string[] {
  const shows = data.shows.filter((show) => show.channelId === channelId).sort((a, b) => a.start - b.start);
  return shows.flatMap(({ id, start }, index) => {
    const before = shows[index - 1];
    const end = before === undefined ? start : before.start + before.durationMinutes * MINUTE;
    return end === start ? [] : [`${id} begins ${(start - end) / MINUTE} min off`];
  });
}

describe("generated programmes", () => {
  it("have no gaps or overlaps on any channel, whatever the time, even at clock changes", () => {
    fc.assert(
      fc.property(seeds, instants, (seed, now) => {
        const data = seedDemo({ seed, now, channels: 6 });
        const starts = data.shows.map(({ start }) => start);
        const ends = data.shows.map(({ start, durationMinutes }) => start + durationMinutes * MINUTE);
        return (
          data.channels.every(({ id }) => gaps(data, id).length === 0) &&
          Math.min(...starts) <= now - DAY + HOUR &&
          Math.max(...ends) >= now + 7 * DAY - HOUR &&
          data.shows.every(({ durationMinutes }) => durationMinutes >= 15 && durationMinutes <= 260)
        );
      }),
      { numRuns: casesOf({ sample: 20, all: 60 }) },
    );
  });

  it("are the same for the same seed on every day", () => {
    fc.assert(
      fc.property(seeds, instants, fc.nat(3 * DAY), (seed, now, later) => {
        const first = seedDemo({ seed, now, channels: 4 });
        const second = new Map(
          seedDemo({ seed, now: now + later, channels: 4 }).shows.map((show) => [show.id, show]),
        );
        const both = first.shows.filter(({ id }) => second.has(id));
        return (
          both.length > 0 &&
          both.every((show) => JSON.stringify(show) === JSON.stringify(second.get(show.id)))
        );
      }),
      { numRuns: casesOf({ sample: 10, all: 30 }) },
    );
  });

  it("differ for another seed", () => {
    const titles = (seed: number) =>
      seedDemo({ seed, now: NOW, channels: 4 }).shows.map(({ title }) => title);
    expect(titles(1)).not.toEqual(titles(2));
  });

  it("have unique ids, and existing series and channels", () => {
    const data = seedDemo({ seed: 3, now: NOW, channels: 100 });
    const channels = new Set(data.channels.map(({ id }) => id));
    const series = new Set(data.series.map(({ id }) => id));
    expect(new Set(data.shows.map(({ id }) => id)).size).toBe(data.shows.length);
    expect(data.shows.every((show) => channels.has(show.channelId) && series.has(show.seriesId ?? ""))).toBe(
      true,
    );
    const triplets = data.channels.flatMap(({ dvb = [] }) => dvb.map((one) => JSON.stringify(one)));
    expect(new Set(triplets).size).toBe(100);
    expect(data.shows.every(({ id }) => id < 2 ** 31)).toBe(true);
  });

  it("keep the time of a series from week to week, in the guide's zone", () => {
    const data = seedDemo({ seed: 5, now: NOW, channels: 1 });
    const evening = (day: number) => {
      const zone = new Zone("Australia/Sydney");
      const news = zone.instant(zone.dayOf(NOW) + day, 18 * 60);
      return data.shows.find(({ start }) => start === news);
    };
    expect(evening(0)?.title).toBeDefined();
    expect(evening(0)?.seriesId).toBe(evening(7)?.seriesId);
    expect(evening(0)?.category?.[0]?.name).toBe("News");
  });

  it("share multiplexes, four channels on each, with Australian ids", () => {
    const { channels } = seedDemo({ seed: 1, now: NOW, channels: 8 });
    const dvb = channels.map((channel) => channel.dvb?.[0]);
    expect(dvb[0]).toEqual({ original_network_id: 0x1010, transport_stream_id: 0x0221, service_id: 0x0220 });
    const multiplexes = new Set(dvb.map((one) => `${one?.original_network_id}/${one?.transport_stream_id}`));
    expect(multiplexes.size).toBe(2);
  });

  it("are served in both formats, and publishing them again changes nothing", async () => {
    const demo = seedDemo({ seed: 1, now: NOW, channels: 8 });
    await using guide = await hosted({ guide: demo });
    const { shows, channels } = (await guide.ask({ method: "GET", path: "/shows" })).read("shows");
    expect([shows.length, channels.length]).toEqual([demo.shows.length, 8]);
    const popular = (await guide.ask({ method: "GET", path: "/series/most_popular.xml" })).read("popular");
    expect(popular.most_popular).toHaveLength(30);
    expect(popular.series_info).toHaveLength(30);
    expect(popular.most_popular[0]?.popularity_ratio).toBe(1);
    const ratios = popular.most_popular.map((entry) => entry.popularity_ratio);
    expect(ratios).toEqual([...ratios].sort((a, b) => b - a));
    await guide.clock.advance(DAY);
    await guide.server.seed(demo);
    const since = `/shows?last_update_time=${(NOW + HOUR) / 1000}`;
    expect((await guide.ask({ method: "GET", path: since })).status).toBe(404);
    await guide.server.seed(seedDemo({ seed: 1, now: NOW + DAY, channels: 8 }));
    const more = (await guide.ask({ method: "GET", path: since })).read("shows").shows;
    expect(more.length).toBeGreaterThan(50);
    expect(more.length).toBeLessThan(demo.shows.length / 4);
    encodeDocument("popular", popular, { format: "json" });
  });
});

describe("a time zone", () => {
  it("includes the clock changes of Sydney", () => {
    const sydney = new Zone("Australia/Sydney");
    const day = (year: number, month: number, date: number) => Date.UTC(year, month - 1, date) / DAY;
    const hours = (at: number) => (sydney.instant(at + 1, 360) - sydney.instant(at, 360)) / HOUR;
    expect(hours(day(2026, 10, 3))).toBe(23);
    expect(hours(day(2026, 4, 4))).toBe(25);
    expect(hours(day(2026, 11, 20))).toBe(24);
    expect(sydney.instant(day(2026, 11, 20), 20 * 60)).toBe(NOW);
    expect(sydney.dayOf(NOW)).toBe(day(2026, 11, 20));
  });
});
