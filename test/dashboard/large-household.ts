import { largeWorld } from "../../bench/dashboard-world.ts";
import { silentLog } from "../../src/kit/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import type { Channel } from "../../src/model/service.ts";
import { HOUR, MINUTE } from "../../src/model/time.ts";
import type { DaemonApi } from "../../src/recorder/api/daemon-api.ts";
import { createEvents } from "../../src/recorder/api/events.ts";
import { apiRoutes } from "../../src/recorder/api/routes.ts";
import { openHttpListener } from "../../src/web/listener/http-listener.ts";
import { OneTimeLinks } from "../../src/web/listener/one-time-links.ts";

/** One has no place to break, the other none but letters. */
export const LONG_TITLES = [
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
  "連続テレビ小説「春になったら故郷の海辺の町で暮らす家族のもとへ帰る人々の長い物語」第百五十六回",
] as const;
const titleOf = (at: number) => `${LONG_TITLES[at % LONG_TITLES.length]} ${at + 1}`;

/** The pages and the interface of a recorder with more than a simulated one can plan in a test: its answers are made up. */
export async function openLargeHousehold(size: {
  readonly channels: number;
  readonly timers: number;
  readonly entries: number;
}): Promise<{ readonly base: string } & AsyncDisposable> {
  const clock = systemClock();
  const world = largeWorld(clock.now(), size);
  const recordings = world.snapshot.recordings.map((one, at) => ({ ...one, name: titleOf(at) }));
  const entries = world.entries.map((one, at) => ({ ...one, name: titleOf(at) }));
  const snapshot = { ...world.snapshot, recordings };
  const events = createEvents({ picture: () => ({ snapshot, entries, jobs: [] }), clock });
  const channels = Array.from({ length: size.channels }, (_, at) => channelOf(at));
  const shows = channels.flatMap((_, at) => showsOf(at, clock.now()));
  const api = {
    snapshot: () => snapshot,
    library: { entries: async () => entries, jobs: () => [] },
    events,
    unready: () => undefined,
    lacks: () => [],
    reach: () =>
      channels.map(({ id, name }) => ({ channelId: id, name, tuners: [], services: [], candidates: [] })),
    logLines: () => [],
    history: async () => ({ timeZone: "UTC", lines: [], facts: [] }),
    logos: { known: async () => [] },
    progress: { of: () => [] },
    push: { publicKey: async () => "" },
    guide: {
      channels: async () => channels,
      shows: async ({ from = 0, to = Number.POSITIVE_INFINITY }) =>
        shows.filter(({ start, stop }) => stop > from && start < to),
      series: { all: async () => ({ recordings: [], keywords: [], favourites: [] }) },
      rules: { all: async () => ({ rules: [], kept: "recorder" }) },
    },
  } as unknown as DaemonApi;
  const door = await openHttpListener(
    { host: "127.0.0.1", port: 0, names: [], signIn: "where-needed", trustedProxies: [] },
    {
      links: new OneTimeLinks({ clock }),
      routes: (entrance) => apiRoutes(api, entrance),
      secrets: () => ({}),
      folder: "dist/dashboard",
      clock,
      log: silentLog,
    },
  );
  const ending = new AbortController();
  const telling = events.run(ending.signal);
  return {
    base: `http://127.0.0.1:${door.port}`,
    async [Symbol.asyncDispose]() {
      ending.abort();
      await telling;
      await door[Symbol.asyncDispose]();
    },
  };
}

function channelOf(at: number): Channel {
  const name =
    at % 3 === 0 ? `Österreichischer Regionalrundfunk Hauptprogramm ${at + 1}` : `Sender ${at + 1}`;
  return { id: String(at + 1), name, nameShort: name, knownNames: [], triplets: [], lcns: [at + 1] };
}

/** Shows of many lengths, some too short for letters. */
function showsOf(channel: number, now: number) {
  const shows = [];
  let start = Math.floor(now / HOUR) * HOUR - 3 * HOUR;
  for (let at = 0; at < 30; at += 1) {
    const stop = start + ([45, 5, 90, 10, 30][(at + channel) % 5] ?? 30) * MINUTE;
    const programme = { subtitle: titleOf(at + 1), description: titleOf(at).repeat(8), seriesId: `s${at}` };
    shows.push({
      id: channel * 100 + at,
      channelId: channel + 1,
      title: titleOf(at),
      start,
      stop,
      programme,
    });
    start = stop;
  }
  return shows;
}
