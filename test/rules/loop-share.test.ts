import { describe, expect, it } from "vitest";
import { LoopShare } from "../../src/rules/loop-share.ts";

/** A clock that stands still until it is set. */
function clockAt() {
  const clock = { ms: 0, monotonicMs: () => clock.ms };
  return clock;
}

/** Whether other work of the loop has run by the end of this. */
async function letsOthersRun(work: () => Promise<unknown>): Promise<boolean> {
  let hasRun = false;
  setImmediate(() => {
    hasRun = true;
  });
  await work();
  return hasRun;
}

describe("a share of the loop", () => {
  it("lets other work run once its turn is over, and then has another turn", async () => {
    const clock = clockAt();
    const share = new LoopShare(clock);
    clock.ms = 5;
    expect(await letsOthersRun(() => share.rest())).toBe(false);
    clock.ms = 10;
    expect(await letsOthersRun(() => share.rest())).toBe(true);
    clock.ms = 15;
    expect(await letsOthersRun(() => share.rest())).toBe(false);
    clock.ms = 20;
    expect(await letsOthersRun(() => share.rest())).toBe(true);
  });

  it("counts the time of the parts of a work, not their number", async () => {
    const clock = clockAt();
    const parts = function* (lengthMs: number) {
      for (let part = 0; part < 1000; part += 1) {
        clock.ms += lengthMs;
        yield;
      }
      return "done";
    };
    expect(await letsOthersRun(() => new LoopShare(clock).run(parts(0)))).toBe(false);
    expect(await letsOthersRun(() => new LoopShare(clock).run(parts(0.01)))).toBe(true);
    expect(await new LoopShare(clock).run(parts(1))).toBe("done");
  });
});
