import type { Clock } from "../../../src/kit/time/clock.ts";
import { NODE_LIMITS } from "../../../src/recorder/fleet/limits.ts";
import type { NodeAnswer } from "../../../src/recorder/fleet/node-request.ts";
import type { Chance } from "../../../src/simulator/weeks/chance.ts";
import type { RecordingNode } from "./recording-node.ts";
import { Lane, WireEnd } from "./wire.ts";

/** The network between the nodes of a fleet. */
export class FleetWire {
  /** Called before an order reaches a node. */
  onOrder: (to: RecordingNode, term: number) => void = () => {};
  readonly #time: Clock;
  readonly #chance: Chance;
  readonly #cuts = new Map<string, number>();
  readonly #lanes = new Map<string, Set<Lane>>();

  constructor(time: Clock, chance: Chance) {
    this.#time = time;
    this.#chance = chance;
  }

  cut(one: string, other: string): void {
    const way = wayOf(one, other);
    this.#cuts.set(way, (this.#cuts.get(way) ?? 0) + 1);
  }

  heal(one: string, other: string): void {
    const way = wayOf(one, other);
    this.#cuts.set(way, (this.#cuts.get(way) ?? 0) - 1);
    if (!this.isCut(one, other)) for (const lane of this.#lanes.get(way) ?? []) lane.deliver();
  }

  isCut(one: string, other: string): boolean {
    return (this.#cuts.get(wayOf(one, other)) ?? 0) > 0;
  }

  /** A connection for orders of a term, as `requestNode` makes it. */
  connect(
    { from, to, term }: { readonly from: RecordingNode; readonly to: RecordingNode; readonly term: number },
    signal: AbortSignal,
  ): Promise<NodeAnswer> {
    const { process } = from;
    return new Promise((resolve) => {
      const over = (answer: NodeAnswer) => {
        if (signal.aborted && answer.kind === "connected") answer.socket.destroy();
        resolve(answer);
      };
      process.after(NODE_LIMITS.connectMs, () => over({ kind: "failed", why: "no answer in time" }));
      if (this.isCut(from.name, to.name)) return;
      to.process.after(this.#chance.int(1, 20), () => {
        if (this.isCut(from.name, to.name)) return;
        const { door } = to;
        if (term < door.term || !door.isOpen) {
          const status = term < door.term ? 409 : 503;
          return void process.after(1, () => over({ kind: "answered", status }));
        }
        const [near, far] = this.#pair(from, { to, term });
        door.admit(far, term);
        process.after(1, () => over({ kind: "connected", socket: near }));
      });
    });
  }

  #pair(
    from: RecordingNode,
    { to, term }: { readonly to: RecordingNode; readonly term: number },
  ): readonly [WireEnd, WireEnd] {
    const [near, far] = [new WireEnd(from.process), new WireEnd(to.process)];
    const isCut = () => this.isCut(from.name, to.name);
    const common = { time: this.#time, chance: this.#chance, isCut };
    near.lane = new Lane({ ...common, to: far, onBytes: () => this.onOrder(to, term) });
    far.lane = new Lane({ ...common, to: near, onBytes: () => {} });
    const way = wayOf(from.name, to.name);
    const lanes = this.#lanes.get(way) ?? new Set();
    this.#lanes.set(way, lanes.add(near.lane).add(far.lane));
    from.process.onDeath(() => near.destroy());
    to.process.onDeath(() => far.destroy());
    return [near, far];
  }
}

function wayOf(one: string, other: string): string {
  return [one, other].toSorted().join("–");
}
