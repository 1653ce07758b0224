import { oncePerPair } from "../../../model/once-per.ts";
import type { DurationMs, EpochMs } from "../../../model/time.ts";
import type { Timer, TimerId, TimerList } from "../../../model/timer.ts";
import { findRekeyed, idsIn, idsOf } from "./rekey.ts";

/** When a missing timer counts as withdrawn. */
export interface AbsencePolicy {
  /** A list with less than this share of the open timers is a short list. */
  readonly shareMin: number;
  /** This many further polls must lack the timer too … */
  readonly confirmPolls: number;
  /** … the last of them this long after the first. */
  readonly confirmMs: DurationMs;
}

/** A list that lacks too many timers: it withdraws nothing until further polls agree. */
export interface ShortList {
  readonly since: EpochMs;
  /** The number of known open timers in the last list. */
  readonly listed: number;
  readonly held: number;
}

/**
 * The counts from poll to poll. The process keeps them in memory only; a restart counts again, which withdraws later.
 */
export interface AbsenceMemory {
  readonly missing: ReadonlyMap<TimerId, Missing>;
  readonly shortList?: ShortList;
}

interface Missing {
  /** On the monotonic clock. */
  readonly sinceMs: DurationMs;
  /** Polls that lacked it after the first one. */
  readonly polls: number;
}

export const NOTHING_MISSING: AbsenceMemory = { missing: new Map() };

export interface Absence {
  readonly memory: AbsenceMemory;
  /** Missing in so many polls over so long a time that they count as withdrawn. Ascending. */
  readonly confirmed: readonly TimerId[];
}

export interface AbsenceInput {
  readonly memory: AbsenceMemory;
  readonly held: Readonly<Record<TimerId, Timer>>;
  readonly list: TimerList;
  readonly policy: AbsencePolicy;
  readonly now: EpochMs;
  readonly monotonicMs: DurationMs;
}

/**
 * Counts known timers that a list lacks. Only the service's `forget` withdraws at once; a missing timer is withdrawn
 * when several polls, some minutes apart, agree. Timers whose event is over do not count.
 */
export function countAbsence(input: AbsenceInput): Absence {
  const { memory, list, policy } = input;
  if (list.malformed.length === 0 && lackedUntil(list.timers, input.held) <= input.now)
    return { memory: NOTHING_MISSING, confirmed: [] };
  // An entry without a legible id may be any of the missing ones.
  if (list.malformed.some(({ id }) => id === undefined)) return { memory, confirmed: [] };
  const { absent, present } = split(input);
  if (list.isNotFound === true) return { memory: doubting(input, absent), confirmed: [] };
  const believed = (id: TimerId) => isConfirmed(memory.missing.get(id), input);
  const doubtful = absent.filter((id) => !believed(id));
  const held = present.length + doubtful.length;
  const isShort = doubtful.length > 0 && present.length < policy.shareMin * held;
  // Short lists and plausible ones do not confirm each other: counting starts again.
  const isOther = isShort !== (memory.shortList !== undefined);
  const missing = new Map(
    absent.map((id) => [
      id,
      isOther && !believed(id) ? firstTime(input) : again(memory.missing.get(id), input),
    ]),
  );
  const confirmed = absent.filter((id) => isConfirmed(missing.get(id), input));
  if (!isShort || doubtful.every((id) => confirmed.includes(id))) return { memory: { missing }, confirmed };
  const since = memory.shortList?.since ?? input.now;
  return { memory: { missing, shortList: { since, listed: present.length, held } }, confirmed };
}

/**
 * A 404 alarms and withdraws nothing, however often it comes: a service that is not there answers it for hours.
 */
function doubting({ memory, now }: AbsenceInput, absent: readonly TimerId[]): AbsenceMemory {
  if (absent.length === 0) return memory;
  const since = memory.shortList?.since ?? now;
  return { missing: NOTHING_MISSING.missing, shortList: { since, listed: 0, held: absent.length } };
}

/** The end of the last known event that the list lacks. A list that did not change has the very same timers. */
const lackedUntil = oncePerPair((timers: readonly Timer[], held: AbsenceInput["held"]): EpochMs => {
  const listed = idsOf(timers);
  let until: EpochMs = 0;
  for (const { id, event } of Object.values(held)) if (!listed.has(id)) until = Math.max(until, event.stop);
  return until;
});

interface Split {
  readonly absent: readonly TimerId[];
  readonly present: readonly TimerId[];
}

/** A timer that is listed under a new id is present. */
function split({ held, list, now }: AbsenceInput): Split {
  const listed = idsIn(list);
  const renamed = new Set([...findRekeyed(held, list).values()].map(({ id }) => id));
  const ahead = Object.values(held)
    .filter(({ event }) => event.stop > now)
    .map(({ id }) => id)
    .sort();
  const isThere = (id: TimerId) => listed.has(id) || renamed.has(id);
  return { absent: ahead.filter((id) => !isThere(id)), present: ahead.filter(isThere) };
}

function firstTime({ monotonicMs }: AbsenceInput): Missing {
  return { sinceMs: monotonicMs, polls: 0 };
}

function again(missing: Missing | undefined, input: AbsenceInput): Missing {
  return missing === undefined ? firstTime(input) : { ...missing, polls: missing.polls + 1 };
}

function isConfirmed(missing: Missing | undefined, { policy, monotonicMs }: AbsenceInput): boolean {
  return (
    missing !== undefined &&
    missing.polls >= policy.confirmPolls &&
    monotonicMs - missing.sinceMs >= policy.confirmMs
  );
}
