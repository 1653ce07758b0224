import type { ErrorCode } from "./errors.ts";
import { MODEL_LIMITS } from "./limits.ts";
import type { MultiplexKey, Triplet } from "./service.ts";
import type { DurationMs, EpochMs } from "./time.ts";
import type { TunerId } from "./tuner.ts";

/** The record of one multiplex on one tuner. Large counts are halved, so that old attempts weigh less. */
export interface PairHealth {
  readonly tunerId: TunerId;
  readonly multiplex: MultiplexKey;
  readonly tries: number;
  /** Attempts without payload, and those that broke off. */
  readonly failures: number;
  /** From the start of an attempt to the first payload on disk, smoothed. */
  readonly lockMs?: DurationMs;
  /** Lost or damaged packets per million, smoothed. */
  readonly errorsPerMillion?: number;
  /** The time of the latest attempt. */
  readonly at: EpochMs;
}

export interface TunerFailure {
  readonly service: Triplet;
  readonly code: ErrorCode;
  readonly at: EpochMs;
}

/** A tuner that does not work: the plan does not count on it, and probes show whether it works again. */
export interface Quarantine {
  readonly since: EpochMs;
  readonly code: ErrorCode;
  /** The failures that prove it, the latest last; probes use their services. */
  readonly failures: readonly TunerFailure[];
  readonly probes: number;
  readonly probeAt: EpochMs;
}

/** The recorder's experience with its tuners. */
export interface Health {
  /** By tuner and multiplex. */
  readonly pairs: Readonly<Record<string, PairHealth>>;
  /** The weakness of weak pairs: 1 to 3. The same object as long as nothing changes. */
  readonly weak: Readonly<Record<MultiplexKey, Readonly<Record<TunerId, number>>>>;
  /** Failures in a row, with nothing received in between. */
  readonly failing: Readonly<Record<TunerId, readonly TunerFailure[]>>;
  readonly quarantine: Readonly<Record<TunerId, Quarantine>>;
}

export const UNKNOWN_HEALTH: Health = { pairs: {}, weak: {}, failing: {}, quarantine: {} };

/** Evidence of an attempt about its tuner; without `code`, payload arrived. There is none if something else was at fault. */
export interface Lesson {
  readonly tunerId: TunerId;
  readonly multiplex: MultiplexKey;
  readonly failed?: boolean;
  readonly lockMs?: DurationMs;
  readonly errorsPerMillion?: number;
}

const SMOOTHING = 0.3;
const TRIES_MAX = 32;
/** One failure may be chance. */
const TRIES_MIN = 3;

export function withLesson(pairs: Health["pairs"], lesson: Lesson, now: EpochMs): Health["pairs"] {
  const key = `${lesson.tunerId} ${lesson.multiplex}`;
  const { [key]: before, ...others } = pairs;
  const { tunerId, multiplex, failed, lockMs, errorsPerMillion } = lesson;
  const half = before !== undefined && before.tries >= TRIES_MAX ? 0.5 : 1;
  const tries = half * (before?.tries ?? 0) + (failed === undefined ? 0 : 1);
  const failures = half * (before?.failures ?? 0) + (failed === true ? 1 : 0);
  const lock = smoothed(before?.lockMs, lockMs);
  const errors = smoothed(before?.errorsPerMillion, errorsPerMillion);
  const pair: PairHealth = {
    tunerId,
    multiplex,
    tries,
    failures,
    ...(lock === undefined ? {} : { lockMs: Math.round(lock) }),
    ...(errors === undefined ? {} : { errorsPerMillion: errors }),
    at: now,
  };
  return bounded({ ...others, [key]: pair });
}

function smoothed(before: number | undefined, found: number | undefined): number | undefined {
  if (before === undefined || found === undefined) return found ?? before;
  return before + SMOOTHING * (found - before);
}

/** Drops the pair with the oldest result. */
function bounded(pairs: Health["pairs"]): Health["pairs"] {
  const all = Object.entries(pairs);
  if (all.length <= MODEL_LIMITS.healthPairs) return pairs;
  const [oldest] = all.toSorted(([, a], [, b]) => a.at - b.at);
  return Object.fromEntries(all.filter((entry) => entry !== oldest));
}

/** 0: no failures, or they are too old. */
export function weakness({ tries, failures, errorsPerMillion = 0, at }: PairHealth, now: EpochMs): number {
  if (now - at > MODEL_LIMITS.healthMs) return 0;
  const share = tries < TRIES_MIN ? 0 : failures / tries;
  return Math.max(stepsOf(share, [0.25, 0.5, 0.75]), stepsOf(errorsPerMillion, [100, 1000, 10_000]));
}

/** The instant from which its failures are too old. */
export function weaknessEndsAt({ at }: PairHealth): EpochMs {
  return at + MODEL_LIMITS.healthMs;
}

function stepsOf(value: number, steps: readonly number[]): number {
  return steps.filter((step) => value >= step).length;
}

/** Returns the same object if nothing changed: a new one would cause a replan. */
export function weakOf({ pairs, weak: before }: Health, now: EpochMs): Health["weak"] {
  const weak: Record<MultiplexKey, Record<TunerId, number>> = {};
  for (const pair of Object.values(pairs)) {
    const level = weakness(pair, now);
    if (level === 0) continue;
    const row = weak[pair.multiplex] ?? {};
    weak[pair.multiplex] = row;
    row[pair.tunerId] = level;
  }
  const kept = Object.entries(weak).map(([multiplex, row]) => {
    const same = before[multiplex];
    return [multiplex, same !== undefined && isSame(same, row) ? same : row] as const;
  });
  const isOld =
    kept.length === Object.keys(before).length && kept.every(([multiplex, row]) => before[multiplex] === row);
  return isOld ? before : Object.fromEntries(kept);
}

function isSame(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** Failures that mean that the tuner receives nothing, or does not answer. */
const RECEIVES_NOTHING: readonly ErrorCode[] = ["TUNER_NO_LOCK", "STREAM_NO_DATA"];
const IS_AWAY: readonly ErrorCode[] = ["TUNER_UNREACHABLE", "TUNER_CREDENTIALS_WRONG"];

export function isTunerFault(code: ErrorCode): boolean {
  return RECEIVES_NOTHING.includes(code) || IS_AWAY.includes(code);
}

/**
 * Whether failures in a row mean that the tuner does not work: its only server does not answer, or it receives none of several
 * multiplexes. With one multiplex, the fault may be elsewhere.
 */
export function isDead(
  failures: readonly TunerFailure[],
  { hasSeveralServers = false }: { readonly hasSeveralServers?: boolean | undefined } = {},
): boolean {
  const latest = failures.slice(-MODEL_LIMITS.quarantineAfter);
  if (latest.length < MODEL_LIMITS.quarantineAfter) return false;
  const multiplexes = new Set(latest.map(({ service }) => `${service.onid}/${service.tsid}`));
  return multiplexes.size > 1 || (!hasSeveralServers && latest.every(({ code }) => IS_AWAY.includes(code)));
}
