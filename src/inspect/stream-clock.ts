import type { ClockEnds } from "../model/inspection.ts";
import { LIMITS } from "../model/limits.ts";
import { type DurationMs, MINUTE } from "../model/time.ts";
import type { Window } from "../model/window.ts";

const TICKS_PER_MS = 27_000;
/** program_clock_reference_base has 33 bits, and 300 ticks each (ISO/IEC 13818-1 §2.4.3.5). */
const WRAP_TICKS = 2 ** 33 * 300;
/** Up to here the clock simply goes on. The standard allows 100 ms between two PCRs; one or two may be lost. */
const STEP_TICKS_MAX = 500 * TICKS_PER_MS;
/** Up to here a jump forward is time that is missing; a longer one is another clock. */
const GAP_TICKS_MAX = 10 * MINUTE * TICKS_PER_MS;

/**
 * The time line of one service, told by its PCRs.
 *
 * A jump counts only when the next PCR goes on from it, so that one damaged value moves nothing.
 */
export class StreamClock {
  #first: number | undefined;
  #last: number | undefined;
  /** A PCR that did not go on from `#last`, until the next one decides. */
  #suspect: number | undefined;
  /** Whether the stream itself said that a new clock begins there. */
  #isSuspectSignalled = false;
  /** Ticks since the first PCR. */
  #position = 0;
  /** Whether payload came since the last PCR. */
  #fed = false;
  readonly #spans: { readonly start: number; stop: number }[] = [];
  readonly #breaks: DurationMs[] = [];

  get started(): boolean {
    return this.#last !== undefined;
  }

  /** The first and the last PCR that count, in ticks of 27 MHz. */
  get ends(): ClockEnds | undefined {
    const first = this.#first;
    const last = this.#last;
    return first === undefined || last === undefined ? undefined : { first, last };
  }

  get positionMs(): DurationMs {
    return toMs(this.#position);
  }

  get breaks(): readonly DurationMs[] {
    return [...this.#breaks];
  }

  get spans(): readonly Window[] {
    return this.#spans.map(({ start, stop }) => ({ start: toMs(start), stop: toMs(stop) }));
  }

  /** Payload of the service passed. Only time with payload is covered. */
  feed(): void {
    this.#fed = true;
  }

  /**
   * @param signalled the packet carries discontinuity_indicator: a new clock may begin there, and nobody hides it. One that goes on all
   *   the same is the same clock, for some senders say so in every packet; one that jumps ahead is missing time all the same, for
   *   others say so where they have lost something
   */
  pcr(ticks: number, signalled: boolean): void {
    const last = this.#last;
    this.#first ??= ticks;
    if (last === undefined) {
      this.#last = ticks;
      return;
    }
    const step = forward(last, ticks);
    if (step <= STEP_TICKS_MAX) {
      this.#goOn(step);
    } else if (this.#suspect !== undefined && forward(this.#suspect, ticks) <= STEP_TICKS_MAX) {
      this.#jump(forward(last, this.#suspect));
      this.#goOn(forward(this.#suspect, ticks));
    } else {
      this.#suspect = ticks;
      this.#isSuspectSignalled = signalled;
      return;
    }
    this.#last = ticks;
    this.#suspect = undefined;
  }

  #jump(step: number): void {
    if (step <= GAP_TICKS_MAX) {
      this.#position += step;
    } else if (!this.#isSuspectSignalled && this.#breaks.length < LIMITS.inspectedSpans) {
      this.#breaks.push(this.positionMs);
    }
  }

  #goOn(step: number): void {
    const start = this.#position;
    this.#position += step;
    if (!this.#fed) return;
    this.#fed = false;
    const span = this.#spans.at(-1);
    if (span !== undefined && start - span.stop <= STEP_TICKS_MAX) span.stop = this.#position;
    else if (this.#spans.length < LIMITS.inspectedSpans) this.#spans.push({ start, stop: this.#position });
  }
}

/** From one PCR to a later one, over the wrap. */
function forward(from: number, to: number): number {
  return (to - from + WRAP_TICKS) % WRAP_TICKS;
}

/** From one PCR to another of the same clock, whichever comes first; to the millisecond. At most half of its 26.5 hours. */
export function betweenMs(from: number, to: number): DurationMs {
  const step = forward(from, to);
  return toMs(step > WRAP_TICKS / 2 ? step - WRAP_TICKS : step);
}

function toMs(ticks: number): DurationMs {
  return Math.round(ticks / TICKS_PER_MS);
}
