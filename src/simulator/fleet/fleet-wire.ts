import type { Clock } from "../../kit/time/clock.ts";
import { NODE_LIMITS } from "../../recorder/fleet/limits.ts";
import type { NodeDoor } from "../../recorder/fleet/node-door.ts";
import type { NodeAnswer } from "../../recorder/fleet/node-request.ts";
import type { Chance } from "../weeks/chance.ts";
import type { NodeProcess } from "./node-process.ts";
import { Lane, WireEnd } from "./wire.ts";

/** A node on the network: the run of its program, and that run's door for leaders. */
export interface WireNode {
  readonly name: string;
  readonly process: NodeProcess;
  readonly door: NodeDoor;
}

/** The network between the nodes of a fleet. */
export class FleetWire<N extends WireNode = WireNode> {
  /** Called before an order reaches a node. */
  onOrder: (to: N, term: number) => void = () => {};
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
    { from, to, term }: { readonly from: N; readonly to: N; readonly term: number },
    signal: AbortSignal,
  ): Promise<NodeAnswer> {
    return new Promise((resolve) => {
      const over = (answer: NodeAnswer) => {
        if (signal.aborted && answer.kind === "connected") answer.socket.destroy();
        resolve(answer);
      };
      from.process.after(NODE_LIMITS.connectMs, () => over({ kind: "failed", why: "no answer in time" }));
      if (this.isCut(from.name, to.name)) return;
      to.process.after(this.#chance.int(1, 20), () => {
        if (this.isCut(from.name, to.name)) return;
        const { door } = to;
        if (term < door.term || !door.isOpen) {
          const status = term < door.term ? 409 : 503;
          return void from.process.after(1, () => over({ kind: "answered", status }));
        }
        const [near, far] = this.#pair(from, { to, term });
        door.admit(far, term);
        from.process.after(1, () => over({ kind: "connected", socket: near }));
      });
    });
  }

  #pair(from: N, { to, term }: { readonly to: N; readonly term: number }): readonly [WireEnd, WireEnd] {
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
