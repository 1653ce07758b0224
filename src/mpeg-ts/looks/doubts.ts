import type { Window } from "../../model/window.ts";
import { MPEG_TS_LIMITS } from "../limits.ts";
import { TICKS_PER_MS, toMs } from "../streams/spans.ts";
import type { UnitLook } from "./unit-look.ts";

/** A part of a stream that looks as if it could not be decoded; in ms of stream time, and where it is in the file. */
export interface DoubtfulSpan extends Window {
  readonly from: number;
  readonly to: number;
}

/** A reason to doubt a portion of a stream. */
interface Rule {
  readonly ticks: number;
  isDoubtful(portion: Sums): boolean;
}

interface Sums {
  units: number;
  hollow: number;
  /** Transport packets of the largest unit, and units of that size. */
  packetsMost: number;
  withMost: number;
}

/** Fewer units show nothing. */
const UNITS_MIN = 8;

/** More hollow units than this are more than damage. */
const HOLLOW: Rule = {
  ticks: 3000 * TICKS_PER_MS,
  isDoubtful: ({ units, hollow }) => hollow > units / 2,
};

/**
 * Key pictures are much larger than the others, so many pictures of one small size are the beginnings of pictures. Key pictures may
 * be 10 s apart.
 */
const OF_ONE_SIZE: Rule = {
  ticks: 12_000 * TICKS_PER_MS,
  isDoubtful: ({ units, packetsMost, withMost }) => packetsMost <= 8 && withMost >= 0.9 * units,
};

/** The doubtful parts of one elementary stream, by the looks of its units. */
export class Doubts {
  readonly #hollow: Portions;
  readonly #ofOneSize: Portions;
  readonly #portions: readonly Portions[];

  constructor(start: number) {
    this.#hollow = new Portions(HOLLOW, start);
    this.#ofOneSize = new Portions(OF_ONE_SIZE, start);
    this.#portions = [this.#hollow, this.#ofOneSize];
  }

  /** A unit has ended. */
  unit(position: number, look: UnitLook): void {
    for (const portions of this.#portions) portions.unit(position, look);
  }

  /** The clock leaves the timeline at `end` and continues at `start`. */
  resume(end: number, start: number): void {
    for (const portions of this.#portions) portions.resume(end, start);
  }

  insert(at: number, lost: number): void {
    for (const portions of this.#portions) portions.insert(at, lost);
  }

  /**
   * The doubtful parts if the file ended at the clock's position; sorted, disjoint. Each has one reason, because an excerpt stands for
   * all of a part: a still picture may go on without its content.
   */
  spans(position: number): readonly DoubtfulSpan[] {
    const hollow = this.#hollow.spans(position);
    const all = [...hollow, ...without(this.#ofOneSize.spans(position), hollow)];
    return all
      .sort((a, b) => a.start - b.start)
      .map(({ start, stop, from, to }) => ({
        ...{ start: toMs(start), stop: toMs(stop) },
        ...{ from, to },
      }));
  }
}

/** A doubtful part, in ticks. */
interface Span {
  start: number;
  stop: number;
  readonly from: number;
  to: number;
}

/** Judges a stream in portions by one rule. */
class Portions {
  readonly #rule: Rule;
  readonly #found: Span[] = [];
  /** The portion under way. */
  #start: number;
  #from = 0;
  #to = 0;
  #sums: Sums = noUnits();
  /** The first portion of a short file is judged, whatever its length. */
  #isFirst = true;

  constructor(rule: Rule, start: number) {
    this.#rule = rule;
    this.#start = start;
  }

  unit(position: number, { isHollow, packets, endAt }: UnitLook): void {
    const sums = this.#sums;
    sums.units += 1;
    if (isHollow) sums.hollow += 1;
    if (packets > sums.packetsMost) sums.withMost = 0;
    sums.packetsMost = Math.max(sums.packetsMost, packets);
    if (packets === sums.packetsMost) sums.withMost += 1;
    this.#to = endAt;
    if (position - this.#start >= this.#rule.ticks && sums.units >= UNITS_MIN) this.#close(position);
  }

  resume(end: number, start: number): void {
    this.#close(end);
    this.#start = start;
  }

  insert(at: number, lost: number): void {
    const first = this.#found.findLastIndex(({ stop }) => stop <= at) + 1;
    for (const span of this.#found.slice(first)) {
      if (span.start >= at) span.start += lost;
      if (span.stop > at) span.stop += lost;
    }
    if (this.#start >= at) this.#start += lost;
  }

  spans(position: number): readonly Span[] {
    return this.#isDoubtful(position) ? joined([...this.#found, this.#span(position)]) : this.#found;
  }

  #close(stop: number): void {
    if (this.#isDoubtful(stop)) {
      const all = joined([...this.#found.splice(0), this.#span(stop)]);
      this.#found.push(...all.slice(0, MPEG_TS_LIMITS.spans));
    }
    this.#start = stop;
    this.#from = this.#to;
    this.#sums = noUnits();
    this.#isFirst = false;
  }

  #span(stop: number): Span {
    return { start: this.#start, stop, from: this.#from, to: this.#to };
  }

  /** A portion that is too short is like the one before it. */
  #isDoubtful(stop: number): boolean {
    const isLong = this.#isFirst || stop - this.#start >= this.#rule.ticks;
    if (isLong && this.#sums.units >= UNITS_MIN) return this.#rule.isDoubtful(this.#sums);
    return this.#sums.units > 0 && this.#found.at(-1)?.stop === this.#start;
  }
}

function noUnits(): Sums {
  return { units: 0, hollow: 0, packetsMost: 0, withMost: 0 };
}

/** The rest of spans without others; both sorted. */
function without(spans: readonly Span[], others: readonly Span[]): readonly Span[] {
  return spans.flatMap((span) => {
    const rest: Span[] = [];
    let { start, from } = span;
    for (const other of others) {
      if (other.stop <= start || other.start >= span.stop) continue;
      if (other.start > start) rest.push({ start, stop: other.start, from, to: other.from });
      start = other.stop;
      from = other.to;
    }
    return start < span.stop ? [...rest, { start, stop: span.stop, from, to: span.to }] : rest;
  });
}

/** @param spans sorted by start */
function joined(spans: readonly Span[]): readonly Span[] {
  const out: Span[] = [];
  for (const { ...span } of spans) {
    const last = out.at(-1);
    if (last !== undefined && span.start <= last.stop) {
      last.stop = Math.max(last.stop, span.stop);
      last.to = Math.max(last.to, span.to);
    } else out.push(span);
  }
  return out;
}
