import { describe, expect, it } from "vitest";
import type { Show } from "../../../../../src/guide-wire/records.ts";
import { systemClock } from "../../../../../src/kit/time/clock.ts";
import type { Rule } from "../../../../../src/model/rule.ts";
import { HOUR, MINUTE, SECOND } from "../../../../../src/model/time.ts";
import { createGuideReader } from "../../../../../src/recorder/subsystems/booking/kept/guide-reader.ts";
import { searchGuide } from "../../../../../src/recorder/subsystems/booking/kept/guide-search.ts";
import { NOW } from "../../library/entries.ts";

const clock = systemClock();
const signal = new AbortController().signal;
const RULE: Rule = { id: 7, name: "Tide", words: "tide", quality: "Prefer HD", deviceId: 1, createdAt: 0 };

const show = (id: number, more: Partial<Show> = {}): Show => {
  const start = NOW + id * HOUR;
  const unix = { start_unix: start / SECOND, stop_unix: (start + 30 * MINUTE) / SECOND };
  return { id, channel_id: 1, title: "The tide", start: "", stop: "", ...unix, ...more };
};

/** A service with 120 channels, which are asked for in portions. */
function service(shows: readonly Show[]) {
  const asked: (readonly number[])[] = [];
  const channels = Array.from({ length: 120 }, (_, at) => ({ id: at + 1, name: `C${at + 1}` }));
  const client = {
    region: async () => ({
      value: { regions: [{ id: 1, name: "R", timezone: "Australia/Sydney" }] },
      malformed: [],
    }),
    regionChannels: async () => ({ value: { regions: [], channels }, malformed: [] }),
    shows: async ({ channelIds = [] }: { readonly channelIds?: readonly number[] }) => {
      asked.push(channelIds);
      return {
        value: { shows: shows.filter(({ channel_id }) => channelIds.includes(channel_id)) },
        malformed: [],
      };
    },
  };
  return { asked, reader: createGuideReader({ client: client as never, regionId: 1, clock }) };
}

async function found(
  shows: readonly Show[],
  rule: Partial<Rule> = {},
  timers: Parameters<typeof searchGuide>[0]["timers"] = [],
) {
  const { reader } = service(shows);
  const opened = await reader.open([{ ...RULE, ...rule }], signal);
  const { airings, heard } = await searchGuide({ ...opened, timers, clock });
  return { ids: airings.map((one) => [one.show.id, one.rules.some(() => true) ? 1 : 0]), heard: [...heard] };
}

describe("a search of the service's guide", () => {
  it("finds the shows that rules want, and those of timers, on all channels", async () => {
    const shows = [
      show(1),
      show(2, { title: "News" }),
      show(3, { title: "News" }),
      show(4, { channel_id: 120 }),
      show(5, { deleted_record: 1 }),
      show(6, { channel_id: 500 }),
    ];
    expect(await found(shows, {}, [{ showId: 3, channelId: 1 }])).toEqual({
      ids: [
        [1, 1],
        [3, 0],
        [4, 1],
      ],
      heard: [1, 120],
    });
  });

  it("has the other airings of an episode if a rule asks for the first one, or for new ones", async () => {
    const episode = { series_id: "s1", episode_id: "s1 1" };
    const shows = [
      show(1, { ...episode, title: "Ebb" }),
      show(2, episode),
      show(3, { title: "Ebb", series_id: "s1", episode_id: "s1 2" }),
    ];
    expect((await found(shows)).ids).toEqual([[2, 1]]);
    for (const more of [{ airing: "first" }, { newOnly: true }] as const) {
      expect((await found(shows, more)).ids).toEqual([
        [2, 1],
        [1, 0],
      ]);
    }
  });

  it("reads only the channels that rules name and those of timers, unless other airings matter", async () => {
    const channelsRead = async (rule: Partial<Rule>) => {
      const { asked, reader } = service([]);
      const opened = await reader.open([{ ...RULE, ...rule }], signal);
      await searchGuide({ ...opened, timers: [{ showId: 3, channelId: 9 }], clock });
      return asked.flat().length;
    };
    expect(await channelsRead({ channelIds: [2, 7] })).toBe(3);
    expect(await channelsRead({ channelIds: [2, 7], newOnly: true })).toBe(120);
    expect(await channelsRead({})).toBe(120);
  });

  it("tells times in the zone of the region", async () => {
    // 21:00 UTC on Friday is Saturday morning in Sydney.
    expect((await found([show(1)], { weekdays: [6] })).ids).toHaveLength(1);
    expect((await found([show(1)], { weekdays: [5] })).ids).toHaveLength(0);
  });

  it("asks in portions, and again only for a fresh search or after a while", async () => {
    const { asked, reader } = service([show(1)]);
    const search = async (options?: { readonly remembers: true }) => {
      const opened = await reader.open([RULE], signal, options);
      await searchGuide({ ...opened, timers: [], clock });
      return asked.splice(0).map(({ length }) => length);
    };
    expect(await search({ remembers: true })).toEqual([50, 50, 20]);
    expect(await search({ remembers: true })).toEqual([]);
    expect(await search()).toEqual([50, 50, 20]);
    reader.forget();
    expect(await search({ remembers: true })).toEqual([50, 50, 20]);
  });
});
