import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Chance } from "../../src/guide-server/demo/chance.ts";
import { MINUTE } from "../../src/model/time.ts";
import { freePort } from "../free-port.ts";
import { casesOf, IS_LONG } from "../lane.ts";
import { balancer } from "./balancer.ts";
import { type ServerProcess, serverProcess } from "./server-process.ts";
import { type Accident, type Counts, storm } from "./storm.ts";

const SEED = Number(process.env["STORM_SEED"] ?? 1);
const KILLS = casesOf({ sample: 3, all: 100 });
const LASTS_MS = IS_LONG ? 5 * MINUTE : 0;

/** Processes on fixed ports, which start again after they were killed. */
class Processes implements AsyncDisposable {
  readonly #args: readonly string[];
  readonly #running = new Map<number, ServerProcess>();

  constructor(args: readonly string[]) {
    this.#args = args;
  }

  get ports(): readonly number[] {
    return [...this.#running.keys()];
  }

  async start(port: number): Promise<void> {
    this.#running.set(port, await serverProcess([...this.#args, "--port", String(port)]));
  }

  async kill(port: number): Promise<void> {
    await this.#running.get(port)?.[Symbol.asyncDispose]();
    await this.start(port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#running.values()) await server[Symbol.asyncDispose]();
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

function report(what: string, counts: Counts): void {
  const text = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  process.stdout.write(`storm over ${what}, STORM_SEED=${SEED}: ${text.join(", ")}\n`);
}

describe("a storm of fifty writers over processes that are killed", () => {
  it("loses and doubles no acknowledged change on SQLite", {
    timeout: 3 * MINUTE + 2 * LASTS_MS + KILLS * 10_000,
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "recorderd-storm-"));
    const demo = ["--demo", "--seed", "7", "--channels", "4", "--allow-sign-up"];
    await using processes = new Processes(["--data", folder, ...demo]);
    await processes.start(await freePort());
    await using proxy = await balancer(processes.ports);
    const accidents = killsOf(processes);
    const baseUrl = `http://127.0.0.1:${proxy.port}`;
    const counts = await storm({ baseUrl, seed: SEED, accidents, lastsMs: LASTS_MS });
    report("SQLite", counts);
    expect(counts.acknowledged).toBeGreaterThan(KILLS * 100);
    expect(counts.unacknowledged).toBeGreaterThan(0);
    await rm(folder, { recursive: true });
  });
});
