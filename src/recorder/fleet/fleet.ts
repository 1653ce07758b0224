import { hostname } from "node:os";
import { lockFolder } from "../../kit/files/lock.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { VERSION } from "../../kit/version.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Config } from "../config/schema.ts";
import type { StateStore } from "../store/state-store.ts";
import { nodeOf, openFleetDatabase } from "./access.ts";
import type { FleetDatabase } from "./database.ts";
import { look, type NodeCard, noteMarked, release, renew, type Standing, take } from "./lease.ts";
import { LeaseWatch } from "./lease-watch.ts";
import { FLEET_LIMITS } from "./limits.ts";
import { markPlaces, sharedPlaces, whyNotOfFleet } from "./places.ts";
import { Reign } from "./reign.ts";
import { prepareTables } from "./schema.ts";
import { type SharedSign, sharedState } from "./shared-state.ts";
import { Waiting, type WaitingParts } from "./waiting.ts";

export interface FleetParts extends WaitingParts {
  readonly clock: Clock;
  /** Called again and again while the node stands by. */
  readonly onPulse: () => void;
}

/** The lead of this node, as long as it lasts. */
export interface Lead {
  readonly state: StateStore;
  /** Aborted when another node leads. */
  readonly lost: AbortSignal;
}

interface Opened {
  readonly lease: FleetDatabase;
  readonly state: FleetDatabase;
  readonly lock: AsyncDisposable;
  readonly node: string;
}

/** This node in a fleet. Disposing keeps the lease: the next run of this node goes on with it, if it comes in time. */
export class Fleet implements AsyncDisposable {
  readonly #config: Config;
  readonly #parts: FleetParts;
  readonly #lease: FleetDatabase;
  readonly #state: FleetDatabase;
  readonly #lock: AsyncDisposable;
  readonly #places: readonly string[];
  #card: NodeCard;
  #held: { readonly reign: Reign; readonly lead: Lead; readonly keeping: Promise<void> } | undefined;
  readonly #closed = new AbortController();
  /** The lease may be one that an earlier run of this node has left. */
  #isFresh = true;
  /** The tables are there. */
  #isPrepared = false;

  private constructor(config: Config, parts: FleetParts, opened: Opened) {
    this.#config = config;
    this.#parts = parts;
    this.#lease = opened.lease;
    this.#state = opened.state;
    this.#lock = opened.lock;
    this.#places = sharedPlaces(config);
    const { node: name = hostname() } = config.fleet ?? {};
    this.#card = { node: opened.node, name, version: VERSION, trouble: "" };
  }

  /**
   * @throws RecorderdError STORE_LOCKED if another process uses the data folder
   * @throws RecorderdError CONFIG_INVALID, FILE_UNREADABLE
   */
  static async open(config: Config, parts: FleetParts): Promise<Fleet> {
    const { clock } = parts;
    const { folder } = config.data;
    const lock = await lockFolder(folder);
    try {
      const lease = await openFleetDatabase(config, { use: "lease", clock });
      const state = await openFleetDatabase(config, { use: "state", clock });
      return new Fleet(config, parts, { lease, state, lock, node: await nodeOf(folder) });
    } catch (error) {
      await lock[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * Waits until this node leads.
   *
   * @returns `undefined` when the signal is aborted
   * @throws RecorderdError CONFIG_INVALID if the database refuses this node, STORE_TOO_NEW
   */
  async lead(signal: AbortSignal): Promise<Lead | undefined> {
    if (this.#held !== undefined && !this.#held.reign.lost.aborted) return this.#held.lead;
    this.#held = undefined;
    const { clock, onPulse } = this.#parts;
    const watch = new LeaseWatch();
    const waiting = new Waiting(this.#parts);
    while (!signal.aborted) {
      onPulse();
      try {
        await this.#prepare();
        const standing = await look(this.#lease, this.#card);
        waiting.databaseAnswers();
        const isOver = watch.isOver(standing, clock.monotonicMs());
        if (await this.#mayTake(standing, { isOver, waiting })) {
          const lead = await this.#take(standing);
          if (lead !== undefined) return lead;
        }
        if (standing.leader !== undefined && standing.leader !== this.#card.node)
          await waiting.standBy(standing);
      } catch (error) {
        waiting.databaseFails(error);
      }
      await clock.sleep(FLEET_LIMITS.lookMs, signal).catch(() => {});
    }
    return undefined;
  }

  async #prepare(): Promise<void> {
    if (this.#isPrepared) return;
    await prepareTables(this.#state);
    this.#isPrepared = true;
  }

  async #mayTake(
    { leader, mark, isMarked }: Standing,
    { isOver, waiting }: { readonly isOver: boolean; readonly waiting: Waiting },
  ): Promise<boolean> {
    const trouble = isMarked ? ((await whyNotOfFleet(this.#places, mark)) ?? "") : "";
    if (trouble !== this.#card.trouble) waiting.placesChanged(trouble);
    this.#card = { ...this.#card, trouble };
    // A node that has lost the lead waits like any other: somebody may have copied its data folder.
    const isOwn = leader === this.#card.node && this.#isFresh;
    return trouble === "" && (leader === undefined || isOwn || isOver);
  }

  async #take(standing: Standing): Promise<Lead | undefined> {
    const { log } = this.#parts;
    const taken = await take(this.#lease, this.#card, standing);
    if (taken === undefined) return undefined;
    this.#isFresh = false;
    const { term, aliveAt } = taken;
    log.info("this node leads the fleet", { term, node: this.#card.name });
    const reign = new Reign(this.#state, term);
    const sign: SharedSign = { before: aliveAt === 0 ? undefined : aliveAt, at: aliveAt };
    const lead: Lead = {
      state: sharedState(reign, sign, this.#config.data.folder),
      lost: reign.lost,
    };
    this.#held = { reign, lead, keeping: this.#keep(reign, { sign, standing }) };
    return lead;
  }

  /** Renews the lease until it is lost. */
  async #keep(
    reign: Reign,
    { sign, standing }: { readonly sign: SharedSign; readonly standing: Standing },
  ): Promise<void> {
    const { clock, log } = this.#parts;
    const { term } = reign;
    const over = AbortSignal.any([this.#closed.signal, reign.lost]);
    let { isMarked } = standing;
    let isAway = false;
    while (!over.aborted) {
      try {
        if (!(await renew(this.#lease, this.#card, { term, aliveAt: sign.at }))) return reign.end();
        if (!isMarked && (await markPlaces(this.#places, standing.mark))) {
          await noteMarked(this.#lease, term);
          isMarked = true;
        }
        if (isAway) log.info("the database of the fleet is available again");
        isAway = false;
      } catch (error) {
        if (!(error instanceof RecorderdError)) throw error;
        if (!isAway) log.error("the lead in the fleet cannot be renewed; retrying", { text: error.message });
        isAway = true;
      }
      await clock.sleep(FLEET_LIMITS.renewMs, over).catch(() => {});
    }
  }

  /** Lets another node lead at once: nothing of the term runs any more. */
  async release(): Promise<void> {
    this.#closed.abort();
    if (this.#held === undefined) return;
    await this.#held.keeping;
    await release(this.#lease, this.#held.reign.term).catch((error: unknown) => {
      // The others wait for the end of the lease.
      if (!(error instanceof RecorderdError)) throw error;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    await this.#held?.keeping;
    await this.#state[Symbol.asyncDispose]();
    await this.#lease[Symbol.asyncDispose]();
    await this.#lock[Symbol.asyncDispose]();
  }
}
