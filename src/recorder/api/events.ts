import { Readable } from "node:stream";
import { whoGivesWay } from "../../kit/net/give-way.ts";
import { jsonChunks } from "../../kit/text/json-chunks.ts";
import { type Clock, LONG_TURN_MS, waitForQuietLoop, yieldToLoop } from "../../kit/time/clock.ts";
import { TIME_LIMITS } from "../../kit/time/limits.ts";
import { WakeSignal } from "../../kit/time/wake-signal.ts";
import { API_LIMITS } from "./limits.ts";
import { type Delta, Differ, type Picture } from "./picture.ts";

/** The length of a beginning that is sent before others have their turn. */
const PIECES_AT_ONCE_LENGTH = 256 * 1024;

/** A comment would do for proxies, but scripts of pages do not hear of comments. */
const SIGN_OF_LIFE = "event: alive\ndata:\n\n";

/** Sends every change to all listeners. */
export interface Events {
  readonly name: "events";
  /** Signals a possible change. Costs nothing without listeners. */
  touch(): void;
  /**
   * Server-sent events: first a `snapshot` with the whole picture, or the changes since the named event if they are
   * still known; then one `change` after the other. Each second there is an `alive` without data.
   *
   * @param who the visitor's address: one with many listeners gives one up for a newcomer
   * @returns `undefined` if there are too many listeners
   */
  listen(lastEventId: string | undefined, who?: string): Readable | undefined;
  onCommit(): void;
  run(signal: AbortSignal): Promise<void>;
}

interface Past {
  readonly version: number;
  readonly text: string;
}

