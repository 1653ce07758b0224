import { silentLog } from "../../../src/kit/log.ts";
import { type DurationMs, MINUTE, SECOND } from "../../../src/model/time.ts";
import { FLEET_LIMITS } from "../../../src/recorder/fleet/limits.ts";
import { FleetWire } from "../../../src/simulator/fleet/fleet-wire.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";
import { type Chance, chanceOf } from "../../../src/simulator/weeks/chance.ts";
import { OrderLaws } from "./order-laws.ts";
import { OrderingLeader } from "./ordering-leader.ts";
import { RecordingNode } from "./recording-node.ts";

const START = Date.UTC(2026, 10, 2);
const NODES = 3;
/** Longer than any fault, and than all that follows from it. */
const CALM_MS = 60 * SECOND;
type Range = readonly [DurationMs, DurationMs];
/** Faults that nobody notices, that look like the loss of a node, and that are longer. */
const LASTS_MS: readonly [Range, ...Range[]] = [
  [100, 2500],
  [2500, 5000],
  [5000, 20_000],
];

export interface FleetOrders {
  readonly violation: string | undefined;
  readonly terms: number;
  /** Captures that leaders have begun. */
  readonly begun: number;
  /** Captures that a leader has found on another node. */
  readonly adopted: number;
  /** Captures that have moved from a drained node. */
  readonly moved: number;
}

/**
 * Leaders that follow one another order captures on the nodes of a fleet, in virtual time and with faults: the fleet's own
 * links, doors and agents over simulated connections. Who leads is decided here; `fleet-minutes.ts` is about that.
 *
 * @param how `drains`: people drain nodes and let them resume
 */
export async function simulateOrders(
  seed: number,
  minutes: number,
  { drains = false }: { readonly drains?: boolean } = {},
): Promise<FleetOrders> {
  const time = createVirtualClock(START);
  const chance = chanceOf(seed, "faults of orders");
  const wire = new FleetWire<RecordingNode>(time, chanceOf(seed, "ways"));
  const names = Array.from({ length: NODES }, (_, index) => `node-${index + 1}`);
  const nodes = names.map((name) => new RecordingNode(name, { time, seed }));
  const laws = new OrderLaws(time, { nodes, wire });
  for (const node of nodes) node.machine.onOpen = () => laws.opens(node);
  wire.onOrder = (to, term) => laws.ordered(to, term);
  let term = 0;
  let leader: OrderingLeader | undefined;
  let begun = 0;
  let adopted = 0;
  let moved = 0;
  const lead = (node: RecordingNode) => {
    term += 1;
    // The former one does not know of its end yet, or never will.
    const former = leader;
    if (former !== undefined) time.after(chance.int(0, 8000), () => void former.end());
    leader = new OrderingLeader(node, {
      ...{ term, time, wire, nodes, laws, log: silentLog, chance: chanceOf(seed, `work of term ${term}`) },
      onBegun: () => {
        begun += 1;
      },
      onMoved: () => {
        moved += 1;
      },
      onAdopted: (count) => {
        adopted += count;
      },
    });
    const known = term;
    for (const each of nodes) time.after(chance.int(500, 2500), () => each.knows(known));
    laws.leads(leader);
  };
  const first = nodes[0];
  if (first === undefined) throw new Error("a fleet has nodes");
  for (const node of nodes) node.start();
  lead(first);

  const fault: Faults["fault"] = (at, { lastsMs, begin, heal }) => {
    laws.disturbed(at);
    begin();
    time.after(lastsMs, () => {
      laws.disturbed(at);
      heal();
    });
  };
  const draining = chanceOf(seed, "drains");
  const drainOrResume = () => {
    const node = draining.pick(nodes as [RecordingNode, ...RecordingNode[]]);
    if (!node.isDrained && nodes.filter(({ isDrained }) => !isDrained).length === 1) return;
    node.isDrained = !node.isDrained;
    laws.drained(node);
  };
  const end = time.now() + minutes * MINUTE;
  let nextMs = 10 * SECOND;
  while (time.now() < end && laws.violation === undefined) {
    await time.advance(SECOND);
    laws.look();
    if (drains && draining.percent(4)) drainOrResume();
    nextMs -= SECOND;
    if (nextMs > 0) continue;
    nextMs = chance.int(3, 20) * SECOND;
    strike({
      nodes,
      wire,
      chance,
      fault,
      leader: leader as OrderingLeader | undefined,
      lead,
    });
  }
  leader?.finish();
  const calmUntil = time.now() + CALM_MS;
  while (time.now() < calmUntil && laws.violation === undefined) {
    await time.advance(SECOND);
    laws.look();
  }
  if (laws.violation === undefined) laws.final();
  for (const node of nodes) node.losePower();
  return { violation: laws.violation, terms: term, begun, adopted, moved };
}

interface Faults {
  readonly nodes: readonly RecordingNode[];
  readonly wire: FleetWire<RecordingNode>;
  readonly chance: Chance;
  readonly fault: (
    at: readonly RecordingNode[],
    how: { readonly lastsMs: DurationMs; readonly begin: () => void; readonly heal: () => void },
  ) => void;
  readonly leader: OrderingLeader | undefined;
  readonly lead: (node: RecordingNode) => void;
}

/** Something goes wrong, and is well again after a while. */
function strike({ nodes, wire, chance, fault, leader, lead }: Faults): void {
  const [node, other] = chance.shuffled(nodes);
  const next = chance.shuffled(nodes).find((each) => each !== node && each.mayLead);
  if (node === undefined || other === undefined || next === undefined) return;
  const [leastMs, mostMs] = chance.pick(LASTS_MS);
  const lastsMs = chance.int(leastMs, mostMs);
  const leads = leader?.node === node;
  const kind = chance.pick(["pause", "power", "daemon", "lead", "cut", "cut"]);
  if (kind === "lead") return lead(next);
  if (kind === "cut") {
    const begin = () => wire.cut(node.name, other.name);
    return fault([node, other], { lastsMs, begin, heal: () => wire.heal(node.name, other.name) });
  }
  if (!node.runs) return;
  const { process } = node;
  if (kind === "pause") fault([node], { lastsMs, begin: () => process.pause(), heal: () => process.goOn() });
  else {
    // If only the daemon dies, its captures go on.
    const begin = () => (kind === "power" ? node.losePower() : node.die());
    fault([node], { lastsMs, begin, heal: () => node.start() });
  }
  if (leads && (kind !== "pause" || lastsMs > FLEET_LIMITS.leaseMs)) lead(next);
}
