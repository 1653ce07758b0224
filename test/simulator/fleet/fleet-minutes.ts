import { silentLog } from "../../../src/kit/log.ts";
import type { Clock } from "../../../src/kit/time/clock.ts";
import { promiseJobsDone } from "../../../src/kit/time/promises.ts";
import { RecorderdError } from "../../../src/model/errors.ts";
import { DAY, MINUTE, SECOND } from "../../../src/model/time.ts";
import { Fleet, type Lead } from "../../../src/recorder/fleet/fleet.ts";
import type { DocumentFormat } from "../../../src/recorder/store/state-store.ts";
import { simulatedConfig } from "../../../src/simulator/fleet/fleet-node.ts";
import { NodeProcess } from "../../../src/simulator/fleet/node-process.ts";
import { SimulatedDatabase, type Way } from "../../../src/simulator/fleet/simulated-database.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";
import { type Chance, chanceOf } from "../../../src/simulator/weeks/chance.ts";
import { Laws, type State } from "./laws.ts";

const START = Date.UTC(2026, 10, 2);
const NODES = 3;
/** Few, with few values, so that a change is often taken back by the next one. */
const SLOTS = 3;
/** Longer than any fault and any statement that is under way. */
const CALM_MS = 90 * SECOND;

interface Node {
  readonly name: string;
  process: NodeProcess;
  way: Way;
  leads: boolean;
}

export interface FleetMinutes {
  readonly violation: string | undefined;
  readonly terms: number;
  /** The number of the last state. */
  readonly stored: number;
}

const FORMAT: DocumentFormat<State> = {
  schemaVersion: 1,
  empty: () => ({ number: 0, slots: {} }),
  parse: (now) => now as State,
};

/**
 * Three nodes of a fleet with one database, in virtual time and with faults. The fleet's own code leads, stores and steps
 * down. A leader's work is a document that changes all the time.
 *
 * @param how `drains`: people drain nodes and let them resume
 */
export async function simulateFleet(
  seed: number,
  minutes: number,
  { drains = false }: { readonly drains?: boolean } = {},
): Promise<FleetMinutes> {
  const time = createVirtualClock(START, promiseJobsDone);
  const chance = chanceOf(seed, "faults");
  const nodes: Node[] = [];
  const laws: Laws = new Laws(time, { seen: () => nodes, database: () => database });
  const database = new SimulatedDatabase(time, laws);
  database.fill({ number: "0", slots: "{}" });
  const born = (name: string, life: number): NodeProcess => {
    const error = chanceOf(seed, `clock of ${name} ${life}`);
    return new NodeProcess(time, { aheadMs: error.int(-DAY, DAY), drift: error.int(-200, 200) });
  };
  const live = (node: Node, life: number) => {
    const { process } = node;
    const own = chanceOf(seed, `work of ${node.name} ${life}`);
    liveAs(node, { process, chance: own, database, laws }).catch((error: unknown) =>
      laws.broken(error instanceof Error ? `${error.stack}` : String(error)),
    );
  };
  for (let number = 1; number <= NODES; number += 1) {
    const name = `node-${number}`;
    const node: Node = { name, process: born(name, 0), way: "open", leads: false };
    nodes.push(node);
    live(node, 0);
  }

  let lives = 0;
  const restart = (node: Node) => {
    lives += 1;
    node.process = born(node.name, lives);
    live(node, lives);
  };
  const draining = chanceOf(seed, "drains");
  const end = time.now() + minutes * MINUTE;
  let nextMs = 20 * SECOND;
  while (time.now() < end && laws.violation === undefined) {
    await time.advance(SECOND);
    laws.look();
    if (drains && draining.percent(5)) drainOrResume(nodes, database, draining);
    nextMs -= SECOND;
    if (nextMs > 0) continue;
    nextMs = chance.int(5, 40) * SECOND;
    strike(nodes, { time, chance, database, laws, restart });
  }
  const calmUntil = time.now() + CALM_MS;
  while (time.now() < calmUntil && laws.violation === undefined) {
    await time.advance(SECOND);
    laws.look();
  }
  if (laws.violation === undefined) laws.final();
  for (const { process } of nodes) process.die();
  return { violation: laws.violation, terms: laws.terms, stored: laws.stored };
}

