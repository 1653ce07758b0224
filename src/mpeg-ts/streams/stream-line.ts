import type { Window } from "../../model/window.ts";
import { Spans, TICKS_PER_MS, toMs } from "./spans.ts";

/** A unit may be this much later than the usual interval before it counts as missing. */
const LATE_TICKS = 100 * TICKS_PER_MS;
/** A shorter silence is none: clock readings may be this far apart, too. */
const SILENCE_TICKS_MIN = 500 * TICKS_PER_MS;
/**
 * The lead of timestamps over the clock varies with the sender's buffer; a larger change is another clock or a damaged value.
 */
const LEAD_CHANGE_TICKS_MAX = 3000 * TICKS_PER_MS;
/** The peak interval fades by this share with each unit. */
const FADING = 1 / 64;
/** Units after which the usual interval is reliable enough to place the start of a run. */
const UNITS_KNOWN = 8;
/** AVC_still_present and still_picture_flag let a picture stand for up to 60 s (ISO/IEC 13818-1 §2.7.1). */
const STILL_TICKS_MAX = 60_000 * TICKS_PER_MS;

export interface Unit {
  /** Position of the service's clock, in ticks since its first reading. */
  readonly position: number;
  /** Timestamp of the unit minus the clock's reading, in ticks; absent without a timestamp. */
  readonly lead?: number;
}

/**
 * The presence of one elementary stream on the timeline of its service's clock.
 *
 * Timestamps place the units, since packets arrive in bursts. The stream's usual lead is subtracted, so that a stream starts
 * and ends with the packets that carry it. The stream is present between two units if no more time than usual separates them.
 */
export class StreamLine {
  readonly #spans: Spans;
  readonly #mayStill: boolean;
  #lead: number | undefined;
  /** The latest unit by its timestamp, and by its arrival. */
  #last: number | undefined;
  #arrived = 0;
  /** Fading peak of the intervals between units. */
  #interval = 0;
  /** The last interval. */
  #step = Number.POSITIVE_INFINITY;
  /** Intervals within the usual range, and longer ones. */
  #usual = 0;
  #long = 0;
  /** Start of the current run of the clock, until the first unit's distance from it is judged. */
  #runStart: number | undefined;
  #runUnits = 0;
  #runFirst = 0;

  /**
   * @param start position of the clock when the PMT first lists the stream
   * @param mayStill the PMT allows still pictures
   * @param spans their greatest number
   */
  constructor(
    start = 0,
    { mayStill = false, spans }: { readonly mayStill?: boolean | undefined; readonly spans?: number } = {},
  ) {
    this.#spans = new Spans(spans);
    this.#runStart = start;
    this.#mayStill = mayStill;
  }

  get wasSent(): boolean {
    return !this.#spans.isEmpty || this.#last !== undefined;
  }

  /** Most intervals are long: it shows still pictures, whatever the PMT says. */
  get isStill(): boolean {
    return this.#long >= 2 && this.#long > this.#usual;
  }

  /** @returns whether its timestamp continues the ones before it */
  unit({ position, lead }: Unit): boolean {
    const goesOn = lead === undefined || this.#lead === undefined || !isOther(lead, this.#lead);
    const at = this.#place(position, lead);
    // If only the timestamps jump, the clock is about to jump: the stream was present until now.
    const thereUntil = position - this.#arrived <= this.#allowed ? Math.min(position, at) : 0;
    this.#arrived = Math.max(this.#arrived, position);
    const last = this.#last;
    if (last === undefined) this.#begin(at);
    else if (at > last) this.#goOn(last, { at, thereUntil });
    this.#judgeStart();
    return goesOn;
  }

  /** The clock leaves the timeline at `end` and continues at `start`, perhaps with other leads. */
  resume(end: number, start: number): void {
    this.#close(end);
    this.#last = undefined;
    this.#lead = undefined;
    this.#runStart = start;
    this.#runUnits = 0;
  }

