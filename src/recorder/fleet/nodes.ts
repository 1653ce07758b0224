import type { Log } from "../../kit/log.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { type ErrorCode, RecorderdError } from "../../model/errors.ts";
import type { FleetFollower, PlannedCapture } from "../../model/planned-capture.ts";
import type { CaptureOrder, TunerDriver } from "../../model/ports.ts";
import type { TunerId } from "../../model/tuner.ts";
import type { DistantEngine } from "../capture/engine.ts";
import { type Arranged, Arrangement, type Offered, planName } from "./arrange.ts";
import type { Statements } from "./database.ts";
import { type FleetDisk, FleetFiles } from "./files/fleet-files.ts";
import { NODE_LIMITS } from "./limits.ts";
import { type LinkParts, NodeLink } from "./node-link.ts";
import type { PartRecording } from "./node-protocol.ts";
import type { NodeAddress } from "./node-request.ts";
import { type NodeRows, nodeRows } from "./node-rows.ts";
import { nodeTuner, placeOf } from "./node-tuner.ts";
import type { TunerOffer } from "./offer.ts";
import type { PartStore } from "./part-file.ts";

export interface NodesParts {
  readonly database: Statements;
  /** This node, by its id and its name. */
  readonly self: { readonly node: string; readonly name: string };
  readonly connect: LinkParts["connect"];
  readonly onLaterTerm: LinkParts["onLaterTerm"];
  /** The part of the plan that this node carries out by itself if it starts without the database. */
  readonly part: Pick<PartStore, "keep">;
  /** Absent: the nodes share a folder. */
  readonly disk?: FleetDisk | undefined;
  /** The name of the node that keeps the recordings. */
  readonly home?: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** The other nodes, as the leader uses them during its term. */
export class FleetNodes implements AsyncDisposable {
  readonly #parts: NodesParts;
  readonly #links = new Map<string, NodeLink>();
  #arrangement: Arrangement;
  #shareOf: ((id: TunerId) => string | undefined) | undefined;
  readonly #closed = new AbortController();
  readonly #drivers = new WeakMap<TunerOffer, TunerDriver>();
  /** Reasons for the loss of captures, by capture. */
  readonly #why = new Map<string, string>();
  #follower: FleetFollower | undefined;
  #onEnded: (id: string) => void = () => {};
  #isAdopting = true;
  #polling: Promise<void> = Promise.resolve();
  /** The leader's own tuners: their names in the plan, and its own names for them. */
  #own: ReadonlyMap<TunerId, TunerId> = new Map();
  #ownPart = "";
  /** Drained nodes, by id: they get nothing new. */
  #drained: ReadonlySet<string> = new Set();
  #status: NodeRows["status"] = [];
  /** Absent: the nodes share a folder. */
  readonly #files: FleetFiles | undefined;

  private constructor(parts: NodesParts) {
    this.#parts = parts;
    const { disk, home, database, clock, log } = parts;
    const links = () => this.#byName();
    this.#files = disk && new FleetFiles({ disk, home, database, links, clock, log });
    this.#arrangement = this.#newArrangement();
  }

