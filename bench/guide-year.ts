import { join } from "node:path";
import { openShows } from "../src/guide-server/data/shows.ts";
import { openGuideServer } from "../src/guide-server/server.ts";
import { createHttpClient, type HttpClient } from "../src/kit/http/http.ts";
import { silentLog } from "../src/kit/log.ts";
import { systemClock } from "../src/kit/time/clock.ts";
import { DAY, MINUTE, SECOND } from "../src/model/time.ts";
import { type GuideProcess, seedGuide, signIn, startGuide, VIEWER } from "./guide-process.ts";
import { type Benchmark, count, elapsedMs, type Measures, megabytes, mib, ms, quantile } from "./harness.ts";
import { memoryOf } from "./memory.ts";

const CHANNELS = 200;
const DAYS = 365;
/** Number of those days in the future. */
const DAYS_AHEAD = 14;
const SHOWS_A_DAY = 35;
const SERIES_OF_CHANNEL = 100;
const WRITTEN_AT_ONCE = 4000;
const RULES = 50;
const REQUESTS = 50;
const BODY_BYTES_MAX = 256 * 2 ** 20;
const WORDS = [
  "Harbour",
  "Mountain",
  "River",
  "Winter",
  "Doctor",
  "Kitchen",
  "Garden",
  "Night",
  "Island",
  "Court",
];
const clock = systemClock();
const { signal } = new AbortController();

/** `recorderd guide-server` with a year of shows of 200 channels, 2.5 million in all, is asked for its lists. */
export const guideYearBenchmark: Benchmark = {
  name: "guide-year",
  onlyWhenNamed: true,
  settles: true,
  open: async (folder) => {
    const deviceId = await fill(folder);
    const guide = await startGuide(["--data", folder], { loop: join(folder, "loop.txt") });
    guide.child.stderr?.resume();
    const http = createHttpClient();
    const server = { ...guide, http, token: await signIn(guide.baseUrl, { http }) };
    for (let index = 0; index < RULES; index += 1) await order(server, { index, deviceId });
    const batch = Array.from({ length: 30 }, (_, index) => index + 1).join(",");
    const since = Math.floor((clock.now() - DAY) / SECOND);
    const lists: Readonly<Record<string, string>> = {
      "a page of shows, 30 channels": `shows.json?hide_timers=1&channel_id=${batch}&per_page=1000&page=5`,
      "shows of 30 channels, changed in a day": `shows.json?hide_timers=1&channel_id=${batch}&last_update_time=${since}`,
      "a page of series": "series.json?per_page=50&page=1",
      "a late page of series": "series.json?per_page=50&page=300",
      "series by word": "series.json?title=winter+17&per_page=50&page=1",
      "popular series": "series/most_popular.json",
      "new shows": "new_shows.json",
      "series recordings": "series/recordings.json",
      timers: "shows/timers.json",
    };
    return {
      cases: [
        { name: "rules expanded anew", run: () => expanded(server, { deviceId }) },
        ...Object.entries(lists).map(([name, path]) => ({ name, run: () => asked(server, path, REQUESTS) })),
        {
          name: "shows of 30 channels, all at once",
          run: () => asked(server, `shows.json?hide_timers=1&channel_id=${batch}`, 3),
        },
      ],
      [Symbol.asyncDispose]: async () => {
        await http.close();
        await guide.stop();
      },
    };
  },
};

/** @returns the id of a device of the account */
async function fill(folder: string): Promise<number> {
  let deviceId = 0;
  {
    await using server = await openGuideServer({ dataFolder: folder, clock, log: silentLog });
    const channels = Array.from({ length: CHANNELS }, (_, index) => ({
      id: index + 1,
      name: `Channel ${index + 1}`,
      region_id: 1,
    }));
    deviceId = await seedGuide(server, { channels });
  }
  using shows = await openShows(folder);
  const first = clock.now() - (DAYS - DAYS_AHEAD) * DAY;
  for (let channelId = 1; channelId <= CHANNELS; channelId += 1) {
    const year = Array.from({ length: DAYS * SHOWS_A_DAY }, (_, index) =>
      showOf({ channelId, index, first }),
    );
    for (let at = 0; at < year.length; at += WRITTEN_AT_ONCE) shows.put(year.slice(at, at + WRITTEN_AT_ONCE));
  }
  return deviceId;
}

