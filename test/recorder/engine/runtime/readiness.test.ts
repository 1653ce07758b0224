import { describe, expect, it } from "vitest";
import { silentLog } from "../../../../src/kit/log.ts";
import { WakeSignal } from "../../../../src/kit/time/wake-signal.ts";
import { RecorderdError } from "../../../../src/model/errors.ts";
import { MINUTE, SECOND } from "../../../../src/model/time.ts";
import { HOST_LIMITS } from "../../../../src/recorder/capture/host/limits.ts";
import { nextOpening } from "../../../../src/recorder/engine/core/settle.ts";
import { RUNTIME_LIMITS } from "../../../../src/recorder/engine/runtime/limits.ts";
import { keepReady } from "../../../../src/recorder/engine/runtime/readiness.ts";
import { createVirtualClock } from "../../../../src/simulator/virtual-clock.ts";
import { Brain, EIGHT, receiving, timer, tuner } from "./world.ts";

const START = EIGHT - MINUTE;
const NEVER = Number.POSITIVE_INFINITY;

/** Keeps captures ready for openings that the test sets, and notes when it did. */
function world({ fails = false } = {}) {
  const clock = createVirtualClock(EIGHT - 60 * MINUTE);
  const wakeSignal = new WakeSignal();
  const ended = new AbortController();
  const madeReady: number[] = [];
  let openings: readonly number[] = [];
  const makeReady = async () => {
    madeReady.push(clock.now());
    if (fails) throw new RecorderdError("CAPTURE_NOT_STARTED", "No process could be started.");
  };
  const nextOpening = () => Math.min(...openings.filter((at) => at >= clock.now()), NEVER);
  const parts = { nextOpening, capture: { makeReady }, wakeSignal, clock, log: silentLog };
  const over = keepReady(parts, ended.signal);
  return {
    clock,
    madeReady,
    plan(...instants: readonly number[]) {
      openings = instants;
      wakeSignal.signal();
    },
    async [Symbol.asyncDispose]() {
      ended.abort();
      await over;
    },
  };
}

describe("the capture host", () => {
  it("is started before a tuner opens, once, and never without an opening", async () => {
    await using here = world();
    await here.clock.advanceTo(EIGHT - 30 * MINUTE);
    expect(here.madeReady).toEqual([]);
    here.plan(EIGHT);
    await here.clock.advanceTo(EIGHT + 30 * MINUTE);
    expect(here.madeReady).toEqual([EIGHT - RUNTIME_LIMITS.captureAheadMs]);
  });

  it("is started at once for a timer that begins soon", async () => {
    await using here = world();
    await here.clock.advanceTo(EIGHT - 4 * SECOND);
    here.plan(EIGHT);
    await here.clock.advanceTo(EIGHT);
    expect(here.madeReady).toEqual([EIGHT - 4 * SECOND]);
  });

  it("stays ready between successive openings", async () => {
    await using here = world();
    const openings = Array.from({ length: 20 }, (_, nth) => EIGHT + nth * 7 * SECOND);
    here.plan(...openings);
    await here.clock.advanceTo(EIGHT + 10 * MINUTE);
    for (const opening of openings) {
      const latest = here.madeReady.findLast((at) => at <= opening) ?? 0;
      expect(opening - latest).toBeLessThan(HOST_LIMITS.alertMs);
    }
  });

  it("is started for the next opening even after a failed try", async () => {
    await using here = world({ fails: true });
    here.plan(EIGHT, EIGHT + 30 * MINUTE);
    await here.clock.advanceTo(EIGHT + 60 * MINUTE);
    expect(here.madeReady).toHaveLength(2);
  });
});

describe("the next opening", () => {
  const at = ({ document, tuners, now }: Brain) => nextOpening(document, { tuners, now });

  it("precedes the window by the warm-up of the tuner, for recordings that have yet to begin", () => {
    const brain = new Brain({ tuners: [tuner("a", { warmUpMs: 5 * SECOND })] });
    expect(at(brain)).toBe(NEVER);
    const later = { start: EIGHT + 60 * MINUTE, stop: EIGHT + 90 * MINUTE };
    brain.fetch(timer("1"), timer("2", { event: later }));
    expect(at(brain)).toBe(START - 5 * SECOND);
    brain.at(START - 5 * SECOND).flowing("1");
    expect(at(brain)).toBe(later.start - MINUTE - 5 * SECOND);
  });

  it("is the earliest one, even if a tuner needed later takes longer to warm up", () => {
    const tuners = [
      tuner("quick", { ...receiving(1), warmUpMs: SECOND }),
      tuner("slow", { ...receiving(2), warmUpMs: 3 * MINUTE }),
    ];
    const brain = new Brain({ tuners });
    brain.fetch(timer("1"));
    expect(at(brain)).toBe(START - SECOND);
    const later = { start: EIGHT + MINUTE, stop: EIGHT + 30 * MINUTE };
    brain.fetch(timer("1"), timer("2", { onChannel: 2, event: later }));
    expect(at(brain)).toBe(START + MINUTE - 3 * MINUTE);
  });

  it("ignores recordings without a tuner", () => {
    expect(at(new Brain({ tuners: [] }).fetch(timer("1")))).toBe(NEVER);
  });
});
