import type { ClockEnds } from "../model/inspection.ts";
import { LIMITS } from "../model/limits.ts";
import { type DurationMs, MINUTE, SECOND } from "../model/time.ts";
import type { Window } from "../model/window.ts";

const TICKS_PER_MS = 27_000;
/** program_clock_reference_base has 33 bits, and 300 ticks each (ISO/IEC 13818-1 §2.4.3.5). */
const WRAP_TICKS = 2 ** 33 * 300;
/** Up to here the clock simply goes on. The standard allows 100 ms between two PCRs; one or two may be lost. */
const STEP_TICKS_MAX = 500 * TICKS_PER_MS;
/** Up to here a jump forward is time that is missing; a longer one is another clock. */
const GAP_TICKS_MAX = 10 * MINUTE * TICKS_PER_MS;
/** The broadcast tells its time in whole seconds, and now and then a second late. */
const TOLD_LOSS_TICKS_MIN = 2 * SECOND * TICKS_PER_MS;

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
  /** Where the last new clock began, until somebody has said how long after the one before. */
  #newClockAt: number | undefined;

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

  /**
   * The time line where another clock was `elapsedMs` before now is at `fromMs`. A new clock does not say what was lost before it began:
   * where it began since, what is wanting was lost there.
   */
  elapsed(elapsedMs: DurationMs, fromMs: DurationMs): void {
    const at = this.#newClockAt;
    this.#newClockAt = undefined;
    if (at === undefined || toMs(at) < fromMs) return;
    const lost = (elapsedMs - (this.positionMs - fromMs)) * TICKS_PER_MS;
    if (lost > TOLD_LOSS_TICKS_MIN && lost <= GAP_TICKS_MAX) this.#insert(lost, at);
  }

  /** Time that is missing, where the time line already goes on. */
  #insert(lost: number, at: number): void {
    const before = this.#spans.filter(({ start }) => start < at);
    const after = this.#spans.filter(({ start }) => start >= at);
    const last = before.at(-1);
    if (last !== undefined && last.stop > at) {
      after.unshift({ start: at, stop: last.stop });
      last.stop = at;
    }
    this.#spans.splice(before.length, Number.POSITIVE_INFINITY);
    for (const { start, stop } of after.slice(0, LIMITS.inspectedSpans - before.length)) {
      this.#spans.push({ start: start + lost, stop: stop + lost });
    }
    this.#position += lost;
  }

  #jump(step: number): void {
    if (step > GAP_TICKS_MAX) this.#newClockAt = this.#position;
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
