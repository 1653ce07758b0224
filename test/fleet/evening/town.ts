import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { simTriplet } from "../../../src/simulator/world.ts";
import { endWithFile } from "../../left-by-tests.ts";
import { Recorder, type TestWorld, testWorld } from "../../main-job/recorder.ts";
import { Postgres, SECURED } from "../../postgres/postgres.ts";
import { type FakeServer, receivers, vdrList } from "../../recorder/tune/fakes/air.ts";
import { fakeSatip } from "../../recorder/tune/fakes/satip.ts";
import { CLIP_FOLDER, testClip } from "../../simulator/air.ts";
import { SECRET, tellFleet } from "../nodes.ts";
import {
  CHANNELS,
  type EveningShow,
  listingOf,
  PADDING_SECONDS,
  SERVICES_PER_MULTIPLEX,
} from "./programme.ts";
import { type Machine, Segment } from "./segment.ts";

const MAIN = join(import.meta.dirname, "../../../dist/main.js");
const HOSTS = { services: 1, primary: 2, replica: 3, firstNode: 11 } as const;
const NODE_PORT = 8793;
/** The port on each node's machine. */
const AERIAL = 8090;

export function pidsOf(channel: number): { readonly picture: number; readonly sound: number } {
  const pmt = 0x100 + ((channel - 1) % SERVICES_PER_MULTIPLEX) * 0x10;
  return { picture: pmt + 1, sound: pmt + 2 };
}

/** A machine with a recorder and an aerial of its own. */
export class TownNode {
  readonly name: string;
  readonly machine: Machine;
  readonly recorder: Recorder;
  readonly #listing: string;
  #aerial: Aerial | undefined;

  constructor(
    name: string,
    parts: { readonly machine: Machine; readonly recorder: Recorder; readonly listing: string },
  ) {
    this.name = name;
    this.machine = parts.machine;
    this.recorder = parts.recorder;
    this.#listing = parts.listing;
  }

  async powerOn({ isFirst = false } = {}): Promise<void> {
    if (!isFirst) await this.machine.boot();
    this.#aerial = await Aerial.open(this.#listing, { port: AERIAL, within: this.machine.within });
    this.recorder.launch();
  }

  async losePower(): Promise<void> {
    await this.machine.losePower();
    await this.recorder.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.recorder.kill();
    await this.#aerial?.end();
  }
}

/** Broadcasters on loopback of a machine: each receives the same. */
class Aerial {
  readonly baseUrl: string;
  readonly #child: ChildProcess;
  readonly #ended = endWithFile(() => this.end());

  private constructor(child: ChildProcess, baseUrl: string) {
    this.#child = child;
    this.baseUrl = baseUrl;
  }

  static async open(
    listing: string,
    { port = 0, within = [] }: { readonly port?: number; readonly within?: readonly string[] } = {},
  ): Promise<Aerial> {
    const own = ["broadcaster", "--xmltv", listing, "--clips", CLIP_FOLDER, "--port", String(port)];
    const [command = "", ...args] = [...within, process.execPath, MAIN, ...own];
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "ignore"] });
    const [baseUrl] = await once(child.stdout.setEncoding("utf8"), "data");
    return new Aerial(child, baseUrl.trim());
  }

  end(): void {
    this.#ended();
    this.#child.kill("SIGKILL");
  }
}

/** Three recorders of one fleet, each on a machine of its own, and what they share. */
export interface Town extends AsyncDisposable {
  readonly home: TestWorld;
  readonly segment: Segment;
  readonly nodes: readonly TownNode[];
  readonly database: TownDatabase;
}

interface TownParts {
  readonly shows: readonly EveningShow[];
  /** Each node's own. */
  readonly tuners: number;
  readonly withReplica: boolean;
}

