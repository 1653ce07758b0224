import type { ClockEnds } from "../../model/inspection.ts";
import { LIMITS } from "../../model/limits.ts";
import { type DurationMs, MINUTE, SECOND } from "../../model/time.ts";
import type { Window } from "../../model/window.ts";
import { Spans, TICKS_PER_MS, toMs } from "./spans.ts";

/** program_clock_reference_base has 33 bits, and 300 ticks each (ISO/IEC 13818-1 §2.4.3.5). */
const WRAP_TICKS = 2 ** 33 * 300;
/** Up to here the clock simply goes on. The standard allows 100 ms between two PCRs; one or two may be lost. */
export const STEP_TICKS_MAX = 500 * TICKS_PER_MS;
/** Up to here a jump forward is time that is missing; a longer one is another clock. */
const GAP_TICKS_MAX = 10 * MINUTE * TICKS_PER_MS;
/** The broadcast tells its time in whole seconds, and now and then a second late. */
const TOLD_LOSS_TICKS_MIN = 2 * SECOND * TICKS_PER_MS;
/** PCR_discontinuity_indicator_error: a step of more than 100 ms without an indicator (ETSI TR 101 290 §5.2.2). */
const UNSIGNALLED_STEP_TICKS_MAX = 100 * TICKS_PER_MS;
/** Such a step is a jump when it is so many times as long as usual, and as the packets that came meanwhile usually take. */
const JUMP_RATIO_MIN = 2;
/** What is usual follows each step by this share. */
const LEARNING = 1 / 16;

/** What depends on the time line, and has to follow when it changes after the fact. */
export interface ClockListener {
  /** The clock left the time line at `end` and takes it up again at `start`; both are the same where a new clock began. */
  jumped(end: number, start: number): void;
  /** `lost` ticks of missing time were inserted at an instant that was passed already. */
  inserted(at: number, lost: number): void;
}

export interface Reading {
  /** In ticks of 27 MHz, 0 to 2^33 · 300 − 1. */
  readonly ticks: number;
  /** discontinuity_indicator of its packet. */
  readonly signalled: boolean;
  /** Absent where short jumps are not looked for. */
  readonly pace?: Pace;
}

/** Readings of the clock that takes over. */
export interface TakeOver {
  /** At the last reading of the clock before. */
  readonly mark: number;
  /** Since when it has come without a break; later than `mark` where time is missing between. */
  readonly from: number;
  readonly now: number;
  /** @see StreamClock */
  readonly stepMax: number;
}

/** What came until a reading: by it a short jump differs from a rare reading and from a loss. */
export interface Pace {
  /** Of all PIDs. */
  readonly packets: number;
  /** Places where packets of any PID were lost. */
  readonly losses: number;
}

/**
 * The time line of one service, told by the readings of its clock.
 *
 * A jump counts only when the next reading goes on from it, so that one damaged value moves nothing.
 */
export class StreamClock {
  readonly #listener: ClockListener;
  #stepMax: number;
  #first: number | undefined;
  #last: number | undefined;
  /** A reading that did not go on from `#last`, until the next one decides. */
  #suspect: number | undefined;
  /** Whether the stream itself said that a new clock begins there. */
  #isSuspectSignalled = false;
  /** So much greater than those of the first clock are the readings now. */
  #shift = 0;
  /** Ticks since the first reading. */
  #position = 0;
  readonly #spans = new Spans();
  readonly #breaks: DurationMs[] = [];
  /** Where the last new clock began, until somebody has said how long after the one before. */
  #newClockAt: number | undefined;
  /** At the last reading. */
  #pace: Pace | undefined;
  /** Usual ticks from one reading to the next, and from one packet to the next; 0 before they are known. */
  #usualStep = 0;
  #usualTicksPerPacket = 0;

  /** @param stepMax longest step in ticks by which the clock goes on: PES timestamps are rarer than PCRs */
  constructor(listener: ClockListener, stepMax = STEP_TICKS_MAX) {
    this.#listener = listener;
    this.#stepMax = stepMax;
  }

