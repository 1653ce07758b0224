import { describe, expect, it } from "vitest";
import type { Capture } from "../../../../src/model/ports.ts";
import { MINUTE } from "../../../../src/model/time.ts";
import { findSurvivors } from "../../../../src/recorder/engine/runtime/surviving-captures.ts";
import { Brain, EIGHT, timer, tripletOf } from "../runtime/world.ts";

const START = EIGHT - MINUTE;

/** The next attempt of the recording of timer 1, on this tuner; its node had no leader. */
function foundOn(brain: Brain, tunerId: string) {
  const { id: recordingId, attempts } = brain.of("1");
  return { recordingId, number: attempts.length + 1, tunerId, startedAt: START };
}

/** Asks the engine to take up an attempt whose capture runs. */
async function claim(brain: Brain, tunerId: string) {
  const found = foundOn(brain, tunerId);
  const id = `${found.recordingId}.${found.number}`;
  brain.ordered();
  const goesOn = await brain.ask({ kind: "attempts-found", found: [found], running: new Set([id]) });
  return { goesOn: goesOn.has(id), orders: brain.ordered(), number: found.number };
}

describe("R-34 an attempt of a node that had no leader", () => {
  it("goes on if its recording has not begun", async () => {
    const brain = new Brain().fetch(timer("1"));
    brain.now = START + MINUTE;
    const { goesOn, orders } = await claim(brain, "b");
    expect(goesOn).toBe(true);
    expect(orders).toContainEqual(expect.objectContaining({ kind: "adopt", attempt: 1 }));
    expect(brain.of("1")).toMatchObject({ state: "tuning", tunerId: "b" });
    expect(brain.flowing("1").of("1").state).toBe("recording");
  });

  it("relieves the one that the leader has begun elsewhere", async () => {
    const brain = new Brain().fetch(timer("1")).at(START).flowing("1");
    const { goesOn, number } = await claim(brain, "b");
    expect([goesOn, number]).toEqual([true, 2]);
    expect(brain.of("1").state).toBe("recording");
    brain.flowing("1");
    expect(brain.ordered()).toContainEqual({ kind: "stop", recordingId: brain.of("1").id, attempt: 1 });
  });

  it("ends if its tuner has got another use; its segment counts", async () => {
    const brain = new Brain().fetch(timer("1")).at(START).flowing("1");
    const service = tripletOf(6);
    await brain.ask({ kind: "lease-asked", leaseId: "l", use: "view", service, until: EIGHT + 60 * MINUTE });
    const taken = Object.values(brain.document.leases).map(({ tunerId }) => tunerId);
    const { goesOn, orders } = await claim(brain, taken[0] ?? "");
    expect(goesOn).toBe(false);
    expect(orders.map(({ kind }) => kind)).not.toContain("adopt");
    expect(brain.of("1").attempts.at(-1)).toMatchObject({ number: 2, cause: "CAPTURE_DIED" });
    expect(brain.of("1").state).toBe("recording");
  });

  it("is not taken up by a recording that is closing", async () => {
    const brain = new Brain()
      .fetch(timer("1"))
      .at(START)
      .flowing("1")
      .at(EIGHT + 60 * MINUTE);
    expect(brain.of("1").state).toBe("closing");
    const { goesOn } = await claim(brain, "b");
    expect(goesOn).toBe(false);
    expect(brain.of("1").attempts).toHaveLength(1);
  });
});

describe("R-34 a capture with the number of an attempt that an earlier leader ordered elsewhere", () => {
  /** Finds what runs, as a leader that starts does. */
  async function survivors(brain: Brain, tunerId: string) {
    const { id: recordingId, timerId, service } = brain.of("1");
    if (service === undefined) throw new Error("the recording has a service");
    const id = `${recordingId}.1`;
    const capture = { running: async () => new Set([id]), hasBegun: async () => true } as unknown as Capture;
    return await findSurvivors({
      store: { current: brain.document },
      capture,
      segmentFile: (attempt) => `/nowhere/${attempt}`,
      notes: { all: async () => new Map([[id, { timerId, service, tunerId, startedAt: START + 1 }]]) },
    });
  }

  it("is on the tuner of its note, and nothing else gets that one", async () => {
    const brain = new Brain().fetch(timer("1")).at(START);
    expect(brain.of("1").attempts).toMatchObject([{ number: 1, tunerId: "a" }]);
    brain.take(await survivors(brain, "b"));
    expect(brain.of("1").attempts).toEqual([{ number: 1, tunerId: "b", startedAt: START + 1 }]);
    expect(brain.of("1").tunerId).toBe("b");
    expect(brain.ordered()).toContainEqual(expect.objectContaining({ kind: "adopt", attempt: 1 }));
  });

  it("stays as it is if the note has the same tuner, or the attempt is over", async () => {
    const brain = new Brain().fetch(timer("1")).at(START).flowing("1");
    const { found } = await survivors(brain, "a");
    expect(found).toEqual([]);
    brain.ended("1", "STREAM_STALLED");
    expect((await survivors(brain, "b")).found).toEqual([]);
  });
});
