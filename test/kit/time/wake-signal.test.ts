import { getEventListeners } from "node:events";
import { queryObjects } from "node:v8";
import { describe, expect, it } from "vitest";
import { anyAbort, systemClock } from "../../../src/kit/time/clock.ts";
import { WakeSignal } from "../../../src/kit/time/wake-signal.ts";

const clock = systemClock();
const WAITS = 500;

/** Objects of a class after a collection. */
function countOf(kind: typeof Promise | typeof AbortSignal): number {
  return Number(queryObjects(kind, { format: "count" }));
}

describe("a wait for the next signal", () => {
  it("ends with the signal, also with one that came before, and with the end of its loop", async () => {
    const wakeSignal = new WakeSignal();
    const over = new AbortController();
    wakeSignal.signal();
    await wakeSignal.wait(over.signal);
    const next = wakeSignal.wait(over.signal);
    wakeSignal.signal();
    await next;
    const last = wakeSignal.wait(over.signal);
    over.abort();
    await last;
    await wakeSignal.wait(over.signal);
  });

  it.each([
    ["wait", (wakeSignal: WakeSignal, signal: AbortSignal) => wakeSignal.wait(signal)],
    [
      "waitFor",
      (wakeSignal: WakeSignal, signal: AbortSignal) => wakeSignal.waitFor(60_000, { clock, signal }),
    ],
  ])("leaves nothing in memory, however often a loop waits: %s", async (_name, wait) => {
    const wakeSignal = new WakeSignal();
    const over = new AbortController();
    const many = async () => {
      for (let count = 0; count < WAITS; count += 1) {
        const waiting = wait(wakeSignal, over.signal);
        wakeSignal.signal();
        await waiting;
      }
    };
    await many();
    const before = countOf(Promise);
    await many();
    expect(countOf(Promise) - before).toBeLessThan(WAITS / 10);
    expect(getEventListeners(over.signal, "abort").length).toBeLessThanOrEqual(1);
  });
});

describe("the first abort of several signals", () => {
  it("comes with its reason, and not after it is disposed of", () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const first = anyAbort([one.signal, other.signal]);
    other.abort("other");
    expect([first.signal.aborted, first.signal.reason]).toEqual([true, "other"]);
    const later = anyAbort([one.signal]);
    later[Symbol.dispose]();
    one.abort();
    expect(later.signal.aborted).toBe(false);
  });

  it("leaves no signal in memory, however often one is made of a signal that lives on", () => {
    const { signal } = new AbortController();
    const many = () => {
      for (let count = 0; count < WAITS; count += 1) {
        using first = anyAbort([signal, new AbortController().signal]);
        first.signal.addEventListener("abort", () => {});
      }
    };
    many();
    const before = countOf(AbortSignal);
    many();
    expect(countOf(AbortSignal) - before).toBeLessThan(WAITS / 10);
  });
});
