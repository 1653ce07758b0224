import { mkdir } from "node:fs/promises";
import { createConnection } from "node:net";
import { systemClock } from "../../../../src/kit/time/clock.ts";
import { multiplexKey, type Triplet } from "../../../../src/model/service.ts";
import { freePort } from "../../../free-port.ts";
import { outOfPatience } from "../../../patience.ts";
import { kilohertzOf, ON_AIR, USER } from "../fakes/air.ts";
import { running } from "./program.ts";

/** The recorder's account, as docs/tuners.md wants it, one that may do nothing but watch, and one with a limit of streams. */
const ACCOUNTS = [
  { ...USER, rights: { webui: true, admin: true, streaming: ["basic", "advanced"] } },
  { user: "viewer", password: "viewer", rights: { webui: true, streaming: ["basic", "advanced"] } },
  {
    user: "limited",
    password: "limited",
    rights: {
      webui: true,
      admin: true,
      streaming: ["basic", "advanced"],
      conn_limit_type: 1,
      conn_limit: 1,
    },
  },
] as const;

export interface TvheadendOptions {
  readonly folder: string;
  /** `ON_AIR` without it. */
  readonly services?: readonly Triplet[];
  /** The address at which a multiplex is received. */
  readonly multiplexAt: (service: Triplet) => string;
  /** How many multiplexes it can receive at once. */
  readonly inputs: number;
  /** The port of its SAT>IP server; none without it. */
  readonly rtspPort?: number;
  /** The services are channels too, which its M3U lists. */
  readonly mapsChannels?: boolean;
}

/**
 * A stock Tvheadend that has found its services on a network of its own: no profile of it is touched. Disposing it kills it;
 * `restart` starts it again on the same port, with what it knew.
 */
export async function startTvheadend(program: string, options: TvheadendOptions) {
  const { folder, inputs, multiplexAt, rtspPort, services = ON_AIR } = options;
  await mkdir(folder, { recursive: true });
  const [http, htsp] = [await freePort(), await freePort()];
  const place = `-c ${folder} -b 127.0.0.1 --http_port ${http} --htsp_port ${htsp} -B`;
  const satip = rtspPort === undefined ? "" : ` --satip_bindaddr 127.0.0.1 --satip_rtsp ${rtspPort}`;
  const start = (more: string) => running(program, `${place}${satip} -a -1${more}`.split(" "));
  const address = `http://127.0.0.1:${http}`;
  let server = start(" -C");
  const kill = () => server[Symbol.asyncDispose]();
  try {
    await answers(http);
    const network = await createNetwork(address, inputs);
    for (const multiplex of multiplexesOf(services)) {
      const conf = {
        enabled: true,
        iptv_url: multiplexAt(multiplex),
        iptv_muxname: multiplexKey(multiplex),
        // Under which its SAT>IP server has it.
        iptv_satip_dvbt_freq: kilohertzOf(multiplex) * 1000,
      };
      await ask(address, "api/mpegts/network/mux_create", { uuid: network, conf });
    }
    await foundServices(address, services.length);
    if (options.mapsChannels === true) await mapChannels(address, services.length);
    await createAccounts(address);
    // The server writes its new settings to disk only when it stops.
    await server.stop();
    server = start("");
    await answers(http);
  } catch (error) {
    await kill();
    throw new Error(`Tvheadend did not find its services: ${server.said()}`, { cause: error });
  }
  return {
    address,
    kill,
    said: () => server.said(),
    async restart() {
      await kill();
      server = start("");
      await answers(http);
    },
    [Symbol.asyncDispose]: kill,
  };
}

function multiplexesOf(services: readonly Triplet[]): readonly Triplet[] {
  return [...new Map(services.map((service) => [multiplexKey(service), service])).values()];
}

async function createNetwork(address: string, inputs: number): Promise<string> {
  const conf = {
    networkname: "Air",
    max_streams: inputs,
    autodiscovery: 0,
    skipinitscan: false,
    scan_create: 1,
  };
  const made = await ask(address, "api/mpegts/network/create", { class: "iptv_network", conf });
  return (made as { readonly uuid: string }).uuid;
}

/** Maps a channel to each service, as its viewers do. */
async function mapChannels(address: string, count: number): Promise<void> {
  const { entries } = (await ask(address, "api/mpegts/service/grid", {})) as {
    readonly entries: readonly { readonly uuid: string }[];
  };
  await ask(address, "api/service/mapper/save", { node: { services: entries.map(({ uuid }) => uuid) } });
  const patience = outOfPatience();
  const isMapped = async () => {
    const { total } = (await ask(address, "api/channel/grid", {})) as { readonly total: number };
    return total === count;
  };
  while (!(await isMapped())) await systemClock().sleep(200, patience);
}

/** The last request takes the right from everybody: until then no request needs a password. */
async function createAccounts(address: string): Promise<void> {
  const { entries } = (await ask(address, "api/access/entry/grid", {})) as {
    readonly entries: readonly { readonly uuid: string }[];
  };
  for (const { user, password, rights } of ACCOUNTS) {
    const who = { enabled: true, username: user };
    await ask(address, "api/passwd/entry/create", { conf: { ...who, password, auth: "" } });
    await ask(address, "api/access/entry/create", { conf: { ...who, ...rights } });
  }
  await ask(address, "api/idnode/delete", { uuid: entries.map(({ uuid }) => uuid) });
}

/** Until it has scanned all multiplexes, and holds none of them any more. */
async function foundServices(address: string, count: number): Promise<void> {
  const clock = systemClock();
  const patience = outOfPatience();
  for (;;) {
    const services = (await ask(address, "api/mpegts/service/grid", {})) as {
      readonly entries: readonly unknown[];
    };
    const muxes = (await ask(address, "api/mpegts/mux/grid", {})) as {
      readonly entries: readonly { readonly scan_state: number }[];
    };
    const isScanned = muxes.entries.every(({ scan_state }) => scan_state === 0);
    if (services.entries.length === count && isScanned) return;
    await clock.sleep(200, patience);
  }
}

/** Until something listens on the port. */
export async function answers(port: number): Promise<void> {
  const clock = systemClock();
  const patience = outOfPatience();
  for (;;) {
    const socket = createConnection({ host: "127.0.0.1", port });
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (isThere) return;
    await clock.sleep(100, patience);
  }
}

/** Sends a request while no password is needed. Each of `parameters` is text, or JSON. @returns the answer */
export async function ask(
  address: string,
  path: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const query = Object.entries(parameters).map(
    ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as [string, string],
  );
  const answer = await fetch(`${address}/${path}`, { method: "POST", body: new URLSearchParams(query) });
  if (!answer.ok) throw new Error(`Tvheadend answers ${answer.status} to ${path}`);
  return await answer.json();
}
