import { promiseJobsDone } from "../../kit/time/promises.ts";
import type { Channel } from "../../model/service.ts";
import { type EpochMs, MINUTE } from "../../model/time.ts";
import { emptyDocument } from "../../recorder/engine/core/document.ts";
import { DOCUMENT_FORMAT } from "../../recorder/engine/runtime/document-format.ts";
import { createPlanner } from "../../recorder/plan/planner.ts";
import { createVirtualClock } from "../virtual-clock.ts";
import { Air } from "../weeks/air.ts";
import { spanOf } from "../weeks/captures.ts";
import { type ChanceNow, chanceOf } from "../weeks/chance.ts";
import { Guide } from "../weeks/guide.ts";
import { Receivers } from "../weeks/receivers.ts";
import { CHANNELS } from "../weeks/setting.ts";
import { SimulatedFiles } from "../weeks/simulated-files.ts";
import { FleetLaws } from "./fleet-laws.ts";
import { fleetTuners } from "./fleet-machine.ts";
import { FleetNode } from "./fleet-node.ts";
import { FleetWire } from "./fleet-wire.ts";
import type { FleetMember, FleetWorld } from "./fleet-world.ts";
import { SimulatedDatabase } from "./simulated-database.ts";

export interface FleetSize extends Pick<FleetWorld, "planner"> {
  readonly seed: number;
  readonly nodes: number;
  /** For each node; all nodes reach one more. */
  readonly tuners: number;
  readonly channels: readonly Channel[];
  readonly start: EpochMs;
}

/** A fleet at home. */
export const HOUSEHOLD = { tuners: 2, channels: CHANNELS, planner: createPlanner } as const;

export interface OpenFleetWorld extends FleetWorld {
  readonly laws: FleetLaws;
  /** Until then, or until a law breaks. */
  readonly advanceTo: (at: EpochMs) => Promise<void>;
}

/**
 * The nodes of a fleet, which nobody has started yet, and all that they share.
 *
 * @param signal aborted at the end of the simulation
 */
export function openFleetWorld(
  { seed, nodes: count, tuners, channels, start, planner }: FleetSize,
  signal: AbortSignal,
): OpenFleetWorld {
  const time = createVirtualClock(start, promiseJobsDone);
  const chance: ChanceNow = (purpose) => chanceOf(seed, `${purpose} ${time.now()}`);
  const names = Array.from({ length: count }, (_, index) => `node-${index + 1}`);
  const nodes: FleetNode[] = [];
  const all: FleetWorld["all"] = new Map();
  const laws: FleetLaws = new FleetLaws(time, () => world);
  const guide = new Guide({
    ...{ clock: time, chance, channels, refusedStates: [], listsForgottenTwice: false, watch: laws },
  });
  const receivers = new Receivers({ tuners: fleetTuners(names, tuners), clock: time, chance, watch: laws });
  const air = new Air({ clock: time, timers: () => guide.timersById.values() });
  const wire = new FleetWire<FleetMember>(time, chanceOf(seed, "ways"));
  wire.onOrder = (to, term) => laws.obeys(to, term);
  const database = new SimulatedDatabase(time, laws);
  const document = emptyDocument(start);
  const { now } = DOCUMENT_FORMAT.split(document);
  const top = Object.entries(now).map(([key, value]) => [key, JSON.stringify(value)] as const);
  database.fill(Object.fromEntries(top), DOCUMENT_FORMAT.schemaVersion);
  let life = 0;
  const world: FleetWorld = {
    ...{
      seed,
      time,
      chance,
      nodes,
      guide,
      air,
      receivers,
      all,
      database,
      wire,
      watch: laws,
      signal,
      document,
      planner,
    },
    shelf: new SimulatedFiles({
      captures: { all, span: (capture) => spanOf(capture, time.now()), storageOffline: false },
      clock: time,
      machine: { shownAt: (at) => at },
      chance,
    }),
    nextLife: () => {
      life += 1;
      return life;
    },
  };
  for (const name of names) nodes.push(new FleetNode(name, world));

  return Object.assign(world, {
    laws,
    advanceTo: async (at: EpochMs) => {
      while (time.now() < at && laws.violation === undefined) {
        await time.advanceTo(Math.min(at, time.now() + MINUTE));
      }
    },
  });
}
