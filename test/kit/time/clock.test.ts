import { EventEmitter, getEventListeners, once } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock, waitForQuietLoop, waitUntil, withDeadline } from "../../../src/kit/time/clock.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../src/model/time.ts";
import { createVirtualClock } from "../../../src/simulator/virtual-clock.ts";

const START = Date.UTC(2026, 10, 20, 9, 30);
const SLICE = 30 * SECOND;
const never = new AbortController().signal;

/** Notes when a promise is settled, without waiting for it. */
function watched(promise: Promise<unknown>): { state: "pending" | "resolved" | "rejected" } {
  const seen: { state: "pending" | "resolved" | "rejected" } = { state: "pending" };
  promise.then(
    () => {
      seen.state = "resolved";
    },
    () => {
      seen.state = "rejected";
    },
  );
  return seen;
}

it("a turn waits for all other work, even after a long one", async () => {
  const clock = systemClock();
  const order: string[] = [];
  await clock.sleep(1, never);
  setImmediate(() => order.push("others"));
  const waiting = clock.sleep(0, never);
  const since = clock.monotonicMs();
  while (clock.monotonicMs() - since < 5);
  // Has the system look at the time, and find out what has become due.
  clock.after(HOUR, () => {})();
  await waiting;
  expect(order).toEqual(["others"]);
  const callOff = clock.after(0, () => order.push("called off"));
  callOff();
  await clock.sleep(0, never);
  expect(order).toEqual(["others"]);
});

describe("a wait until an instant", () => {
  it("R-37 does not end at once if the instant is 60 days away", async () => {
    const clock = createVirtualClock(START);
    const waiting = watched(waitUntil(clock, START + 60 * DAY, { sliceMs: DAY, signal: never }));
    await clock.advance(60 * DAY - 1);
    expect(waiting.state).toBe("pending");
    await clock.advance(1);
    expect(waiting.state).toBe("resolved");
  });

  it("ends at once if the instant has passed", async () => {
    const clock = createVirtualClock(START);
    await waitUntil(clock, START, { sliceMs: SLICE, signal: never });
    await waitUntil(clock, START - HOUR, { sliceMs: SLICE, signal: never });
    expect(clock.sleepers).toBe(0);
  });

  it("R-36 notices within a slice that the wall clock jumped ahead", async () => {
    const clock = createVirtualClock(START);
    const waiting = watched(waitUntil(clock, START + DAY, { sliceMs: SLICE, signal: never }));
    await clock.advance(MINUTE);
    clock.step(DAY);
    await clock.advance(SLICE);
    expect(waiting.state).toBe("resolved");
  });

  it("R-36 continues after the wall clock jumped back", async () => {
    const clock = createVirtualClock(START);
    const waiting = watched(waitUntil(clock, START + HOUR, { sliceMs: SLICE, signal: never }));
    await clock.advance(30 * MINUTE);
    clock.step(-DAY);
    await clock.advance(DAY);
    expect(waiting.state).toBe("pending");
    await clock.advance(30 * MINUTE);
    expect(waiting.state).toBe("resolved");
  });

  it("ends with the signal's reason", async () => {
    const clock = createVirtualClock(START);
    const ended = new AbortController();
    const waiting = waitUntil(clock, START + HOUR, { sliceMs: SLICE, signal: ended.signal });
    ended.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    expect(clock.sleepers).toBe(0);
    const again = waitUntil(clock, START, { sliceMs: SLICE, signal: ended.signal });
    await expect(again).rejects.toThrow("enough");
  });
});

describe("the system's clock", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("R-37 does not end a wait of 60 days at once, although Node.js does so beyond 2^31 − 1 ms", async () => {
    vi.setSystemTime(START);
    const waiting = watched(waitUntil(systemClock(), START + 60 * DAY, { sliceMs: 61 * DAY, signal: never }));
    await vi.advanceTimersByTimeAsync(60 * DAY - 1);
    expect(waiting.state).toBe("pending");
    await vi.advanceTimersByTimeAsync(1);
    expect(waiting.state).toBe("resolved");
  });

  it("leaves no timer after an abort", async () => {
    const ended = new AbortController();
    const sleeping = systemClock().sleep(HOUR, ended.signal);
    expect(vi.getTimerCount()).toBe(1);
    ended.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow("enough");
    expect(vi.getTimerCount()).toBe(0);
    await expect(systemClock().sleep(HOUR, ended.signal)).rejects.toThrow("enough");
  });

  it("has one listener on a signal that continues, however often it sleeps", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    for (let times = 0; times < 5; times += 1) {
      const sleeping = systemClock().sleep(SECOND, signal);
      await vi.advanceTimersByTimeAsync(SECOND);
      await sleeping;
    }
    expect(added).toHaveBeenCalledTimes(1);
  });
});

