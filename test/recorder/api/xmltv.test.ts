import { describe, expect, it } from "vitest";
import type { WebRequest } from "../../../src/kit/http/web-server.ts";
import { formatXml } from "../../../src/kit/xml/xml.ts";
import { HOUR } from "../../../src/model/time.ts";
import { guideRoute } from "../../../src/recorder/api/list-routes.ts";
import { xmltvOf } from "../../../src/recorder/api/xmltv.ts";
import type { ShowView } from "../../../src/web/guide-api.ts";
import { anyText, fc } from "../../properties.ts";
import { mistakesInXmltv } from "./xmltv-rules.ts";

const STATION = {
  id: "7",
  channelId: "7",
  name: "One",
  number: 12,
  service: { onid: 1, tsid: 2, sid: 3 },
  tuners: ["a"],
};
const EIGHT = Date.UTC(2026, 10, 20, 20, 0);
const SHOW: ShowView = {
  id: 1,
  channelId: 7,
  title: "The tide",
  start: EIGHT,
  stop: EIGHT + HOUR,
  programme: {
    subtitle: "The first",
    description: "Told.",
    season: 2,
    episode: 5,
    seriesId: "s",
    episodeId: "e",
    categories: ["Drama", "Sea"],
    rating: "PG",
    date: "2026-11-20",
  },
};
const guide = (shows: readonly ShowView[], logo?: string) =>
  formatXml(
    xmltvOf([STATION], shows, () => logo),
    "UTF-8",
  );

describe("the rules of the DTD", () => {
  it.each([
    ["<rating><value>x</value></rating><title>x</title>", /too late/],
    ["<title>x</title><icon/>", /no src/],
    ["<title>x</title><date>19 May</date>", /date/],
    ['<title>x</title><episode-num system="xmltv_ns">S1</episode-num>', /xmltv_ns/],
    ["<desc>x</desc>", /no <title>/],
  ])("are broken by %s", (children, reason) => {
    const programme = `<programme start="20261120200000 +0000" stop="20261120210000 +0000" channel="7">`;
    const channel = '<channel id="7"><display-name>One</display-name></channel>';
    const mistakes = mistakesInXmltv(`<tv>${channel}${programme}${children}</programme></tv>`);
    expect(mistakes.join()).toMatch(reason);
  });
});

