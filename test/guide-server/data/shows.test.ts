import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Show } from "../../../src/guide-server/data/show.ts";
import { openShows, type Shows, showsOf } from "../../../src/guide-server/data/shows.ts";
import { bringUpToDate } from "../../../src/guide-server/data/shows-schema.ts";
import { openSqlite, type Sqlite } from "../../../src/kit/sqlite.ts";
import { DAY, HOUR, MINUTE } from "../../../src/model/time.ts";

const NOW = Date.UTC(2026, 10, 1);
const DAYS = { startFrom: NOW, startBefore: NOW + 3 * DAY };
const WEEKS = { endAfter: NOW, startBefore: NOW + 28 * DAY };

/** A show every hour for two months on each of three channels; ten series each, one of them under two titles. */
const SHOWS: readonly Show[] = [1, 2, 3].flatMap((channelId) =>
  Array.from({ length: 60 * 24 }, (_, index): Show => {
    const series = index % 10;
    return {
      id: channelId * 10_000 + index,
      channelId,
      seriesId: String(channelId * 100 + series),
      episodeId: `e${Math.floor(index / 10)}`,
      start: NOW - 30 * DAY + index * HOUR,
      durationMinutes: 60,
      title: `${["Harbour", "Mountain", "River"][channelId - 1]} ${series === 3 && index % 20 > 9 ? "Nights" : "Days"} ${series}`,
      subtitle: "",
      desc: "",
      category: [],
      eitId: index,
      rating: "",
      date: "",
      updatedAt: NOW - 30 * DAY + index * MINUTE,
      ...(index % 500 === 499 ? { gone: true } : {}),
    };
  }),
);

