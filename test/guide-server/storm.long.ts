import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Chance } from "../../src/guide-server/demo/chance.ts";
import { MINUTE } from "../../src/model/time.ts";
import { freePort } from "../free-port.ts";
import { fillUp, memoryDisk } from "../memory-disk.ts";
import { Postgres } from "../postgres/postgres.ts";
import { whyNoPostgres } from "../postgres/programs.ts";
import { balancer } from "./balancer.ts";
import { type ServerProcess, serverProcess } from "./server-process.ts";
import { type Accident, storm } from "./storm.ts";

const SEED = Number(process.env["STORM_SEED"] ?? 1);
const KILLS = 100;
const DEMO = ["--demo", "--seed", "7", "--channels", "4", "--allow-sign-up"];
const LASTS_MS = 5 * MINUTE;

/** Processes on fixed ports, which start again after they were killed. */
class Processes implements AsyncDisposable {
  readonly #args: readonly string[];
  readonly #running = new Map<number, ServerProcess>();
  readonly #killed = new WeakSet<ServerProcess>();
  /** Rejects when a process ends that nobody has killed. */
  readonly failure: Promise<never>;
  #fail = (_error: Error) => {};

  constructor(args: readonly string[]) {
    this.#args = args;
    this.failure = new Promise((_resolve, reject) => {
      this.#fail = reject;
    });
    this.failure.catch(() => {});
  }

  get ports(): readonly number[] {
    return [...this.#running.keys()];
  }

  async start(port: number): Promise<void> {
    const server = await serverProcess([...this.#args, "--port", String(port)]);
    this.#running.set(port, server);
    void server.ended.then(() => {
      if (!this.#killed.has(server)) this.#fail(new Error(`a guide server ended by itself: ${server.log()}`));
    });
  }

  async kill(port: number): Promise<void> {
    await this.#end(this.#running.get(port));
    await this.start(port);
  }

  async #end(server: ServerProcess | undefined): Promise<void> {
    if (server === undefined) return;
    this.#killed.add(server);
    await server[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#running.values()) await this.#end(server);
  }
}

function killsOf(processes: Processes): readonly Accident[] {
  const chance = new Chance("killed", SEED);
  return Array.from({ length: KILLS }, () => {
    const { ports } = processes;
    const port = ports[chance.below(ports.length)] ?? 0;
    return [`SIGKILL of the server on port ${port}`, () => processes.kill(port)] as const;
  });
}

/** After every 25 kills, the disk is full until the server refuses everything; with room it starts again. */
function withFullDisks(
  kills: readonly Accident[],
  processes: Processes,
  folder: string,
): readonly Accident[] {
  const fullDisk: Accident = [
    "full disk",
    async () => {
      const [port = 0] = processes.ports;
      const release = await fillUp(folder);
      const status = async () => (await fetch(`http://127.0.0.1:${port}/regions`)).status;
      await expect.poll(status, { timeout: MINUTE }).toBe(503);
      await release();
      await processes.kill(port);
    },
  ];
  return kills.flatMap((kill, index) => (index % 25 === 12 ? [kill, fullDisk] : [kill]));
}

/** The database's own accidents, after a third and two thirds of the kills. */
function withFailover(kills: readonly Accident[], primary: Postgres, replica: Postgres): readonly Accident[] {
  const third = Math.ceil(kills.length / 3);
  const restart: Accident = ["restart of PostgreSQL", () => primary.restart("immediate")];
  const failover: Accident = [
    "failover to the replica",
    async () => {
      await primary.end("killed");
      await replica.promote();
    },
  ];
  return [
    ...kills.slice(0, third),
    restart,
    ...kills.slice(third, 2 * third),
    failover,
    ...kills.slice(2 * third),
  ];
}

const TIMEOUT_MS = 5 * MINUTE + 2 * LASTS_MS + KILLS * 10_000;
const why = whyNoPostgres();
if (why !== undefined) process.stderr.write(`skipped: ${why}\n`);

describe("a storm of many writers over processes that are killed", () => {
  it("loses and doubles no acknowledged change on SQLite", { timeout: TIMEOUT_MS }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "recorderd-storm-"));
    {
      await using disk = memoryDisk(folder, "256m");
      await using processes = new Processes(["--data", folder, ...DEMO]);
      await processes.start(await freePort());
      const kills = killsOf(processes);
      const accidents = disk === undefined ? kills : withFullDisks(kills, processes, folder);
      await stormOver(processes, { name: "SQLite", accidents });
    }
    await rm(folder, { recursive: true });
  });

  it.skipIf(why !== undefined)(
    "loses and doubles no acknowledged change on three processes and PostgreSQL, which restarts and fails over",
    { timeout: TIMEOUT_MS },
    async () => {
      await using primary = await Postgres.start();
      const replica = await primary.replica();
      const name = await primary.createDatabase();
      const address = primary.url(name).replace(/:\d+/, (port) => `${port},127.0.0.1:${replica.port}`);
      await using processes = new Processes(["--database", address, ...DEMO]);
      const ports = [await freePort(), await freePort(), await freePort()];
      await Promise.all(ports.map((port) => processes.start(port)));
      const accidents = withFailover(killsOf(processes), primary, replica);
      await stormOver(processes, { name: "PostgreSQL", accidents });
      expect(await replica.sql("SELECT name, runs FROM jobs WHERE runs > 1", name)).toEqual([]);
      expect(await replica.sql("SELECT runs FROM jobs WHERE name = 'demo'", name)).toEqual(["1"]);
    },
  );
});

async function stormOver(
  { ports, failure }: Processes,
  { name, accidents }: { readonly name: string; readonly accidents: readonly Accident[] },
): Promise<void> {
  await using proxy = await balancer(ports);
  const baseUrl = `http://127.0.0.1:${proxy.port}`;
  const counts = await storm({ baseUrl, seed: SEED, accidents, lastsMs: LASTS_MS, failure });
  const text = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  process.stdout.write(`storm over ${name}, STORM_SEED=${SEED}: ${text.join(", ")}\n`);
  expect(counts.acknowledged).toBeGreaterThan(KILLS * 100);
  expect(counts.unacknowledged).toBeGreaterThan(0);
}
