import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { rm, stat, utimes } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { openGuideServer } from "../src/guide-server/server.ts";
import { createHttpClient, type HttpClient } from "../src/kit/http/http.ts";
import { silentLog } from "../src/kit/log.ts";
import { systemClock } from "../src/kit/time/clock.ts";
import { DAY, MINUTE, SECOND } from "../src/model/time.ts";
import { seedGuide, signIn, startGuide, VIEWER } from "./guide-process.ts";
import { type Benchmark, count, elapsedMs, type Measures, megabytes, mib, ms, quantile } from "./harness.ts";
import { memoryOf } from "./memory.ts";

const CHANNELS = 200;
const PROGRAMMES = 2500;
const BODY_BYTES_MAX = 64 * 2 ** 20;
const clock = systemClock();
const { signal } = new AbortController();

/**
 * `recorderd guide-server --xmltv` as a process of its own reads 500,000 programmes into an empty guide, the same again, and a second listing
 * that says the same, packed, from an address, while it is asked for the shows of one channel again and again.
 */
export const xmltvBenchmark: Benchmark = {
  name: "xmltv",
  onlyWhenNamed: true,
  settles: true,
  open: async (folder) => {
    const listing = join(folder, "listing.xml");
    await writeListing(listing);
    const packed = join(folder, "listing.xml.gz");
    await pipeline(createReadStream(listing), createGzip({ level: 1 }), createWriteStream(packed));
    const { size } = await stat(listing);
    const server = createServer((_request, answer) => createReadStream(packed).pipe(answer));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const second = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const programmes = `${(CHANNELS * PROGRAMMES) / 1000}k programmes`;
    return {
      cases: [
        {
          name: programmes,
          run: async () => {
            await emptyGuide(folder);
            return { ...(await importOnce(folder, [listing])), listing: mib(size) };
          },
        },
        {
          name: `the same ${programmes} again`,
          run: async () => {
            await utimes(listing, new Date(), new Date());
            return await importOnce(folder, [listing]);
          },
        },
        {
          name: `${programmes}, second in rank, gzip over HTTP`,
          run: () => importOnce(folder, [listing, second]),
        },
      ],
      [Symbol.asyncDispose]: async () => {
        server.close();
      },
    };
  },
};

export async function writeListing(file: string): Promise<void> {
  const out = createWriteStream(file);
  const write = async (text: string) => {
    if (!out.write(text)) await once(out, "drain");
  };
  await write('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n<tv>\n');
  for (let channel = 0; channel < CHANNELS; channel += 1) {
    await write(`<channel id="c${channel}"><display-name>Channel ${channel}</display-name></channel>\n`);
  }
  const first = Math.floor(clock.now() / (30 * MINUTE)) * 30 * MINUTE;
  const desc = "Two friends, one boat &amp; a storm that nobody saw coming. ".repeat(3);
  for (let channel = 0; channel < CHANNELS; channel += 1) {
    for (let index = 0; index < PROGRAMMES; index += 1) {
      const start = first + index * 30 * MINUTE;
      await write(
        `<programme start="${timeText(start)}" stop="${timeText(start + 30 * MINUTE)}" channel="c${channel}">` +
          `<title lang="en">Series ${channel} ${index % 300}</title><sub-title lang="en">Part ${index}</sub-title>` +
          `<desc lang="en">${desc}</desc><category lang="en">Drama</category>` +
          `<episode-num system="xmltv_ns">${index % 5}.${Math.floor(index / 300)}.</episode-num>` +
          "<rating><value>PG</value></rating></programme>\n",
      );
    }
  }
  out.end("</tv>\n");
  await once(out, "close");
}

function timeText(at: number): string {
  return `${new Date(at).toISOString().replace(/[-:T]/g, "").slice(0, 14)} +0000`;
}

async function emptyGuide(folder: string): Promise<void> {
  const data = join(folder, "data");
  await rm(data, { recursive: true, force: true });
  await using server = await openGuideServer({ dataFolder: data, clock, log: silentLog });
  await seedGuide(server, { channels: [] });
}

/** Until the last of the listings is read. */
async function importOnce(folder: string, listings: readonly string[]): Promise<Measures> {
  const args = listings.flatMap((each) => ["--xmltv", each]);
  const guide = await startGuide(["--data", join(folder, "data"), ...args], {
    loop: join(folder, "loop.txt"),
  });
  const { child } = guide;
  // The cost of starting does not count for the import.
  child.kill("SIGUSR2");
  await using http = createHttpClient();
  const times: number[] = [];
  let shows = 0;
  try {
    const url = await showsUrl(guide.baseUrl, http);
    const done = told(child, "listing read");
    let ended = false;
    const importMs = elapsedMs(async () => {
      await done;
      ended = true;
    });
    while (!ended) {
      times.push(
        await elapsedMs(async () => {
          shows = await ask(url, http);
        }),
      );
      await clock.sleep(SECOND / 20, signal);
    }
    const { peak } = memoryOf(child.pid ?? 0);
    const longestBlockMs = await guide.longestBlockMs();
    await guide.stop();
    return {
      import: ms(await importMs),
      "query p50": ms(quantile(times, 0.5)),
      "query p99": ms(quantile(times, 0.99)),
      "longest query": ms(Math.max(...times)),
      queries: count(times.length),
      "shows of the last answer": count(shows),
      "longest block of the loop": ms(longestBlockMs),
      "peak memory": megabytes(peak),
    };
  } finally {
    child.kill("SIGKILL");
  }
}

/** Resolves when the process logs that. */
export function told(child: ChildProcess, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let rest = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      rest += text;
      if (rest.includes(`"msg":"${what}"`)) resolve();
      if (rest.includes('"msg":"listing not read"')) reject(new Error(rest));
      rest = rest.slice(-200);
    });
  });
}

/** A day of the first channel. */
async function showsUrl(baseUrl: string, http: HttpClient): Promise<URL> {
  const url = new URL(
    `${baseUrl}/shows.json?channel_id=1&hide_timers=1&per_page=${DAY / (30 * MINUTE)}&page=1`,
  );
  url.searchParams.set("email_address", VIEWER);
  url.searchParams.set("token", await signIn(baseUrl, { http }));
  return url;
}

async function ask(url: URL, http: HttpClient): Promise<number> {
  const answer = await http.request(
    { method: "GET", url, headers: {}, bodyBytesMax: BODY_BYTES_MAX },
    signal,
  );
  if (answer.kind === "failed" || answer.status !== 200) throw new Error("the guide server refuses");
  return (JSON.parse(answer.body.toString("utf8")) as { shows: readonly unknown[] }).shows.length;
}
