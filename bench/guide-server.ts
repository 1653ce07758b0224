import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { openGuideServer } from "../src/guide-server/server.ts";
import type { WireFormat } from "../src/guide-wire/codec.ts";
import { createHttpClient, type HttpClient } from "../src/kit/http/http.ts";
import { silentLog } from "../src/kit/log.ts";
import { systemClock } from "../src/kit/time/clock.ts";
import { DAY, MINUTE } from "../src/model/time.ts";
import { API_KEY, seedGuide, signIn, VIEWER } from "./guide-process.ts";
import {
  type Benchmark,
  type Case,
  elapsedMs,
  type Measures,
  mib,
  ms,
  perSecond,
  quantile,
} from "./harness.ts";
import { memoryOf } from "./memory.ts";

const TIMERS = 1000;
const REQUESTS = 200;
/** Requests under way at once; the client keeps as many connections. */
const AT_ONCE = 8;
const BODY_BYTES_MAX = 16 * 2 ** 20;
const MAIN = join(import.meta.dirname, "../src/main.js");
const clock = systemClock();
const { signal } = new AbortController();

/** The guide server as a process of its own, one for each format, asked over loopback. */
export const guideServerBenchmark: Benchmark = {
  name: "guide-server",
  open: async (folder) => {
    await fill(join(folder, "json"));
    await cp(join(folder, "json"), join(folder, "xml"), { recursive: true });
    const servers = [await serve("json", folder), await serve("xml", folder)];
    return {
      cases: servers,
      ratios: [{ over: "xml", under: "json", measures: ["requests", "p50", "memory"] }],
      [Symbol.asyncDispose]: async () => {
        for (const server of servers) await server[Symbol.asyncDispose]();
      },
    };
  },
};

async function fill(dataFolder: string): Promise<void> {
  await using server = await openGuideServer({ dataFolder, clock, log: silentLog });
  const start = Math.ceil((clock.now() + DAY) / MINUTE) * MINUTE;
  const shows = Array.from({ length: TIMERS }, (_, index) => ({
    id: index + 1,
    channelId: 1,
    start: start + index * 10 * MINUTE,
    durationMinutes: 30,
    title: `Programme ${index} & its sequel`,
  }));
  const device_id = await seedGuide(server, { channels: [{ id: 1, name: "One", region_id: 1 }], shows });
  for (const { id } of shows) await server.addTimer(VIEWER, { device_id, show_id: id });
}

async function serve(format: WireFormat, folder: string): Promise<Case & AsyncDisposable> {
  const args = [MAIN, "guide-server", "--data", join(folder, format), "--port", "0"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  const baseUrl = line.trim();
  const http = createHttpClient();
  return {
    name: format,
    // Each round has a session of its own: the server lets one ask only so often.
    run: async () => ask(child, { url: await listUrl(baseUrl, { format, http }), http }),
    [Symbol.asyncDispose]: async () => {
      await http.close();
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    },
  };
}

/** The address of the list, credentials included. */
async function listUrl(
  baseUrl: string,
  { format, http }: { readonly format: WireFormat; readonly http: HttpClient },
): Promise<URL> {
  const url = new URL(`${baseUrl}/shows/timers.${format}`);
  url.searchParams.set("email_address", VIEWER);
  url.searchParams.set("token", await signIn(baseUrl, { http, wire: format }));
  url.searchParams.set("api_key", API_KEY);
  return url;
}

async function ask(
  { pid = 0 }: ChildProcess,
  { url, http }: { readonly url: URL; readonly http: HttpClient },
): Promise<Measures> {
  const times: number[] = [];
  let bytes = 0;
  let left = REQUESTS;
  const askOn = async () => {
    for (; left > 0; ) {
      left -= 1;
      times.push(
        await elapsedMs(async () => {
          const request = { method: "GET", url, headers: {}, bodyBytesMax: BODY_BYTES_MAX } as const;
          const answer = await http.request(request, signal);
          if (answer.kind === "failed" || answer.status !== 200) throw new Error("the guide server refuses");
          bytes = answer.body.length;
        }),
      );
    }
  };
  const allMs = await elapsedMs(() => Promise.all(Array.from({ length: AT_ONCE }, askOn)));
  return {
    requests: perSecond((1000 * REQUESTS) / allMs, "req"),
    p50: ms(quantile(times, 0.5)),
    p99: ms(quantile(times, 0.99)),
    memory: mib(memoryOf(pid).now),
    "peak memory": mib(memoryOf(pid).peak),
    body: mib(bytes),
  };
}
