import type { ClockEnds } from "../../model/inspection.ts";
import { type DurationMs, MINUTE, SECOND } from "../../model/time.ts";
import type { Window } from "../../model/window.ts";
import { MPEG_TS_LIMITS } from "../limits.ts";
import { Spans, TICKS_PER_MS, toMs } from "./spans.ts";

/** program_clock_reference_base has 33 bits, and 300 ticks each (ISO/IEC 13818-1 §2.4.3.5). */
const WRAP_TICKS = 2 ** 33 * 300;
/** Up to here the clock simply continues. The standard allows 100 ms between two PCRs; one or two may be lost. */
export const STEP_TICKS_MAX = 500 * TICKS_PER_MS;
/** Up to here a forward jump may be missing time; a longer one is another clock. */
const GAP_TICKS_MAX = 10 * MINUTE * TICKS_PER_MS;
/** A loss that a jump hides shows within this time, as each PID goes on: its counters break. */
const LEAP_PROOF_TICKS = SECOND * TICKS_PER_MS;
/** ffmpeg passes on a gap up to its option `dts_delta_threshold`, 10 s, without announcing it, and closes a longer one. */
const FFMPEG_GAP_TICKS_MAX = 11 * SECOND * TICKS_PER_MS;
/** The broadcast sends its time in whole seconds, sometimes a second late. */
const BROADCAST_LOSS_TICKS_MIN = 2 * SECOND * TICKS_PER_MS;
/** PCR_discontinuity_indicator_error: a step of more than 100 ms without an indicator (ETSI TR 101 290 §5.2.2). */
const UNSIGNALLED_STEP_TICKS_MAX = 100 * TICKS_PER_MS;
/** Such a step is a jump if it exceeds the usual step, and the usual time of the packets received meanwhile, by this factor. */
const JUMP_RATIO_MIN = 2;
/** Weight of each step in the usual values. */
const LEARNING = 1 / 16;

/** Listeners that depend on the timeline and must follow its later corrections. */
export interface ClockListener {
  /** The clock left the timeline at `end` and continues at `start`; both are equal if a new clock began. */
  jumped(end: number, start: number): void;
  /** `lost` ticks of missing time were inserted at an instant already passed. */
  inserted(at: number, lost: number): void;
}

export interface Reading {
  /** In ticks of 27 MHz, 0 to 2^33 · 300 − 1. */
  readonly ticks: number;
  /** discontinuity_indicator of its packet. */
  readonly signalled: boolean;
  /** Absent if a forward jump is always missing time. */
  readonly pace?: Pace | undefined;
  /** Other clocks of the service went on meanwhile: a long step is no jump. */
  readonly isVouched?: boolean;
}

export interface TakeOver {
  /** Its reading at the last reading of the previous clock. */
  readonly mark: number;
  /** Start of its unbroken run; later than `mark` if time is missing in between. */
  readonly from: number;
  readonly now: number;
  /** @see StreamClock */
  readonly stepMax: number;
}

/** Packets and losses up to a reading: they distinguish a jump from a rare reading and from a loss. */
export interface Pace {
  /** Packets of all PIDs; absent if short jumps are not checked. */
  readonly packets?: number;
  /** Packet losses on any PID. */
  readonly losses: number;
  /** ffmpeg sent the stream: it counts its packets anew, whatever it lost. */
  readonly isByFfmpeg?: boolean;
}

/** A forward jump after which no counter has broken so far: only the clock jumped, and no time is missing. */
interface Leap {
  readonly at: number;
  readonly ticks: number;
  /** Losses before it. */
  readonly losses: number;
  readonly isSignalled: boolean;
}

/**
 * The timeline of one service, derived from its clock readings.
 *
 * A jump counts only if the next reading continues it, so that one damaged value changes nothing.
 */
export class StreamClock {
  readonly #listener: ClockListener;
  #stepMax: number;
  #first: number | undefined;
  #last: number | undefined;
  /** A reading that did not continue `#last`, until the next one decides. */
  #suspect: number | undefined;
  /** Whether the stream itself announced a new clock there. */
  #isSuspectSignalled = false;
  /** Difference between the current readings and those of the first clock. */
  #shift = 0;
  /** Ticks since the first reading. */
  #position = 0;
  readonly #spans = new Spans();
  readonly #breaks: DurationMs[] = [];
  /** Position of the last new clock, until `elapsed` gives its distance from the previous one. */
  #newClockAt: number | undefined;
  #leap: Leap | undefined;
  #pace: Pace | undefined;
  /** Usual ticks between readings, and between packets; 0 while unknown. */
  #usualStep = 0;
  #usualTicksPerPacket = 0;

  /** @param stepMax longest step in ticks within one clock: PES timestamps are rarer than PCRs */
  constructor(listener: ClockListener, stepMax = STEP_TICKS_MAX) {
    this.#listener = listener;
    this.#stepMax = stepMax;
  }

