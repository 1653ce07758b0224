import { lockFolder } from "../../kit/files/lock.ts";
import { VERSION } from "../../kit/version.ts";
import { RecorderdError } from "../../model/errors.ts";
import { isHomeOf, nodeNameOf } from "../config/fleet.ts";
import type { Config } from "../config/schema.ts";
import type { StateStore } from "../store/state-store.ts";
import { nodeOf, openFleetDatabase } from "./access.ts";
import type { Statements } from "./database.ts";
import { HomeWatch, otherHome } from "./home.ts";
import { look, type NodeCard, noteMarked, release, renew, type Standing, take } from "./lease.ts";
import { LeaseWatch } from "./lease-watch.ts";
import { FLEET_LIMITS } from "./limits.ts";
import { Membership, type MembershipParts } from "./membership.ts";
import type { FleetNodes } from "./nodes.ts";
import { type SharedPlaces, sharedPlaces } from "./places.ts";
import { Reign } from "./reign.ts";
import { recordsNothing } from "./running.ts";
import { prepareTables } from "./schema.ts";
import { type SharedSign, sharedState } from "./shared-state.ts";
import type { Signpost } from "./signpost.ts";
import { Waiting, type WaitingParts } from "./waiting.ts";
import { webAddressOf } from "./web-address.ts";

export interface FleetParts extends WaitingParts, MembershipParts {
  /** Called at each check while the node stands by. */
  readonly onPulse: () => void;
}

/** The lead of this node while it lasts. */
export interface Lead {
  readonly state: StateStore;
  /** Absent: the fleet has no secret, and its other nodes only stand by. */
  readonly nodes?: FleetNodes;
  /** Aborted when another node leads. */
  readonly lost: AbortSignal;
  /** Aborted when this node is drained and another one can lead: its daemon ends, and the next `lead` hands over. */
  readonly unwanted: AbortSignal;
}

interface Held {
  readonly reign: Reign;
  readonly lead: Lead;
  readonly unwanted: AbortController;
  readonly keeping: Promise<void>;
}

/** The connections, files and other resources of a node. */
export interface FleetPorts {
  readonly lease: Statements & AsyncDisposable;
  readonly state: Statements & AsyncDisposable;
  readonly lock: AsyncDisposable;
  readonly node: string;
  readonly places: SharedPlaces;
  readonly membership: Membership | undefined;
}

/** This node in a fleet. Disposing keeps the lease: the next run of this node continues it, if it starts in time. */
export class Fleet implements AsyncDisposable {
  readonly #config: Config;
  readonly #parts: FleetParts;
  readonly #lease: FleetPorts["lease"];
  readonly #state: FleetPorts["state"];
  readonly #lock: AsyncDisposable;
  readonly #places: SharedPlaces;
  readonly #membership: Membership | undefined;
  #card: NodeCard;
  #held: Held | undefined;
  readonly #closed = new AbortController();
  /** The lease may be one that an earlier run of this node has left. */
  #isFresh = true;
  #signpost: Signpost = { leader: "", web: "" };
  /** The tables exist. */
  #isPrepared = false;

  constructor(config: Config, parts: FleetParts, opened: FleetPorts) {
    this.#config = config;
    this.#parts = parts;
    this.#lease = opened.lease;
    this.#state = opened.state;
    this.#lock = opened.lock;
    this.#places = opened.places;
    this.#membership = opened.membership;
    const { certificate = "", address = "" } = opened.membership ?? {};
    const about = { name: nodeNameOf(config), version: VERSION, trouble: "", home: config.fleet?.home ?? "" };
    const places = { address, certificate, web: webAddressOf(config) };
    this.#card = { node: opened.node, ...about, ...places, tuners: [], keeps: false };
  }

