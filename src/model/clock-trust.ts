import { MODEL_LIMITS } from "./limits.ts";
import { DAY, type DurationMs, type EpochMs, formatDuration, SECOND } from "./time.ts";
import type { Window } from "./window.ts";

/** Clocks may differ by so much, unless the configuration says otherwise. */
export const DEFAULT_TOLERANCE_MS = 30 * SECOND;

/** The kernel's statement about its own clock; `silent` where it cannot be asked. */
export type KernelClock = "synchronised" | "unsynchronised" | "silent";

/** Another clock's time minus ours, as a span: it cannot be read more exactly. */
export interface ClockOffset {
  readonly min: DurationMs;
  readonly max: DurationMs;
}

/** Everything that speaks for this machine's clock or against it. */
export interface TimeBeliefs {
  readonly kernel: KernelClock;
  /** By the Date header of the guide service. */
  readonly guide?: ClockOffset;
  /** By the TDT of what is recorded. */
  readonly broadcast?: ClockOffset;
  /** Why the clock is not to be believed before one of them bears it out. */
  readonly doubt?: string;
}

export interface ClockVerdict {
  readonly trusted: boolean;
  /** A source says that the clock is right. */
  readonly isConfirmed: boolean;
  /** The fault of the clock, or, where the clock is trusted, of the source that is outvoted. */
  readonly text?: string;
}

/** All that can contradict the clock together. Readings stay true for days: each setting of the clock is added to them. */
export interface TimeWitnesses {
  readonly guide?: ClockOffset;
  readonly broadcast?: ClockOffset;
  /** By the clock as NTP last kept it. It says nothing for the clock: a later setting was not by NTP. */
  readonly ntp?: ClockOffset;
}

interface TimeSource {
  readonly name: string;
  readonly offset: ClockOffset;
}

/**
 * Whether decisions may be made by this machine's clock. Two that agree outvote the third; a synchronised kernel outvotes
 * any one other; one against one is no trust. Where nobody speaks, the clock is all there is.
 */
export function judgeClock(beliefs: TimeBeliefs, toleranceMs: DurationMs): ClockVerdict {
  const { kernel, guide, broadcast, doubt } = beliefs;
  const sources: readonly TimeSource[] = [
    ...(guide === undefined ? [] : [{ name: "the guide service's clock", offset: guide }]),
    ...(broadcast === undefined ? [] : [{ name: "the broadcast's clock", offset: broadcast }]),
  ];
  const against = sources.filter(({ offset }) => Math.abs(missedBy(offset)) > toleranceMs);
  const isConfirmed = kernel === "synchronised" || against.length < sources.length;
  const [first, second] = against;
  if (first === undefined) {
    if (isConfirmed) return { trusted: true, isConfirmed };
    const text = doubt ?? (kernel === "unsynchronised" ? "NTP has not set it yet" : undefined);
    return text === undefined ? { trusted: true, isConfirmed } : { trusted: false, isConfirmed, text };
  }
  const text = against.map(difference).join(", ");
  const areOne = second !== undefined && apartMs(first.offset, second.offset) <= toleranceMs;
  return { trusted: isConfirmed && !areOne, isConfirmed: isConfirmed && !areOne, text };
}

/**
 * By how much two witnesses that agree are ahead of a clock that both contradict: what is on the air goes by them. Each
 * could be wrong alone, but not by chance in the same way.
 *
 * @returns `undefined` where no two agree, or where the guide service or the broadcast bears the clock out
 */
export function agreedAheadMs(
  { guide, broadcast, ntp }: TimeWitnesses,
  toleranceMs: DurationMs,
): DurationMs | undefined {
  const contradicts = (offset: ClockOffset) => Math.abs(missedBy(offset)) > toleranceMs;
  const told = [broadcast, guide].filter((offset) => offset !== undefined);
  if (!told.every(contradicts)) return undefined;
  // The most exact one first.
  const against = [ntp, broadcast, guide].filter((offset) => offset !== undefined).filter(contradicts);
  const agreed = against.find((one) =>
    against.some((other) => other !== one && apartMs(one, other) <= toleranceMs),
  );
  return agreed === undefined ? undefined : middleOf(agreed);
}

/**
 * By how much others are ahead of a clock that cannot be right: what is on the air goes by them. It shows a year of another
 * time, or one before the recorder's last sign of life; a clock that is merely contradicted may be the one that is right.
 *
 * @param own what the clock shows, and until when the recorder lived by a clock that was trusted
 * @returns `undefined` where the clock may be right, is wrong by less, or nobody knows better
 */
export function othersAheadMs(
  beliefs: TimeBeliefs,
  toleranceMs: DurationMs,
  own: { readonly now: EpochMs; readonly trustedAt: EpochMs | undefined },
): DurationMs | undefined {
  const { guide, broadcast } = beliefs;
  if (judgeClock(beliefs, toleranceMs).isConfirmed) return undefined;
  const { now, trustedAt = Number.NEGATIVE_INFINITY } = own;
  const isImpossible = now < DATE_MIN || now >= DATE_MAX || now < trustedAt - toleranceMs;
  if (!isImpossible) return undefined;
  const others = [broadcast, guide]
    .filter((offset) => offset !== undefined)
    .filter((offset) => Math.abs(missedBy(offset)) > MODEL_LIMITS.clockGrossMs)
    .filter(({ max }) => now + max >= trustedAt - toleranceMs);
  const [first] = others;
  return first === undefined ? undefined : middleOf(first);
}