export function createEvents({
  picture,
  clock,
}: {
  readonly picture: () => Picture;
  readonly clock: Clock;
}): Events {
  /** Versions of another run of the daemon mean nothing in this one. */
  const life = clock.now().toString(36);
  const differ = new Differ();
  const listeners = new Set<Readable>();
  /** Listeners that are still receiving their beginning. */
  const arriving = new Set<Readable>();
  /** The visitors of all of them, in the order of their arrival. */
  const visitors = new Map<Readable, string>();
  const wakeSignal = new WakeSignal();
  let version = 0;
  let past: readonly Past[] = [];
  let pastLength = 0;
  let seen: Picture | undefined;
  /** The duration of the latest look. */
  let lookMs = 0;
  /** The first picture, until another is compared with it. */
  let first: Picture | undefined;
  let callOffBeat = () => {};

  /** Turns unsent changes into an event. */
  function look(): Picture {
    const sinceMs = clock.monotonicMs();
    seen = picture();
    compare(seen);
    lookMs = clock.monotonicMs() - sinceMs;
    return seen;
  }

  function compare(now: Picture): void {
    if (version === 0) {
      // Nobody has seen an earlier one. Comparing it costs as much as making it, so that waits for the next one.
      version = 1;
      first = now;
      return;
    }
    if (first !== undefined) differ.next(first);
    first = undefined;
    const delta = differ.next(now);
    if (delta !== undefined) tell(delta);
  }

  function tell(delta: Delta): void {
    version += 1;
    const text = eventText("change", `${life}-${version}`, { revision: version, ...delta });
    past = [...past, { version, text }];
    pastLength += text.length;
    while (past.length > API_LIMITS.eventsKept || pastLength > API_LIMITS.eventsKeptLength) {
      pastLength -= past[0]?.text.length ?? 0;
      past = past.slice(1);
    }
    for (const listener of listeners) send(listener, text);
  }

  /** Signs of life do not wait for the looks: one at a large state takes longer than pages wait. */
  function beat(): void {
    callOffBeat();
    if (listeners.size === 0) return;
    callOffBeat = clock.after(API_LIMITS.eventBeatMs, () => {
      for (const listener of listeners) send(listener, SIGN_OF_LIFE);
      beat();
    });
  }

  /** Drops a listener that does not read: it reconnects and receives the missed changes. */
  function send(listener: Readable, text: string): void {
    if (listener.readableLength > API_LIMITS.eventBufferLength) listener.destroy();
    else listener.push(text);
  }

  function beginning(now: Picture, lastEventId: string | undefined): Iterable<string> {
    const [of, seen] = lastEventId?.split("-") ?? [];
    const known = Number(seen);
    const oldest = past[0]?.version ?? version + 1;
    if (of === life && Number.isInteger(known) && known <= version && known >= oldest - 1) {
      return past.flatMap((event) => (event.version > known ? [event.text] : []));
    }
    const { snapshot, entries, jobs } = now;
    const whole = { ...snapshot, revision: version, entries, jobs };
    return eventPieces("snapshot", `${life}-${version}`, whole);
  }

  /** Sends the changes up to now; from then on the listener receives every event. */
  function join(listener: Readable, since: number): void {
    arriving.delete(listener);
    const missed = past.filter((event) => event.version > since);
    // It took too long and changes are lost: the listener reconnects and begins again.
    if (missed.length < version - since) return void listener.destroy();
    listeners.add(listener);
    for (const { text } of missed) send(listener, text);
    send(listener, SIGN_OF_LIFE);
    if (listeners.size === 1) beat();
    // There may have been no listener meanwhile.
    wakeSignal.signal();
  }

  /** Sends a long picture in chunks, as it is read; others have their turn in between. */
  function arrival(beginning: Iterable<string>, who: string): Readable {
    const pieces = beginning[Symbol.iterator]();
    const since = version;
    let isWaiting = false;
    const more = () => {
      isWaiting = false;
      for (let length = 0; length < PIECES_AT_ONCE_LENGTH; ) {
        if (listener.destroyed || !arriving.has(listener)) return;
        const { value, done } = pieces.next();
        if (done === true) return join(listener, since);
        length += value.length;
        listener.push(value);
      }
    };
    const listener: Readable = new Readable({
      read() {
        if (isWaiting || !arriving.has(listener)) return;
        isWaiting = true;
        void yieldToLoop().then(more);
      },
      destroy(error, done) {
        arriving.delete(listener);
        listeners.delete(listener);
        visitors.delete(listener);
        done(error);
      },
    });
    arriving.add(listener);
    visitors.set(listener, who);
    listener.push("retry: 1000\n\n");
    // After a long look the rest gets a turn of its own, requested with the next read.
    if (lookMs <= LONG_TURN_MS) more();
    return listener;
  }

  /** @returns whether there is a place for one more of this visitor */
  function makeRoom(who: string): boolean {
    if (visitors.size < API_LIMITS.eventListeners) return true;
    const byVisitor = new Map<string, Set<Readable>>();
    for (const [listener, visitor] of visitors)
      byVisitor.set(visitor, (byVisitor.get(visitor) ?? new Set()).add(listener));
    const latest = whoGivesWay(byVisitor.values(), byVisitor.get(who)?.size ?? 0);
    latest?.destroy();
    return latest !== undefined;
  }

  const touch = () => {
    if (listeners.size > 0) wakeSignal.signal();
  };
  return {
    name: "events",
    touch,
    onCommit: touch,
    listen: (lastEventId, who = "") =>
      makeRoom(who) ? arrival(beginning(look(), lastEventId), who) : undefined,
    run: async (signal) => {
      try {
        while (!signal.aborted) {
          // A new listener wakes it.
          const restMs = listeners.size === 0 ? TIME_LIMITS.waitSliceMs : API_LIMITS.eventLookMs;
          await wakeSignal.waitFor(restMs, { clock, signal });
          // Changes come in bursts.
          await clock.sleep(API_LIMITS.eventGatherMs, signal).catch(() => {});
          if (lookMs > LONG_TURN_MS) await waitForQuietLoop(clock);
          if (signal.aborted || listeners.size === 0) continue;
          const sinceMs = clock.monotonicMs();
          const now = picture();
          seen = now;
          const seenMs = clock.monotonicMs() - sinceMs;
          if (seenMs > LONG_TURN_MS) await yieldToLoop();
          // For a listener that came meanwhile, a newer one was compared.
          if (seen === now) compare(now);
          lookMs = clock.monotonicMs() - sinceMs;
        }
      } finally {
        callOffBeat();
        for (const listener of [...arriving, ...listeners]) listener.destroy();
      }
    },
  };
}

function eventText(event: string, id: string, data: object): string {
  return [...eventPieces(event, id, data)].join("");
}

function* eventPieces(event: string, id: string, data: object): Generator<string, void, undefined> {
  yield `id: ${id}\nevent: ${event}\ndata: `;
  yield* jsonChunks(data);
  yield "\n\n";
}
