import { describe, expect, it } from "vitest";
import { MINUTE } from "../../../../src/model/time.ts";
import { Brain, EIGHT, EMPTY, timer } from "./world.ts";

/** A brain with one recording that is done. */
function done(): Brain {
  const brain = new Brain()
    .fetch(timer("1"))
    .at(EIGHT - MINUTE)
    .flowing("1");
  brain
    .at(EIGHT + 33 * MINUTE)
    .ended("1")
    .closed("1");
  return brain;
}

function annotations(brain: Brain): number {
  return brain.commands.filter(({ kind }) => kind === "annotate").length;
}

describe("the sidecars of a recording", () => {
  it("are ordered when the recording is done, and reported as due until they are written", () => {
    const brain = done();
    expect(annotations(brain)).toBe(1);
    expect(brain.of("1").sidecarDue).toBe(true);
    brain.take({ kind: "annotated", recording: brain.of("1") });
    expect(brain.of("1").sidecarDue).toBeUndefined();
  });

  it("are ordered again after a crash, but not while they may be in progress", () => {
    const brain = done();
    brain.fetch(timer("1"));
    expect(annotations(brain)).toBe(1);
    brain.take({ kind: "started", running: new Set() });
    expect(annotations(brain)).toBe(2);
    brain.take({ kind: "annotated", recording: brain.of("1") });
    brain.take({ kind: "started", running: new Set() });
    expect(annotations(brain)).toBe(2);
  });

  it("R-40 are written again if the recording has changed since they were begun", () => {
    const brain = done();
    const begun = brain.of("1");
    brain.fetch(timer("1", { name: "The right title" }));
    brain.take({ kind: "annotated", recording: begun });
    expect(brain.of("1").sidecarDue).toBe(true);
    expect(annotations(brain)).toBe(3);
    brain.take({ kind: "annotated", recording: brain.of("1") });
    expect(brain.of("1").sidecarDue).toBeUndefined();
    expect(annotations(brain)).toBe(3);
  });

  it("R-05 are not ordered for a recording without a file", () => {
    const brain = new Brain().fetch(timer("1")).at(EIGHT - MINUTE);
    brain
      .at(EIGHT + 33 * MINUTE)
      .ended("1")
      .closed("1", EMPTY);
    expect(brain.of("1").state).toBe("failed");
    expect(annotations(brain)).toBe(0);
  });

  it("R-40 are rewritten if the guide changes the title later, and the file keeps its name", () => {
    const brain = done();
    brain.take({ kind: "annotated", recording: brain.of("1") });
    brain.fetch(timer("1", { name: "The right title" }));
    expect(annotations(brain)).toBe(2);
    expect(brain.of("1")).toMatchObject({ name: "Show 1", renamed: "The right title", sidecarDue: true });
    brain.take({ kind: "annotated", recording: brain.of("1") });
    brain.fetch(timer("1", { name: "Show 1" }));
    expect(brain.of("1").renamed).toBeUndefined();
    expect(annotations(brain)).toBe(3);
  });

  it("R-40 use a title that changed during the recording, and the file keeps its name", () => {
    const brain = new Brain()
      .fetch(timer("1"))
      .at(EIGHT - MINUTE)
      .flowing("1");
    brain.fetch(timer("1", { name: "Later" }));
    expect(brain.of("1")).toMatchObject({ name: "Show 1", renamed: "Later" });
    brain
      .at(EIGHT + 33 * MINUTE)
      .ended("1")
      .closed("1");
    expect(brain.of("1").renamed).toBe("Later");
  });
});
