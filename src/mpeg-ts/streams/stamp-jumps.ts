import { type DurationMs, SECOND } from "../../model/time.ts";
import { MPEG_TS_LIMITS } from "../limits.ts";
import { TICKS_PER_MS, toMs } from "./spans.ts";

/** At the beginning of another programme, timestamps and clock jump together, but not at the same packet. */
const TOGETHER_TICKS = 2 * SECOND * TICKS_PER_MS;
/** The streams of a service jump at different packets. */
const ONE_JUMP_TICKS = SECOND * TICKS_PER_MS;

/**
 * The instants at which timestamps of picture or sound jump although the clock goes on, or stand still while it does: receivers that
 * wait for a timestamp show nothing until then, and others drop what comes too late.
 */
export class StampJumps {
  /** In ticks since the clock's first reading, ascending. */
  readonly #found: number[] = [];
  /** The last jump of the clock. */
  #clockAt = Number.NEGATIVE_INFINITY;

  /** The timestamps of a stream have jumped. */
  add(at: number): void {
    if (at - this.#clockAt <= TOGETHER_TICKS || at - (this.#found.at(-1) ?? -ONE_JUMP_TICKS) < ONE_JUMP_TICKS)
      return;
    if (this.#found.length < MPEG_TS_LIMITS.spans) this.#found.push(at);
  }

  /** The clock left the timeline at `end` and continues at `start`. */
  clockJumped(end: number, start: number): void {
    while ((this.#found.at(-1) ?? Number.NEGATIVE_INFINITY) >= end - TOGETHER_TICKS) this.#found.pop();
    this.#clockAt = start;
  }

  /** `lost` ticks of missing time were inserted. */
  insert(at: number, lost: number): void {
    const first = this.#found.findLastIndex((found) => found <= at) + 1;
    for (const [index, found] of this.#found.splice(first).entries())
      this.#found[first + index] = found + lost;
    if (this.#clockAt > at) this.#clockAt += lost;
  }

  /** Those after which the clock went on, if it is at `position`; in ms. */
  until(position: number): readonly DurationMs[] {
    return this.#found.filter((at) => position - at > TOGETHER_TICKS).map(toMs);
  }
}