export async function openTown(folder: string, { shows, tuners, withReplica }: TownParts): Promise<Town> {
  await testClip();
  const segment = await Segment.open();
  const host = await segment.take(HOSTS.services);
  const listing = join(folder, "listing.xml");
  const home = await testWorld(folder, CHANNELS, [], host);
  const database = await TownDatabase.open(segment, withReplica);
  await writeFile(listing, listingOf(shows));
  const aerial = await Aerial.open(listing);
  const shared = await sharedServer(folder, { host, aerial: aerial.baseUrl });
  const recordings = { folder: join(folder, "recordings"), padding: padding() };
  await mkdir(recordings.folder);
  const nodes: TownNode[] = [];
  for (const [index, name] of ["attic", "cellar", "garage"].entries()) {
    const machine = await segment.machine(HOSTS.firstNode + index);
    const fleet = { database: database.url, node: name, listen: { host: machine.address, port: NODE_PORT } };
    const recorder = await Recorder.install({
      ...{ folder: join(folder, name), home, within: machine.within },
      tuners: [...ownTuners(tuners), shared.tuner],
      more: { recordings, fleet },
    });
    await tellFleet(recorder, { password: SECURED.password, secret: SECRET });
    nodes.push(new TownNode(name, { machine, recorder, listing }));
  }
  return {
    ...{ home, segment, nodes, database },
    [Symbol.asyncDispose]: async () => {
      for (const node of nodes) await node[Symbol.asyncDispose]();
      await shared.server[Symbol.asyncDispose]();
      aerial.end();
      await segment[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

function padding() {
  return { beforeSeconds: PADDING_SECONDS, afterSeconds: PADDING_SECONDS };
}

function ownTuners(count: number): readonly object[] {
  const broadcaster = `http://127.0.0.1:${AERIAL}`;
  return Array.from({ length: count }, (_, index) => ({
    ...{ kind: "mock", id: `own${index + 1}`, broadcaster },
  }));
}

/**
 * A SAT>IP server in the segment, with one tuner, and the first channel: its clock is the same alone and in its multiplex, so all
 * packets are those of the nodes' own tuners.
 */
async function sharedServer(
  folder: string,
  { host, aerial }: { readonly host: string; readonly aerial: string },
): Promise<{ readonly server: FakeServer; readonly tuner: object }> {
  const channelList = join(folder, "channels.conf");
  const { picture, sound } = pidsOf(1);
  await writeFile(
    channelList,
    vdrList([simTriplet(1)], () => `${picture}:${sound}`),
  );
  const server = await fakeSatip(
    receivers({ count: 1, shared: true }),
    ({ onid, tsid }) => `${aerial}/multiplex/${onid}/${tsid}`,
    { tuners: 1, host },
  );
  const tuner = {
    kind: "satip",
    id: "roof",
    host,
    rtspPort: server.port,
    channelList,
    pids: "listed",
    count: 1,
  };
  return { server, tuner };
}

/** The database of the fleet, on machines of its own. */
class TownDatabase implements AsyncDisposable {
  readonly url: string;
  readonly #segment: Segment;
  readonly #primary: Postgres;
  readonly #replica: Postgres | undefined;
  #isOver = false;

  private constructor(
    segment: Segment,
    url: string,
    [primary, replica]: readonly [Postgres, Postgres | undefined],
  ) {
    this.#segment = segment;
    this.url = url;
    this.#primary = primary;
    this.#replica = replica;
  }

  static async open(segment: Segment, withReplica: boolean): Promise<TownDatabase> {
    const addresses = [await segment.take(HOSTS.primary), await segment.take(HOSTS.replica)];
    const primary = await Postgres.start({ beyond: { addresses, network: Segment.network } });
    const name = await primary.createDatabase();
    const replica = withReplica ? await primary.replica() : undefined;
    const hosts = [`${Segment.address(HOSTS.primary)}:${primary.port}`];
    if (replica !== undefined) hosts.push(`${Segment.address(HOSTS.replica)}:${replica.port}`);
    const url = `postgres://${SECURED.user}@${hosts.join(",")}/${name}?sslmode=disable`;
    return new TownDatabase(segment, url, [primary, replica]);
  }

  get #serving(): Postgres {
    return this.#isOver && this.#replica !== undefined ? this.#replica : this.#primary;
  }

  get #host(): number {
    return this.#isOver ? HOSTS.replica : HOSTS.primary;
  }

  async goDown(): Promise<void> {
    await this.#serving.end("immediate");
  }

  async comeBack(): Promise<void> {
    await this.#serving.start();
  }

  /** It says nothing at all, not even that it is gone. */
  async vanish(): Promise<void> {
    await this.#segment.leave(this.#host);
  }

  async reappear(): Promise<void> {
    await this.#segment.take(this.#host);
  }

  async die(): Promise<void> {
    await this.#segment.leave(HOSTS.primary);
    await this.#primary.end("killed");
  }

  async failOver(): Promise<void> {
    await this.#replica?.promote();
    this.#isOver = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#primary[Symbol.asyncDispose]();
  }
}
