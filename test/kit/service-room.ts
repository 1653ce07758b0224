import type { Window } from "../../src/model/window.ts";
import { TOLERANCES } from "./service-script.ts";
import type { OutageWish } from "./service-wishes.ts";

/** The time in which something may happen: each event takes its place and the free time around it. */
export class Room {
  readonly #durationMs: number;
  readonly #taken: Window[] = [];

  constructor(durationMs: number) {
    this.#durationMs = durationMs;
  }

  instants<T extends { readonly at: number }>(
    wishes: readonly T[],
  ): readonly (T & { readonly atMs: number })[] {
    const placed = this.#placed(wishes.map((wish) => ({ ...wish, ms: 0 })));
    return placed.map((each) => ({ ...each, atMs: each.span.start }));
  }

  /** Windows in which other things may happen. */
  windows(wishes: readonly OutageWish[], minMs: number): readonly Window[] {
    const longEnough = wishes.filter(({ ms }) => ms >= minMs);
    return this.#placed(longEnough).map(({ span }) => span);
  }

  /** Windows in which nothing else happens: no reader could see it. */
  emptyWindows(wishes: readonly OutageWish[], minMs: number): readonly Window[] {
    const empty = wishes.filter((wish) => {
      const { start, stop } = this.#spanOf(wish);
      return this.#taken.every((taken) => taken.stop < start || taken.start > stop);
    });
    return this.windows(empty, minMs);
  }

  /** The same room for a stream: an outage of one stream leaves room for an outage of another. */
  forStream(): Room {
    const room = new Room(this.#durationMs);
    room.#taken.push(...this.#taken);
    return room;
  }

  #placed<T extends OutageWish>(wishes: readonly T[]): readonly (T & { readonly span: Window })[] {
    const placed: (T & { readonly span: Window })[] = [];
    for (const wish of wishes) {
      const span = this.#spanOf(wish);
      if (!this.#isFree(span)) continue;
      this.#taken.push(span);
      placed.push({ ...wish, span });
    }
    return placed.sort((a, b) => a.span.start - b.span.start);
  }

  #spanOf({ at, ms }: OutageWish): Window {
    const from = 2 * TOLERANCES.apartMs;
    const start = Math.round(from + at * (this.#durationMs - from - TOLERANCES.apartMs));
    return { start, stop: start + ms };
  }

  /** An outage may lie across a change, but neither of its ends close to one, nor to the end of all. */
  #isFree(span: Window): boolean {
    const near = (a: number, b: number) => Math.abs(a - b) < TOLERANCES.apartMs;
    if (near(span.stop, this.#durationMs)) return false;
    return this.#taken.every(
      ({ start, stop }) =>
        ![span.start, span.stop].some((end) => near(end, start) || near(end, stop)) &&
        (span.start === span.stop || start === stop || span.stop < start || span.start > stop),
    );
  }
}
