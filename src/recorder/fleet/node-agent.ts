import type { Duplex } from "node:stream";
import type { Log } from "../../kit/log.ts";
import { onJsonLines } from "../../kit/net/json-lines.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { TunerSession } from "../../model/ports.ts";
import type { Reception } from "../../model/tuner.ts";
import { Alone } from "./alone.ts";
import { fileAtPath } from "./files/held-file.ts";
import { NODE_LIMITS } from "./limits.ts";
import { type FromNode, type HeldByNode, NODE_PROTOCOL, NodeOrder, sendLine } from "./node-protocol.ts";
import type { TunerOffer } from "./offer.ts";
import type { PartStore } from "./part-file.ts";
import type { NodeFiles, NodePorts, PortEvents } from "./ports.ts";

export interface AgentParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly part: PartStore;
}

interface Session {
  readonly over: AbortController;
  opened?: TunerSession;
  /** A capture reads from it: the session ends with the capture. */
  isRead?: boolean;
}

/** The connection of a leader, with the tuners that were opened over it. */
interface Connection {
  readonly socket: Duplex;
  readonly sessions: Map<number, Session>;
}

type Answered = Exclude<NodeOrder, { readonly type: "close" | "alert" | "part" | "lead" }>;

/**
 * Carries out the orders of a leader on this node. If the leader dies, captures and their tuners continue, and the next leader
 * finds them.
 */
