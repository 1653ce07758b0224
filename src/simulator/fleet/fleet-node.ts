import { silentLog } from "../../kit/log.ts";
import { RecorderdError } from "../../model/errors.ts";
import { SECOND } from "../../model/time.ts";
import { Config } from "../../recorder/config/schema.ts";
import { Fleet } from "../../recorder/fleet/fleet.ts";
import { Membership } from "../../recorder/fleet/membership.ts";
import { NodeDoor } from "../../recorder/fleet/node-door.ts";
import { chanceOf } from "../weeks/chance.ts";
import { runEngine } from "./fleet-engine.ts";
import { FleetMachine } from "./fleet-machine.ts";
import type { FleetMember, FleetWorld } from "./fleet-world.ts";
import { NodeProcess } from "./node-process.ts";
import type { Way } from "./simulated-database.ts";

/** A kept clock is wrong by less than this. */
const CLOCK_ERROR_MS = SECOND;
const DRIFT_MILLIONTHS = 200;
const NEVER = new AbortController().signal;

/** A machine of a fleet, and the daemon that runs on it or not. */
export class FleetNode implements FleetMember {
  readonly name: string;
  readonly machine: FleetMachine;
  process: NodeProcess;
  door = new NodeDoor();
  /** Its way to the database. */
  way: Way = "open";
  /** It believes that it leads. */
  leads = false;
  readonly #world: FleetWorld;
  #lives = 0;

  constructor(name: string, world: FleetWorld) {
    this.name = name;
    this.#world = world;
    this.machine = new FleetMachine(name, world);
    this.process = this.#born();
    this.process.die();
  }

  start(): void {
    this.process = this.#born();
    this.door = new NodeDoor();
    const { process, door } = this;
    this.#live(process, door).catch((error: unknown) => this.#world.watch.failed(error));
  }

  /** The daemon dies; what it captures goes on. */
  die(): void {
    this.process.die();
    this.leads = false;
    this.machine.leaveTuners();
  }

  losePower(): void {
    this.process.die();
    this.leads = false;
    this.machine.losePower();
  }

  #born(): NodeProcess {
    this.#lives += 1;
    const { seed, time } = this.#world;
    const error = chanceOf(seed, `clock of ${this.name} ${this.#lives}`);
    const aheadMs = error.int(-CLOCK_ERROR_MS, CLOCK_ERROR_MS);
    return new NodeProcess(time, { aheadMs, drift: error.int(-DRIFT_MILLIONTHS, DRIFT_MILLIONTHS) });
  }

  async #live(run: NodeProcess, door: NodeDoor): Promise<void> {
    const fleet = this.#fleet(run, door);
    while (!run.isDead) {
      const lead = await fleet.lead(NEVER);
      if (lead?.nodes === undefined) throw new Error("a node of this fleet waits until it leads");
      const { state, nodes, lost, unwanted } = lead;
      this.leads = true;
      const end = () => {
        if (this.process === run) this.leads = false;
      };
      lost.addEventListener("abort", end);
      await runEngine(
        { state, nodes, lost, unwanted },
        { name: this.name, machine: this.machine, process: run, world: this.#world },
      ).catch(unlessPassing);
      // The database did not answer while the daemon opened.
      if (!lost.aborted && !unwanted.aborted) await run.clock.sleep(SECOND, lost).catch(() => {});
    }
  }

  #fleet(run: NodeProcess, door: NodeDoor): Fleet {
    const { seed, database, nodes, wire } = this.#world;
    const { clock } = run;
    const chance = chanceOf(seed, `statements of ${this.name} ${this.#lives}`);
    const client = { process: run, chance, way: () => this.way };
    const parts = {
      ...{ clock, log: silentLog, onPulse: () => {}, onStandBy: async () => {} },
      openPorts: async (_config: Config, events: Parameters<FleetMachine["ports"]>[1]) =>
        this.machine.ports(run, events),
    };
    const service = { address: this.name, door, async [Symbol.asyncDispose]() {} };
    const membership = new Membership(
      {
        ...{ name: this.name, certificate: "", service, part: this.machine.part },
        connect: ({ address }, term, signal) => {
          const to = nodes.find(({ name }) => name === address);
          if (to === undefined) throw new Error(`no node ${address}`);
          return wire.connect({ from: this, to, term }, signal);
        },
      },
      parts,
    );
    return new Fleet(simulatedConfig(this.name), parts, {
      lease: database.connect(client, "lease"),
      state: database.connect(client, "state"),
      lock: { async [Symbol.asyncDispose]() {} },
      node: this.name,
      places: { whyNotOfFleet: async () => undefined, mark: async () => true },
      membership,
    });
  }
}

/** The program waits so, too, while a daemon opens. @throws any other error */
function unlessPassing(error: unknown): void {
  const isPassing =
    error instanceof RecorderdError && (error.code === "STORE_WRITE_FAILED" || error.code === "STORE_LOCKED");
  if (!isPassing) throw error;
}

/** The configuration of a simulated node: of it, only the fleet is used. */
export function simulatedConfig(node: string): Config {
  return Config.parse({
    guide: { url: "http://127.0.0.1:1/", regionId: 1 },
    recordings: { folder: "/recordings" },
    tuners: [{ kind: "mock", id: "dvb1", broadcaster: "http://127.0.0.1:1/" }],
    data: { folder: "/data" },
    fleet: { database: "postgres://recorderd@192.0.2.1/recorder", node },
  });
}
