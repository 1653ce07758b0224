import type { Log } from "../../kit/log.ts";
import type { Identity } from "../../kit/net/self-signed.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { segmentFile } from "../capture/files.ts";
import { isHomeOf } from "../config/fleet.ts";
import type { Config } from "../config/schema.ts";
import { readSecretsFile, secretsPlace } from "../config/secrets.ts";
import { planName } from "./arrange.ts";
import { fileSource } from "./files/file-source.ts";
import type { FleetDisk } from "./files/fleet-files.ts";
import { identityOf } from "./identity.ts";
import { NodeAgent } from "./node-agent.ts";

import { type NodeAddress, requestNode } from "./node-request.ts";
import { NodeService } from "./node-service.ts";
import { FleetNodes, type NodesParts } from "./nodes.ts";
import { openPartFile, type PartStore } from "./part-file.ts";
import type { NodePorts, PortEvents } from "./ports.ts";

export interface MembershipParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Opens the tuners of this machine for the leader on another one. */
  readonly openPorts: (config: Config, events: PortEvents) => Promise<NodePorts>;
}

/** The listener of a node for leaders, and its connections to other nodes when it leads. */
export interface MembershipPorts {
  readonly name: string;
  /** In PEM. */
  readonly certificate: string;
  readonly service: Pick<NodeService, "address" | "door"> & AsyncDisposable;
  readonly part: PartStore;
  /** Absent: the nodes share a folder. */
  readonly disk?: FleetDisk | undefined;
  /** The name of the node that keeps the recordings. */
  readonly home?: string | undefined;
  readonly connect: (to: NodeAddress, term: number, signal: AbortSignal) => ReturnType<NodesParts["connect"]>;
}

/**
 * The role of a node with a secret: while it stands by, it takes the leader's orders; while it leads, it gives orders to the
 * others.
 */
export class Membership implements AsyncDisposable {
  readonly certificate: string;
  readonly #name: string;
  readonly #service: MembershipPorts["service"];
  readonly #connect: MembershipPorts["connect"];
  readonly #part: PartStore;
  readonly #places: Pick<MembershipPorts, "disk" | "home">;
  readonly #parts: MembershipParts;
  #agent: NodeAgent | undefined;
  /** Opening and closing the agent, in turn. */
  #turn: Promise<void> = Promise.resolve();
  #isWanted = false;
  #complaint: string | undefined;
  #nodes: FleetNodes | undefined;

  constructor(
    { name, certificate, service, connect, part, disk, home }: MembershipPorts,
    parts: MembershipParts,
  ) {
    this.#name = name;
    this.certificate = certificate;
    this.#service = service;
    this.#connect = connect;
    this.#part = part;
    this.#places = { disk, home };
    this.#parts = parts;
  }

  /**
   * @returns `undefined` if the fleet has no secret: its nodes then only stand by
   * @throws RecorderdError ADDRESS_IN_USE, CONFIG_INVALID or FILE_UNREADABLE
   */
  static async open(config: Config, name: string, parts: MembershipParts): Promise<Membership | undefined> {
    const { folder } = config.data;
    const secret = (await readSecretsFile(secretsPlace(folder)))?.fleet?.secret;
    const listen = config.fleet?.listen;
    if (secret === undefined || listen === undefined) return undefined;
    const identity: Identity = await identityOf(folder);
    const { clock, log } = parts;
    const service = await NodeService.open({ listen, identity, secret, clock, log });
    const connect: MembershipPorts["connect"] = (to, term, signal) =>
      requestNode(to, { secret, term, clock }, signal);
    const part = await openPartFile(folder, log);
    const { certificate } = identity;
    const disk = diskOf(config, secret);
    return new Membership(
      { name, certificate, service, connect, part, disk, home: config.fleet?.home },
      parts,
    );
  }

  get address(): string {
    return this.#service.address;
  }

