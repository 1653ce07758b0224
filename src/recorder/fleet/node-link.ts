import type { Duplex } from "node:stream";
import type { Log } from "../../kit/log.ts";
import { onJsonLines } from "../../kit/net/json-lines.ts";
import { anyAbort, type Clock, onAbort } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { SECOND } from "../../model/time.ts";
import type { Collector } from "./files/collector.ts";
import { NODE_LIMITS } from "./limits.ts";
import {
  errorOf,
  FromNode,
  LATER_TERM,
  NODE_PROTOCOL,
  type NodeOrder,
  type PartRecording,
  sendLine,
} from "./node-protocol.ts";
import type { NodeAddress, NodeAnswer } from "./node-request.ts";
import type { TunerOffer } from "./offer.ts";
import { SilenceWatch } from "./silence-watch.ts";

export interface LinkParts {
  /** Connects with the leader's term. Never rejects. */
  readonly connect: (to: NodeAddress, signal: AbortSignal) => Promise<NodeAnswer>;
  readonly clock: Clock;
  readonly log: Log;
  /** The offers of the node have changed; called before its lost captures end. */
  readonly onOffers: () => void;
  /** The node obeys the leader of a later term. */
  readonly onLaterTerm: () => void;
  /** @param why the node is lost; absent: the capture has ended */
  readonly onEnded: (id: string, why?: string) => void;
  /** Brings the segments of the node; absent: the nodes share a folder. */
  readonly collector?: ((link: NodeLink) => Collector) | undefined;
  /** Whether this leader has ordered the capture. */
  readonly knows: (id: string) => boolean;
  /** Whether the end of a capture that this leader has given up loses nothing. */
  readonly isReplaced: (id: string) => boolean;
  /** Takes up what the node has recorded without its leader. @returns those of the running captures that go on. Never rejects */
  readonly claim: (running: readonly string[]) => Promise<ReadonlySet<string>>;
}

type WithoutRequest<T> = T extends { readonly request: number } ? Omit<T, "request"> : never;
export type Question = WithoutRequest<NodeOrder>;

interface Pending {
  readonly done: (result: unknown) => void;
  readonly failed: (error: RecorderdError) => void;
}

/** The leader's connection to another node. A broken one is opened again; a node that is silent for too long is lost. */
export class NodeLink implements AsyncDisposable {
  #to: NodeAddress;
  /** Ids of this leader's known captures on the node. */
  readonly running = new Set<string>();
  /** Resolves when the first try to connect has ended. */
  readonly tried: Promise<void>;
  readonly #parts: LinkParts;
  readonly #closed = new AbortController();
  readonly #pending = new Map<number, Pending>();
  readonly #silence = new SilenceWatch();
  #offers: readonly TunerOffer[] = [];
  #socket: Duplex | undefined;
  /** It has answered, and has not been silent for too long since. */
  #isAlive = false;
  /** Captures on the node belong to an earlier leader, and are adopted. */
  #adopts = true;
  #count = 0;
  #refusal: string | undefined;
  #keepsPart = false;
  readonly #collector: Collector | undefined;
  /** The part of the plan that was sent over this connection. */
  #part = "";
  #keeping: Promise<unknown> = Promise.resolve();
  #strays: Promise<unknown> = Promise.resolve();
  /** Aborts when a tuner of the node is needed: captures that this leader has given up must not wait for their replacements. */
  #needed = new AbortController();
  #hasTried: () => void = () => {};

  private constructor(to: NodeAddress, parts: LinkParts) {
    this.#to = to;
    this.#parts = parts;
    this.#collector = parts.collector?.(this);
    this.tried = new Promise((resolve) => {
      this.#hasTried = resolve;
    });
  }

  /** Connects until it is disposed of. */
  static open(to: NodeAddress, parts: LinkParts): NodeLink {
    const link = new NodeLink(to, parts);
    link.#keeping = Promise.all([link.#keep(), link.#watch()]);
    return link;
  }

  get to(): NodeAddress {
    return this.#to;
  }