export class NodeAgent implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #ports: NodePorts;
  readonly #sockets = new Map<Duplex, Map<number, Session>>();
  readonly #running: Set<string>;
  /** Tuner sessions by the capture that reads from them. */
  readonly #read = new Map<string, TunerSession>();
  readonly #closed = new AbortController();
  readonly #part: PartStore;
  readonly #alone: Alone;
  /** Attempts with a segment here that no leader has yet; only if the nodes share no folder. */
  #kept: ReadonlySet<string> = new Set();
  /** The leader shows signs of life; one of an earlier version does not. */
  #isSigned = false;

  private constructor({ clock, log, part }: AgentParts, ports: NodePorts, running: ReadonlySet<string>) {
    this.#clock = clock;
    this.#ports = ports;
    this.#part = part;
    this.#running = new Set(running);
    this.#alone = new Alone({
      ...{ clock, log, part, ports, running: this.#running },
      isLed: () => this.#sockets.size > 0 && !this.#isSigned,
      begun: (id, session) => this.#begun(id, session),
      end: (id) => this.#end(id, { hangs: false }),
    });
  }

  static async open(
    parts: AgentParts,
    openPorts: (events: PortEvents) => Promise<NodePorts>,
  ): Promise<NodeAgent> {
    let agent: NodeAgent | undefined;
    const ports = await openPorts({
      onEnded: (id) => agent?.ended(id),
      onOffers: () => agent?.offersChanged(),
    });
    agent = new NodeAgent(parts, ports, await ports.running());
    agent.#kept = new Set((await ports.files?.segments())?.attempts);
    void agent.#showLife();
    return agent;
  }

  get tuners(): readonly TunerOffer[] {
    return this.#ports.offers();
  }

  /** The files of this node, for the leader; absent: the nodes share a folder. */
  get files(): NodeFiles | undefined {
    return this.#ports.files;
  }

  /** This node has parts of recordings that no leader has yet. */
  get keepsParts(): boolean {
    return this.#ports.files !== undefined && this.#running.size + this.#kept.size > 0;
  }

  /** Called by the ports: tuners, or their services, have changed. */
  offersChanged(): void {
    this.#send({ type: "tuners", tuners: this.#ports.offers() });
  }

  /** Called by the ports: a capture has ended. */
  ended(id: string): void {
    if (!this.#running.delete(id)) return;
    void this.#read.get(id)?.[Symbol.asyncDispose]();
    this.#read.delete(id);
    if (this.#ports.files !== undefined) this.#kept = new Set([...this.#kept, id]);
    this.#send({ type: "ended", id });
  }

  /** Serves a leader over this connection, until it ends. */
  serve(socket: Duplex): void {
    const sessions = new Map<number, Session>();
    this.#sockets.set(socket, sessions);
    this.#isSigned = false;
    this.#alone.leaderConnected();
    socket.on("error", () => {});
    socket.once("close", () => {
      this.#sockets.delete(socket);
      for (const session of sessions.values()) this.#leave(session);
    });
    onJsonLines(socket, { lengthMax: NODE_LIMITS.messageLength }, (value) => {
      const order = NodeOrder.safeParse(value);
      // A leader that has been silent does not know what this node has done meanwhile: another connection tells it.
      if (!order.success || this.#alone.hasActed) return void socket.destroy();
      this.#alone.led();
      this.#take(order.data, { socket, sessions });
    });
    if (this.#ports.files === undefined) this.#greet(socket);
    else
      void this.#ports.files.segments().then((held) => {
        this.#kept = new Set(held.attempts);
        this.#greet(socket, held);
      });
  }

  #greet(socket: Duplex, held?: HeldByNode): void {
    const tuners = this.#ports.offers();
    const running = [...this.#running];
    const greeting = { type: "hello", protocol: NODE_PROTOCOL, tuners, running, keepsPart: true } as const;
    sendLine(socket, held === undefined ? greeting : { ...greeting, held });
  }

  #take(order: NodeOrder, { socket, sessions }: Connection): void {
    if (order.type === "alert") return void this.#ports.makeReady().catch(() => {});
    if (order.type === "lead") return;
    if (order.type === "part") {
      this.#isSigned = true;
      return void this.#part.keep(order.recordings);
    }
    if (order.type === "close") {
      const session = sessions.get(order.session);
      sessions.delete(order.session);
      return session === undefined ? undefined : this.#leave(session);
    }
    const { request } = order;
    this.#carryOut(order, { socket, sessions }).then(
      (result) => sendLine(socket, { type: "done", request, result }),
      (error: unknown) => sendLine(socket, { type: "failed", request, failure: failureOf(error) }),
    );
  }

  async #carryOut(order: Answered, connection: Connection): Promise<unknown> {
    const { sessions } = connection;
    switch (order.type) {
      case "open":
        return await this.#openTuner(order, sessions);
      case "explain": {
        const { signal } = this.#closed;
        const said = await sessions.get(order.session)?.opened?.explain?.(signal);
        return said === undefined ? undefined : failureOf(said);
      }
      case "reception":
        return await this.#reception(order);
      case "start":
        return await this.#start(order, connection);
      case "stop":
        return await this.#end(order.id, order);
      case "drop":
        return await this.#drop(order);
    }
  }

  async #openTuner(
    { session: number, tunerId, service }: Extract<NodeOrder, { readonly type: "open" }>,
    sessions: Map<number, Session>,
  ): Promise<{ readonly programme: string }> {
    const driver = this.#ports.driver(tunerId);
    if (driver === undefined) {
      throw new RecorderdError("TUNER_UNREACHABLE", `This node has no tuner ${tunerId}.`, { tunerId });
    }
    const session: Session = { over: new AbortController() };
    sessions.set(number, session);
    const opened = await driver.open(service, session.over.signal);
    session.opened = opened;
    if (session.over.signal.aborted) await opened[Symbol.asyncDispose]();
    return { programme: opened.source.programme };
  }

  #reception({
    tunerId,
    service,
  }: Extract<NodeOrder, { readonly type: "reception" }>): Promise<Reception | undefined> {
    const driver = this.#ports.driver(tunerId);
    return driver?.reception?.(service, this.#closed.signal) ?? Promise.resolve(undefined);
  }

  async #start(
    { session: number, id, service, serviceName, endsInMs }: Extract<NodeOrder, { readonly type: "start" }>,
    { socket, sessions }: Connection,
  ): Promise<void> {
    const session = sessions.get(number);
    if (session?.opened === undefined) {
      throw new RecorderdError("CAPTURE_NOT_STARTED", "The tuner of this capture is not open any more.");
    }
    session.isRead = true;
    const { source } = session.opened;
    try {
      await this.#ports.start({
        ...{ id, source, service, file: this.#ports.segmentFile(id) },
        ...(serviceName === undefined ? {} : { serviceName }),
        endsBy: this.#clock.now() + endsInMs,
      });
    } catch (error) {
      session.isRead = false;
      if (socket.destroyed) this.#leave(session);
      throw error;
    }
    this.#begun(id, session.opened);
    // Its leader does not wait for it any more, and the next one has not seen it.
    if (socket.destroyed) await this.#end(id, { hangs: false });
  }

  async #drop({ path }: Extract<NodeOrder, { readonly type: "drop" }>): Promise<void> {
    const file = fileAtPath(path);
    if (file === undefined) return;
    // The leader is mistaken: a capture still writes the segment.
    if (file.kind !== "recording" && this.#running.has(file.id)) return;
    await this.#ports.files?.drop(file);
    if (file.kind === "segment") this.#kept = new Set([...this.#kept].filter((id) => id !== file.id));
  }

  #begun(id: string, session: TunerSession): void {
    this.#running.add(id);
    this.#read.set(id, session);
  }

  async #end(id: string, how: { readonly hangs: boolean }): Promise<void> {
    await this.#ports.end(id, how);
    this.ended(id);
  }

  /** Closes a tuner that its leader does not need any more. */
  #leave(session: Session): void {
    if (session.isRead === true) return;
    session.over.abort();
    void session.opened?.[Symbol.asyncDispose]();
  }

  #send(message: FromNode): void {
    for (const socket of this.#sockets.keys()) sendLine(socket, message);
  }

  async #showLife(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      this.#send({ type: "alive" });
      // Nobody tells the end of a capture that an earlier run of this node has started.
      for (const id of this.#running) {
        // A machine in need that cannot say goes on.
        if (!(await this.#ports.isRunning(id).catch(() => true))) this.ended(id);
      }
      if (!signal.aborted) this.#alone.look(signal);
      await this.#clock.sleep(NODE_LIMITS.aliveMs, signal).catch(() => {});
    }
  }

  /** Captures continue. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    for (const socket of this.#sockets.keys()) socket.destroy();
    await this.#ports[Symbol.asyncDispose]();
  }
}

function failureOf(error: unknown): Extract<FromNode, { readonly type: "failed" }>["failure"] {
  if (error instanceof RecorderdError) {
    const { code, message, facts } = error;
    return { code, message, facts };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: "CAPTURE_NOT_STARTED", message, facts: {} };
}
