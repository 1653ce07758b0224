import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GuideData } from "../../src/guide-server/domain/catalogue.ts";
import { guideAccount } from "../../src/guide-wire/account.ts";
import { GUIDE_WIRE_LIMITS } from "../../src/guide-wire/limits.ts";
import { programmeOf } from "../../src/guide-wire/programmes.ts";
import type { Show } from "../../src/guide-wire/records.ts";
import { HOUR, MINUTE } from "../../src/model/time.ts";
import { openParties, type Parties } from "../guide-contract/parties.ts";
import { GUIDE, NOW, SHOW_ID } from "../guide-server/hosted.ts";
import { outOfPatience } from "../patience.ts";

const signal = outOfPatience();
const SHOW = { id: 1, channel_id: 7, start: "", stop: "", title: "Bluey" } satisfies Show;

const numbers = (fields: Partial<Show>) => {
  const { season, episode } = programmeOf({ ...SHOW, ...fields });
  return [season, episode];
};

describe("a show of the guide", () => {
  it("includes its filled fields and no empty ones", () => {
    expect(
      programmeOf({ ...SHOW, subtitle: " ", desc: "", series_id: "0", episode_id: "", category: [] }),
    ).toEqual({});
    expect(
      programmeOf({
        ...SHOW,
        ...{ subtitle: " Hammerbarn ", desc: "They go shopping.", series_id: "77", episode_id: "e5" },
        ...{ category: [{ name: "Kids", eit: "0x50" }, { name: "" }], rating: "G", date: "2020" },
      }),
    ).toEqual({
      ...{ subtitle: "Hammerbarn", description: "They go shopping.", seriesId: "77", episodeId: "e5" },
      ...{ categories: ["Kids"], genre: "children", rating: "G", date: "2020" },
    });
  });

  it("has season and episode if the guide gives both", () => {
    expect(numbers({ episode_id: "S02E05" })).toEqual([2, 5]);
    expect(numbers({ subtitle: "Hammerbarn (S2, Ep 5)" })).toEqual([2, 5]);
    expect(numbers({ desc: "Season 2, Episode 5. They go shopping." })).toEqual([2, 5]);
    expect(numbers({ desc: "Also in HD. S2 Ep. 105" })).toEqual([2, 105]);
    expect(numbers({ desc: "Series 12 - Episode 0: a pilot." })).toEqual([12, 0]);
  });

  it("has neither if the guide gives another form", () => {
    for (const desc of [
      "The class2e5 engine",
      "S2E",
      "Season 2 begins. Later, episode 5 follows.",
      "Episode 5",
      "4711",
    ]) {
      expect(numbers({ desc, episode_id: desc })).toEqual([undefined, undefined]);
    }
  });

  it("R-42 is cut to the size of a document, between characters", () => {
    const { description, categories } = programmeOf({
      ...SHOW,
      desc: "🎬".repeat(5000),
      category: Array.from({ length: 100 }, (_, n) => ({ name: `C${n}` })),
    });
    expect(description).toBe("🎬".repeat(GUIDE_WIRE_LIMITS.programmeDescriptionLength));
    expect(categories).toHaveLength(GUIDE_WIRE_LIMITS.programmeCategories);
  });
});

const EPISODE = {
  ...{ id: 21, channelId: 7, seriesId: "s1", episodeId: "s1-9", start: NOW + 2 * HOUR, durationMinutes: 30 },
  ...{
    title: "Nordlichter",
    subtitle: "Été & <Winter>",
    desc: "S3 Ep9. „Es schneit.“",
    rating: "PG",
    date: "2025",
  },
  category: [{ name: "Drama", eit: "0x15" }],
};
const GUIDE_WITH_EPISODE: GuideData = { ...GUIDE, shows: [...GUIDE.shows, EPISODE] };

describe.each(["json", "xml"] as const)(
  "the account's programme data in %s, from our own guide server",
  (wire) => {
    let parties: Parties;
    beforeAll(async () => {
      parties = await openParties(wire, "by hand");
      await parties.server.server.seed(GUIDE_WITH_EPISODE);
    });
    afterAll(() => parties[Symbol.asyncDispose]());

    const account = () => guideAccount(parties.client(), { regionId: 1 });

    it("contains the requested shows, as in the guide", async () => {
      const order = { channelIds: ["7"], showIds: new Set(["21", String(SHOW_ID)]) };
      expect(await account().programmes(order, signal)).toEqual({
        programmes: {
          "11": { seriesId: "s1" },
          "21": {
            subtitle: "Été & <Winter>",
            description: "S3 Ep9. „Es schneit.“",
            ...{
              season: 3,
              episode: 9,
              seriesId: "s1",
              episodeId: "s1-9",
              categories: ["Drama"],
              genre: "movie",
            },
            ...{ rating: "PG", date: "2025" },
          },
        },
        updatedTo: parties.server.clock.now(),
      });
      const { request } = parties.last() ?? {};
      expect(request?.url.searchParams.get("channel_id")).toBe("7");
      expect(request?.url.searchParams.get("hide_timers")).toBe("1");
    });

    it("contains only changes on request", async () => {
      const { clock, server } = parties.server;
      const order = { channelIds: ["7"], showIds: new Set(["21", String(SHOW_ID)]) };
      const { updatedTo = 0 } = await account().programmes(order, signal);
      await clock.advance(MINUTE);
      const changed = { ...EPISODE, subtitle: `Renamed in ${wire}` };
      await server.seed({ ...GUIDE_WITH_EPISODE, shows: [...GUIDE.shows, changed] });
      const since = updatedTo + 1000;
      const { programmes } = await account().programmes({ ...order, since }, signal);
      expect(Object.keys(programmes)).toEqual(["21"]);
      expect(programmes["21"]?.subtitle).toBe(`Renamed in ${wire}`);
    });

    it("is empty without changes, up to the requested time", async () => {
      const since = parties.server.clock.now() + MINUTE;
      const order = { channelIds: ["7"], showIds: new Set([String(SHOW_ID)]), since };
      expect(await account().programmes(order, signal)).toEqual({ programmes: {}, updatedTo: since });
      expect(parties.last()?.answer.status).toBe(404);
    });

    it("fails with the code of the answer", async () => {
      const nobody = guideAccount(parties.clientAs("wrong"), { regionId: 1 });
      await expect(
        nobody.programmes({ channelIds: ["7"], showIds: new Set() }, signal),
      ).rejects.toMatchObject({
        code: "GUIDE_SIGN_IN_NEEDED",
      });
    });
  },
);