  /** Clock readings now come from another source and are greater by this much. */
  shiftLead(by: number): void {
    if (this.#lead !== undefined) this.#lead -= by;
  }

  insert(at: number, lost: number): void {
    this.#spans.insert(at, lost);
    if (this.#last !== undefined && this.#last >= at) this.#last += lost;
    if (this.#arrived >= at) this.#arrived += lost;
    if (this.#runStart !== undefined && this.#runStart >= at) this.#runStart += lost;
    if (this.#runFirst >= at) this.#runFirst += lost;
  }

  /** The spans if the file ended at the clock's position; in ms. */
  windows(position: number): readonly Window[] {
    const endMs = toMs(position);
    const all = this.#spans
      .windowsTo(this.#last === undefined ? undefined : this.#end(position))
      .filter(({ start }) => start <= endMs)
      .map(({ start, stop }) => ({ start, stop: Math.min(stop, endMs) }));
    const bridgeMs = this.#bridgeMs;
    if (bridgeMs === 0 || all.length === 0) return all;
    const edges = { start: { start: 0, stop: 0 }, end: { start: endMs, stop: endMs } };
    return bridged([edges.start, ...all, edges.end], bridgeMs);
  }

  #place(position: number, lead: number | undefined): number {
    if (lead === undefined) return this.#placeUnstamped(position);
    if (this.#lead === undefined || isOther(lead, this.#lead)) this.#lead = lead;
    return position + lead - this.#lead;
  }

  /** A unit without a timestamp continues the previous one if it arrived within the usual interval. */
  #placeUnstamped(position: number): number {
    const last = this.#last;
    if (last === undefined || this.#lead === undefined || position - this.#arrived > this.#allowed)
      return position;
    return Math.min(position, last + this.#interval);
  }

  #begin(at: number): void {
    this.#last = at;
    this.#runFirst = at;
    this.#spans.add(at, at);
  }

  #goOn(last: number, { at, thereUntil }: { readonly at: number; readonly thereUntil: number }): void {
    const step = at - last;
    this.#last = at;
    if (step > this.#allowed) {
      this.#long += 1;
      this.#spans.add(last, Math.max(thereUntil, last + this.#interval));
      this.#spans.add(at, at);
      return;
    }
    this.#usual += 1;
    // A single long step, as at a short jump of the clock, is not usual.
    const usual = Math.min(step, this.#step);
    this.#step = step;
    this.#interval = Math.max(usual, this.#interval - (this.#interval - step) * FADING);
    this.#spans.add(last, at);
  }

  /** A run's first unit belongs to its start if it comes within the usual interval. */
  #judgeStart(): void {
    const runStart = this.#runStart;
    if (runStart === undefined) return;
    this.#runUnits += 1;
    const isSoon = this.#runFirst - runStart <= this.#allowed;
    if (isSoon) this.#spans.extendBack(this.#runFirst, runStart);
    if (isSoon || this.#runUnits >= UNITS_KNOWN) this.#runStart = undefined;
  }

  #close(end: number): void {
    const last = this.#last;
    if (last !== undefined) this.#spans.add(Math.min(last, end), this.#end(end));
    this.#spans.cut(end);
  }

  /** The end of the stream when the clock is at `position`. */
  #end(position: number): number {
    const last = this.#last ?? position;
    const isThere = position - Math.max(last, this.#arrived) <= this.#allowed;
    return isThere ? position : Math.min(position, last + this.#interval);
  }

  /** The longest interval that is no silence. */
  get #allowed(): number {
    return Math.max(SILENCE_TICKS_MIN, 2 * this.#interval + LATE_TICKS);
  }

  /** Silences up to this length are normal for the stream. For still pictures it is three times the median interval. */
  get #bridgeMs(): number {
    if (this.#mayStill) return toMs(STILL_TICKS_MAX);
    if (!this.isStill) return 0;
    const spans = this.#spans.windows;
    const pauses = spans.slice(1).map(({ start }, index) => start - (spans[index]?.start ?? start));
    const median = pauses.sort((a, b) => a - b)[Math.floor(pauses.length / 2)] ?? 0;
    return 3 * median;
  }
}

function isOther(lead: number, before: number): boolean {
  return Math.abs(lead - before) > LEAD_CHANGE_TICKS_MAX;
}

function bridged(spans: readonly Window[], bridgeMs: number): readonly Window[] {
  const out: Window[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    if (last !== undefined && span.start - last.stop <= bridgeMs)
      out[out.length - 1] = { ...last, stop: span.stop };
    else out.push(span);
  }
  return out;
}
