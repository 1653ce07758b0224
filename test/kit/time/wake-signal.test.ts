import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { anyAbort } from "../../../src/kit/time/clock.ts";
import { WakeSignal } from "../../../src/kit/time/wake-signal.ts";
import { told } from "../tool.ts";

const WAITS = 500;

/** In a process of its own: a count of objects collects all garbage first, which takes seconds beside other tests. */
async function leftBy(kind: "Promise" | "AbortSignal", many: string): Promise<number> {
  const program = `
    import { queryObjects } from "node:v8";
    const { anyAbort, systemClock } = await import(${JSON.stringify(built("clock"))});
    const { WakeSignal } = await import(${JSON.stringify(built("wake-signal"))});
    const clock = systemClock();
    const count = () => queryObjects(${kind}, { format: "count" });
    const wakeSignal = new WakeSignal();
    const { signal } = new AbortController();
    const many = async () => { for (let count = 0; count < ${WAITS}; count += 1) { ${many} } };
    await many();
    const before = count();
    await many();
    console.log(count() - before);`;
  const { out, err } = await told(process.execPath, { args: ["--input-type=module", "--eval", program] });
  expect(out, err).toMatch(/^-?\d+\n$/);
  return Number(out);
}

function built(name: string): string {
  return join(import.meta.dirname, "../../../dist/kit/time", `${name}.js`);
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
    expect(over.signal.aborted).toBe(true);
  });

  it.each(["wakeSignal.wait(signal)", "wakeSignal.waitFor(60_000, { clock, signal })"])(
    "leaves nothing in memory, however often a loop waits: %s",
    async (wait) => {
      const many = `const waiting = ${wait}; wakeSignal.signal(); await waiting;`;
      expect(await leftBy("Promise", many)).toBeLessThan(WAITS / 10);
    },
  );
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

  it("leaves no signal in memory, however often one is made of a signal that lives on", async () => {
    const many = `
      const first = anyAbort([signal, new AbortController().signal]);
      first.signal.addEventListener("abort", () => {});
      first[Symbol.dispose]();`;
    expect(await leftBy("AbortSignal", many)).toBeLessThan(WAITS / 10);
  });
});
