import { expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "../../../../src/model/time.ts";
import { ENGINE_LIMITS } from "../../../../src/recorder/engine/core/limits.ts";
import { Brain, EIGHT, timer } from "./world.ts";

it("R-29 a new document gives recordings unused names, as segments of the old document may still exist", () => {
  const old = new Brain().fetch(timer("1"), timer("2")).document;
  const anew = new Brain({ now: EIGHT - 59 * MINUTE }).fetch(timer("1")).document;
  expect(Object.keys(old.recordings)).not.toContain(Object.keys(anew.recordings)[0]);
});

it("an old recording leaves the document, but its timer only with the last of its recordings", () => {
  const brain = new Brain().fetch(timer("1")).at(EIGHT);
  brain.ended("1", "DISK_FULL").closed("1");
  const start = EIGHT + ENGINE_LIMITS.historyMs + DAY;
  brain.fetch(timer("1", { event: { start, stop: start + HOUR } }));
  brain.at(EIGHT + ENGINE_LIMITS.historyMs + HOUR);
  expect(Object.values(brain.document.recordings)).toMatchObject([{ state: "planned" }]);
  expect(brain.document.timers["1"]).toBeDefined();
  brain.at(start + 2 * HOUR).at(start + 2 * ENGINE_LIMITS.historyMs);
  expect([brain.document.recordings, brain.document.timers]).toEqual([{}, {}]);
});

it("a removed recording is not reported as missed if the service still lists it", () => {
  const brain = new Brain().fetch(timer("1")).at(EIGHT);
  brain.ended("1", "DISK_FULL").closed("1").delivered();
  // A poll at every hour around the moment in which it leaves.
  for (let hours = -2; hours < 4; hours += 1) {
    brain.at(EIGHT + ENGINE_LIMITS.historyMs + hours * HOUR).fetch(timer("1"));
  }
  expect([brain.document.recordings, brain.document.outbox]).toEqual([{}, []]);
});

it("R-16 the result of an ended recording is also reported to the new id of its timer", () => {
  const brain = new Brain().fetch(timer("1")).at(EIGHT);
  brain.ended("1", "DISK_FULL").closed("1").delivered();
  brain.at(EIGHT + MINUTE).fetch(timer("9"));
  expect(brain.of("9")).toMatchObject({ state: "completed", timerId: "9" });
  expect(brain.told("9")).toMatchObject({ state: "completed" });
});
