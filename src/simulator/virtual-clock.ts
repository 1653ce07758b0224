import assert from "node:assert/strict";
import { type Clock, sleepBy } from "../kit/time/clock.ts";
import type { DurationMs, EpochMs } from "../model/time.ts";

/** A clock that stands still until it is moved. Whoever sleeps on it wakes in order of time, as fast as the machine can. */
export interface VirtualClock extends Clock {
  /** Moves on until the wall clock shows `at`. Resolves when everything due by then has run as far as it can without the clock. */
  advanceTo(at: EpochMs): Promise<void>;
  advance(ms: DurationMs): Promise<void>;
  /** Sets the wall clock forward or back, as a person or NTP does: sleepers and durations do not notice. */
  step(ms: DurationMs): void;
  /** How many sleep now. */
  readonly sleepers: number;
}

interface Sleeper {
  /** On the monotonic clock. */
  readonly due: DurationMs;
  readonly wake: () => void;
}

/** More wakings than this without a millisecond passing are a loop that does not wait. */
const WAKINGS_AT_ONCE_MAX = 100_000;

/**
 * @param settled resolves when all that was woken has run as far as it can; a turn of the event loop unless told otherwise,
 *   less where everything waits for promises alone
 */
export function createVirtualClock(startAt: EpochMs, settled: () => Promise<void> = oneTurn): VirtualClock {
  let monotonic: DurationMs = 0;
  let offset = startAt;
  /** In order of `due`; of two with the same, the one that slept first. */
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

  return {
    now: () => offset + monotonic,
    monotonicMs: () => monotonic,
    after,
    sleep: sleepBy(after),
    advance,
    advanceTo: (at) => advance(at - (offset + monotonic)),
    step: (ms) => {
      offset += ms;
    },
    get sleepers() {
      return sleepers.length;
    },
  };
}

/** Everything that waits for promises alone has run on; one turn of the event loop does that. */
function oneTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
