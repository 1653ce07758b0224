import { Readable } from "node:stream";
import { whoGivesWay } from "../../kit/net/give-way.ts";
import { type Clock, yieldToLoop } from "../../kit/time/clock.ts";
import { API_LIMITS } from "./limits.ts";

/** The length of a beginning that is sent before others have their turn. */
const PIECES_AT_ONCE_LENGTH = 256 * 1024;

/** A comment would do for proxies, but scripts of pages do not hear of comments. */
const SIGN_OF_LIFE = "event: alive\ndata:\n\n";

/** A listener that is about to receive its beginning. */
export interface Arrival {
  readonly beginning: Iterable<string>;
  /** The visitor's address. */
  readonly visitor: string;
  /** Requests the first piece at once, not in a turn of its own. */
  readonly beginsAtOnce: boolean;
  /** The events since the beginning was made; `undefined`: some of them are lost. */
  readonly missed: () => readonly string[] | undefined;
}

/** The open streams of events. Each gets its beginning, then every event, and a sign of life each second. */
export class EventListeners {
  readonly #clock: Clock;
  readonly #onJoined: () => void;
  readonly #listeners = new Set<Readable>();
  /** Listeners that are still receiving their beginning. */
  readonly #arriving = new Set<Readable>();
  /** The visitors of all of them, in the order of their arrival. */
  readonly #visitors = new Map<Readable, string>();
  #callOffBeat = () => {};

  /** @param onJoined called when a listener has its beginning */
  constructor(clock: Clock, onJoined: () => void) {
    this.#clock = clock;
    this.#onJoined = onJoined;
  }

  /** The number of those that have their beginning. */
  get count(): number {
    return this.#listeners.size;
  }

  /** @returns whether there is a place for one more of this visitor: one with many listeners gives one up for a newcomer */
  makeRoom(visitor: string): boolean {
    if (this.#visitors.size < API_LIMITS.eventListeners) return true;
    const byVisitor = new Map<string, Set<Readable>>();
    for (const [listener, each] of this.#visitors)
      byVisitor.set(each, (byVisitor.get(each) ?? new Set()).add(listener));
    const latest = whoGivesWay(byVisitor.values(), byVisitor.get(visitor)?.size ?? 0);
    latest?.destroy();
    return latest !== undefined;
  }

  /** Sends a long beginning in chunks, as it is read; others have their turn in between. */
  add({ beginning, visitor, beginsAtOnce, missed }: Arrival): Readable {
    const pieces = beginning[Symbol.iterator]();
    let isWaiting = false;
    const more = () => {
      isWaiting = false;
      for (let length = 0; length < PIECES_AT_ONCE_LENGTH; ) {
        if (listener.destroyed || !this.#arriving.has(listener)) return;
        const { value, done } = pieces.next();
        if (done === true) return this.#join(listener, missed());
        length += value.length;
        listener.push(value);
      }
    };
    const listener: Readable = new Readable({
      read: () => {
        if (isWaiting || !this.#arriving.has(listener)) return;
        isWaiting = true;
        void yieldToLoop().then(more);
      },
      destroy: (error, done) => {
        this.#arriving.delete(listener);
        this.#listeners.delete(listener);
        this.#visitors.delete(listener);
        done(error);
      },
    });
    this.#arriving.add(listener);
    this.#visitors.set(listener, visitor);
    listener.push("retry: 1000\n\n");
    if (beginsAtOnce) more();
    return listener;
  }

  send(event: string): void {
    for (const listener of this.#listeners) send(listener, event);
  }

  end(): void {
    this.#callOffBeat();
    for (const listener of [...this.#arriving, ...this.#listeners]) listener.destroy();
  }

  /** From now on the listener receives every event. */
  #join(listener: Readable, missed: readonly string[] | undefined): void {
    this.#arriving.delete(listener);
    // The beginning took too long: the listener reconnects and begins again.
    if (missed === undefined) return void listener.destroy();
    this.#listeners.add(listener);
    for (const event of missed) send(listener, event);
    send(listener, SIGN_OF_LIFE);
    if (this.#listeners.size === 1) this.#beat();
    this.#onJoined();
  }

  /** Signs of life do not wait for the looks: one at a large state takes longer than pages wait. */
  #beat(): void {
    this.#callOffBeat();
    if (this.#listeners.size === 0) return;
    this.#callOffBeat = this.#clock.after(API_LIMITS.eventBeatMs, () => {
      this.send(SIGN_OF_LIFE);
      this.#beat();
    });
  }
}

/** Drops a listener that does not read: it reconnects and receives the missed changes. */
function send(listener: Readable, text: string): void {
  if (listener.readableLength > API_LIMITS.eventBufferLength) listener.destroy();
  else listener.push(text);
}