  /**
   * @throws RecorderdError STORE_LOCKED if another process uses the data folder
   * @throws RecorderdError CONFIG_INVALID, FILE_UNREADABLE, ADDRESS_IN_USE
   */
  static async open(config: Config, parts: FleetParts): Promise<Fleet> {
    const { clock } = parts;
    const { folder } = config.data;
    const lock = await lockFolder(folder);
    try {
      const lease = await openFleetDatabase(config, { use: "lease", clock });
      const state = await openFleetDatabase(config, { use: "state", clock });
      const membership = await Membership.open(config, nodeNameOf(config), parts);
      if (config.fleet?.home !== undefined && membership === undefined) throw withoutSecret();
      const places = sharedPlaces(config);
      return new Fleet(config, parts, { lease, state, lock, node: await nodeOf(folder), places, membership });
    } catch (error) {
      await lock[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Captures of this node belong to the leader, whichever node leads. */
  get sharesCaptures(): boolean {
    return this.#membership !== undefined;
  }

  /** The node that led when this one looked last. */
  get signpost(): Signpost {
    return this.#signpost;
  }

  /**
   * Waits until this node leads. Until then, the leader may use its tuners. A lead that is unwanted is handed over first.
   *
   * @param config as it is now
   * @returns `undefined` when the signal is aborted
   * @throws RecorderdError CONFIG_INVALID if the database refuses this node, STORE_TOO_NEW
   */
  async lead(signal: AbortSignal, config = this.#config): Promise<Lead | undefined> {
    const held = this.#held;
    if (held !== undefined && !held.reign.lost.aborted) {
      if (!held.unwanted.signal.aborted) return held.lead;
      await this.#handOver(held, config);
    }
    this.#held = undefined;
    await this.#membership?.resign();
    const { clock, onPulse, log, onStandBy } = this.#parts;
    const watch = new LeaseWatch();
    const waiting = new Waiting({ log, onStandBy: this.sharesCaptures ? async () => {} : onStandBy });
    while (!signal.aborted) {
      onPulse();
      try {
        await this.#prepare();
        const standing = await look(this.#lease, this.#cardNow());
        this.#membership?.knows(standing.term);
        this.#signpost = { leader: standing.leaderName, web: standing.leaderWeb };
        waiting.databaseAnswers();
        const isOver = watch.isOver(standing, clock.monotonicMs());
        if (await this.#mayTake(standing, { isOver, waiting })) {
          const lead = await this.#take(standing);
          if (lead !== undefined) return lead;
        }
        if (standing.leader !== undefined && standing.leader !== this.#card.node) {
          await waiting.standBy(standing);
          await this.#offerTuners(standing, config);
        }
      } catch (error) {
        waiting.databaseFails(error);
        await this.#standAlone(config);
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

  /** Only a node with the shared folder, or that of the home, can record for others. */
  async #offerTuners({ isMarked }: Standing, config: Config): Promise<void> {
    const hasPlaces = isMarked || this.#card.home !== "";
    if (hasPlaces && this.#card.trouble === "") this.#membership?.standBy(config);
    else await this.#membership?.withdraw();
  }

  /** A node that starts while the database is away may have recordings of its own to carry out. */
  async #standAlone(config: Config): Promise<void> {
    if (this.#membership?.hasPart !== true || (await this.#places.whyNotOfFleet()) !== undefined) return;
    this.#membership.standBy(config);
  }

  #cardNow(): NodeCard {
    return {
      ...this.#card,
      tuners: this.#membership?.tuners ?? [],
      keeps: this.#membership?.keepsParts ?? false,
    };
  }

  async #mayTake(
    { leader, term, mark, isMarked, isDrained, home, isHomeAble }: Standing,
    { isOver, waiting }: { readonly isOver: boolean; readonly waiting: Waiting },
  ): Promise<boolean> {
    const isElsewhere = term > 0 ? otherHome(this.#config, home) : undefined;
    const trouble = isElsewhere ?? (isMarked ? await this.#places.whyNotOfFleet(mark) : undefined) ?? "";
    if (trouble !== this.#card.trouble) waiting.placesChanged(trouble);
    this.#card = { ...this.#card, trouble };
    // A node that has lost the lead waits like any other: somebody may have copied its data folder.
    const isOwn = leader === this.#card.node && this.#isFresh;
    const isFree = leader === undefined && !isDrained;
    // Another node leads only while the home cannot, and never before it: the first leader copies its own state to the database.
    const isOut = isHomeOf(this.#config) === false && (isHomeAble || term === 0);
    return trouble === "" && !isOut && (isFree || isOwn || isOver);
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
    const unwanted = new AbortController();
    const keeping = this.#keep(reign, { sign, standing, unwanted });
    // Without its database, this node learns from the others that it does not lead any more.
    const onLaterTerm = () => reign.end();
    const nodes = await this.#membership?.lead({ database: this.#state, term, onLaterTerm }, this.#card.node);
    const state = sharedState(reign, sign, this.#config.data.folder);
    const lead: Lead = {
      ...{ state, lost: reign.lost, unwanted: unwanted.signal },
      ...(nodes === undefined ? {} : { nodes }),
    };
    this.#held = { reign, lead, unwanted, keeping };
    return lead;
  }

  /** Renews the lease until it is lost. */
  async #keep(reign: Reign, { sign, standing, unwanted }: KeepParts): Promise<void> {
    const { clock, log } = this.#parts;
    const { term } = reign;
    const over = AbortSignal.any([this.#closed.signal, reign.lost]);
    const home = new HomeWatch();
    let { isMarked } = standing;
    let isAway = false;
    while (!over.aborted) {
      try {
        const { held: captures = [], idle = [] } = this.#membership ?? {};
        const renewed = await renew(this.#lease, this.#cardNow(), { term, aliveAt: sign.at, captures, idle });
        if (renewed === undefined) return reign.end();
        const isHomeBack = home.isBack(renewed.isHomeAble, clock.monotonicMs());
        if ((renewed.isUnwanted || isHomeBack) && (await this.#canHandOver()))
          unwanted.abort(renewed.isUnwanted ? "it is drained" : "the home of the fleet is back");
        if (!isMarked && (await this.#places.mark(standing.mark))) {
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

  /** Without a secret, no other node could adopt the captures of this one. */
  async #canHandOver(): Promise<boolean> {
    return this.sharesCaptures || (await recordsNothing(this.#state));
  }

  /** Ends the term so that the next leader finds the captures of this node. */
  async #handOver({ reign, keeping, unwanted }: Held, config: Config): Promise<void> {
    const why = String(unwanted.signal.reason);
    this.#parts.log.info("this node hands over the lead", { term: reign.term, why });
    await this.#membership?.handOver(config);
    reign.end();
    await keeping;
    await this.#letGo(reign);
  }

  /** Lets another node lead at once. Call it when nothing of the term runs any more. */
  async release(): Promise<void> {
    this.#closed.abort();
    if (this.#held === undefined) return;
    await this.#held.keeping;
    await this.#letGo(this.#held.reign);
  }

  async #letGo({ term }: Reign): Promise<void> {
    await release(this.#lease, term).catch((error: unknown) => {
      // The others wait for the end of the lease.
      if (!(error instanceof RecorderdError)) throw error;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    await this.#held?.keeping;
    await this.#membership?.[Symbol.asyncDispose]();
    await this.#state[Symbol.asyncDispose]();
    await this.#lease[Symbol.asyncDispose]();
    await this.#lock[Symbol.asyncDispose]();
  }
}

function withoutSecret(): RecorderdError {
  const text =
    "fleet.home needs the secret of the fleet, by which the nodes send their recordings: recorderd fleet secret";
  return new RecorderdError("CONFIG_INVALID", text);
}

interface KeepParts {
  readonly sign: SharedSign;
  readonly standing: Standing;
  /** Aborted when another node should lead. */
  readonly unwanted: AbortController;
}
