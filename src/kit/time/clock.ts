import type { DurationMs, EpochMs } from "../../model/time.ts";

/** The source of time for everything but the process edge: the system's, or a simulated one. */
export interface Clock {
  /** Wall clock: may step, both ways. */
  now(): EpochMs;
  /** Never steps; its zero has no meaning. Use differences as durations. */
  monotonicMs(): DurationMs;
  /**
   * Resolves after `ms`; after 0, once all other pending work has run. Callers must slice long waits.
   *
   * @throws the signal's reason when it is aborted first
   */
  sleep(ms: DurationMs, signal: AbortSignal): Promise<void>;
  /**
   * Calls `wake` once, after `ms`; cheaper than `sleep` for waits that are often cancelled.
   *
   * @returns cancels it
   */
  after(ms: DurationMs, wake: () => void): () => void;
  /**
   * Calls `wake` once, when the wall clock shows `at`, or earlier when `look` is true: that is asked after each slice
   * in which the clock may have been set, or the machine may have slept.
   *
   * @returns cancels it
   */
  whenAt(at: EpochMs, slices: Slices, wake: () => void): () => void;
}

/** The parts of a wait for an instant. */
export interface Slices {
  /** A clock step and a suspended machine are noticed within this time. */
  readonly sliceMs: DurationMs;
  /** Whether the wait is over before its instant. */
  readonly look: () => boolean;
}

/** A random number from 0 to below 1: the system's, or a seeded one. */
export type Chance = () => number;

export const systemChance: Chance = () => Math.random();

/** Node fires a longer timer at once (2^31 − 1 ms). */
const TIMER_MS_MAX = 2 ** 31 - 1;

export function systemClock(): Clock {
  const after: Clock["after"] = (ms, wake) => {
    if (ms <= 0) {
      // A timer set in a long turn would run before all other pending work.
      const turn = setImmediate(wake);
      return () => clearImmediate(turn);
    }
    const timer = setTimeout(wake, Math.min(ms, TIMER_MS_MAX));
    return () => clearTimeout(timer);
  };
  const now = () => Date.now();
  return {
    now,
    monotonicMs: () => performance.now(),
    after,
    sleep: sleepBy(after),
    whenAt: whenAtBy({ now, after }),
  };
}

/** Builds `sleep` from `after`. */
export function sleepBy(after: Clock["after"]): Clock["sleep"] {
  return (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const callOff = after(ms, () => {
        unfollow();
        resolve();
      });
      const unfollow = onAbort(signal, () => {
        callOff();
        reject(signal.reason);
      });
    });
}

/** Builds `whenAt` from `now` and `after`. */
export function whenAtBy({ now, after }: Pick<Clock, "now" | "after">): Clock["whenAt"] {
  return (at, { sliceMs, look }, wake) => {
    const waitOn = () => after(Math.min(Math.max(0, at - now()), sliceMs), wakeOrWait);
    const wakeOrWait = () => {
      // Looks in any case: the engine shows by it that it lives.
      if (look() || now() >= at) wake();
      else callOff = waitOn();
    };
    let callOff = waitOn();
    return () => callOff();
  };
}

/**
 * Waits until the wall clock shows `at`. Checks at least every `sliceMs`, so that it notices a clock step or a suspended
 * machine, and an instant beyond Node's timer limit does not fire at once.
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

/** A shared abort reason; a new error each time would dominate the cost of a wait. */
const WOKEN = "woken";

/**
 * Runs a wait with its own signal, which aborts with the outer one and when the wait ends, so that leftover sleeps end too.
 * Skips the wait if the outer signal is already aborted.
 */
export async function waitWithin(
  signal: AbortSignal,
  wait: (over: AbortSignal) => Promise<unknown>,
): Promise<void> {
  if (signal.aborted) return;
  const over = new AbortController();
  // Not AbortSignal.any: a daemon waits thousands of times a day, and each would leave a trace on `signal`.
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
 * Runs `work` with a signal that aborts with `timeoutError()` after `ms`, or with the outer signal. The work must obey its
 * signal; nothing waits for it after the deadline.
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
  const unfollow = onAbort(signal, () => {
    both.abort(signal.reason);
    ended.abort(signal.reason);
  });
  const timer = clock.sleep(ms, ended.signal).then(
    () => {
      const error = timeoutError();
      both.abort(error);
      throw error;
    },
    // The deadline was cancelled: the work or the outer signal decides.
    () => signal.throwIfAborted(),
  );
  try {
    const expired = timer.then(() => new Promise<never>(() => {}));
    return await Promise.race([work(both.signal), expired]);
  } catch (error) {
    throw abortReason(error, both.signal);
  } finally {
    unfollow();
    ended.abort(WOKEN);
    timer.catch(() => {});
  }
}

/** The signal's reason where Node.js rejected with an AbortError of its own, as `events.once` does; else the error. */
function abortReason(error: unknown, signal: AbortSignal): unknown {
  return signal.aborted && error instanceof Error && error.name === "AbortError" ? signal.reason : error;
}

const FOLLOWERS = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls `end` when the signal aborts, or at once if it already has. Not AbortSignal.any, which leaves a trace on the signal
 * each time; and one listener for all, which stays: many would be reported as a leak, and each costs more than a short wait.
 *
 * @returns removes `end`
 */
export function onAbort(signal: AbortSignal, end: () => void): () => void {
  if (signal.aborted) {
    end();
    return () => {};
  }
  const ends = FOLLOWERS.get(signal) ?? newFollowers(signal);
  ends.add(end);
  return () => void ends.delete(end);
}

function newFollowers(signal: AbortSignal): Set<() => void> {
  const ends = new Set<() => void>();
  FOLLOWERS.set(signal, ends);
  const endAll = () => {
    for (const end of ends) end();
    ends.clear();
  };
  signal.addEventListener("abort", endAll, { once: true });
  return ends;
}

/**
 * A signal that aborts as soon as one of these does, until it is disposed of. AbortSignal.any leaves a trace on a signal that
 * lives as long as the daemon each time, and may never be freed itself.
 */
export function anyAbort(signals: readonly AbortSignal[]): Disposable & { readonly signal: AbortSignal } {
  const first = new AbortController();
  const unfollow = signals.map((each) => onAbort(each, () => first.abort(each.reason)));
  return {
    signal: first.signal,
    [Symbol.dispose]() {
      for (const each of unfollow) each();
    },
  };
}

/** Lets all other pending work run: for long work in slices. */
export function yieldToLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** A longer turn delays other work. */
export const LONG_TURN_MS: DurationMs = 2;
/** On a slow machine every turn is long; stop waiting then. */
const LONG_TURNS_MOST = 10;

/** Yields until a turn of the loop is short: for long work that can wait. */
export async function waitForQuietLoop({ monotonicMs }: Pick<Clock, "monotonicMs">): Promise<void> {
  for (let turns = 0; turns < LONG_TURNS_MOST; turns += 1) {
    const sinceMs = monotonicMs();
    await yieldToLoop();
    if (monotonicMs() - sinceMs <= LONG_TURN_MS) return;
  }
}

const NOBODY_WAKES = new Int32Array(new SharedArrayBuffer(4));

/**
 * Blocks this thread. Input queues in the system meanwhile and is then handled at once, which is much cheaper than one by one.
 */
export function blockThread(ms: DurationMs): void {
  Atomics.wait(NOBODY_WAKES, 0, 0, ms);
}
