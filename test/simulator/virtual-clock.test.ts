import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../../src/model/time.ts";
import { createVirtualClock, type VirtualClock } from "../../src/simulator/virtual-clock.ts";

const START = Date.UTC(2026, 10, 20, 9, 30);
const never = new AbortController().signal;

async function beats(clock: VirtualClock, everyMs: number, beat: () => void): Promise<never> {
  for (;;) {
    await clock.sleep(everyMs, never);
    beat();
  }
}

describe("a virtual clock", () => {
  it("stands still until it is advanced", async () => {
    const clock = createVirtualClock(START);
    expect([clock.now(), clock.monotonicMs()]).toEqual([START, 0]);
    await clock.advanceTo(START + HOUR);
    expect([clock.now(), clock.monotonicMs()]).toEqual([START + HOUR, HOUR]);
  });

  it("wakes sleepers in order of time, each at its own instant, with ties in order of their calls", async () => {
    const clock = createVirtualClock(START);
    const woken: string[] = [];
    const sleeper = async (name: string, ms: number) => {
      await clock.sleep(ms, never);
      woken.push(`${name} at ${clock.monotonicMs()}`);
    };
    void sleeper("b", 20);
    void sleeper("a", 10);
    void sleeper("c", 20);
    await clock.advance(20);
    expect(woken).toEqual(["a at 10", "b at 20", "c at 20"]);
  });

  it("wakes sleepers that begin to sleep during an advance", async () => {
    const clock = createVirtualClock(START);
    const at: number[] = [];
    void beats(clock, 7 * SECOND, () => at.push(clock.monotonicMs()));
    await clock.advance(30 * SECOND);
    expect(at).toEqual([7, 14, 21, 28].map((seconds) => seconds * SECOND));
  });

  it("runs a week of five-minute beats", async () => {
    const clock = createVirtualClock(START);
    let count = 0;
    void beats(clock, 5 * MINUTE, () => {
      count += 1;
    });
    await clock.advanceTo(START + 7 * DAY);
    expect(count).toBe(2016);
  });

  it("ends only an aborted sleep", async () => {
    const clock = createVirtualClock(START);
    const ended = new AbortController();
    const off = clock.sleep(HOUR, ended.signal);
    const on = clock.sleep(HOUR, never);
    ended.abort(new Error("enough"));
    await expect(off).rejects.toThrow("enough");
    expect(clock.sleepers).toBe(1);
    await clock.advance(HOUR);
    await on;
    await expect(clock.sleep(0, ended.signal)).rejects.toThrow("enough");
  });

  it("steps the wall clock both ways without waking a sleeper", async () => {
    const clock = createVirtualClock(START);
    let awake = false;
    void clock.sleep(HOUR, never).then(() => {
      awake = true;
    });
    clock.step(2 * HOUR);
    await clock.advance(0);
    expect([clock.now(), awake]).toEqual([START + 2 * HOUR, false]);
    clock.step(-3 * HOUR);
    await clock.advance(HOUR);
    expect([clock.now(), clock.monotonicMs(), awake]).toEqual([START, HOUR, true]);
  });

  it("does not go back", async () => {
    await expect(createVirtualClock(START).advanceTo(START - 1)).rejects.toThrow("time goes forward");
  });
});