  /** The next try to connect goes there: a node that starts again may have another port. */
  moveTo(to: NodeAddress): void {
    this.#to = to;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Empty while it is lost. */
  get offers(): readonly TunerOffer[] {
    return this.#isAlive ? this.#offers : [];
  }

  /** Absent: the nodes share a folder. */
  get collector(): Collector | undefined {
    return this.#collector;
  }

  /** From now on, unknown captures on the node are ended: their attempts have ended already. */
  endAdoption(): void {
    this.#adopts = false;
  }

  /** Ends unknown captures. Resolves when none holds a tuner of the node any more. */
  strayless(): Promise<unknown> {
    this.#needed.abort();
    return this.#strays;
  }

  /** A number for an order to which later ones refer. */
  nextNumber(): number {
    this.#count += 1;
    return this.#count;
  }

  /**
   * @throws RecorderdError of the node; TUNER_UNREACHABLE if it does not answer
   * @throws the signal's reason
   */
  ask(question: Question, signal?: AbortSignal): Promise<unknown> {
    const request = this.nextNumber();
    const socket = this.#socket;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (socket === undefined) return reject(this.#unreachable());
      const end = () => {
        this.#pending.delete(request);
        callOff();
        signal?.removeEventListener("abort", abort);
      };
      const failed = (error: unknown) => {
        end();
        reject(error);
      };
      const abort = () => failed(signal?.reason);
      const callOff =
        signal === undefined
          ? this.#parts.clock.after(NODE_LIMITS.answerMs, () => failed(this.#unreachable()))
          : () => {};
      signal?.addEventListener("abort", abort, { once: true });
      const done = (result: unknown) => {
        end();
        resolve(result);
      };
      this.#pending.set(request, { done, failed });
      sendLine(socket, { ...question, request } as NodeOrder);
    });
  }

  /** Sends an order that has no answer; without a connection it is lost. */
  tell(order: Extract<NodeOrder, { readonly type: "close" | "alert" }>): void {
    if (this.#socket !== undefined) sendLine(this.#socket, order);
  }

  /** Sends the node its part of the plan if that has changed, else a sign of life. Call it each second. */
  keepPart(recordings: readonly PartRecording[]): void {
    if (this.#socket === undefined || !this.#keepsPart) return;
    const text = JSON.stringify(recordings);
    sendLine(
      this.#socket,
      text === this.#part ? { type: "lead" } : { type: "part", recordings: [...recordings] },
    );
    this.#part = text;
  }

  async #keep(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      const socket = await this.#connect();
      if (socket === undefined) this.#hasTried();
      else await this.#serve(socket);
      await this.#parts.clock.sleep(NODE_LIMITS.connectAgainMs, signal).catch(() => {});
    }
  }

  async #connect(): Promise<Duplex | undefined> {
    const answer = await this.#parts.connect(this.#to, this.#closed.signal);
    if (answer.kind === "connected") return answer.socket;
    if (answer.kind === "answered" && answer.status === LATER_TERM) this.#parts.onLaterTerm();
    this.#complain(answer.kind === "failed" ? answer.why : `status ${answer.status}`);
    return undefined;
  }

  /** Handles the messages of a connection until it ends. A connection without a first message is ended. */
  #serve(socket: Duplex): Promise<void> {
    const { clock } = this.#parts;
    return new Promise((resolve) => {
      socket.on("error", () => {});
      const end = () => void socket.destroy();
      const unfollow = onAbort(this.#closed.signal, end);
      const callOff = clock.after(NODE_LIMITS.silentMs, () => {
        if (this.#socket !== socket) end();
      });
      socket.once("close", () => {
        unfollow();
        callOff();
        if (this.#socket === socket) this.#leave();
        for (const { failed } of this.#pending.values()) failed(this.#unreachable());
        this.#hasTried();
        resolve();
      });
      onJsonLines(socket, { lengthMax: NODE_LIMITS.messageLength }, (value) => {
        this.#silence.heard(clock.monotonicMs());
        const message = FromNode.safeParse(value);
        if (!message.success) {
          this.#complain("a message that nodes of this version do not send");
          return void socket.destroy();
        }
        const taken = this.#take(message.data, socket);
        if (taken === undefined) this.#hasTried();
        else void taken.then(() => this.#hasTried());
      });
    });
  }

  #leave(): void {
    this.#socket = undefined;
    this.#collector?.broken();
  }

  /** @returns resolves when the message counts; absent: it does */
  #take(message: FromNode, socket: Duplex): Promise<void> | undefined {
    switch (message.type) {
      case "hello":
        return this.#greeted(message, socket);
      case "tuners":
        this.#offers = message.tuners;
        this.#parts.onOffers();
        return;
      case "ended":
        void this.ended(message.id);
        return;
      case "done":
        this.#pending.get(message.request)?.done(message.result);
        return;
      case "failed":
        this.#pending.get(message.request)?.failed(errorOf(message.failure));
        return;
      case "alive":
    }
    return undefined;
  }

  #greeted(
    { protocol, tuners, running, keepsPart = false, held }: Extract<FromNode, { readonly type: "hello" }>,
    socket: Duplex,
  ): Promise<void> | undefined {
    if (protocol !== NODE_PROTOCOL) {
      this.#complain(`protocol ${protocol}`);
      socket.destroy();
      return undefined;
    }
    this.#socket = socket;
    this.#offers = tuners;
    const there = new Set(running);
    if (this.#adopts) for (const id of there) this.running.add(id);
    const ended = held?.attempts.filter((id) => !there.has(id)) ?? [];
    // An attempt whose recording goes on takes up its notes, so these come first.
    const noted = this.#collector?.greeted({ running, ended, notes: held?.notes ?? {} });
    const over = [...this.running].filter((id) => !there.has(id));
    if (noted === undefined) for (const id of over) void this.ended(id);
    else void noted.then(() => over.map((id) => this.ended(id)));
    const unknown = running.filter((id) => !this.running.has(id));
    this.#needed = new AbortController();
    this.#strays = this.#adopts ? Promise.resolve() : this.#settle(unknown, noted);
    this.#keepsPart = keepsPart;
    this.#part = "";
    this.#refusal = undefined;
    if (!this.#isAlive)
      this.#parts.log.info("a node of the fleet records for this one", { node: this.#to.name });
    this.#isAlive = true;
    this.#parts.onOffers();
    return noted;
  }

  /** Takes up the captures that the node has begun without its leader, and ends those that have gone on elsewhere. */
  async #settle(unknown: readonly string[], noted: Promise<void> | undefined): Promise<void> {
    const { knows, claim } = this.#parts;
    const lost = unknown.filter(knows).map((id) => this.#endReplaced(id));
    const begun = unknown.filter((id) => !knows(id));
    // Their watchers look for them here.
    for (const id of begun) this.running.add(id);
    if (noted !== undefined) await noted;
    const claimed = await claim(begun);
    const unclaimed = begun.filter((id) => !claimed.has(id));
    for (const id of unclaimed) this.running.delete(id);
    await Promise.all([...lost, ...unclaimed.map((id) => this.#endStray(id))]);
  }

  /** Ends a capture that this leader has given up, once another one writes in its place. */
  async #endReplaced(id: string): Promise<void> {
    const { clock, isReplaced } = this.#parts;
    using over = anyAbort([this.#closed.signal, this.#needed.signal]);
    const { signal } = over;
    const begin = clock.monotonicMs();
    while (!signal.aborted && !isReplaced(id) && clock.monotonicMs() - begin < NODE_LIMITS.replaceMs)
      await clock.sleep(NODE_LIMITS.lookMs, signal).catch(() => {});
    // The next leader decides.
    if (!this.#closed.signal.aborted) await this.#endStray(id);
  }

  /** Resolves when it has ended, or cannot be ended. */
  async #endStray(id: string): Promise<void> {
    this.#parts.log.warn("ending a capture of a node that was lost", { node: this.#to.name, attempt: id });
    const stop = (hangs: boolean) => this.ask({ type: "stop", id, hangs });
    await stop(false)
      .catch(() => stop(true))
      .catch(() => {});
  }

  /** A capture has ended. It counts as running until its segment is here. */
  ended(id: string): Promise<void> | undefined {
    const arrival = this.#collector?.arrived(id).catch(() => {});
    if (arrival !== undefined) return arrival.then(() => this.#gone(id));
    this.#gone(id);
    return undefined;
  }

  #gone(id: string): void {
    if (this.running.delete(id)) this.#parts.onEnded(id);
  }

  /** Notices that the node is silent. */
  async #watch(): Promise<void> {
    const { clock, log, onOffers, onEnded } = this.#parts;
    const { signal } = this.#closed;
    while (!signal.aborted) {
      await clock.sleep(NODE_LIMITS.lookMs, signal).catch(() => {});
      if (signal.aborted || !this.#silence.isTooLong(clock.monotonicMs()) || !this.#isAlive) continue;
      log.error("a node of the fleet is silent: recordings go on without its tuners", {
        node: this.#to.name,
      });
      this.#isAlive = false;
      this.#adopts = false;
      this.#socket?.destroy();
      const lost = [...this.running];
      this.running.clear();
      // The plan must not give them to the same tuners again.
      onOffers();
      const why = `Node ${this.#to.name} of the fleet has been silent for ${NODE_LIMITS.silentMs / SECOND} seconds.`;
      for (const id of lost) onEnded(id, why);
    }
  }

  #complain(why: string): void {
    if (why === this.#refusal || this.#closed.signal.aborted) return;
    this.#refusal = why;
    const { name, address } = this.#to;
    this.#parts.log.warn("a node of the fleet cannot be reached", { node: name, address, why });
  }

  #unreachable(): RecorderdError {
    const { name } = this.#to;
    return new RecorderdError("TUNER_UNREACHABLE", `Node ${name} of the fleet does not answer.`, {
      node: name,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort();
    this.#collector?.broken();
    this.#socket?.destroy();
    await this.#keeping;
  }
}