function middleOf({ min, max }: ClockOffset): DurationMs {
  return Math.round((min + max) / 2);
}

/** The least error of the clock if the other is right; 0 where they may agree. */
function missedBy({ min, max }: ClockOffset): DurationMs {
  if (min > 0) return min;
  return max < 0 ? max : 0;
}

function apartMs(a: ClockOffset, b: ClockOffset): DurationMs {
  return Math.max(0, Math.max(a.min, b.min) - Math.min(a.max, b.max));
}

function difference({ name, offset }: TimeSource): string {
  const ms = missedBy(offset);
  return `${name} is ${spanWords(ms)} ${ms > 0 ? "ahead" : "behind"}`;
}

/** `3 days`, `2 h 5 min`, `40 s`: as exact as a person wants it. */
export function spanWords(ms: DurationMs): string {
  const size = Math.abs(ms);
  if (size >= 2 * DAY) return `${Math.round(size / DAY)} days`;
  return formatDuration(size < 120 * SECOND ? size : Math.round(size / (60 * SECOND)) * 60 * SECOND);
}

/** A service that claims an earlier date has no clock worth reading. */
const DATE_MIN = Date.UTC(2024, 0, 1);
const DATE_MAX = Date.UTC(2100, 0, 1);

export interface ServerTimeReading {
  /** The Date header: whole seconds, the rest cut. */
  readonly serverTime: EpochMs;
  readonly askedAt: EpochMs;
  readonly answeredAt: EpochMs;
  /** By the monotonic clock. */
  readonly tookMs: DurationMs;
}

/**
 * The offset that a Date header gives: it was written between question and answer, and is up to a second short.
 *
 * @returns `undefined` where it is absurd, or where our own clock moved meanwhile
 */
export function offsetOfServerTime(reading: ServerTimeReading): ClockOffset | undefined {
  const { serverTime, askedAt, answeredAt, tookMs } = reading;
  if (serverTime < DATE_MIN || serverTime >= DATE_MAX) return undefined;
  if (Math.abs(answeredAt - askedAt - tookMs) > SECOND / 2) return undefined;
  return { min: serverTime - answeredAt, max: serverTime + SECOND - askedAt };
}

/** A stream's bytes were on the air up to this long before they were written: buffers, and the pace of looking. */
const ON_THE_WAY_MS = 5 * SECOND;

/** `utc`: the broadcast's time at the end of what is on disk `now`. */
export function offsetOfBroadcast(utc: EpochMs, now: EpochMs): ClockOffset {
  return { min: utc - now, max: utc - now + ON_THE_WAY_MS };
}

/** The state of the clock that a decision depends on. */
export interface ClockStanding {
  readonly trusted: boolean;
  /** No decision that cannot be taken back is made by it now. Ends before distrust does: a recorder must end things some day. */
  readonly suspendsDecisions: boolean;
  /** The fault of the clock, or of a source that is outvoted. */
  readonly text?: string;
  /** Names the start of the machine: instants of another one may be by a clock that stood elsewhere. */
  readonly boot: string;
  /** The clock's reading at the start of the machine, by its present setting: changes with each step and with nothing else. */
  readonly baseMs: EpochMs;
  /** `baseMs` when NTP last kept the clock. */
  readonly ntpBaseMs?: EpochMs;
  /** The clock is wrong, and others are ahead of it by so much (negative: behind): what is on the air goes by them. */
  readonly othersAheadMs?: DurationMs | undefined;
  /** Two of the others agree: by them, captures also end. */
  readonly othersAgree?: true;
  /** Changes of the clock since the last decision. */
  readonly moved?: ClockMoved;
}

export interface ClockMoved {
  /** Set forward by so much, or back. */
  readonly byMs: DurationMs;
  /** The machine was asleep for so long. */
  readonly asleepMs: DurationMs;
}

/** A time in which the recorder ran by a wrong clock, by the corrected clock. */
export interface ClockSpell extends Window {
  /** The clock was ahead by so much (negative: behind). */
  readonly aheadMs: DurationMs;
}

/** The facts about the clock that must survive a crash. */
export interface ClockMemory {
  readonly boot: string;
  readonly baseMs: EpochMs;
  /** `baseMs` when NTP last kept the clock, in this run of the machine. */
  readonly ntpBaseMs?: EpochMs;
  /** The daemon was alive then, and the clock was trusted: it cannot be earlier now. */
  readonly trustedAt?: EpochMs;
  /** Its fault, as first found; absent while it is trusted. */
  readonly doubt?: string;
  readonly doubtSince?: EpochMs;
  /** The latest one. */
  readonly wrong?: ClockSpell;
}

/** The clock as people see it. */
export interface ClockStatus {
  readonly trusted: boolean;
  readonly holds: boolean;
  readonly text?: string;
  readonly kernel: KernelClock;
  /** Seconds that each source is ahead of the clock, at least; 0 where they agree. */
  readonly aheadSeconds: { readonly guide?: number; readonly broadcast?: number };
}

export function aheadSecondsOf(offset: ClockOffset): number {
  return Math.round(missedBy(offset) / SECOND);
}
