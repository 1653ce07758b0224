import { silentLog } from "../src/kit/log.ts";
import { systemClock } from "../src/kit/time/clock.ts";
import type { LibraryEntry } from "../src/model/library.ts";
import type { Reach } from "../src/model/reach.ts";
import type { Rule } from "../src/model/rule.ts";
import type { Channel } from "../src/model/service.ts";
import type { Snapshot } from "../src/model/snapshot.ts";
import type { Window } from "../src/model/window.ts";
import type { DaemonApi } from "../src/recorder/api/daemon-api.ts";
import { Events } from "../src/recorder/api/events.ts";
import { apiRoutes } from "../src/recorder/api/routes.ts";
import { openHttpListener } from "../src/web/listener/http-listener.ts";
import { OneTimeLinks } from "../src/web/listener/one-time-links.ts";

/** The answers of a made-up recorder. */
export interface MadeUp {
  readonly snapshot: () => Snapshot;
  readonly entries: () => readonly LibraryEntry[];
  readonly channels: readonly Channel[];
  readonly shows: readonly Window[];
  readonly rules?: readonly Rule[];
  readonly logLines?: DaemonApi["logLines"];
  readonly history?: DaemonApi["history"];
  readonly reach?: readonly Reach[];
}

const NO_HISTORY: DaemonApi["history"] = async () => ({ timeZone: "UTC", lines: [], facts: [] });

export interface DashboardDoor extends AsyncDisposable {
  /** An address on loopback. */
  readonly base: string;
  readonly events: Events;
}

/** The pages and the interface of a recorder that has more than a simulated one can plan: its answers are made up. Needs `npm run build`. */
export async function openDashboardDoor({
  snapshot,
  entries,
  channels,
  shows,
  rules = [],
  logLines = () => [],
  history = NO_HISTORY,
  reach = channels.map(({ id, name }) => ({ channelId: id, name, tuners: [], services: [], candidates: [] })),
}: MadeUp): Promise<DashboardDoor> {
  const clock = systemClock();
  const events = new Events({
    picture: () => ({ snapshot: snapshot(), entries: entries(), jobs: [] }),
    clock,
  });
  const api = {
    snapshot,
    library: { entries: async () => entries(), jobs: () => [] },
    events,
    unready: () => undefined,
    lacks: () => [],
    reach: () => reach,
    logLines,
    history,
    logos: { known: async () => new Set() },
    progress: { of: () => [] },
    push: { publicKey: async () => "" },
    guide: {
      channels: async () => channels,
      shows: async ({ from = 0, to = Number.POSITIVE_INFINITY }) =>
        shows.filter(({ start, stop }) => stop > from && start < to),
      series: { all: async () => ({ recordings: [], keywords: [], favourites: [] }) },
      rules: { all: async () => ({ rules, kept: "recorder" }) },
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
    events,
    async [Symbol.asyncDispose]() {
      ending.abort();
      await telling;
      await door[Symbol.asyncDispose]();
    },
  };
}