describe("a quiet turn", () => {
  it("is one without other long work", async () => {
    const readings = [0, 50, 50, 100, 100, 101];
    let asked = 0;
    await waitForQuietLoop({ monotonicMs: () => readings[asked++] ?? 0 });
    expect(asked).toBe(readings.length);
  });

  it("is not awaited forever", async () => {
    let ms = 0;
    await waitForQuietLoop({
      monotonicMs: () => {
        ms += 50;
        return ms;
      },
    });
    expect(ms).toBe(20 * 50);
  });
});

describe("work with a deadline", () => {
  const timeoutError = () => new Error("too late");

  it("gives the result, and leaves no timer", async () => {
    const clock = createVirtualClock(START);
    const work = withDeadline(clock, { ms: HOUR, signal: never, timeoutError }, async () => 42);
    expect(await work).toBe(42);
    expect(clock.sleepers).toBe(0);
  });

  it("fails as the work fails", async () => {
    const clock = createVirtualClock(START);
    const work = withDeadline(clock, { ms: HOUR, signal: never, timeoutError }, async () => {
      throw new Error("broken");
    });
    await expect(work).rejects.toThrow("broken");
    expect(clock.sleepers).toBe(0);
  });

  it("R-42 is abandoned at the deadline, even if the work ignores its signal", async () => {
    const clock = createVirtualClock(START);
    const told: unknown[] = [];
    const work = withDeadline(clock, { ms: MINUTE, signal: never, timeoutError }, (signal) => {
      signal.addEventListener("abort", () => told.push(signal.reason));
      return new Promise<never>(() => {});
    });
    const failed = expect(work).rejects.toThrow("too late");
    await clock.advance(MINUTE - 1);
    expect(told).toEqual([]);
    await clock.advance(1);
    await failed;
    expect(told).toEqual([expect.objectContaining({ message: "too late" })]);
  });

  it("ends with the outer signal's reason", async () => {
    const clock = createVirtualClock(START);
    const outer = new AbortController();
    const work = withDeadline(
      clock,
      { ms: MINUTE, signal: outer.signal, timeoutError },
      () => new Promise<never>(() => {}),
    );
    outer.abort(new Error("enough"));
    await expect(work).rejects.toThrow("enough");
    expect(clock.sleepers).toBe(0);
  });

  it("fails with the deadline's error, or the outer signal's reason, even if Node.js rejects with its own AbortError", async () => {
    const clock = createVirtualClock(START);
    const outer = new AbortController();
    const waiting = (signal: AbortSignal) => once(new EventEmitter(), "never", { signal });
    const late = withDeadline(clock, { ms: MINUTE, signal: never, timeoutError }, waiting);
    const failed = expect(late).rejects.toThrow("too late");
    const stopped = withDeadline(clock, { ms: HOUR, signal: outer.signal, timeoutError }, waiting);
    const ended = expect(stopped).rejects.toThrow("enough");
    await clock.advance(MINUTE);
    await failed;
    outer.abort(new Error("enough"));
    await ended;
  });

  it("leaves one listener on a long-lived signal, however many run at once", async () => {
    const clock = createVirtualClock(START);
    const { signal } = new AbortController();
    const works = Array.from({ length: 50 }, (_, number) =>
      withDeadline(clock, { ms: HOUR, signal, timeoutError }, async () => number),
    );
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    expect(await Promise.all(works)).toHaveLength(50);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    // Node.js keeps signals that follow this one by AbortSignal.any here and never removes them.
    const noted = Object.getOwnPropertySymbols(signal).map((symbol): unknown => Reflect.get(signal, symbol));
    expect(noted.filter((each) => each instanceof Set && each.size > 0)).toEqual([]);
  });

  it("measures time independently of the wall clock", async () => {
    const clock = createVirtualClock(START);
    const work = watched(
      withDeadline(clock, { ms: HOUR, signal: never, timeoutError }, () => new Promise<never>(() => {})),
    );
    clock.step(365 * DAY);
    await clock.advance(HOUR - 1);
    expect(work.state).toBe("pending");
    await clock.advance(1);
    expect(work.state).toBe("rejected");
  });
});
