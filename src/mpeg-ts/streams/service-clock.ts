import type { ClockSource } from "../../model/inspection.ts";
import { SECOND } from "../../model/time.ts";
import { PID_COUNT } from "../packets.ts";
import { TICKS_PER_MS } from "./spans.ts";
import {
  between,
  type ClockListener,
  forward,
  type Reading,
  STEP_TICKS_MAX,
  StreamClock,
} from "./stream-clock.ts";

/** A clock that is silent this long, while another one of the service runs, is dead. */
const DEAD_TICKS = 2 * SECOND * TICKS_PER_MS;
/**
 * A source of the same kind takes over sooner: PCRs before timestamps do, timestamps before their silence counts as missing
 * time.
 */
const DEAD_AMONG_EQUALS_TICKS = SECOND * TICKS_PER_MS;
/** PES timestamps are at most 700 ms apart (ISO/IEC 13818-1 §2.7.4); one or two may be lost. */
const STAMP_STEP_TICKS_MAX = 1.5 * SECOND * TICKS_PER_MS;

/** A source of readings: the PCRs or the PES timestamps of a PID. */
export interface SourceId {
  readonly kind: "pcr" | "timestamps";
  readonly pid: number;
}

export interface ServiceClockListener extends ClockListener {
  /** Readings now come from another source, whose readings are greater by this much at the same instant. */
  readingsShifted(by: number): void;
}

/** Another clock of the same service, ready to take over if the one in use dies. */
interface Reserve {
  readonly source: SourceId;
  /** Its latest reading. */
  last: number;
  /** Position of the clock in use at that time. */
  lastAt: number;
  /** Its value at the last reading of the clock in use. */
  mark: number;
  /** Readings of the clock in use when `mark` was taken. */
  markedAt: number;
  /** Start of its latest run of unbroken readings. */
  from: number;
  /** Its longest step since the reading before `mark`. */
  stepMost: number;
}

/**
 * The clock of a service: the PCRs of the PID that the PMT names, else of another PID of the service, else its PES timestamps.
 * A better source takes over when it appears, another one when the source in use dies.
 */
export class ServiceClock {
  readonly #listener: ServiceClockListener;
  readonly #clock: StreamClock;
  /** By PID; timestamps after all PIDs. */
  readonly #reserves = new Map<number, Reserve>();
  #pcrPid: number;
  #source: SourceId;
  /** Readings of the clock in use so far. */
  #readings = 0;

  constructor(
    { source, pcrPid }: { readonly source: SourceId; readonly pcrPid: number },
    listener: ServiceClockListener,
  ) {
    this.#source = source;
    this.#pcrPid = pcrPid;
    this.#listener = listener;
    this.#clock = new StreamClock(listener, stepMaxOf(source));
  }

  get line(): Pick<
    StreamClock,
    "ends" | "position" | "positionMs" | "breaks" | "spans" | "reading" | "elapsed"
  > {
    return this.#clock;
  }

