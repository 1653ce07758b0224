import { RecorderdError } from "../../model/errors.ts";
import type { TunerDriver, TunerSession } from "../../model/ports.ts";
import { ServiceSet } from "../../model/service-set.ts";
import type { TunerFacts, TunerId } from "../../model/tuner.ts";

/** A tuner as one node offers it. */
export interface Offered {
  readonly node: string;
  readonly driver: TunerDriver;
  /** Equal on all nodes that reach the same tuner; absent: only this node has it. */
  readonly share?: string | undefined;
  /** The leader's own. */
  readonly isHere: boolean;
  /** Its node is drained. */
  readonly isDrained: boolean;
  /** The number of captures on the node. */
  readonly load: () => number;
}

/** A tuner of the plan. */
export interface Arranged {
  readonly driver: TunerDriver;
  /** The same tuner, opened on this machine; absent: only others have it. */
  readonly here?: TunerDriver;
}

/** The name of a tuner in the plan: a node's own has that node's name. */
export function planName(id: TunerId, { node, share }: Pick<Offered, "node" | "share">): TunerId {
  return share === undefined ? `${id}@${node}` : id;
}

/** The node that gets the next capture: the least busy one, and among equals the leader. */
function leastBusy<T extends Pick<Offered, "node" | "isHere" | "load">>(able: readonly T[]): T {
  const [best] = able.toSorted(
    (a, b) =>
      a.load() - b.load() ||
      Number(b.isHere) - Number(a.isHere) ||
      (a.node < b.node ? -1 : Number(a.node > b.node)),
  );
  if (best === undefined) throw new Error("a tuner without a node is not in the plan");
  return best;
}

/** One plan over the tuners of all nodes. */
export class Arrangement {
  /** The node that uses a shared tuner now. Others must not use it meanwhile: its server may count clients by address. */
  readonly #held = new Map<TunerId, { readonly node: string; sessions: number }>();
  readonly #onConflict: (id: TunerId, node: string) => void;
  readonly #told = new Set<string>();
  /** Tuners that are open or being opened, by node. */
  readonly #sessions = new Map<string, number>();

  /** @param onConflict a node's tuner has the name of another one, and is left out */
  constructor(onConflict: (id: TunerId, node: string) => void) {
    this.#onConflict = onConflict;
  }

  /** Tuners that are open or being opened on a node since this one leads. */
  sessionsOn(node: string): number {
    return this.#sessions.get(node) ?? 0;
  }

  #count(node: string, change: 1 | -1): void {
    this.#sessions.set(node, this.sessionsOn(node) + change);
  }

  /** @param offered the leader's own first */
  of(offered: readonly Offered[]): readonly Arranged[] {
    const byName = new Map<TunerId, Offered[]>();
    for (const one of offered) {
      const name = planName(one.driver.facts.id, one);
      const there = byName.get(name);
      if (there === undefined) byName.set(name, [one]);
      else if (one.share !== undefined && there[0]?.share === one.share) there.push(one);
      else this.#tellConflict(name, one.node);
    }
    return Array.from(byName, ([name, able]) => this.#arranged(name, able));
  }

  #tellConflict(name: TunerId, node: string): void {
    const key = `${name} ${node}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#onConflict(name, node);
  }

  #arranged(name: TunerId, able: readonly Offered[]): Arranged {
    const ready = able.filter(({ isDrained }) => !isDrained);
    const isDrained = ready.length === 0;
    const offers = isDrained ? able : ready;
    const own = offers.find(({ isHere }) => isHere)?.driver;
    const first = own ?? offers[0]?.driver;
    if (first === undefined) throw new Error("a name has a tuner");
    const facts = (): TunerFacts => ({
      ...first.facts,
      id: name,
      ...(own === undefined ? { isElsewhere: true } : {}),
      ...(isDrained ? { isDrained: true, services: NO_SERVICES } : {}),
    });
    const driver = renamed(first, facts);
    return {
      driver: {
        ...driver,
        open: async (service, signal) => {
          if (isDrained) throw drainedError(name);
          return await this.#open({ name, able: ready }, (at) => at.open(service, signal));
        },
      },
      ...(own === undefined ? {} : { here: renamed(own, facts) }),
    };
  }

  async #open(
    { name, able }: { readonly name: TunerId; readonly able: readonly Offered[] },
    open: (driver: TunerDriver) => Promise<TunerSession>,
  ): Promise<TunerSession> {
    const held = this.#held.get(name);
    const at = able.find(({ node }) => node === held?.node) ?? leastBusy(able);
    const holding = held?.node === at.node ? held : { node: at.node, sessions: 0 };
    this.#held.set(name, holding);
    holding.sessions += 1;
    this.#count(at.node, 1);
    let isOver = false;
    const leave = () => {
      if (isOver) return;
      isOver = true;
      holding.sessions -= 1;
      this.#count(at.node, -1);
      if (holding.sessions === 0 && this.#held.get(name) === holding) this.#held.delete(name);
    };
    try {
      const session = await open(at.driver);
      const { explain } = session;
      return {
        source: session.source,
        ...(explain === undefined ? {} : { explain: (signal: AbortSignal) => explain(signal) }),
        async [Symbol.asyncDispose]() {
          leave();
          await session[Symbol.asyncDispose]();
        },
      };
    } catch (error) {
      leave();
      throw error;
    }
  }
}

const NO_SERVICES = new ServiceSet([]);

function drainedError(tunerId: TunerId): RecorderdError {
  const text = `The node with tuner ${tunerId} is drained: nothing new begins there.`;
  return new RecorderdError("TUNER_BUSY", text, { tunerId });
}

/** The same tuner by another name. */
function renamed(driver: TunerDriver, facts: () => TunerFacts): TunerDriver {
  const { reception, learn, lookAgain, answers, example } = driver;
  return {
    get facts() {
      return facts();
    },
    open: (service, signal) => driver.open(service, signal),
    ...(reception === undefined ? {} : { reception: (...asked) => reception(...asked) }),
    ...(learn === undefined ? {} : { learn: (...heard) => learn(...heard) }),
    ...(lookAgain === undefined ? {} : { lookAgain: (signal) => lookAgain(signal) }),
    ...(answers === undefined ? {} : { answers: (signal) => answers(signal) }),
    ...(example === undefined ? {} : { example: () => example() }),
    [Symbol.asyncDispose]: () => driver[Symbol.asyncDispose](),
  };
}