/** All that decisions and requests ask of the shows. */
const QUESTIONS: Readonly<Record<string, (shows: Shows) => unknown>> = {
  "one show": (shows) => shows.get(10_005),
  "shows of a day": (shows) =>
    shows.list({ channelIds: [1, 3], endAfter: NOW, startBefore: NOW + DAY, limit: 1000, offset: 0 }),
  "how many shows": (shows) => shows.count({ channelIds: [1, 3], endAfter: NOW }),
  "what has changed": (shows) =>
    shows.list({ channelIds: [1, 2, 3], endAfter: NOW - 14 * DAY, updatedSince: NOW - 29 * DAY }),
  "airings of a series": (shows) =>
    shows.list({ seriesId: "103", startFrom: NOW - DAY, startBefore: NOW + 28 * DAY }),
  "first of a series": (shows) => shows.firstOf("201"),
  "series by word": (shows) => shows.seriesTitled(["3", "nights"]),
  "ids by text": (shows) =>
    shows.idsWith({ words: ["nights", "river"], genres: [], without: [], idAfter: 10_000, limit: 100 }),
  "several shows": (shows) => shows.several([10_005, 30_007, 1]),
  "places of series": (shows) => shows.placesOf({ ...DAYS, seriesIds: ["103", "201"] }),
  "places of channels": (shows) => shows.placesIn({ ...DAYS, channelIds: [1, 3] }),
  "places of some ids": (shows) => shows.placesAt({ ...DAYS, ids: [10_005, 30_007, 1] }),
  "lowest id": (shows) => shows.lowestIdFrom({ ...DAYS, channelIds: [2, 3] }),
  "airings of episodes": (shows) =>
    shows.airingsOf({ ...DAYS, episodes: new Map([["103", new Set(["e72", "e74"])]]) }),
  "texts of channels": (shows) => {
    const { lines, ids } = shows.textsIn({ ...DAYS, channelIds: [2, 3] });
    return [lines.split("\n"), ids()];
  },
  "a page of titles": (shows) => shows.titlesAfter({ title: "harbour nights", seriesId: "" }, 10),
  "series of weeks": (shows) => shows.seriesList({ ...WEEKS, limit: 50, offset: 10 }),
  "series of weeks by word": (shows) => shows.seriesList({ ...WEEKS, words: ["river"] }),
  "how many series": (shows) => shows.countSeries(WEEKS),
  "series by its names": (shows) => shows.seriesOf({ ids: ["dd:1"], title: "harbour days" }),
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recorderd-shows-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = () => openSqlite({ file: join(folder, "shows.db"), durability: "full", cacheKiB: 1024 });

describe("shows", () => {
  it("answer every query from indexes, however many there are", async () => {
    using sql = await open();
    bringUpToDate(sql, "shows.db");
    const asked: string[] = [];
    const plans = new Set<string>();
    const watched: Sqlite = {
      ...sql,
      all: (text, values = []) => {
        asked.push(text);
        for (const { detail } of sql.all(`EXPLAIN QUERY PLAN ${text}`, values)) plans.add(String(detail));
        return sql.all(text, values);
      },
      get: (text, values = []) => watched.all(text, values)[0],
    };
    const shows = showsOf(watched);
    for (const ask of Object.values(QUESTIONS)) ask(shows);
    expect(asked.length).toBeGreaterThanOrEqual(Object.keys(QUESTIONS).length);
    const scans = [...plans].filter((plan) => plan.startsWith("SCAN"));
    // `t`: titles, the order of the list of series; `show_words`: an index of words; subqueries have the rows of an answer.
    expect(
      scans.filter(
        (plan) =>
          !/^SCAN (t|show_words VIRTUAL.*|json_each VIRTUAL.*|\(subquery-\d+|CONSTANT ROW|\d+ CONSTANT ROW)\b/.test(
            plan,
          ),
      ),
    ).toEqual([]);
    expect([...plans].join("\n")).toMatch(/SEARCH shows USING COVERING INDEX shows_by_series/);
    expect([...plans].join("\n")).toMatch(
      /SEARCH shows USING COVERING INDEX shows_by_channel \(channel=\? AND start>\?/,
    );
  });

  it("stay the same if an earlier version wrote them", async () => {
    const answers = (shows: Shows) => Object.entries(QUESTIONS).map(([name, ask]) => [name, ask(shows)]);
    const before = await (async () => {
      using shows = await openShows(folder);
      shows.put(SHOWS);
      return answers(shows);
    })();
    {
      using sql = await open();
      sql.exec(
        "DROP INDEX shows_by_channel; PRAGMA user_version = 5;" +
          "CREATE INDEX shows_by_channel ON shows (channel, start, stop, gone, updated);",
      );
    }
    {
      using shows = await openShows(folder);
      expect(answers(shows)).toEqual(before);
    }
    for (const version of [4, 3, 2, 1]) {
      {
        using sql = await open();
        sql.exec(
          "DROP TABLE IF EXISTS show_texts; DROP TABLE show_words; DROP TABLE title_words; DROP INDEX titles_by_series; DROP INDEX shows_by_channel; DROP INDEX shows_by_series;" +
            "CREATE INDEX shows_by_channel ON shows (channel, start); CREATE INDEX shows_by_series ON shows (series, start);" +
            `PRAGMA user_version = ${version};`,
        );
        if (version === 1) sql.exec("DROP TABLE titles");
      }
      using shows = await openShows(folder);
      expect(answers(shows)).toEqual(before);
    }
  });

  it("expire in portions, the oldest first; titles expire with the last show of their series", async () => {
    using shows = await openShows(folder);
    const [last] = SHOWS.slice(-1);
    shows.put(SHOWS);
    if (last !== undefined)
      shows.put([{ ...last, id: 1, seriesId: "999", title: "Lonely Lighthouse", start: NOW - 31 * DAY }]);
    expect(shows.seriesTitled(["lighthouse"])).toEqual(["999"]);
    expect(await shows.removeEndedBefore(NOW - 30 * DAY + 12 * HOUR, 10)).toBe(10);
    expect(shows.get(1)).toBeUndefined();
    expect(shows.seriesTitled(["lighthouse"])).toEqual([]);
    expect(await shows.removeEndedBefore(NOW - 30 * DAY + 12 * HOUR, 500)).toBe(3 * 11 + 1 - 10);
    expect(await shows.removeEndedBefore(NOW - 30 * DAY + 12 * HOUR, 500)).toBe(0);
    expect(shows.seriesTitled(["3", "nights"])).toEqual(["103", "203", "303"]);
    if (last !== undefined) shows.put([{ ...last, seriesId: "999", title: "Lonely Lighthouse" }]);
    expect(shows.seriesTitled(["lighthouse"])).toEqual(["999"]);
  });

  it("list a series once, by title, with its episodes in the period", async () => {
    using shows = await openShows(folder);
    shows.put(SHOWS);
    const list = shows.seriesList(WEEKS);
    expect(list).toHaveLength(30);
    expect(shows.countSeries(WEEKS)).toBe(30);
    const titles = list.map(({ title }) => title.replace(/Nights/, "Days"));
    expect(titles).toEqual(titles.toSorted());
    const expected = SHOWS.filter(
      ({ seriesId, start, gone }) =>
        seriesId === "103" && gone !== true && start + HOUR > NOW && start < NOW + 28 * DAY,
    );
    const [own] = list.filter(({ seriesId }) => seriesId === "103");
    expect(own?.episodes).toBe(new Set(expected.map(({ episodeId }) => episodeId)).size);
    expect(shows.seriesTitled(["nights"])).toEqual(["103", "203", "303"]);
    expect(
      shows.seriesList({ ...WEEKS, words: ["nights", "river"] }).map(({ seriesId }) => seriesId),
    ).toEqual(["303"]);
    expect(shows.seriesList({ endAfter: NOW + 60 * DAY, startBefore: NOW + 90 * DAY })).toEqual([]);
  });
});