  /** The tuners of this node, by their names in the plan. */
  get tuners(): readonly string[] {
    const node = this.#name;
    const offers = this.#agent?.tuners ?? [];
    return this.#nodes?.own ?? offers.map(({ id, share }) => planName(id, { node, share }));
  }

  /** This node has parts of recordings that its leader has not. */
  get keepsParts(): boolean {
    return this.#agent?.keepsParts === true;
  }

  /** Captures on other nodes. */
  get held(): FleetNodes["held"] {
    return this.#nodes?.held ?? [];
  }

  /** Drained nodes on which nothing runs or begins any more. */
  get idle(): FleetNodes["idle"] {
    return this.#nodes?.idle ?? [];
  }

  /** Tells the listener of a term that the database has. */
  knows(term: number): void {
    this.#service.door.knows(term);
  }

  /** Another node leads: opens the tuners of this one for it. */
  standBy(config: Config): void {
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#inTurn(() => this.#openAgent(config));
  }

  /** This node has something to do if it hears of no leader. */
  get hasPart(): boolean {
    return this.#part.current.length > 0;
  }

  /** Opens the tuners and captures of this node to the next leader, before that leads. */
  async handOver(config: Config): Promise<void> {
    await this.resign();
    this.standBy(config);
    await this.#turn;
  }

  /** Closes the tuners to leaders. Captures continue. */
  async withdraw(): Promise<void> {
    this.#isWanted = false;
    this.#inTurn(() => this.#closeAgent());
    await this.#turn;
  }

  /** This node leads: finds the other nodes and their captures. */
  async lead(
    { database, term, onLaterTerm }: Pick<NodesParts, "database" | "onLaterTerm"> & { readonly term: number },
    node: string,
  ): Promise<FleetNodes> {
    this.knows(term);
    await this.withdraw();
    await this.#nodes?.[Symbol.asyncDispose]();
    const { clock, log } = this.#parts;
    const self = { node, name: this.#name };
    const connect: NodesParts["connect"] = (to, signal) => this.#connect(to, term, signal);
    this.#nodes = await FleetNodes.open({
      ...{ database, self, connect, onLaterTerm, clock, log },
      part: this.#part,
      ...this.#places,
    });
    return this.#nodes;
  }

  /** This node does not lead any more. */
  async resign(): Promise<void> {
    const nodes = this.#nodes;
    this.#nodes = undefined;
    await nodes?.[Symbol.asyncDispose]();
  }

  #inTurn(work: () => Promise<void>): void {
    this.#turn = this.#turn.then(work);
  }

  async #openAgent(config: Config): Promise<void> {
    if (!this.#isWanted) return;
    const { clock, log, openPorts } = this.#parts;
    try {
      const parts = { clock, log, part: this.#part };
      this.#agent = await NodeAgent.open(parts, (events) => openPorts(config, events));
      this.#service.door.offer(this.#agent);
      this.#complaint = undefined;
      log.info("the leader of the fleet may use the tuners of this node", { address: this.address });
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      // The next look tries again.
      this.#isWanted = false;
      if (error.message !== this.#complaint)
        log.error("the tuners of this node cannot be used", { text: error.message });
      this.#complaint = error.message;
    }
  }

  async #closeAgent(): Promise<void> {
    const agent = this.#agent;
    this.#agent = undefined;
    this.#service.door.offer(undefined);
    await agent?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.resign();
    await this.withdraw();
    await this.#service[Symbol.asyncDispose]();
  }
}

/** @returns `undefined` if the nodes share a folder */
function diskOf(config: Config, secret: string): FleetDisk | undefined {
  const isHome = isHomeOf(config);
  if (isHome === undefined) return undefined;
  const { folder, libraryFolder = folder } = config.recordings;
  return {
    isHome,
    segmentFile: (id) => segmentFile(folder, id),
    finishedFolder: libraryFolder,
    source: (address) => fileSource(address, secret),
  };
}