  get source(): ClockSource {
    if (this.#source.kind === "timestamps") return "timestamps";
    return this.#source.pid === this.#pcrPid ? "pcr" : "other-pcr";
  }

  /** Switches to the PCR PID that the PMT now names. */
  follow(pcrPid: number): void {
    this.#pcrPid = pcrPid;
  }

  /** @returns whether this was the clock in use */
  read(source: SourceId, reading: Reading): boolean {
    if (isSame(source, this.#source)) {
      if (source.kind === "timestamps" && !this.#isNewStamp(reading.ticks)) return false;
      const before = this.#clock.reading;
      const step = forward(before ?? reading.ticks, reading.ticks);
      this.#clock.read({ ...reading, isVouched: step > STEP_TICKS_MAX && this.#wentOnFor(step) });
      // Readings that are too rare to continue the clock do not keep it alive.
      if (this.#clock.reading !== before) this.#readings += 1;
      return true;
    }
    const reserve = this.#note(source, reading.ticks);
    if (!this.#shouldTakeOver(reserve)) return false;
    this.#takeOver(reserve);
    return true;
  }

  /** Timestamps may repeat, or step back a little if a sender omits the DTS. */
  #isNewStamp(ticks: number): boolean {
    const last = this.#clock.reading;
    const step = last === undefined ? 1 : between(last, ticks);
    return step > 0 || step < -STAMP_STEP_TICKS_MAX;
  }

  #note(source: SourceId, ticks: number): Reserve {
    const key = source.kind === "pcr" ? source.pid : PID_COUNT + source.pid;
    const { position } = this.#clock;
    const known = this.#reserves.get(key);
    if (known === undefined) {
      const made = {
        source,
        last: ticks,
        lastAt: position,
        mark: ticks,
        markedAt: this.#readings,
        from: ticks,
        stepMost: 0,
      };
      this.#reserves.set(key, made);
      return made;
    }
    const step = between(known.last, ticks);
    if (known.markedAt !== this.#readings) {
      // In between it advanced like the clock in use, even during silence; rare readings tell only when they came.
      const passed = position - known.lastAt;
      known.mark = forward(-(step > 0 ? Math.min(step, passed) : passed), known.last);
      known.markedAt = this.#readings;
      known.from = known.mark;
      known.stepMost = 0;
    }
    known.stepMost = Math.max(known.stepMost, step);
    if (step > STAMP_STEP_TICKS_MAX || step < -STAMP_STEP_TICKS_MAX) known.from = ticks;
    if (between(known.mark, known.from) < 0) known.mark = known.from;
    if (step > 0 || step < -STAMP_STEP_TICKS_MAX) {
      known.last = ticks;
      known.lastAt = position;
    }
    return known;
  }

  /**
   * Whether timestamps went on as long as this step of the PCR, without a pause: then the PCRs are rare, and no time is missing.
   * Many encoders for IPTV send one with each key frame, or less often.
   */
  #wentOnFor(step: number): boolean {
    if (this.#source.kind !== "pcr") return false;
    return [...this.#reserves.values()].some(({ source, markedAt, mark, from, last, stepMost }) => {
      if (source.kind !== "timestamps" || markedAt !== this.#readings) return false;
      if (from !== mark || stepMost > STEP_TICKS_MAX) return false;
      const gone = between(mark, last);
      return 2 * gone >= step && Math.abs(gone - step) <= STEP_TICKS_MAX;
    });
  }

  #shouldTakeOver({ source, from, last }: Reserve): boolean {
    const gone = between(from, last);
    if (gone >= (source.kind === this.#source.kind ? DEAD_AMONG_EQUALS_TICKS : DEAD_TICKS)) return true;
    return gone > 0 && this.#rank(source) < this.#rank(this.#source);
  }

  #takeOver({ source, mark, from, last }: Reserve): void {
    const before = this.#clock.reading ?? last;
    const old = this.#source;
    this.#source = source;
    this.#readings += 1;
    // The PCRs of one service usually belong to one clock, whichever PID carries them.
    const isOneClock =
      source.kind === "pcr" && old.kind === "pcr" && forward(before, last) <= DEAD_TICKS + STEP_TICKS_MAX;
    const taken = isOneClock ? { mark: before, from: before } : { mark, from };
    this.#listener.readingsShifted(between(before, taken.mark));
    this.#clock.takeOver({ ...taken, now: last, stepMax: stepMaxOf(source) });
  }

  #rank({ kind, pid }: SourceId): number {
    if (kind === "timestamps") return 2;
    return pid === this.#pcrPid ? 0 : 1;
  }
}

function stepMaxOf({ kind }: SourceId): number {
  return kind === "pcr" ? STEP_TICKS_MAX : STAMP_STEP_TICKS_MAX;
}

function isSame(a: SourceId, b: SourceId): boolean {
  return a.kind === b.kind && a.pid === b.pid;
}
