import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createGuideClient } from "../src/guide/client.ts";
import { openGuideServer } from "../src/guide-server/server.ts";
import { systemClock } from "../src/kit/clock.ts";
import { createHttpClient, type HttpClient } from "../src/kit/http.ts";
import { silentLog } from "../src/kit/log.ts";
import { DAY, MINUTE, SECOND } from "../src/model/time.ts";
import { type Benchmark, count, elapsedMs, type Measures, mib, ms, quantile } from "./harness.ts";
import { memoryOf } from "./memory.ts";

const CHANNELS = 200;
const PROGRAMMES = 2500;
const BODY_BYTES_MAX = 64 * 2 ** 20;
const MAIN = join(import.meta.dirname, "../src/main.js");
const MEMBER = { email_address: "viewer@bench.example", password: "measured, not secret" };
const clock = systemClock();
const { signal } = new AbortController();

/**
 * `recorderd guide-server --xmltv` as a process of its own reads 500,000 programmes into an empty guide, while it is asked for
 * the shows of one channel again and again.
 */
export const xmltvBenchmark: Benchmark = {
  name: "xmltv",
  onlyWhenNamed: true,
  open: async (folder) => {
    const listing = join(folder, "listing.xml");
    await writeListing(listing);
    const { size } = await stat(listing);
    return {
      cases: [
        {
          name: `${(CHANNELS * PROGRAMMES) / 1000}k programmes`,
          run: async () => ({ ...(await importOnce(folder, listing)), listing: mib(size) }),
        },
      ],
      [Symbol.asyncDispose]: async () => {},
    };
  },
};

async function writeListing(file: string): Promise<void> {
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

async function importOnce(folder: string, listing: string): Promise<Measures> {
  const data = join(folder, "data");
  await rm(data, { recursive: true, force: true });
  {
    await using server = await openGuideServer({ dataFolder: data, clock, log: silentLog });
    await server.seed({
      regions: [{ id: 1, name: "Here" }],
      channels: [],
      manufacturers: [],
      types: [],
      series: [],
      shows: [],
    });
    await server.addAccount({ email: MEMBER.email_address, password: MEMBER.password, regionId: 1 });
  }
  const child = spawn(process.execPath, [MAIN, "guide-server", "--data", data, "--xmltv", listing], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  await using http = createHttpClient();
  const times: number[] = [];
  let shows = 0;
  try {
    const url = await showsUrl(line.trim(), http);
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
    return {
      import: ms(await importMs),
      "query p50": ms(quantile(times, 0.5)),
      "query p99": ms(quantile(times, 0.99)),
      "longest query": ms(Math.max(...times)),
      queries: count(times.length),
      "shows of the last answer": count(shows),
      "peak memory": mib(memoryOf(child.pid ?? 0).peak),
    };
  } finally {
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  }
}

/** Resolves when the process logs that. */
function told(child: ChildProcess, what: string): Promise<void> {
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
  const client = createGuideClient({
    baseUrl,
    apiKey: "bench",
    applicationVersion: "bench",
    wire: "json",
    http,
    clock,
    credentials: () => undefined,
  });
  const { value } = await client.login({ member: MEMBER }, signal);
  const url = new URL(
    `${baseUrl}/shows.json?channel_id=1&hide_timers=1&per_page=${DAY / (30 * MINUTE)}&page=1`,
  );
  url.searchParams.set("email_address", MEMBER.email_address);
  url.searchParams.set("token", value.member.token);
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
