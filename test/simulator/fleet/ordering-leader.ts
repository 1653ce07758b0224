import type { Log } from "../../../src/kit/log.ts";
import type { Clock } from "../../../src/kit/time/clock.ts";
import { RecorderdError } from "../../../src/model/errors.ts";
import type { TunerSession } from "../../../src/model/ports.ts";
import { tripletKey } from "../../../src/model/service.ts";
import { MINUTE } from "../../../src/model/time.ts";
import { canReceive } from "../../../src/model/tuner.ts";
import type { DistantEngine } from "../../../src/recorder/capture/engine.ts";
import type { Statements } from "../../../src/recorder/fleet/database.ts";
import { FleetNodes } from "../../../src/recorder/fleet/nodes.ts";
import type { FleetWire } from "../../../src/simulator/fleet/fleet-wire.ts";
import { MemoryPart } from "../../../src/simulator/fleet/memory-part.ts";
import type { NodeProcess } from "../../../src/simulator/fleet/node-process.ts";
import type { Chance } from "../../../src/simulator/weeks/chance.ts";
import type { OrderLaws } from "./order-laws.ts";
import type { RecordingNode } from "./recording-node.ts";

const SERVICE = { onid: 1, tsid: 1, sid: 1 };
const KEY = tripletKey(SERVICE);
/** The same for all turns of a leader. */
const NO_SHARE = () => undefined;
const CAPTURES_MOST = 5;
const NEVER = new AbortController().signal;

export interface LeaderParts {
  readonly term: number;
  readonly time: Clock;
  readonly wire: FleetWire<RecordingNode>;
  readonly nodes: readonly RecordingNode[];
  readonly laws: OrderLaws;
  readonly log: Log;
  readonly chance: Chance;
  readonly onBegun: () => void;
  /** A capture has moved from a drained node. */
  readonly onMoved: () => void;
  readonly onAdopted: (count: number) => void;
}

/** A leader that begins and ends captures at random on the other nodes. */
export class OrderingLeader {
  readonly node: RecordingNode;
  readonly process: NodeProcess;
  readonly term: number;
  /** Absent until it has looked for the other nodes. */
  distant: FleetNodes | undefined;
  readonly #parts: LeaderParts;
  readonly #over = new AbortController();
  readonly #sessions = new Map<string, TunerSession>();
  #isFinishing = false;
  #count = 0;

  constructor(node: RecordingNode, parts: LeaderParts) {
    this.node = node;
    this.process = node.process;
    this.term = parts.term;
    this.#parts = parts;
    node.leads(true);
    this.#work().catch((error: unknown) =>
      parts.laws.broken(error instanceof Error ? `${error.stack}` : String(error)),
    );
  }

  /** From now on it only ends what runs. */
  finish(): void {
    this.#isFinishing = true;
  }

  /** It learns that another node leads. */
  end(): void {
    this.process.after(0, () => this.#over.abort());
  }

  async #work(): Promise<void> {
    const { laws, chance, onAdopted, log } = this.#parts;
    const { clock } = this.process;
    const hasFound = laws.adopting(this);
    const nodes = await FleetNodes.open({
      database: this.#database(),
      self: { node: this.node.name, name: this.node.name },
      connect: (to, signal) => this.#connect(to.node, signal),
      ...{ onLaterTerm: () => this.end(), part: new MemoryPart(), clock, log },
    });
    const engine = nodes.engine((id) => this.#ended(id, engine));
    const found = await engine.ids();
    onAdopted(found.size);
    hasFound(found);
    this.distant = nodes;
    while (!this.#over.signal.aborted) {
      await clock.sleep(chance.int(50, 2500), this.#over.signal).catch(() => {});
      if (this.#over.signal.aborted) break;
      await this.#turn(nodes, engine).catch(ofNode);
    }
    this.distant = undefined;
    await nodes[Symbol.asyncDispose]();
    if (this.node.process === this.process) this.node.leads(false);
  }

  async #turn(nodes: FleetNodes, engine: DistantEngine): Promise<void> {
    const { chance } = this.#parts;
    const running = chance.shuffled([...(await engine.ids())]);
    const isFull = running.length >= CAPTURES_MOST;
    const [first] = running;
    const [leaving] = nodes.leaving();
    if (leaving !== undefined && !this.#isFinishing) return await this.#move(leaving, { nodes, engine });
    if (first !== undefined && (this.#isFinishing || isFull || chance.percent(35))) return engine.end(first);
    if (!this.#isFinishing && !isFull) await this.#begin(nodes, engine);
  }

  /** Moves a capture away from a drained node; it goes on there until the other one runs, as the engine does it. */
  async #move(
    id: string,
    { nodes, engine }: { readonly nodes: FleetNodes; readonly engine: DistantEngine },
  ): Promise<void> {
    if (!(await this.#begin(nodes, engine))) return;
    await engine.end(id);
    this.#parts.onMoved();
  }

  /** @returns whether a tuner was there for it */
  async #begin(nodes: FleetNodes, engine: DistantEngine): Promise<boolean> {
    const { chance, onBegun } = this.#parts;
    const { signal } = this.#over;
    const able = nodes.arrange([], NO_SHARE).filter(({ driver: { facts } }) => canReceive(facts, KEY));
    const [tuner] = chance.shuffled(able);
    if (tuner === undefined) return false;
    this.#count += 1;
    const id = `t${this.term}.${this.#count}`;
    const session = await tuner.driver.open(SERVICE, signal);
    this.#sessions.set(id, session);
    try {
      // Sometimes its order comes too late.
      if (chance.percent(10)) await this.process.clock.sleep(chance.int(1, 5000), signal);
      const { source } = session;
      const endsBy = this.process.clock.now() + 10 * MINUTE;
      await engine.start({ id, source, service: SERVICE, file: "", endsBy });
      onBegun();
      return true;
    } catch (error) {
      await this.#ended(id, engine);
      throw error;
    }
  }

  /** The daemon frees a tuner when its capture has ended. */
  async #ended(id: string, engine: DistantEngine): Promise<void> {
    const why = engine.whyLost(id);
    if (why !== undefined) this.#parts.laws.lost(this, why);
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.[Symbol.asyncDispose]();
  }

  #connect(node: string, signal: AbortSignal) {
    const to = this.#parts.nodes.find(({ name }) => name === node);
    if (to === undefined) throw new Error(`no node ${node}`);
    return this.#parts.wire.connect({ from: this.node, to, term: this.term }, signal);
  }

  /** The database as `nodeRows` asks it. */
  #database(): Statements {
    const { chance, nodes } = this.#parts;
    const { clock } = this.process;
    return {
      place: "a simulated database",
      query: async () => {
        await clock.sleep(chance.int(1, 20), NEVER);
        if (chance.percent(5)) throw new RecorderdError("STORE_WRITE_FAILED", "not now", { isFinal: false });
        return nodes.map((node) => ({
          ...{ node: node.name, name: node.name, address: node.name, certificate: "" },
          ...{ lives: node !== this.node && node.serves, drained: node.isDrained },
        }));
      },
    };
  }
}

/** @throws any other error */
function ofNode(error: unknown): void {
  if (!(error instanceof RecorderdError) && !(error instanceof Error && error.name === "AbortError"))
    throw error;
}
