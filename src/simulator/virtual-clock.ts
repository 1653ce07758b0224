import assert from "node:assert/strict";
import { type Clock, sleepBy, whenAtBy } from "../kit/time/clock.ts";
import type { DurationMs, EpochMs } from "../model/time.ts";

/** A clock that stands still until it is moved. Sleepers wake in order of time, as fast as the machine allows. */
export interface VirtualClock extends Clock {
  /** Moves on until the wall clock shows `at`. Resolves when all due work has run as far as it can without the clock. */
  advanceTo(at: EpochMs): Promise<void>;
  advance(ms: DurationMs): Promise<void>;
  /** Steps the wall clock forward or back, like a person or NTP: sleepers and durations are unaffected. */
  step(ms: DurationMs): void;
  readonly sleepers: number;
}

interface Sleeper {
  /** On the monotonic clock. */
  readonly due: DurationMs;
  readonly wake: () => void;
}

/** More wake-ups at one instant mean a loop that does not wait. */
const WAKINGS_AT_ONCE_MAX = 100_000;

/**
 * @param settled resolves when all woken work has run as far as it can; default: a turn of the event loop; a cheaper one
 * suffices where everything waits for promises alone
 */
export function createVirtualClock(startAt: EpochMs, settled: () => Promise<void> = oneTurn): VirtualClock {
  let monotonic: DurationMs = 0;
  let offset = startAt;
  /** Sorted by `due`; equal ones in order of arrival. */
  const sleepers: Sleeper[] = [];

  function after(ms: DurationMs, wake: () => void): () => void {
    const sleeper: Sleeper = { due: monotonic + Math.max(0, ms), wake };
    const before = sleepers.findLastIndex(({ due }) => due <= sleeper.due);
    sleepers.splice(before + 1, 0, sleeper);
    return () => {
      const at = sleepers.indexOf(sleeper);
      if (at >= 0) sleepers.splice(at, 1);
    };
  }

  async function advance(ms: DurationMs): Promise<void> {
    assert(ms >= 0, "time goes forward; step() is for the wall clock alone");
    const end = monotonic + ms;
    let wakings = 0;
    await oneTurn();
    for (let next = sleepers[0]; next !== undefined && next.due <= end; next = sleepers[0]) {
      sleepers.shift();
      wakings = next.due > monotonic ? 0 : wakings + 1;
      assert(wakings < WAKINGS_AT_ONCE_MAX, "something sleeps for no time again and again");
      monotonic = Math.max(monotonic, next.due);
      next.wake();
      await settled();
    }
    monotonic = end;
  }

  const now = () => offset + monotonic;
  return {
    now,
    monotonicMs: () => monotonic,
    after,
    sleep: sleepBy(after),
    whenAt: whenAtBy({ now, after }),
    advance,
    advanceTo: (at) => advance(at - now()),
    step: (ms) => {
      offset += ms;
    },
    get sleepers() {
      return sleepers.length;
    },
  };
}

/** Everything that waits for promises has run; a turn of the event loop ensures that. */
function oneTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
