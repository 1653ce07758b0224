import type { Readable } from "node:stream";
import { type Clock, LONG_TURN_MS, waitForQuietLoop, yieldToLoop } from "../../kit/time/clock.ts";
import { TIME_LIMITS } from "../../kit/time/limits.ts";
import { WakeSignal } from "../../kit/time/wake-signal.ts";
import { EventHistory } from "./event-history.ts";
import { EventListeners } from "./event-listeners.ts";
import { API_LIMITS } from "./limits.ts";
import type { Picture } from "./picture.ts";

/** Sends every change of the picture to all listeners. */
export class Events {
  readonly name = "events";
  readonly #picture: () => Picture;
  readonly #clock: Clock;
  readonly #history: EventHistory;
  readonly #listeners: EventListeners;
  readonly #wakeSignal = new WakeSignal();
  /** The picture of the latest look. */
  #seen: Picture | undefined;
  /** The duration of the latest look. */
  #lookMs = 0;

  constructor({ picture, clock }: { readonly picture: () => Picture; readonly clock: Clock }) {
    this.#picture = picture;
    this.#clock = clock;
    this.#history = new EventHistory(clock.now().toString(36));
    // There may have been no listener, and so no look, meanwhile.
    this.#listeners = new EventListeners(clock, () => this.#wakeSignal.signal());
  }

  /** Signals a possible change. Costs nothing without listeners. */
  touch(): void {
    if (this.#listeners.count > 0) this.#wakeSignal.signal();
  }

  onCommit(): void {
    this.touch();
  }

  /**
   * Server-sent events: first a `snapshot` with the whole picture, or the changes since the named event if they are
   * still known; then one `change` after the other. Each second there is an `alive` without data.
   *
   * @param visitor the visitor's address: one with many listeners gives one up for a newcomer
   * @returns `undefined` if there are too many listeners
   */
  listen(lastEventId: string | undefined, visitor = ""): Readable | undefined {
    if (!this.#listeners.makeRoom(visitor)) return undefined;
    const picture = this.#look();
    const { version } = this.#history;
    return this.#listeners.add({
      beginning: this.#history.beginning(picture, lastEventId),
      visitor,
      // After a long look the rest gets a turn of its own, requested with the next read.
      beginsAtOnce: this.#lookMs <= LONG_TURN_MS,
      missed: () => this.#history.since(version),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        // A new listener wakes it.
        const restMs = this.#listeners.count === 0 ? TIME_LIMITS.waitSliceMs : API_LIMITS.eventLookMs;
        await this.#wakeSignal.waitFor(restMs, { clock: this.#clock, signal });
        // Changes come in bursts.
        await this.#clock.sleep(API_LIMITS.eventGatherMs, signal).catch(() => {});
        if (this.#lookMs > LONG_TURN_MS) await waitForQuietLoop(this.#clock);
        if (signal.aborted || this.#listeners.count === 0) continue;
        await this.#lookInTurns();
      }
    } finally {
      this.#listeners.end();
    }
  }

  /** Turns unsent changes into an event. */
  #look(): Picture {
    const sinceMs = this.#clock.monotonicMs();
    const picture = this.#picture();
    this.#seen = picture;
    this.#compare(picture);
    this.#lookMs = this.#clock.monotonicMs() - sinceMs;
    return picture;
  }

  /** Looks, and compares a large picture in a turn of its own. */
  async #lookInTurns(): Promise<void> {
    const sinceMs = this.#clock.monotonicMs();
    const picture = this.#picture();
    this.#seen = picture;
    if (this.#clock.monotonicMs() - sinceMs > LONG_TURN_MS) await yieldToLoop();
    // For a listener that came meanwhile, a newer one was compared.
    if (this.#seen === picture) this.#compare(picture);
    this.#lookMs = this.#clock.monotonicMs() - sinceMs;
  }

  #compare(picture: Picture): void {
    const event = this.#history.add(picture);
    if (event !== undefined) this.#listeners.send(event);
  }
}
