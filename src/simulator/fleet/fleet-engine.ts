import { emptyDocument } from "../../recorder/engine/core/document.ts";
import { ClockWatch, withLaterTrust } from "../../recorder/engine/runtime/clock-watch.ts";
import { DOCUMENT_FORMAT } from "../../recorder/engine/runtime/document-format.ts";
import { EngineRuntime } from "../../recorder/engine/runtime/engine-runtime.ts";
import { TunerPool } from "../../recorder/engine/runtime/tuner-pool.ts";
import type { Lead } from "../../recorder/fleet/fleet.ts";
import { writeBehind } from "../../recorder/store/write-behind.ts";
import { outerParts, SAME_PARTS } from "../weeks/engine-parts.ts";
import { CLOCK_TOLERANCE_MS, POLICY } from "../weeks/setting.ts";
import { delivered } from "./delivered.ts";
import { FleetCapture } from "./fleet-capture.ts";
import { type FleetMachine, shareOf } from "./fleet-machine.ts";
import type { FleetWorld } from "./fleet-world.ts";
import type { NodeProcess } from "./node-process.ts";

interface EngineDeps {
  readonly name: string;
  readonly machine: FleetMachine;
  readonly process: NodeProcess;
  readonly world: FleetWorld;
}

/** Runs the engine of a leader over all nodes, until it does not lead any more. @throws RecorderdError of its database */
export async function runEngine(
  { state, nodes, lost, unwanted }: Required<Lead>,
  { name, machine, process, world }: EngineDeps,
): Promise<void> {
  const { clock } = process;
  const { guide, shelf, chance } = world;
  await using document = await state.openDocument("document", {
    ...DOCUMENT_FORMAT,
    empty: () => emptyDocument(clock.now()),
  });
  await using sharedLedger = await state.openLedger();
  const behind = writeBehind({ store: document, ledger: sharedLedger }, clock);
  await using store = behind.store;
  const { ledger } = behind;
  const signOfLife = await state.openSignOfLife(clock);
  // Another function for each run, as after a reload.
  const shares = (id: string) => shareOf(id);
  const pool = new TunerPool(machine.drivers(process), (own) => nodes.arrange(own, shares));
  world.document = store.current;
  const engine = new EngineRuntime({
    store: {
      get current() {
        return store.current;
      },
      get backlog() {
        return store.backlog;
      },
      commit: async (next) => {
        await store.commit(next);
        world.document = next;
      },
    },
    ...{ ledger, signOfLife, pool },
    ...SAME_PARTS,
    ...outerParts((call) => delivered(process, call), { account: guide, orders: guide.orders, shelf }),
    capture: new FleetCapture(machine.captures, { process, nodes }).port(),
    policy: POLICY,
    planner: world.planner(),
    watch: new ClockWatch({
      ...{ clock, uptimeMs: () => clock.monotonicMs(), boot: `${name} ${machine.boots}` },
      toleranceMs: CLOCK_TOLERANCE_MS,
      memory: withLaterTrust(store.current.clock, signOfLife.before),
    }),
    askKernel: async () => "synchronised",
    clock,
    chance: () => chance(`pause of ${name}`).int(0, 999) / 1000,
    leaving: nodes.leaving,
  });
  nodes.follow(
    engine.follower(() => {
      pool.rearrange();
      engine.servicesKnown().catch(() => {});
    }),
  );
  try {
    await engine.run(AbortSignal.any([lost, unwanted]), []);
  } finally {
    await engine[Symbol.asyncDispose]();
  }
}
