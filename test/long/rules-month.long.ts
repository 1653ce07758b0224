import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { guideAccount } from "../../src/guide-wire/account.ts";
import { createGuideClient, type GuideClient } from "../../src/guide-wire/client.ts";
import { wireOrder } from "../../src/guide-wire/rule-fields.ts";
import { createHttpClient } from "../../src/kit/http/http.ts";
import { DAY, type EpochMs, HOUR, MINUTE } from "../../src/model/time.ts";
import { createVirtualClock } from "../../src/simulator/virtual-clock.ts";
import { type Chance, chanceOf } from "../../src/simulator/weeks/chance.ts";
import { CHANNELS } from "../../src/simulator/weeks/setting.ts";
import { START } from "../../src/simulator/weeks/weeks.ts";
import { GUIDE, hosted } from "../guide-server/hosted.ts";
import { Requests, startRecorder } from "../guide-server/month-recorder.ts";
import { listing } from "../guide-server/xmltv/listing.ts";
import { readListings } from "../guide-server/xmltv/read-listings.ts";
import { type MonthAiring, monthGuide, placed, rulesOf } from "./rules-guide.ts";

const DAYS = 28;
const AHEAD = 8;

/** A listing of the next days, as a grabber would write it now. */
function listingAt(now: EpochMs, airings: readonly MonthAiring[]): string {
  const inside = airings.filter(
    ({ firstStart }) => firstStart >= now - DAY && firstStart < Math.floor((now + AHEAD * DAY) / DAY) * DAY,
  );
  return listing(
    Object.fromEntries(CHANNELS.map(({ id, name }) => [`c${id}`, name])),
    inside
      .map((airing) => ({ airing, start: placed(airing, now) }))
      .toSorted((a, b) => a.start - b.start)
      .map(({ airing, start }) => ({
        channel: `c${airing.channelId}`,
        start,
        minutes: airing.minutes,
        title: airing.title,
        ...(airing.subtitle === "" ? {} : { subtitle: airing.subtitle }),
        more:
          `<desc>${airing.desc}</desc><category>${airing.genre}</category>` +
          (airing.episode === undefined
            ? ""
            : `<episode-num system="xmltv_ns">0.${airing.episode}.</episode-num>`),
      })),
  );
}

/** The client with all requests counted. */
function counted<T extends object>(client: T, requests: Requests): T {
  return new Proxy(client, {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value === "object" && value !== null) return counted(value, requests);
      if (typeof value !== "function" || name === "changes") return value;
      return (...args: readonly unknown[]) => requests.during(Promise.resolve(value.apply(target, args)));
    },
  });
}

it("records what 200 rules want of a month, each episode once, from a guide server over HTTP", {
  timeout: 1_800_000,
}, async () => {
  const chance: Chance = chanceOf(7, "rules month");
  const requests = new Requests();
  const clock = createVirtualClock(START, () => requests.settled());
  const [region] = GUIDE.regions;
  const channels = CHANNELS.map(({ id, name, triplets }) => ({
    ...{ id: Number(id), name, region_id: 1, is_hd: Number(id) > 6 ? 1 : 0 },
    dvb: triplets.map(({ onid, tsid, sid }) => ({
      ...{ original_network_id: onid, transport_stream_id: tsid, service_id: sid },
    })),
  }));
  await using guide = await hosted({
    clock,
    at: START,
    guide: {
      ...GUIDE,
      regions: region === undefined ? [] : [{ ...region, timezone: "UTC" }],
      channels,
      ...{ series: [], shows: [] },
    },
  });
  await using http = createHttpClient();
  const { email, token, baseUrl, deviceId } = guide;
  const client: GuideClient = counted(
    createGuideClient({
      ...{ baseUrl, apiKey: "", applicationVersion: "1", wire: "xml", http, clock },
      credentials: () => ({ email, token }),
    }),
    requests,
  );
  const airings = monthGuide(chance, START, DAYS);
  const read = async () => {
    const file = join(guide.folder, "listing.xml");
    await writeFile(file, listingAt(clock.now(), airings));
    await utimes(file, clock.now() / 1000, clock.now() / 1000);
    const [outcome] = await readListings({ ...guide, clock }, file);
    expect(outcome?.kind).toBe("read");
  };
  await read();
  const { signal } = new AbortController();
  const { series_info: known } = (await client.series.list("", signal)).value;
  const seriesIds = new Map(
    known.map(({ id, title }) => [typeof title === "object" ? title.value : title, id]),
  );
  const rules = rulesOf((title) => seriesIds.get(title));
  expect(rules).toHaveLength(200);
  for (const { order } of rules) await client.rules.add({ ...wireOrder(order), device_id: deviceId }, signal);
  expect((await client.rules.all(signal)).value.rules).toHaveLength(200);

  const over = new AbortController();
  const { recordings, bugs } = startRecorder({
    ...{ clock, seed: 7, tuners: 3, signal: over.signal },
    account: guideAccount(client, { regionId: 1, deviceId }),
  });
  for (let at = START + 12 * HOUR; at <= START + (DAYS + 1) * DAY; at += 12 * HOUR) {
    await clock.advanceTo(at);
    await read();
  }
  over.abort();
  await clock.advance(0);

  expect(bugs).toEqual([]);
  const aired = new Map(airings.map((airing) => [`${airing.channelId} ${placed(airing)}`, airing]));
  const recorded = [...recordings.values()]
    .filter(({ state }) => state === "completed")
    .map(({ channelId, event }) => {
      const airing = aired.get(`${channelId} ${event.start}`);
      return airing === undefined ? `unknown: ${channelId} ${event.start}` : episodeOf(airing);
    });
  const wanted = new Set(
    airings
      .filter((airing) => rules.some(({ wants }) => wants(airing, placed(airing))))
      .map((airing) => episodeOf(airing)),
  );
  expect(recorded.toSorted()).toEqual([...wanted].toSorted());
  expect(wanted.size).toBeGreaterThan(300);
  expect([...recordings.values()].map(({ state }) => state)).not.toContain("failed");
});

/**
 * Without a number and a subtitle, each broadcast is an episode of its own, but one at the same time on two channels.
 */
function episodeOf(airing: MonthAiring): string {
  const { title, subtitle, episode } = airing;
  return `${title} ${episode ?? (subtitle || `at ${placed(airing) / MINUTE}`)}`;
}
