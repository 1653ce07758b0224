import { Readable } from "node:stream";
import type { Clock } from "../kit/clock.ts";
import { Nudge } from "../kit/nudge.ts";
import { LIMITS } from "../model/limits.ts";
import { Differ, type Picture } from "./picture.ts";

/** Tells whoever listens of every change. */
export interface Events {
  /** Something may have changed. Costs nothing while nobody listens. */
  touch(): void;
  /**
   * Server-sent events: `snapshot` first, the whole picture, or what came after the event that is named where that is still
   * known; then `change` by `change`.
   *
   * @returns `undefined` where too many listen already
   */
  listen(lastEventId: string | undefined): Readable | undefined;
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
  /** Versions of another life of the daemon mean nothing in this one. */
  const life = clock.now().toString(36);
  const differ = new Differ();
  const listeners = new Set<Readable>();
  const nudge = new Nudge();
  let version = 0;
  let past: readonly Past[] = [];
  let pastLength = 0;

  /** What is not told yet becomes an event. */
  function look(): void {
    const delta = differ.next(picture());
    if (delta === undefined) return;
    version += 1;
    // Everything is new to the first look, and nobody has seen anything before it.
    if (version === 1) return;
    const text = eventText("change", `${life}-${version}`, { revision: version, ...delta });
    past = [...past, { version, text }];
    pastLength += text.length;
    while (past.length > LIMITS.eventsKept || pastLength > LIMITS.eventsKeptLength) {
      pastLength -= past[0]?.text.length ?? 0;
      past = past.slice(1);
    }
    for (const listener of listeners) send(listener, text);
  }

  /** Who does not take what it is sent is let go: it comes back, and is told what it missed. */
  function send(listener: Readable, text: string): void {
    if (listener.readableLength > LIMITS.eventBufferLength) listener.destroy();
    else listener.push(text);
  }

  function beginning(lastEventId: string | undefined): string {
    const [of, seen] = lastEventId?.split("-") ?? [];
    const known = Number(seen);
    const oldest = past[0]?.version ?? version + 1;
    if (of === life && Number.isInteger(known) && known <= version && known >= oldest - 1) {
      return past.flatMap((event) => (event.version > known ? [event.text] : [])).join("");
    }
    const { snapshot, entries, jobs } = picture();
    return eventText("snapshot", `${life}-${version}`, { ...snapshot, revision: version, entries, jobs });
  }

  return {
    touch: () => {
      if (listeners.size > 0) nudge.give();
    },
    listen: (lastEventId) => {
      if (listeners.size >= LIMITS.eventListeners) return undefined;
      look();
      const listener: Readable = new Readable({
        read() {},
        destroy(error, done) {
          listeners.delete(listener);
          done(error);
        },
      });
      listener.push(`retry: 1000\n\n${beginning(lastEventId)}`);
      listeners.add(listener);
      return listener;
    },
    run: async (signal) => {
      try {
        let quietMs = 0;
        while (!signal.aborted) {
          await nudge.waitFor(LIMITS.eventLookMs, { clock, signal });
          // Changes come in flocks.
          await clock.sleep(LIMITS.eventGatherMs, signal).catch(() => {});
          if (signal.aborted || listeners.size === 0) continue;
          const before = version;
          look();
          quietMs = version === before ? quietMs + LIMITS.eventLookMs : 0;
          if (quietMs < LIMITS.eventSilenceMs) continue;
          quietMs = 0;
          for (const listener of listeners) send(listener, ": still here\n\n");
        }
      } finally {
        for (const listener of listeners) listener.destroy();
      }
    },
  };
}

function eventText(event: string, id: string, data: unknown): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
