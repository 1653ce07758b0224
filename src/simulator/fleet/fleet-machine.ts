import { RecorderdError } from "../../model/errors.ts";
import type { TunerDriver } from "../../model/ports.ts";
import { multiplexKey, type Triplet } from "../../model/service.ts";
import { SECOND } from "../../model/time.ts";
import type { TunerFacts } from "../../model/tuner.ts";
import { offerOf } from "../../recorder/fleet/offer.ts";
import type { NodePorts, PortEvents } from "../../recorder/fleet/ports.ts";
import { Captures } from "../weeks/captures.ts";
import { delivered } from "./delivered.ts";
import type { FleetWorld } from "./fleet-world.ts";
import { MemoryPart } from "./memory-part.ts";
import type { NodeProcess } from "./node-process.ts";

/** The tuner of a server that all nodes reach. */
const SHARED = "sat";

function factsOf(id: string): TunerFacts {
  return {
    ...{ id, kind: "simulated", services: "any", warmUpMs: 2 * SECOND },
    servicesAtOnce: () => Number.POSITIVE_INFINITY,
  };
}

/** Two nodes can record the three multiplexes, also while a third one holds the tuner that they share. */
export const NODES_ENOUGH = 2;

/** @param count the tuners of each node; all nodes reach one more */
export function fleetTuners(nodes: readonly string[], count: number): readonly TunerFacts[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const own = nodes.flatMap((node) => numbers.map((number) => factsOf(`dvb${number}@${node}`)));
  return [...own, factsOf(SHARED)];
}

/** Equal on all nodes that reach the same tuner. */
export function shareOf(id: string): string | undefined {
  return id === SHARED ? "sat>ip server" : undefined;
}

/** The tuners and captures of a machine: they outlive its daemon. */
export class FleetMachine {
  readonly captures: Captures;
  /** On its disk. */
  readonly part = new MemoryPart();
  boots = 1;
  readonly #name: string;
  readonly #world: FleetWorld;
  /** The use of the tuners by the daemon's run, or by one of its parts. */
  #life = 0;

  constructor(name: string, world: FleetWorld) {
    this.#name = name;
    this.#world = world;
    const { air, receivers, time: clock, chance, watch, signal, all } = world;
    this.captures = new Captures({ air, receivers, clock, chance, watch, signal, all, isCopied: () => true });
  }

  losePower(): void {
    this.captures.powerOff();
    this.leaveTuners();
    this.boots += 1;
  }

  /** Nobody uses the open tuners any more; those that captures read stay open until these end. */
  leaveTuners(): void {
    if (this.#life > 0) this.#world.receivers.abandon(this.#life);
    this.#life = 0;
  }

  /** The tuners of this machine, for a process on it, by their own names. */
  drivers(run: NodeProcess): readonly TunerDriver[] {
    this.leaveTuners();
    this.#life = this.#world.nextLife();
    const own = `@${this.#name}`;
    return this.#world.receivers
      .drivers(this.#life)
      .filter(({ facts: { id } }) => id === SHARED || id.endsWith(own))
      .map((driver) => ({
        ...driver,
        facts: { ...driver.facts, id: driver.facts.id.replace(own, "") },
        open: delivered(run, async (service, signal) => {
          this.#refuseIfInUse(driver.facts.id, service);
          return await driver.open(service, signal);
        }),
      }));
  }

  /** The server serves who came first: a node that is lost may hold its tuner, and the leader cannot know. */
  #refuseIfInUse(id: string, service: Triplet): void {
    const uses = this.#world.receivers
      .held()
      .filter(({ tunerId, life }) => tunerId === id && life !== this.#life);
    if (id !== SHARED || uses.every(({ multiplex }) => multiplex === multiplexKey(service))) return;
    throw new RecorderdError("TUNER_IN_USE", `${id} is in use.`, { tunerId: id });
  }

  /** For a leader elsewhere. */
  ports(run: NodeProcess, { onEnded }: PortEvents): NodePorts {
    const drivers = new Map(this.drivers(run).map((driver) => [driver.facts.id, driver]));
    const offers = [...drivers.values()].map(({ facts }) => offerOf(facts, shareOf(facts.id)));
    const capture = this.captures.port();
    return {
      driver: (id) => drivers.get(id),
      offers: () => offers,
      segmentFile: (id) => `/recordings/${id}`,
      start: delivered(run, (order) => capture.start({ ...order, endsBy: run.trueTime(order.endsBy) })),
      end: delivered(run, async (id) => {
        await capture.stop(id);
        onEnded(id);
      }),
      isRunning: delivered(run, async (id) => this.captures.running.has(id)),
      running: delivered(run, () => capture.running()),
      makeReady: async () => {},
      keepNote: delivered(run, (id, note) => this.#world.shelf.notes.keep(id, note)),
      [Symbol.asyncDispose]: async () => this.leaveTuners(),
    };
  }
}
