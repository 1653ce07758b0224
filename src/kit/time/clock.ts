import type { DurationMs, EpochMs } from "../../model/time.ts";

/** Time, as everything but the process edge sees it: the system's, or a simulated one. */
export interface Clock {
  /** Wall clock: may step, both ways. */
  now(): EpochMs;
  /** Never steps; its zero means nothing. Durations are differences of it. */
  monotonicMs(): DurationMs;
  /**
   * Resolves after `ms`; after 0, when everything else had its turn. Long waits are the caller's to cut into slices.
   *
   * @throws the signal's reason when it is aborted first
   */
  sleep(ms: DurationMs, signal: AbortSignal): Promise<void>;
  /**
   * Calls `wake` once, after `ms`: a wait that is often called off costs less so.
   *
   * @returns calls it off
   */
  after(ms: DurationMs, wake: () => void): () => void;
}

/** A number from 0 to below 1, as chance gives it: the system's, or a seeded one. */
export type Chance = () => number;

export const systemChance: Chance = () => Math.random();

/** Node fires a longer timer at once (2^31 − 1 ms). */
const TIMER_MS_MAX = 2 ** 31 - 1;

export function systemClock(): Clock {
  const after: Clock["after"] = (ms, wake) => {
    if (ms <= 0) {
      // A timer that is set in a long turn is due before anything else has its own.
      const turn = setImmediate(wake);
      return () => clearImmediate(turn);
    }
    const timer = setTimeout(wake, Math.min(ms, TIMER_MS_MAX));
    return () => clearTimeout(timer);
  };
  return {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    after,
    sleep: sleepBy(after),
  };
}

/** `sleep` of a clock that has `after`. */
export function sleepBy(after: Clock["after"]): Clock["sleep"] {
  return (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const abort = () => {
        callOff();
        reject(signal.reason);
      };
      const callOff = after(ms, () => {
        signal.removeEventListener("abort", abort);
        resolve();
      });
      signal.addEventListener("abort", abort, { once: true });
    });
}

/**
 * Waits until the wall clock shows `at`, looking again at least every `sliceMs`, so that a step of the clock or a
 * suspended machine is noticed, and an instant beyond Node's timer limit does not fire at once.
 *
 * @throws the signal's reason when it is aborted first
 */
export async function waitUntil(
  clock: Clock,
  at: EpochMs,
  { sliceMs, signal }: { readonly sliceMs: DurationMs; readonly signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted();
  for (let left = at - clock.now(); left > 0; left = at - clock.now()) {
    await clock.sleep(Math.min(left, sliceMs), signal);
  }
}

/** Why a wait ends; an error made anew each time would be the dearest part of it. */
const WOKEN = "woken";

/**
 * Runs a wait with a signal of its own, which is aborted with the outer one, and when the wait is over: whatever it left sleeping
 * ends with it. Nothing is waited for where the outer signal is aborted already.
 */
export async function waitWithin(
  signal: AbortSignal,
  wait: (over: AbortSignal) => Promise<unknown>,
): Promise<void> {
  if (signal.aborted) return;
  const over = new AbortController();
  // Not AbortSignal.any: a daemon waits thousands of times a day, and each would leave something behind on `signal`.
  const end = () => over.abort(WOKEN);
  signal.addEventListener("abort", end, { once: true });
  try {
    await wait(over.signal);
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

/**
 * Runs `work` with a signal that is aborted with `timeoutError()` after `ms`, or with the outer signal.
 * The work must obey its signal; what it does after the deadline is not waited for.
 */
export async function withDeadline<T>(
  clock: Clock,
  {
    ms,
    signal,
    timeoutError,
  }: { readonly ms: DurationMs; readonly signal: AbortSignal; readonly timeoutError: () => Error },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const both = new AbortController();
  const unfollow = follow(signal, () => {
    both.abort(signal.reason);
    ended.abort(signal.reason);
  });
  const timer = clock.sleep(ms, ended.signal).then(
    () => {
      const error = timeoutError();
      both.abort(error);
      throw error;
    },
    // The wait was called off: the work decides, or the outer signal did.
    () => signal.throwIfAborted(),
  );
  try {
    const expired = timer.then(() => new Promise<never>(() => {}));
    return await Promise.race([work(both.signal), expired]);
  } finally {
    unfollow();
    ended.abort();
    timer.catch(() => {});
  }
}

interface Followers {
  readonly ends: Set<() => void>;
  readonly listener: () => void;
}

const FOLLOWERS = new WeakMap<AbortSignal, Followers>();

/**
 * Calls `end` when the signal is aborted, at once where it is already. Not AbortSignal.any, which leaves something behind on the signal
 * each time, for as long as that lives; and one listener for all, since many of them would count as a leak.
 *
 * @returns has it followed no more
 */
export function follow(signal: AbortSignal, end: () => void): () => void {
  if (signal.aborted) {
    end();
    return () => {};
  }
  const { ends, listener } = FOLLOWERS.get(signal) ?? newFollowers(signal);
  if (ends.size === 0) signal.addEventListener("abort", listener, { once: true });
  ends.add(end);
  return () => {
    ends.delete(end);
    if (ends.size === 0) signal.removeEventListener("abort", listener);
  };
}

function newFollowers(signal: AbortSignal): Followers {
  const ends = new Set<() => void>();
  const listener = () => {
    for (const end of ends) end();
  };
  const followers = { ends, listener };
  FOLLOWERS.set(signal, followers);
  return followers;
}

/** Lets everything else have its turn: for work in pieces that others must not wait for. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** What takes longer has kept others waiting. */
export const LONG_TURN_MS: DurationMs = 2;
/** Where everything takes long, nobody waits for the end of that. */
const LONG_TURNS_MOST = 10;

/** Lets everything else have its turn, until none of it takes long: for work that takes long itself, and can wait. */
export async function quietTurn({ monotonicMs }: Pick<Clock, "monotonicMs">): Promise<void> {
  for (let turns = 0; turns < LONG_TURNS_MOST; turns += 1) {
    const sinceMs = monotonicMs();
    await othersTurn();
    if (monotonicMs() - sinceMs <= LONG_TURN_MS) return;
  }
}

const NOBODY_WAKES = new Int32Array(new SharedArrayBuffer(4));

/**
 * Holds up this thread with all that it does. What comes meanwhile waits in the system, and is taken in one go afterwards, which is
 * much cheaper than piece by piece as it comes.
 */
export function holdThread(ms: DurationMs): void {
  Atomics.wait(NOBODY_WAKES, 0, 0, ms);
}