  /** The first and last valid reading, in ticks of 27 MHz, both on the first clock's scale. */
  get ends(): ClockEnds | undefined {
    const first = this.#first;
    const last = this.#last;
    return first === undefined || last === undefined
      ? undefined
      : { first, last: forward(this.#shift, last) };
  }

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
    const leap = this.#leap;
    const all = leap?.isSignalled === false ? [...this.#breaks, toMs(leap.at)] : [...this.#breaks];
    return all.sort((a, b) => a - b);
  }

  /** The spans in which the clock ran, in ms since its first reading. Time between two spans is missing. */
  get spans(): readonly Window[] {
    return this.#spans.windows;
  }

  /**
   * A reading with discontinuity_indicator may begin a new clock. If it continues the old one, it is the same clock, since some
   * senders set the flag in every packet. A forward jump is missing time, since others set it after a loss, unless all counters
   * go on: then nothing was lost.
   */
  read({ ticks, signalled, pace, isVouched = false }: Reading): void {
    const last = this.#last;
    this.#first ??= ticks;
    if (last === undefined) {
      this.#last = ticks;
      this.#pace = pace;
      return;
    }
    const step = forward(last, ticks);
    if (isVouched) {
      this.#goOn(step);
    } else if (step <= this.#stepMax) {
      this.#judgeStep(step, { signalled, pace });
      this.#goOn(step);
    } else if (this.#suspect !== undefined && forward(this.#suspect, ticks) <= this.#stepMax) {
      this.#leapOrJump(forward(last, this.#suspect), pace);
      this.#goOn(forward(this.#suspect, ticks));
    } else {
      this.#suspect = ticks;
      this.#isSuspectSignalled = signalled;
      return;
    }
    this.#pace = pace;
    this.#last = ticks;
    this.#suspect = undefined;
    this.#judgeLeap();
  }

  /** Continues with the readings of another clock. */
  takeOver({ mark, from, now, stepMax }: TakeOver): void {
    this.#stepMax = stepMax;
    this.#endLeap();
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
   * Sets the position from another clock that was `elapsedMs` ago at `fromMs`. A new clock does not say what was lost before it
   * began: if it began since, the difference was lost there.
   */
  elapsed(elapsedMs: DurationMs, fromMs: DurationMs): void {
    const at = this.#newClockAt;
    this.#newClockAt = undefined;
    if (at === undefined || toMs(at) < fromMs) return;
    const lost = (elapsedMs - (this.positionMs - fromMs)) * TICKS_PER_MS;
    if (lost <= BROADCAST_LOSS_TICKS_MIN || lost > GAP_TICKS_MAX) return;
    this.#endLeap();
    this.#insert(at, lost);
  }

  #insert(at: number, lost: number): void {
    this.#spans.insert(at, lost);
    this.#position += lost;
    this.#listener.inserted(at, lost);
  }

  /** Lost time breaks the counters of nearly all PIDs; a clock that jumps alone breaks none. */
  #leapOrJump(step: number, pace: Pace | undefined): void {
    this.#endLeap();
    const losses = this.#pace?.losses;
    const isSignalled = this.#isSuspectSignalled;
    const isHidden = pace?.isByFfmpeg === true && !isSignalled && step <= FFMPEG_GAP_TICKS_MAX;
    if (step > GAP_TICKS_MAX || losses === undefined || pace?.losses !== losses || isHidden)
      return this.#jump(step);
    const at = this.#position;
    this.#leap = { at, ticks: step, losses, isSignalled };
    // The broadcast time may show a loss that a multiplexer hid.
    this.#newClockAt = at;
    this.#listener.jumped(at, at);
  }

  #judgeLeap(): void {
    const leap = this.#leap;
    if (leap === undefined) return;
    if (this.#pace?.losses !== leap.losses) {
      this.#leap = undefined;
      this.#newClockAt = undefined;
      this.#insert(leap.at, leap.ticks);
    } else if (this.#position - leap.at >= LEAP_PROOF_TICKS) this.#endLeap();
  }

  /** Only the clock jumped. */
  #endLeap(): void {
    if (this.#leap?.isSignalled === false) this.#break(this.#leap.at);
    this.#leap = undefined;
  }

  #jump(step: number): void {
    const end = this.#position;
    if (step > GAP_TICKS_MAX) this.#newClockAt = end;
    if (step <= GAP_TICKS_MAX) this.#position += step;
    else if (!this.#isSuspectSignalled) this.#break();
    this.#listener.jumped(end, this.#position);
  }

  /** Detects a jump too short to leave the timeline. */
  #judgeStep(
    step: number,
    { signalled, pace }: { readonly signalled: boolean; readonly pace: Pace | undefined },
  ): void {
    const before = this.#pace;
    if (pace?.packets === undefined || before?.packets === undefined || pace.losses > before.losses) return;
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

  #break(at = this.#position): void {
    if (this.#breaks.length < MPEG_TS_LIMITS.spans) this.#breaks.push(toMs(at));
  }

  #goOn(step: number): void {
    const start = this.#position;
    this.#position += step;
    this.#spans.add(start, this.#position);
  }
}

/** Ticks from one reading to a later one, across the wrap. */
export function forward(from: number, to: number): number {
  return (to - from + WRAP_TICKS) % WRAP_TICKS;
}

/** Ticks between two readings of the same clock, in either order; at most half of its 26.5 hours. */
export function between(from: number, to: number): number {
  const step = forward(from, to);
  return step > WRAP_TICKS / 2 ? step - WRAP_TICKS : step;
}

/** `between` in milliseconds. */
export function betweenMs(from: number, to: number): DurationMs {
  return toMs(between(from, to));
}
