import { describe, expect, it } from "vitest";
import { MINUTE, SECOND } from "../../../src/model/time.ts";
import { snapshotOf } from "../../../src/recorder/engine/core/snapshot.ts";
import { wakeAlarm } from "../../../src/recorder/plan/wake.ts";
import { Brain, EIGHT, timer, tuner } from "../engine/runtime/world.ts";

const START = EIGHT - MINUTE;
const LATER = { start: EIGHT + 120 * MINUTE, stop: EIGHT + 150 * MINUTE };

/** The wake instant that the snapshot publishes. */
function wakeOf({ document, tuners, policy, planner: { preview }, now }: Brain): number | undefined {
  const guide = { signInNeeded: false };
  const clock = { trusted: true, holds: false, kernel: "silent", aheadSeconds: {} } as const;
  const about = { document, tuners, policy, preview, guide, clock };
  return snapshotOf({ ...about, at: now, startedAt: now, version: "1" }).nextWakeAt;
}

describe("R-38 the next wake", () => {
  const brain = () => new Brain({ tuners: [tuner("a", { warmUpMs: 5 * SECOND }), tuner("b")] });

  it("is two minutes and the warm-up of the slowest tuner before the earliest window", () => {
    expect(wakeOf(brain().fetch(timer("2", { event: LATER }), timer("1")))).toBe(
      START - 5 * SECOND - 2 * MINUTE,
    );
  });

  it("changes with the plan", () => {
    const planned = brain().fetch(timer("1"), timer("2", { event: LATER }));
    planned.fetch(timer("1", { action: "forget" }), timer("2", { event: LATER }));
    expect(wakeOf(planned)).toBe(LATER.start - MINUTE - 5 * SECOND - 2 * MINUTE);
    planned.fetch(timer("2", { action: "forget" }));
    expect(wakeOf(planned)).toBeUndefined();
  });

  it("is now while a recording runs or is about to start", () => {
    const running = brain()
      .fetch(timer("1"), timer("2", { event: LATER }))
      .at(START)
      .flowing("1");
    expect(wakeOf(running)).toBe(START);
    const near = brain()
      .fetch(timer("1"))
      .at(START - MINUTE);
    expect(wakeOf(near)).toBe(START - MINUTE);
  });

  it("includes recordings without a tuner, because one may become free", () => {
    const crowded = new Brain({ tuners: [] }).fetch(timer("1"));
    expect(crowded.of("1").state).toBe("conflicted");
    expect(wakeOf(crowded)).toBe(START - 2 * MINUTE);
  });

  it("sets the alarm for the next recording after the current one, with the configured lead", () => {
    const { document, tuners, now } = brain()
      .fetch(timer("1"), timer("2", { event: LATER }))
      .at(START)
      .flowing("1");
    const recordings = Object.values(document.recordings);
    const leadMs = 10 * MINUTE;
    expect(wakeAlarm(recordings, { tuners, now, leadMs })).toBe(LATER.start - MINUTE - 5 * SECOND - leadMs);
    expect(wakeAlarm(recordings.slice(0, 1), { tuners, now, leadMs })).toBeUndefined();
  });
});