describe("the guide for players", () => {
  it("has all known data in the order of the DTD", () => {
    const text = guide([SHOW], "http://recorder/v1/channels/7/logo");
    expect(mistakesInXmltv(text)).toEqual([]);
    for (const line of [
      '<icon src="http://recorder/v1/channels/7/logo"/>',
      'start="20261120200000 +0000" stop="20261120210000 +0000"',
      "<title>The tide</title>",
      "<sub-title>The first</sub-title>",
      "<desc>Told.</desc>",
      "<date>20261120</date>",
      "<category>Sea</category>",
      '<episode-num system="xmltv_ns">1.4.</episode-num>',
      '<episode-num system="onscreen">S02E05</episode-num>',
      "<value>PG</value>",
    ]) {
      expect(text).toContain(line);
    }
  });

  it("has the numbers of the emulated HDHomeRun as ids, and no channel that is not in its lineup", async () => {
    const api = {
      reach: () => [STATION, { ...STATION, channelId: "12" }],
      guide: { shows: async () => [SHOW] },
    };
    const numbers = () => new Map([["7", "20007"]]);
    const { handle } = guideRoute(api as unknown as Parameters<typeof guideRoute>[0], { numbers });
    const request = { params: {}, query: new URLSearchParams(), headers: {}, body: Buffer.alloc(0) };
    const text = String((await handle(request as unknown as WebRequest)).body);
    expect(mistakesInXmltv(text)).toEqual([]);
    expect(text.match(/<channel.*?<\/channel>/gs)?.map((each) => each.replace(/\s*\n\s*/g, ""))).toEqual([
      '<channel id="20007"><display-name>One</display-name><display-name>20007</display-name></channel>',
    ]);
    expect(text).toContain('channel="20007"');
  });

  it("has the number of an episode without a season", () => {
    const text = guide([{ ...SHOW, programme: { episode: 3 } }]);
    expect(mistakesInXmltv(text)).toEqual([]);
    expect(text).toContain('<episode-num system="xmltv_ns">.2.</episode-num>');
    expect(text).not.toContain("onscreen");
  });

  it("marks the later one of two broadcasts of an episode as shown before, and no other", () => {
    const later = { ...SHOW, id: 2, start: EIGHT + 5 * HOUR, stop: EIGHT + 6 * HOUR };
    const other = {
      ...later,
      id: 3,
      programme: { ...SHOW.programme, subtitle: "The second", episode: 6, episodeId: "f" },
    };
    const news = { ...later, id: 4, title: "News", programme: {} };
    const text = guide([later, SHOW, other, news, { ...news, id: 5, start: EIGHT }]);
    expect(mistakesInXmltv(text)).toEqual([]);
    const marked = text.split("</programme>").filter((each) => each.includes("<previously-shown/>"));
    expect(marked).toHaveLength(1);
    expect(marked[0]).toContain('start="20261121010000 +0000"');
  });

  it("has only an onscreen number for a special, because xmltv_ns cannot express season 0", () => {
    const text = guide([{ ...SHOW, programme: { season: 0, episode: 3 } }]);
    expect(mistakesInXmltv(text)).toEqual([]);
    expect(text).toContain("S00E03");
    expect(text).not.toContain("xmltv_ns");
  });

  it.each(["1994", "1994-05", "spring of 1994", "19945", ""])(
    "has a date only if that is valid: %j",
    (date) => {
      expect(mistakesInXmltv(guide([{ ...SHOW, programme: { date } }]))).toEqual([]);
    },
  );

  it("has texts that change no line and no direction of their surroundings", () => {
    const programme = { subtitle: "A\u202eB\nC", description: "One\nTwo\u2066", categories: ["Dra\nma"] };
    const text = guide([{ ...SHOW, title: "Ev\u200fil\n\u001b[31m", programme }]);
    expect(text).toContain("<title>Ev il [31m</title>");
    expect(text).toContain("<sub-title>A B C</sub-title>");
    expect(text).toContain("<desc>One\nTwo</desc>");
    expect(text).toContain("<category>Dra ma</category>");
  });

  it("is valid whatever data the guide has", () => {
    const text = anyText();
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 999 }), (title, other, number) => {
        const programme = { subtitle: other, rating: other, date: other, season: number, episode: number };
        expect(mistakesInXmltv(guide([{ ...SHOW, title, programme }]))).toEqual([]);
      }),
    );
  });
});

describe("a guide of a large region", () => {
  const shows = Array.from({ length: 20_000 }, (_, index) => ({ ...SHOW, id: index, start: EIGHT + index }));
  const request = { params: {}, query: new URLSearchParams(), headers: {}, body: Buffer.alloc(0) };
  const guideOf = (current: { shows: readonly ShowView[] }) => {
    let asked = 0;
    const api = {
      reach: () => [STATION],
      guide: {
        shows: async () => {
          asked += 1;
          return [...current.shows];
        },
      },
    };
    const { handle } = guideRoute(api as unknown as Parameters<typeof guideRoute>[0]);
    return { ask: async () => (await handle(request as unknown as WebRequest)).body, asked: () => asked };
  };

  it("is made once for all who ask at the same time, and other work has its turns meanwhile", async () => {
    const { ask, asked } = guideOf({ shows });
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    turn();
    const bodies = await Promise.all(Array.from({ length: 50 }, ask));
    isOver = true;
    expect(new Set(bodies).size).toBe(1);
    expect(asked()).toBe(1);
    expect(turns).toBeGreaterThan(50);
  });

  it("is made again only when something in it has changed", async () => {
    const current = { shows: shows.slice(0, 100) };
    const { ask } = guideOf(current);
    const first = await ask();
    expect(await ask()).toBe(first);
    current.shows = [...current.shows.slice(0, 99), { ...SHOW, title: "The ebb" }];
    const second = await ask();
    expect(second).not.toBe(first);
    expect(String(second)).toContain("The ebb");
  });
});