  /** The first and the last reading that count, in ticks of 27 MHz; both as the first clock would tell them. */
  get ends(): ClockEnds | undefined {
    const first = this.#first;
    const last = this.#last;
    return first === undefined || last === undefined
      ? undefined
      : { first, last: forward(this.#shift, last) };
  }

  /** The last reading that counts. */
  get reading(): number | undefined {
    return this.#last;
  }

  /** Ticks since the first reading. */
  get position(): number {
    return this.#position;
  }

  get positionMs(): DurationMs {
    return toMs(this.#position);
  }

  get breaks(): readonly DurationMs[] {
    return [...this.#breaks];
  }

  /** When the clock ran, in ms since its first reading. What lies between two spans is missing. */
  get spans(): readonly Window[] {
    return this.#spans.windows;
  }

  /**
   * A reading whose discontinuity_indicator is set may begin a new clock. One that goes on all the same is the same clock, since some
   * senders set it in every packet; one that jumps ahead is missing time all the same, since others set it where they lost something.
   */
  read({ ticks, signalled, pace }: Reading): void {
    const last = this.#last;
    this.#first ??= ticks;
    if (last === undefined) {
      this.#last = ticks;
      this.#pace = pace;
      return;
    }
    const step = forward(last, ticks);
    if (step <= this.#stepMax) {
      this.#judgeStep(step, { signalled, pace });
      this.#goOn(step);
    } else if (this.#suspect !== undefined && forward(this.#suspect, ticks) <= this.#stepMax) {
      this.#jump(forward(last, this.#suspect));
      this.#goOn(forward(this.#suspect, ticks));
    } else {
      this.#suspect = ticks;
      this.#isSuspectSignalled = signalled;
      return;
    }
    this.#pace = pace;
    this.#last = ticks;
    this.#suspect = undefined;
  }

  /** Goes on with the readings of another clock. */
  takeOver({ mark, from, now, stepMax }: TakeOver): void {
    this.#stepMax = stepMax;
    this.#shift += between(this.#last ?? mark, mark);
    const lost = forward(mark, from);
    if (lost > this.#stepMax) this.#jump(lost);
    else this.#goOn(lost);
    this.#goOn(forward(from, now));
    this.#last = now;
    this.#pace = undefined;
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
    if (lost <= TOLD_LOSS_TICKS_MIN || lost > GAP_TICKS_MAX) return;
    this.#spans.insert(at, lost);
    this.#position += lost;
    this.#listener.inserted(at, lost);
  }

  #jump(step: number): void {
    const end = this.#position;
    if (step > GAP_TICKS_MAX) this.#newClockAt = end;
    if (step <= GAP_TICKS_MAX) this.#position += step;
    else if (!this.#isSuspectSignalled) this.#break();
    this.#listener.jumped(end, this.#position);
  }

  /** Looks for a jump too short to leave the time line. */
  #judgeStep(
    step: number,
    { signalled, pace }: { readonly signalled: boolean; readonly pace: Pace | undefined },
  ): void {
    const before = this.#pace;
    if (pace === undefined || before === undefined || pace.losses > before.losses) return;
    const came = pace.packets - before.packets;
    const usual = Math.max(this.#usualStep, came * this.#usualTicksPerPacket);
    const isKnown = this.#usualStep > 0;
    if (isKnown && step > UNSIGNALLED_STEP_TICKS_MAX && step > JUMP_RATIO_MIN * usual) {
      if (!signalled) this.#break();
      return;
    }
    const share = isKnown ? LEARNING : 1;
    this.#usualStep += (step - this.#usualStep) * share;
    if (came > 0) this.#usualTicksPerPacket += (step / came - this.#usualTicksPerPacket) * share;
  }

  #break(): void {
    if (this.#breaks.length < LIMITS.inspectedSpans) this.#breaks.push(this.positionMs);
  }

  #goOn(step: number): void {
    const start = this.#position;
    this.#position += step;
    this.#spans.add(start, this.#position);
  }
}

/** From one reading to a later one, over the wrap. */
export function forward(from: number, to: number): number {
  return (to - from + WRAP_TICKS) % WRAP_TICKS;
}

/** From one reading to another of the same clock, whichever comes first. At most half of its 26.5 hours. */
export function between(from: number, to: number): number {
  const step = forward(from, to);
  return step > WRAP_TICKS / 2 ? step - WRAP_TICKS : step;
}

/** The same to the millisecond. */
export function betweenMs(from: number, to: number): DurationMs {
  return toMs(between(from, to));
}
