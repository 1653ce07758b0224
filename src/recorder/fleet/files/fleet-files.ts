import type { Log } from "../../../kit/log.ts";
import { anyAbort, type Clock } from "../../../kit/time/clock.ts";
import type { Turns } from "../../../kit/time/turns.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { FleetLibrary } from "../../../model/planned-capture.ts";
import type { Recording } from "../../../model/recording.ts";
import type { Statements } from "../database.ts";
import { NODE_LIMITS } from "../limits.ts";
import type { NodeLink } from "../node-link.ts";
import type { NodeAddress } from "../node-request.ts";
import type { Holder } from "../node-rows.ts";
import { Collector } from "./collector.ts";
import type { FileSource } from "./file-source.ts";
import { bringRecordings } from "./finished.ts";
import { requestPath } from "./held-file.ts";
import { type PartHolder, waitForParts } from "./missing-parts.ts";

/** The disk of this machine in a fleet whose nodes share no folder. */
export interface FleetDisk {
  /** It keeps the recordings of the fleet. */
  readonly isHome: boolean;
  readonly segmentFile: (attemptId: string) => string;
  /** The folder of finished recordings. */
  readonly finishedFolder: string;
  /** The files of another node. */
  readonly source: (address: () => NodeAddress) => FileSource;
}

export interface FleetFilesParts {
  readonly disk: FleetDisk;
  /** The name of the node that keeps the recordings. */
  readonly home: string | undefined;
  readonly database: Statements;
  readonly links: () => readonly NodeLink[];
  readonly clock: Clock;
  readonly log: Log;
}

/** The leader's view of the files of all nodes, if they share no folder. */
export class FleetFiles implements AsyncDisposable {
  readonly #parts: FleetFilesParts;
  /** By the last answer of the database; absent: it has not answered yet. */
  #holders: readonly Holder[] | undefined;
  /** Nodes whose finished recordings are being brought. */
  readonly #bringing = new Map<string, Promise<void>>();
  /** Two nodes may have a copy of one segment: one at a time comes. */
  readonly #copies = new Map<string, Turns>();
  readonly #closed = new AbortController();

  constructor(parts: FleetFilesParts) {
    this.#parts = parts;
  }

  /** The database has answered. */
  sees(holders: readonly Holder[]): void {
    this.#holders = holders;
  }

  readonly collectorOf = (link: NodeLink): Collector => {
    const { disk, clock, log } = this.#parts;
    return new Collector({
      node: link.to.name,
      source: disk.source(() => link.to),
      segmentFile: disk.segmentFile,
      turns: this.#copies,
      drop: (id) => link.ask({ type: "drop", path: requestPath({ kind: "segment", id }) }),
      ...{ clock, log },
    });
  };

  /** Waits until all that other nodes have of a recording is here. @throws RecorderdError NODE_AWAY; as `waitForParts` */
  readonly waitForParts = async (recording: Recording, signal: AbortSignal): Promise<void> => {
    const { disk, clock } = this.#parts;
    const isHomeComing = this.#holders?.some((each) => each.isHomeComing) === true;
    if (!disk.isHome && isHomeComing)
      throw new RecorderdError("NODE_AWAY", "The home of the fleet is back, and takes the lead soon.");
    const { segmentFile } = disk;
    const parts = { segmentFile, holders: () => this.#partHolders(), now: () => clock.now() };
    await waitForParts(recording, parts, signal);
  };

  /** Whether finished recordings that are not here may be on another node. */
  readonly mayHaveRecordings = (): boolean => {
    const { isHome } = this.#parts.disk;
    return !isHome || this.#holders === undefined || this.#holders.some(({ hasLed }) => hasLed);
  };

  #partHolders(): readonly PartHolder[] {
    const { links, home } = this.#parts;
    const connected = links().filter(({ isAlive }) => isAlive);
    const away = (this.#holders ?? []).filter(({ node }) => connected.every(({ to }) => to.node !== node));
    return [
      ...connected.map(({ to: { name }, collector }) => ({ name, collector, keeps: false })),
      ...away.map(({ name, keeps, hasLed }) => ({ name, keeps: keeps || hasLed || name === home })),
    ];
  }

  /** Brings home what other nodes have recorded while they led. @param library absent: the daemon still opens */
  bringRecordings(library: FleetLibrary | undefined): void {
    if (!this.#parts.disk.isHome || library === undefined) return;
    for (const { node, hasLed } of this.#holders ?? []) {
      const link = this.#parts.links().find(({ to }) => to.node === node);
      if (!hasLed || link?.isAlive !== true || this.#bringing.has(node)) continue;
      const bringing = this.#bringFrom(link, library).finally(() => this.#bringing.delete(node));
      this.#bringing.set(node, bringing);
    }
  }

  async #bringFrom(link: NodeLink, library: FleetLibrary): Promise<void> {
    const { disk, database, clock, log } = this.#parts;
    const { name, node } = link.to;
    const { signal: closed } = this.#closed;
    const { connection = closed } = link.collector ?? {};
    using over = anyAbort([closed, connection]);
    const source = disk.source(() => link.to);
    const drop = (path: string) => link.ask({ type: "drop", path });
    try {
      await bringRecordings(
        { node: name, source, folder: disk.finishedFolder, ...library, drop, log },
        over.signal,
      );
      await database.query("UPDATE fleet_nodes SET led = NULL WHERE node = $1", [node]);
    } catch (error) {
      if (closed.aborted) return;
      log.warn("recordings of another node cannot be brought; retrying", { node: name, text: String(error) });
      await clock.sleep(NODE_LIMITS.bringAgainMs, closed).catch(() => {});
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    await Promise.all(this.#bringing.values());
  }
}
