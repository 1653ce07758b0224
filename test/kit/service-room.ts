import type { Window } from "../../src/model/window.ts";
import { TOLERANCES } from "./service-script.ts";
import type { OutageWish } from "./service-wishes.ts";

/** The time in which something may happen: each event takes its place and what must stay free around it. */
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

  windows(wishes: readonly OutageWish[], minMs = 0): readonly Window[] {
    const longEnough = wishes.filter(({ ms }) => ms >= minMs);
    return this.#placed(longEnough).map(({ span }) => span);
  }

  /** The same room for a stream: what one stream lacks does not stand in the way of another's outage. */
  forStream(): Room {
    const room = new Room(this.#durationMs);
    room.#taken.push(...this.#taken);
    return room;
  }

  #placed<T extends OutageWish>(wishes: readonly T[]): readonly (T & { readonly span: Window })[] {
    const from = 2 * TOLERANCES.apartMs;
    const placed: (T & { readonly span: Window })[] = [];
    for (const wish of wishes) {
      const start = Math.round(from + wish.at * (this.#durationMs - from - TOLERANCES.apartMs));
      const span = { start, stop: start + wish.ms };
      if (!this.#isFree(span)) continue;
      this.#taken.push(span);
      placed.push({ ...wish, span });
    }
    return placed.sort((a, b) => a.span.start - b.span.start);
  }

  /** An outage may lie across a change, but neither of its ends close to one. */
  #isFree(span: Window): boolean {
    const near = (a: number, b: number) => Math.abs(a - b) < TOLERANCES.apartMs;
    return this.#taken.every(
      ({ start, stop }) =>
        ![span.start, span.stop].some((end) => near(end, start) || near(end, stop)) &&
        (span.start === span.stop || start === stop || span.stop < start || span.start > stop),
    );
  }
}
