import { describe, expect, it } from "vitest";
import type { Space } from "../../../../src/model/space.ts";
import { MINUTE, SECOND } from "../../../../src/model/time.ts";
import { Brain, EIGHT, timer, WHOLE } from "../runtime/world.ts";

/** One megabyte a second: half an hour takes 1.8 GB. */
function free(freeBytes: number): Space {
  return { kind: "online", freeBytes, lowBytes: 2e9, stopBytes: 200e6, bytesPerSecond: () => 1e6 };
}

function twoRunning(): Brain {
  const brain = new Brain();
  brain.fetch(timer("1", { onChannel: 1 }), timer("2", { onChannel: 3, event: later(1) }));
  brain.at(EIGHT - MINUTE).flowing("1");
  brain.at(EIGHT).flowing("2");
  brain.ordered();
  return brain;
}

function later(minutes: number) {
  return { start: EIGHT + minutes * MINUTE, stop: EIGHT + (30 + minutes) * MINUTE };
}

describe("the free disk space", () => {
  it("above the low-water mark changes nothing", () => {
    const brain = twoRunning();
    const before = brain.document;
    brain.space = free(2e9);
    brain.at(EIGHT + SECOND);
    expect(brain.document).toBe(before);
  });

  it("R-31 below the low-water mark closes the recording that does not fit, and its report names the reason", () => {
    const brain = twoRunning();
    brain.space = free(1.99e9);
    brain.at(EIGHT + MINUTE);
    expect(brain.of("1").state).toBe("recording");
    expect(brain.of("2").state).toBe("closing");
    expect(brain.kinds()).toEqual(["stop"]);
    brain.ended("2").closed("2", { ...WHOLE, eventCoveredMs: MINUTE });
    expect(brain.of("2").state).toBe("partial");
    expect(brain.of("2").reported).toMatchObject({
      state: "failed",
      message: expect.stringContaining("Less than 2.0 GB is free on the disk."),
    });
  });

  it("R-31 below the stop mark closes all recordings", () => {
    const brain = twoRunning();
    brain.space = free(199e6);
    brain.at(EIGHT + MINUTE);
    expect([brain.of("1").state, brain.of("2").state]).toEqual(["closing", "closing"]);
  });

  it("delays a due recording with one notice, and starts it once there is room", () => {
    const brain = new Brain();
    brain.space = free(100e6);
    brain.fetch(timer("1"));
    brain.at(EIGHT).at(EIGHT + SECOND);
    expect(brain.of("1").state).toBe("planned");
    expect(brain.told("1")?.message).toContain("Less than 200.0 MB is free on the disk.");
    expect(brain.facts.filter((fact) => fact === "held-back")).toHaveLength(1);
    brain.ordered();
    brain.space = free(5e9);
    brain.at(EIGHT + 2 * SECOND);
    expect(brain.kinds()).toContain("attempt");
  });

  it("R-32 of a missing disk delays due recordings and ends none", () => {
    const brain = twoRunning();
    brain.space = { kind: "offline" };
    brain.fetch(
      timer("1", { onChannel: 1 }),
      timer("2", { onChannel: 3, event: later(1) }),
      timer("3", { onChannel: 2 }),
    );
    expect(brain.of("1").state).toBe("recording");
    expect(brain.of("3")).toMatchObject({ state: "planned", trouble: { code: "STORAGE_OFFLINE" } });
  });

  it("R-31 that is insufficient during a whole window ends the recording as missed, with that reason", () => {
    const brain = new Brain();
    brain.space = free(0);
    brain.fetch(timer("1"));
    brain.at(EIGHT).at(EIGHT + 40 * MINUTE);
    expect(brain.of("1")).toMatchObject({
      state: "missed",
      trouble: { code: "DISK_LOW", details: { freeBytes: 2e8 } },
    });
    expect(brain.told("1")?.message).toContain("Less than 200.0 MB is free");
  });
});
