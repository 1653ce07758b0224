import type { Clock } from "../../../src/kit/time/clock.ts";
import { type DurationMs, SECOND } from "../../../src/model/time.ts";
import type { FleetWire } from "../../../src/simulator/fleet/fleet-wire.ts";
import type { OrderingLeader } from "./ordering-leader.ts";
import type { RecordingNode } from "./recording-node.ts";

/** A node that has been sound for so long is not lost, also if its leader was paused: its signs of life come each second. */
const SOUND_MS = 6 * SECOND;
/** A node that is away is lost by then: three seconds of silence, and the looks of a leader. */
const AWAY_MS = 6 * SECOND;
/** A leader knows by then what runs on a sound node. */
const AGREED_MS = 12 * SECOND;

/** A drained node is idle by then: its captures move one after another, also if some tries fail. */
const IDLE_MS = 40 * SECOND;

interface Soundness {
  awayMs: DurationMs;
  apartMs: DurationMs;
  /** It is drained, and not idle although another node has room. */
  busyMs: DurationMs;
}

/** The laws of orders in a fleet, and the first one that broke. */
export class OrderLaws {
  violation: string | undefined;
  readonly #time: Clock;
  readonly #nodes: readonly RecordingNode[];
  readonly #wire: FleetWire<RecordingNode>;
  #leader: OrderingLeader | undefined;
  #disturbances = 0;
  readonly #disturbedMs = new Map<string, DurationMs>();
  readonly #drainedMs = new Map<string, DurationMs>();
  /** By node, as the leader could see it. */
  readonly #seen = new Map<string, Soundness>();

  constructor(
    time: Clock,
    { nodes, wire }: { readonly nodes: readonly RecordingNode[]; readonly wire: FleetWire<RecordingNode> },
  ) {
    this.#time = time;
    this.#nodes = nodes;
    this.#wire = wire;
  }

  broken(law: string): void {
    this.violation ??= `${law} (after ${this.#time.monotonicMs() / SECOND} s)`;
  }

  leads(leader: OrderingLeader): void {
    this.#leader = leader;
    this.#seen.clear();
    this.#beginAnew(this.#nodes);
  }

  /** An order reaches a node. */
  ordered(to: RecordingNode, term: number): void {
    if (term < to.door.term) this.broken(`${to.name} obeys term ${term} after ${to.door.term}`);
  }

  /** Something goes wrong at these nodes, or is well again. */
  disturbed(nodes: readonly RecordingNode[]): void {
    this.#disturbances += 1;
    this.#beginAnew(nodes);
  }

  /** A person drains a node, or lets it resume. */
  drained(node: RecordingNode): void {
    this.#drainedMs.set(node.name, this.#time.monotonicMs());
  }

  /** A tuner of a node is to be opened. */
  opens(node: RecordingNode): void {
    const now = this.#time.monotonicMs();
    const drainedMs = now - (this.#drainedMs.get(node.name) ?? now);
    const leader = this.#leader;
    const isKnown =
      leader !== undefined &&
      [node, leader.node].every(({ name }) => now - (this.#disturbedMs.get(name) ?? 0) > AGREED_MS);
    if (node.isDrained && drainedMs > AGREED_MS && isKnown)
      this.broken(`something begins on ${node.name}, which is drained`);
  }

  #beginAnew(nodes: readonly RecordingNode[]): void {
    for (const { name } of nodes) this.#disturbedMs.set(name, this.#time.monotonicMs());
  }

  /** Called when a leader begins to look for captures. @returns called with those that it has found */
  adopting(leader: OrderingLeader): (found: ReadonlySet<string>) => void {
    const before = this.#disturbances;
    const well = this.#nodes.filter((node) => node !== leader.node && this.#isWell(leader, node));
    const there = well.map(({ name, machine }) => ({ name, machine, ids: [...machine.captures] }));
    return (found) => {
      if (this.#disturbances !== before) return;
      for (const { name, machine, ids } of there) {
        const missing = ids.filter((id) => machine.captures.has(id) && !found.has(id));
        if (missing.length > 0) this.broken(`term ${leader.term} did not find ${missing.join()} on ${name}`);
      }
    };
  }

  /** A leader has given a capture up. */
  lost(leader: OrderingLeader, why: string): void {
    const node = this.#nodes.find(({ name }) => why.includes(name));
    if (leader !== this.#leader || node === undefined) return;
    const soundMs = this.#time.monotonicMs() - (this.#disturbedMs.get(node.name) ?? 0);
    if (soundMs > SOUND_MS && this.#isWell(leader, node)) this.broken(`${node.name} was lost, and is well`);
  }

  /** Called each second. */
  look(): void {
    const leader = this.#leader;
    if (leader?.distant === undefined) return;
    for (const node of this.#nodes) if (node !== leader.node) this.#lookAt(leader, node);
  }

  #isWell(leader: OrderingLeader, node: RecordingNode): boolean {
    return leader.process.runs && node.serves && !this.#wire.isCut(leader.node.name, node.name);
  }

  #lookAt(leader: OrderingLeader, node: RecordingNode): void {
    const seen = this.#seen.get(node.name) ?? { awayMs: 0, apartMs: 0, busyMs: 0 };
    this.#seen.set(node.name, seen);
    const isWell = this.#isWell(leader, node);
    const isAway = leader.process.runs && (!node.runs || this.#wire.isCut(leader.node.name, node.name));
    seen.awayMs = isAway ? seen.awayMs + SECOND : 0;
    const believed = new Set(
      leader.distant?.held.filter((held) => held.node === node.name).map(({ id }) => id),
    );
    if (seen.awayMs > AWAY_MS && believed.size > 0)
      this.broken(`${node.name} is away, and term ${leader.term} counts on it`);
    const { captures } = node.machine;
    const differ = [...believed, ...captures].filter((id) => !believed.has(id) || !captures.has(id));
    seen.apartMs = isWell && differ.length > 0 ? seen.apartMs + SECOND : 0;
    if (seen.apartMs > AGREED_MS)
      this.broken(`term ${leader.term} and ${node.name} do not agree on ${differ.join()}`);
    const hasRoom = this.#nodes.some(
      (other) => other !== leader.node && !other.isDrained && this.#isWell(leader, other),
    );
    const isBusy = node.isDrained && isWell && hasRoom && leader.distant?.idle.includes(node.name) !== true;
    seen.busyMs = isBusy ? seen.busyMs + SECOND : 0;
    if (seen.busyMs > IDLE_MS) this.broken(`${node.name} is drained and not idle, and others have room`);
    if (leader.distant?.idle.includes(node.name) === true && believed.size > 0)
      this.broken(`${node.name} counts as idle, and captures ${[...believed].join()}`);
  }

  /** Called when all captures were ended, and all has been well for long. */
  final(): void {
    for (const { name, machine } of this.#nodes) {
      if (name === this.#leader?.node.name) continue;
      if (machine.captures.size > 0) this.broken(`${name} still captures ${[...machine.captures].join()}`);
      if (machine.sessions !== 0) this.broken(`${machine.sessions} tuners of ${name} are still open`);
    }
  }
}
