import { MODEL_LIMITS } from "./limits.ts";
import { DAY, type DurationMs, type EpochMs, formatDuration, SECOND } from "./time.ts";
import type { Window } from "./window.ts";

/** Default of `time.toleranceSeconds`. */
export const DEFAULT_TOLERANCE_MS = 30 * SECOND;

/** The kernel's statement about its own clock; `silent` if it cannot be asked. */
export type KernelClock = "synchronised" | "unsynchronised" | "silent";

/** Another clock's time minus ours. It cannot be read exactly, so it is a span. */
export interface ClockOffset {
  readonly min: DurationMs;
  readonly max: DurationMs;
}

/** All evidence for and against this machine's clock. */
export interface TimeBeliefs {
  readonly kernel: KernelClock;
  /** From the Date header of the guide service. */
  readonly guide?: ClockOffset;
  /** From the TDT of running recordings. */
  readonly broadcast?: ClockOffset;
  /** Why the clock is not trusted until one of them confirms it. */
  readonly doubt?: string;
}

export interface ClockVerdict {
  readonly trusted: boolean;
  /** A source says that the clock is right. */
  readonly isConfirmed: boolean;
  /** The fault of the clock or, if the clock is trusted, of the source that is outvoted. */
  readonly text?: string;
}

/**
 * The witnesses that can outvote the clock together. Their readings stay valid for days: each setting of the clock is added to
 * them.
 */
export interface TimeWitnesses {
  readonly guide?: ClockOffset;
  readonly broadcast?: ClockOffset;
  /** The clock as NTP last kept it. It cannot confirm the clock, because a later setting was not by NTP. */
  readonly ntp?: ClockOffset;
}

interface TimeSource {
  readonly name: string;
  readonly offset: ClockOffset;
}

/**
 * Whether decisions may use this machine's clock. Two sources that agree outvote the third; a synchronised kernel outvotes
 * one other source; one against one is no trust. Without any source, the clock is trusted.
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
 * How far two witnesses that agree are ahead of a clock that both contradict. Recordings then begin and end by them. One
 * alone may be wrong, but two are not wrong in the same way by chance.
 *
 * @returns `undefined` if no two agree, or if the guide service or the broadcast confirms the clock
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

/** The least error of the clock if the other is right; 0 if they may agree. */
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

/** `3 days`, `2 h 5 min`, `40 s`: rounded for people. */
export function spanWords(ms: DurationMs): string {
  const size = Math.abs(ms);
  if (size >= 2 * DAY) return `${Math.round(size / DAY)} days`;
  return formatDuration(size < 120 * SECOND ? size : Math.round(size / (60 * SECOND)) * 60 * SECOND);
}

/** A service with an earlier date has no usable clock. */
const DATE_MIN = Date.UTC(2024, 0, 1);
const DATE_MAX = Date.UTC(2100, 0, 1);

export interface ServerTimeReading {
  /** The Date header, cut to whole seconds. */
  readonly serverTime: EpochMs;
  readonly askedAt: EpochMs;
  readonly answeredAt: EpochMs;
  /** By the monotonic clock. */
  readonly tookMs: DurationMs;
}

/**
 * The offset by a Date header, which was written between request and answer and is up to a second short.
 *
 * @returns `undefined` if it is absurd, or if our own clock was set meanwhile
 */
export function offsetOfServerTime(reading: ServerTimeReading): ClockOffset | undefined {
  const { serverTime, askedAt, answeredAt, tookMs } = reading;
  if (serverTime < DATE_MIN || serverTime >= DATE_MAX) return undefined;
  if (Math.abs(answeredAt - askedAt - tookMs) > SECOND / 2) return undefined;
  return { min: serverTime - answeredAt, max: serverTime + SECOND - askedAt };
}

/**
 * The bytes of a stream were broadcast up to this long before they were written, because of buffers and of the time between two
 * looks.
 */
const ON_THE_WAY_MS = 5 * SECOND;

/** `utc`: the broadcast's time at the end of what is on disk `now`. */
export function offsetOfBroadcast(utc: EpochMs, now: EpochMs): ClockOffset {
  return { min: utc - now, max: utc - now + ON_THE_WAY_MS };
}

/** The state of the clock that a decision depends on. */
export interface ClockStanding {
  readonly trusted: boolean;
  /** Decisions that cannot be undone wait. This ends after a day even if the clock is still not trusted. */
  readonly suspendsDecisions: boolean;
  /** The fault of the clock, or of a source that is outvoted. */
  readonly text?: string;
  /** Identifies the start of the machine: instants of another start may be by a clock with another error. */
  readonly boot: string;
  /** The time at the machine's start, by the clock's present setting. Only a step of the clock changes it. */
  readonly baseMs: EpochMs;
  /** `baseMs` when NTP last kept the clock. */
  readonly ntpBaseMs?: EpochMs;
  /** The clock is wrong, and other sources are ahead of it by this much (negative: behind): recordings begin and end by them. */
  readonly othersAheadMs?: DurationMs | undefined;
  /** Two of the other sources agree, so captures also end by them. */
  readonly othersAgree?: true;
  /** Changes of the clock since the last decision. */
  readonly moved?: ClockMoved;
}

export interface ClockMoved {
  /** Set forward by this much (negative: back). */
  readonly byMs: DurationMs;
  /** The machine was asleep for this time. */
  readonly asleepMs: DurationMs;
}

/** A time in which the clock was wrong, by the corrected clock. */
export interface ClockSpell extends Window {
  /** The clock was ahead by this much (negative: behind). */
  readonly aheadMs: DurationMs;
}

/** The facts about the clock that must survive a crash. */
export interface ClockMemory {
  readonly boot: string;
  readonly baseMs: EpochMs;
  /** `baseMs` when NTP last kept the clock, in this run of the machine. */
  readonly ntpBaseMs?: EpochMs;
  /** The latest instant at which the daemon ran and the clock was trusted: it cannot be earlier now. */
  readonly trustedAt?: EpochMs;
  /** The first fault that was found; absent while the clock is trusted. */
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
  /** The least number of seconds that each source is ahead of the clock; 0 if they agree. */
  readonly aheadSeconds: { readonly guide?: number; readonly broadcast?: number };
}

export function aheadSecondsOf(offset: ClockOffset): number {
  return Math.round(missedBy(offset) / SECOND);
}
