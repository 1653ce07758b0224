import type { DurationMs } from "../../model/time.ts";
import type { Window } from "../../model/window.ts";
import { MPEG_TS_LIMITS } from "../limits.ts";

export const TICKS_PER_MS = 27_000;

export function toMs(ticks: number): DurationMs {
  return Math.round(ticks / TICKS_PER_MS);
}

interface Span {
  start: number;
  stop: number;
}

/** Sorted, disjoint spans on one stream's timeline, in ticks of 27 MHz. */
export class Spans {
  readonly #spans: Span[] = [];
  readonly #most: number;
  /** Spans were dropped. */
  #isCut = false;

  /** @param most spans beyond are dropped */
  constructor(most: number = MPEG_TS_LIMITS.spans) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#spans.length === 0;
  }

  get last(): Readonly<Span> | undefined {
    return this.#spans.at(-1);
  }

  get windows(): readonly Window[] {
    return this.#spans.map(({ start, stop }) => ({ start: toMs(start), stop: toMs(stop) }));
  }

  /** The spans as windows; with `end`, the last one reaches at least that far, unless others came after it. */
  windowsTo(end: number | undefined): readonly Window[] {
    const last = this.#isCut ? -1 : this.#spans.length - 1;
    return this.#spans.map(({ start, stop }, index) => {
      const until = index === last && end !== undefined ? Math.max(stop, end) : stop;
      return { start: toMs(start), stop: toMs(until) };
    });
  }

  /** Adds a span that starts no earlier than the last one, and merges the two if they touch. */
  add(start: number, stop: number): void {
    const last = this.#spans.at(-1);
    if (last !== undefined && start <= last.stop) last.stop = Math.max(last.stop, stop);
    else this.#push({ start, stop });
  }

  /** Moves the start of the span at `start` to `earlier`, and merges it with the previous span if they touch. */
  extendBack(start: number, earlier: number): void {
    const index = this.#spans.findLastIndex((each) => each.start === start);
    const [before, span] = [this.#spans[index - 1], this.#spans[index]];
    if (span === undefined || earlier >= start) return;
    span.start = earlier;
    if (before === undefined || before.stop < earlier) return;
    before.stop = Math.max(before.stop, span.stop);
    this.#spans.splice(index, 1);
  }

  /** Ends every span at `stop` at the latest. */
  cut(stop: number): void {
    while ((this.last?.start ?? stop) > stop) this.#spans.pop();
    const last = this.#spans.at(-1);
    if (last === undefined || last.stop <= stop) return;
    last.stop = stop;
    if (last.stop <= last.start) this.#spans.pop();
  }

  /** Inserts missing time at an instant that the spans have passed. */
  insert(at: number, lost: number): void {
    // Usually that is one of the last: there may be thousands before it.
    const first = this.#spans.findLastIndex(({ stop }) => stop <= at) + 1;
    for (const { start, stop } of this.#spans.splice(first)) {
      if (start < at) this.#push({ start, stop: at });
      this.#push({ start: Math.max(start, at) + lost, stop: stop + lost });
    }
  }

  #push(span: Span): void {
    if (this.#spans.length < this.#most) this.#spans.push(span);
    else this.#isCut = true;
  }
}