/** A person drains a node, unless it is the last one, or lets one resume. */
function drainOrResume(nodes: readonly Node[], { drained }: SimulatedDatabase, chance: Chance): void {
  const { name } = chance.pick(nodes as [Node, ...Node[]]);
  if (drained.has(name)) drained.delete(name);
  else if (drained.size < nodes.length - 1) drained.add(name);
}

interface Faults {
  readonly time: Clock;
  readonly chance: Chance;
  readonly database: SimulatedDatabase;
  readonly laws: Laws;
  readonly restart: (node: Node) => void;
}

/** Something goes wrong, and is well again within 45 seconds. */
function strike(nodes: readonly Node[], { time, chance, database, laws, restart }: Faults): void {
  const leading = nodes.filter(({ leads }) => leads);
  const [node] = chance.shuffled(leading.length > 0 && chance.percent(60) ? leading : nodes);
  if (node === undefined) return;
  const lastsMs = chance.int(200, 45_000);
  const { process } = node;
  switch (chance.int(1, 6)) {
    case 1:
      process.pause();
      return void time.after(lastsMs, () => process.goOn());
    case 2:
      if (process.isDead) return;
      process.die();
      node.leads = false;
      return void time.after(lastsMs, () => restart(node));
    case 3:
      laws.databaseChanges();
      database.goDown();
      return void time.after(lastsMs, () => {
        laws.databaseChanges();
        database.comeBack();
      });
    default:
      node.way = chance.pick(["cut", "slow", "slow", "loses answers"]);
      return void time.after(lastsMs, () => {
        node.way = "open";
      });
  }
}

interface Living {
  readonly process: NodeProcess;
  readonly chance: Chance;
  readonly database: SimulatedDatabase;
  readonly laws: Laws;
}

/** A run of the program on a node. */
async function liveAs(node: Node, living: Living): Promise<void> {
  const { process, chance, database } = living;
  const client = { process, chance, way: () => node.way };
  const ports = {
    lease: database.connect(client, "lease"),
    state: database.connect(client, "state"),
    lock: { async [Symbol.asyncDispose]() {} },
    node: node.name,
    places: { whyNotOfFleet: async () => undefined, mark: async () => true },
    membership: undefined,
  };
  const parts = {
    clock: process.clock,
    log: silentLog,
    onPulse: () => {},
    onStandBy: async () => {},
    openPorts: () => Promise.reject(new Error("this fleet has no secret")),
  };
  const fleet = new Fleet(simulatedConfig(node.name), parts, ports);
  const never = new AbortController().signal;
  while (!process.isDead) {
    const lead = await fleet.lead(never);
    if (lead === undefined) return;
    node.leads = true;
    lead.lost.addEventListener("abort", () => {
      if (node.process === process) node.leads = false;
    });
    await reign(lead, living).catch(ofDatabase);
    // The daemon ends, and the node waits for the lead again.
    if (!lead.lost.aborted && !lead.unwanted.aborted)
      await process.clock.sleep(SECOND, lead.lost).catch(() => {});
  }
}

async function reign(lead: Lead, { process, chance, laws }: Living): Promise<void> {
  const { state } = lead;
  const { clock } = process;
  const lost = AbortSignal.any([lead.lost, lead.unwanted]);
  await using store = await state.openDocument("document", FORMAT);
  await using ledger = await state.openLedger();
  let current = store.current;
  laws.opened(current);
  let untold: number[] = [];
  while (!lost.aborted) {
    await clock.sleep(chance.int(50, 4000), lost).catch(() => {});
    if (lost.aborted) return;
    current = changed(current, chance);
    laws.tries(current);
    try {
      await store.commit(current);
      laws.acknowledged(current);
      untold.push(current.number);
      await ledger.append(untold.map((number) => ({ at: clock.now(), fact: String(number) })));
      laws.told(untold);
      untold = [];
    } catch (error) {
      ofDatabase(error);
    }
  }
}

function changed({ number, slots }: State, chance: Chance): State {
  const next: Record<string, number> = { ...slots };
  const slot = `slot-${chance.int(1, SLOTS)}`;
  if (chance.percent(30)) delete next[slot];
  else next[slot] = chance.int(1, 2);
  return { number: number + 1, slots: next };
}

/** @throws any other error */
function ofDatabase(error: unknown): void {
  const isExpected =
    error instanceof RecorderdError && (error.code === "STORE_WRITE_FAILED" || error.code === "STORE_LOCKED");
  if (!isExpected) throw error;
}
