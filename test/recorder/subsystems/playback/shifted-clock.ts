import { type Clock, sleepBy, systemClock, whenAtBy } from "../../../../src/kit/time/clock.ts";
import type { DurationMs } from "../../../../src/model/time.ts";

const LOOK_MS = 10;

export interface ShiftedClock extends Clock {
  /** Lets this much time pass at once. */
  pass(ms: DurationMs): void;
}

/** The system's clock, for tests with real programs in which long waits must end. */
export function shiftedClock(): ShiftedClock {
  const system = systemClock();
  let shiftMs = 0;
  const monotonicMs = () => system.monotonicMs() + shiftMs;
  const after: Clock["after"] = (ms, wake) => {
    const atMs = monotonicMs() + ms;
    let callOff = () => {};
    const look = () => {
      const leftMs = atMs - monotonicMs();
      if (leftMs <= 0) wake();
      else callOff = system.after(Math.min(leftMs, LOOK_MS), look);
    };
    look();
    return () => callOff();
  };
  const now = () => system.now() + shiftMs;
  return {
    now,
    monotonicMs,
    after,
    sleep: sleepBy(after),
    whenAt: whenAtBy({ now, after }),
    pass: (ms) => {
      shiftMs += ms;
    },
  };
}