  #newArrangement(): Arrangement {
    return new Arrangement((tunerId, node) =>
      this.#parts.log.error(
        "two tuners of the fleet have one name, so one of them is left out: give the tuner another id, or its node another name (fleet.node)",
        { tunerId, node },
      ),
    );
  }

  /** Connects to all living nodes; one that does not answer in time is not waited for. */
  static async open(parts: NodesParts): Promise<FleetNodes> {
    const nodes = new FleetNodes(parts);
    const over = new AbortController();
    const patience = parts.clock.sleep(NODE_LIMITS.adoptMs, over.signal).catch(() => {});
    await Promise.race([patience, nodes.#find(over.signal)]);
    over.abort();
    nodes.#polling = nodes.#keepPolling();
    return nodes;
  }

  /** The leader's own tuners, by their names in the plan. */
  get own(): readonly TunerId[] {
    return [...this.#own.keys()];
  }

  /** Captures on other nodes. */
  get held(): readonly { readonly node: string; readonly id: string }[] {
    return [...this.#links.values()].flatMap(({ to: { node }, running }) =>
      [...running].map((id) => ({ node, id })),
    );
  }

  /** Drained nodes on which nothing runs or begins any more. */
  get idle(): readonly string[] {
    const { self } = this.#parts;
    return [...this.#drained].filter((node) => node !== self.node && !this.#isBusy(node));
  }

  #isBusy(node: string): boolean {
    const link = this.#links.get(node);
    if (link === undefined) return false;
    return (
      link.collector?.isCopying === true ||
      link.running.size > 0 ||
      this.#arrangement.sessionsOn(link.to.name) > 0
    );
  }

  /** All nodes, including this one, by the last answer of the database. */
  readonly status = (): NodeRows["status"] => this.#status;

  /** Captures on drained nodes. */
  readonly leaving = (): ReadonlySet<string> => {
    const there = this.held.filter(({ node }) => this.#drained.has(node));
    return new Set(there.map(({ id }) => id));
  };

  follow(follower: FleetFollower): void {
    this.#follower = follower;
    for (const link of this.#links.values()) collect(link, follower);
  }

  /** Absent: the nodes share a folder. */
  get waitForParts(): FleetFiles["waitForParts"] | undefined {
    return this.#files?.waitForParts;
  }

  /** Whether finished recordings that are not here may be on another node; absent: the nodes share a folder. */
  get mayHaveRecordings(): (() => boolean) | undefined {
    return this.#files?.mayHaveRecordings;
  }

  /**
   * The tuners of all nodes.
   *
   * @param shareOf equal on all nodes that reach the same tuner
   */
  arrange(own: readonly TunerDriver[], shareOf: (id: TunerId) => string | undefined): readonly Arranged[] {
    // Another daemon, after a reload: it has opened nothing yet.
    if (shareOf !== this.#shareOf) this.#arrangement = this.#newArrangement();
    this.#shareOf = shareOf;
    const { name: node, node: self } = this.#parts.self;
    const load = () => this.#arrangement.sessionsOn(node);
    const isDrained = this.#drained.has(self);
    const here = own.map((driver): Offered => {
      const share = shareOf(driver.facts.id);
      return { node, driver, share, isHere: true, isDrained, load };
    });
    this.#own = new Map(here.map((one) => [planName(one.driver.facts.id, one), one.driver.facts.id]));
    return this.#arrangement.of([...here, ...this.#byName().flatMap((link) => this.#offered(link))]);
  }

  #byName(): readonly NodeLink[] {
    return [...this.#links.values()].toSorted((a, b) => (a.to.name < b.to.name ? -1 : 1));
  }

  /** Sends each node its part of the plan. A tuner that several nodes reach belongs to the first one; to the leader if it is alone. */
  #tellParts(): void {
    // The daemon may still be opening: the nodes keep what an earlier leader has told them.
    if (this.#follower === undefined) return;
    const left = new Set(this.#follower.planned());
    const partWith = (names: ReadonlyMap<TunerId, TunerId>) => {
      const part: PartRecording[] = [];
      for (const each of left) {
        const tunerId = names.get(each.tunerId);
        if (tunerId === undefined || part.length >= NODE_LIMITS.part) continue;
        part.push(partRecording(each, tunerId));
        left.delete(each);
      }
      return part;
    };
    for (const link of this.#byName()) {
      const { name: node } = link.to;
      const names = link.offers.map(
        (offer) => [planName(offer.id, { node, share: offer.share }), offer.id] as const,
      );
      link.keepPart(partWith(new Map(names)));
    }
    const own = partWith(this.#own);
    const text = JSON.stringify(own);
    if (text === this.#ownPart) return;
    this.#ownPart = text;
    void this.#parts.part.keep(own);
  }

  #offered(link: NodeLink): readonly Offered[] {
    const { name: node, node: id } = link.to;
    const isDrained = this.#drained.has(id);
    return link.offers.map((offer): Offered => {
      const driver = this.#drivers.get(offer) ?? nodeTuner(link, offer);
      this.#drivers.set(offer, driver);
      return { node, driver, share: offer.share, isHere: false, isDrained, load: () => link.running.size };
    });
  }

  /** The captures on other nodes, as the daemon uses them. */
  engine(onEnded: (id: string) => void): DistantEngine {
    this.#onEnded = onEnded;
    const linkOf = (id: string) => [...this.#links.values()].find(({ running }) => running.has(id));
    return {
      hasOwnDisks: this.#files !== undefined,
      takes: (source) => placeOf(source) !== undefined,
      start: (order) => this.#start(order),
      makeReady: async () => {
        for (const link of this.#links.values()) link.tell({ type: "alert" });
      },
      ids: async () => {
        this.#isAdopting = false;
        for (const link of this.#links.values()) link.endAdoption();
        return new Set(this.held.map(({ id }) => id));
      },
      whyLost: (id) => {
        const why = this.#why.get(id);
        this.#why.delete(id);
        return why;
      },
      isRunning: async (id) => linkOf(id) !== undefined,
      end: async (id, { hangs = false } = { hangs: false }) => {
        for (let link = linkOf(id); link !== undefined; link = linkOf(id)) await this.#end(link, id, hangs);
      },
    };
  }

  async #start({ id, source, service, serviceName, endsBy }: CaptureOrder): Promise<void> {
    const place = placeOf(source);
    const link = place === undefined ? undefined : this.#links.get(place.node);
    if (place === undefined || link === undefined) {
      throw new RecorderdError(
        "CAPTURE_NOT_STARTED",
        "The node that has the tuner is not in the fleet any more.",
      );
    }
    const endsInMs = Math.max(0, endsBy - this.#parts.clock.now());
    const named = serviceName === undefined ? {} : { serviceName };
    const order = { type: "start", session: place.session, id, service, ...named, endsInMs } as const;
    await link.ask(order).catch((error: unknown) => {
      throw this.#files === undefined ? error : ofNode(error, link.to.name);
    });
    link.running.add(id);
    link.collector?.follow(id);
  }

  /** Tries until the capture has ended, or its node is lost. */
  async #end(link: NodeLink, id: string, hangs: boolean): Promise<void> {
    try {
      await link.ask({ type: "stop", id, hangs });
      await link.ended(id);
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      await this.#parts.clock.sleep(NODE_LIMITS.connectAgainMs, this.#closed.signal).catch(() => {});
      if (this.#closed.signal.aborted) link.running.delete(id);
    }
  }

  async #keepPolling(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      await this.#parts.clock.sleep(NODE_LIMITS.aliveMs, signal).catch(() => {});
      if (signal.aborted) return;
      await this.#poll();
      this.#tellParts();
      this.#files?.bringRecordings(this.#follower?.library);
    }
  }

  /**
   * Resolves when all living nodes have been tried. Waits for the database, because otherwise all captures of other nodes would
   * be lost.
   */
  async #find(signal: AbortSignal): Promise<void> {
    while (!(await this.#poll()) && !signal.aborted)
      await this.#parts.clock.sleep(NODE_LIMITS.connectAgainMs, signal).catch(() => {});
    await Promise.all([...this.#links.values()].map(({ tried }) => tried));
  }

  /** Finds new nodes, and new addresses of known ones. @returns whether the database has answered */
  async #poll(): Promise<boolean> {
    const { database, self } = this.#parts;
    let found: NodeRows;
    try {
      found = await nodeRows(database, { self: self.node, home: this.#parts.home });
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      // The known nodes serve on while the database is away.
      return false;
    }
    const { living, drained, status, holders } = found;
    this.#status = status;
    this.#files?.sees(holders);
    const byNode = new Map(living.map((each) => [each.node, each]));
    for (const [node, link] of this.#links) {
      const next = byNode.get(node);
      if (next !== undefined) link.moveTo(next);
      if (next !== undefined || link.isAlive) continue;
      this.#links.delete(node);
      await link[Symbol.asyncDispose]();
    }
    for (const each of living)
      if (!this.#links.has(each.node)) this.#links.set(each.node, this.#linkTo(each));
    this.#drain(drained);
    return true;
  }

  /** From now on, the plan does not use the tuners of these nodes. */
  #drain(drained: ReadonlySet<string>): void {
    const before = this.#drained;
    this.#drained = drained;
    if (drained.size !== before.size || [...drained].some((node) => !before.has(node)))
      this.#follower?.onTuners();
  }

  #linkTo(to: NodeAddress): NodeLink {
    const { connect, onLaterTerm, clock, log } = this.#parts;
    const link = NodeLink.open(to, {
      ...{ connect, onLaterTerm, clock, log },
      collector: this.#files?.collectorOf,
      onOffers: () => this.#follower?.onTuners(),
      knows: (id) => this.#follower?.knows(id) ?? true,
      isReplaced: (id) => this.#follower?.isReplaced(id) ?? true,
      claim: async (running) => (await this.#follower?.claim(running)) ?? new Set(),
      onEnded: (id, why) => {
        if (why !== undefined) this.#why.set(id, why);
        this.#onEnded(id);
      },
    });
    if (!this.#isAdopting) link.endAdoption();
    if (this.#follower !== undefined) collect(link, this.#follower);
    return link;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    await this.#polling;
    await this.#files?.[Symbol.asyncDispose]();
    for (const link of this.#links.values()) await link[Symbol.asyncDispose]();
  }
}

/** Brings the segments of a node that its leader needs. */
function collect({ collector }: NodeLink, follower: FleetFollower): void {
  collector?.begin((id) => !follower.isClosed(id));
}

/** Faults of a disk that only one node has: another tuner may record. */
const DISK_FAULTS: readonly ErrorCode[] = ["DISK_FULL", "DISK_LOW", "WRITE_FAILED", "STORAGE_OFFLINE"];

function ofNode(error: unknown, node: string): unknown {
  if (!(error instanceof RecorderdError) || !DISK_FAULTS.includes(error.code)) return error;
  const text = `Node ${node} cannot record: ${error.message}`;
  return new RecorderdError("TUNER_UNREACHABLE", text, { node }, { cause: error });
}

/** Field by field, because it is called for each planned capture each second. */
function partRecording(planned: PlannedCapture, tunerId: TunerId): PartRecording {
  const { recordingId, timerId, service, channelName, attempt, span, endsBy } = planned;
  return {
    recordingId,
    timerId,
    service,
    serviceName: channelName,
    tunerId,
    plannedTunerId: planned.tunerId,
    attempt,
    start: span.start,
    stop: span.stop,
    endsBy,
  };
}
