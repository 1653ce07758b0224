import { createWebServer } from "../../../kit/http/web-server.ts";
import type { Log } from "../../../kit/log.ts";
import { type Clock, systemChance } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { Reach } from "../../../model/reach.ts";
import { refusal } from "../../../web/json.ts";
import type { ApiRoute } from "../../../web/route.ts";
import type { PlaybackApi } from "../../api/daemon-api.ts";
import type { HdhomerunConfig } from "./config.ts";
import { openControl } from "./control-server.ts";
import { lineupOf } from "./core/lineup.ts";
import { keptDeviceId } from "./device-id-file.ts";
import { openDiscovery } from "./discovery-socket.ts";
import { EmulatedTuners } from "./emulated-tuners.ts";
import { admission, hdhomerunRoutes, outsider } from "./http-routes.ts";
import { HDHOMERUN_LIMITS } from "./limits.ts";
import { ownAddressTo } from "./own-address.ts";

interface Parts {
  /** The data folder. */
  readonly folder: string;
  /** Names of this machine, besides those that only a network in a house can have. */
  readonly names: readonly string[];
  readonly reach: () => readonly Reach[];
  /** The size of the pool. */
  readonly tunerCount: () => number;
  readonly live: PlaybackApi["live"];
  /** The XMLTV guide of the API, with these numbers of channels. */
  readonly guide: (numbers: () => ReadonlyMap<string, string>) => ApiRoute;
  readonly clock: Clock;
  readonly log: Log;
}

/** The recorder as an HDHomeRun (docs/dev/decisions/0051-hdhomerun-emulation.md). */
export interface Hdhomerun {
  readonly name: "hdhomerun";
  /** The port of the lineup and the streams; absent while it does not listen. */
  readonly port: number | undefined;
  /** Listens, with retries, until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** @throws RecorderdError FILE_UNREADABLE, DISK_FULL or WRITE_FAILED if the device id cannot be read or kept */
export async function openHdhomerun(config: HdhomerunConfig, parts: Parts): Promise<Hdhomerun> {
  const { host } = config;
  const { clock, log } = parts;
  const deviceId = config.deviceId ?? (await keptDeviceId(parts.folder, systemChance));
  const tunerCount = () => Math.min(parts.tunerCount(), HDHOMERUN_LIMITS.tuners);
  const lineup = () => lineupOf(parts.reach());
  const isLoopback = host.startsWith("127.");
  let port: number | undefined;

  /** A peer that reaches this machine at an address where it does not listen gets none. */
  async function baseUrl(peer: string): Promise<string | undefined> {
    const own = isLoopback ? host : await ownAddressTo(peer);
    if (port === undefined || own === undefined || (host !== ANY && host !== own)) return undefined;
    return `http://${own}:${port}`;
  }

  async function openHttp(tuners: EmulatedTuners): Promise<AsyncDisposable> {
    const admit = admission(clock, parts.names);
    const { name } = config;
    const guide = parts.guide(() => new Map(lineup().map(({ channelId, number }) => [channelId, number])));
    const server = createWebServer({
      routes: hdhomerunRoutes({ deviceId, name, tuners, lineup, guide, baseUrl, admit }),
      refuse: (request, why) => {
        if (why.kind === "failed")
          log.error("a request failed", { path: request.path, text: String(why.error) });
        return outsider(request) ?? refusal(why);
      },
      bodyBytesMax: HDHOMERUN_LIMITS.bodyBytes,
      // Devices do so, and some programs write addresses by hand.
      ignoresCase: true,
      clock,
    });
    try {
      ({ port } = await server.listen({ host, port: config.port }));
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
    return server;
  }

  if (!isLoopback) log.warn("everybody on the network can watch through the HDHomeRun emulation", { host });
  return {
    name: "hdhomerun",
    get port() {
      return port;
    },
    run: async (signal) => {
      const tuners = new EmulatedTuners({ count: tunerCount, live: parts.live, clock });
      signal.addEventListener("abort", () => tuners.end(), { once: true });
      // Broadcasts reach only a socket of all addresses; `baseUrl` leaves out peers of other networks.
      const everywhere = isLoopback ? host : ANY;
      const listeners = [
        () => openHttp(tuners),
        () => openDiscovery({ host: everywhere, deviceId, tunerCount, baseUrl, clock }),
        () => openControl({ host, tuners, lineup, clock }),
      ];
      await Promise.all(listeners.map((open) => keepOpen(open, { clock, log }, signal)));
    },
  };
}

const ANY = "0.0.0.0";

/** Keeps a listener open until the signal is aborted; a port in use is tried again. */
async function keepOpen(
  open: () => Promise<AsyncDisposable>,
  { clock, log }: Pick<Parts, "clock" | "log">,
  signal: AbortSignal,
): Promise<void> {
  let isTold = false;
  while (!signal.aborted) {
    try {
      await using _listener = await open();
      if (!signal.aborted)
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      if (!isTold)
        log.error("the HDHomeRun emulation is not available; retrying", {
          code: error.code,
          text: error.message,
        });
      isTold = true;
      await clock.sleep(HDHOMERUN_LIMITS.retryMs, signal).catch(() => {});
    }
  }
}