function showOf({
  channelId,
  index,
  first,
}: {
  readonly channelId: number;
  readonly index: number;
  readonly first: number;
}) {
  const series = (index * 7) % SERIES_OF_CHANNEL;
  const start = Math.floor((first + (index * DAY) / SHOWS_A_DAY) / MINUTE) * MINUTE;
  return {
    id: channelId * DAYS * SHOWS_A_DAY + index,
    channelId,
    seriesId: String(channelId * 1000 + series),
    episodeId: `${channelId * 1000 + series} e${Math.floor(index / SERIES_OF_CHANNEL)}`,
    start,
    durationMinutes: 41,
    title: `${WORDS[series % 10]} ${WORDS[Math.floor(series / 10)]} ${channelId}`,
    subtitle: `Part ${index}`,
    desc: "Two friends, one boat & a storm that nobody saw coming. ".repeat(3),
    category: [{ name: "Drama" }],
    eitId: index % 0x1_0000,
    rating: "PG",
    date: "2026",
    updatedAt: start - DAYS_AHEAD * DAY,
    rank: 1,
  };
}

interface Server extends GuideProcess {
  readonly http: HttpClient;
  readonly token: string;
}

/** Half of the rules name a series, half of them words. */
async function order(
  server: Server,
  { index, deviceId }: { readonly index: number; readonly deviceId: number },
) {
  const channelId = 1 + index * 4;
  const [path, body] =
    index % 2 === 0
      ? ["series/recordings.json", { device_id: deviceId, series_id: String(channelId * 1000 + index) }]
      : ["keywords.json", { device_id: deviceId, keyword: `${WORDS[index % 10]} ${channelId}` }];
  await request(server, { method: "POST", path, body });
}

/** A rule is changed, so that all of the device are looked at again before the timers are listed. */
async function expanded(server: Server, { deviceId }: { readonly deviceId: number }): Promise<Measures> {
  const times: number[] = [];
  let timers = 0;
  for (let round = 0; round < 10; round += 1) {
    const body = { device_id: deviceId, keyword: `nothing has these words ${round}` };
    await request(server, { method: "POST", path: "keywords.json", body });
    times.push(
      await elapsedMs(async () => {
        const answer = await request(server, { method: "GET", path: "shows/timers.json" });
        timers = (JSON.parse(answer.toString("utf8")) as { timers: readonly unknown[] }).timers.length;
      }),
    );
  }
  return { p50: ms(quantile(times, 0.5)), p99: ms(quantile(times, 0.99)), timers: count(timers) };
}

async function asked(server: Server, path: string, requests: number): Promise<Measures> {
  await server.longestBlockMs();
  const times: number[] = [];
  let bytes = 0;
  for (let done = 0; done < requests; done += 1) {
    times.push(
      await elapsedMs(async () => {
        bytes = (await request(server, { method: "GET", path })).length;
      }),
    );
  }
  const { peak } = memoryOf(server.child.pid ?? 0);
  return {
    p50: ms(quantile(times, 0.5)),
    p99: ms(quantile(times, 0.99)),
    "longest block of the loop": ms(await server.longestBlockMs()),
    body: mib(bytes),
    "peak memory": megabytes(peak),
  };
}

async function request(
  { http, baseUrl, token }: Server,
  { method, path, body }: { readonly method: "GET" | "POST"; readonly path: string; readonly body?: object },
): Promise<Buffer> {
  const url = new URL(`${baseUrl}/${path}`);
  url.searchParams.set("email_address", VIEWER);
  url.searchParams.set("token", token);
  const headers = body === undefined ? {} : { "content-type": "application/json" };
  const sent = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) };
  const answer = await http.request({ method, url, headers, bodyBytesMax: BODY_BYTES_MAX, ...sent }, signal);
  if (answer.kind === "failed" || ![200, 201, 404].includes(answer.status))
    throw new Error(`the guide server refuses ${path}`);
  return answer.body;
}
