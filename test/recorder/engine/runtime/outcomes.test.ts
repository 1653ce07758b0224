import { describe, expect, it } from "vitest";
import { MINUTE, SECOND } from "../../../../src/model/time.ts";
import { Brain, EIGHT, timer, tuner, WHOLE } from "./world.ts";

const START = EIGHT - MINUTE;
const STOP = EIGHT + 32 * MINUTE;
const MOMENTS = 20;

/** Later occurrences, over and over: polls, restarts, instants. */
function lived(brain: Brain): Brain {
  for (let moment = 1; moment <= MOMENTS; moment += 1) {
    brain.at(brain.now + MINUTE);
    brain.fetch(timer("1"));
    brain.take({ kind: "started", running: new Set() });
  }
  return brain;
}

const count = ({ facts }: Brain, fact: string) => facts.filter((each) => each === fact).length;

describe("R-09 an important outcome is in the ledger once, and reported once", () => {
  it("if nothing was recorded because the recorder was off", () => {
    const brain = new Brain().fetch(timer("1")).delivered();
    brain.now = STOP + MINUTE;
    lived(brain.take({ kind: "started", running: new Set() }));
    expect(count(brain, "expired")).toBe(1);
    expect(brain.document.outbox.map(({ state }) => state)).toEqual(["failed"]);
    expect(lived(brain.delivered()).document.outbox).toEqual([]);
  });

  it("if too little was recorded", () => {
    const brain = new Brain().fetch(timer("1")).at(START).flowing("1").delivered();
    brain.at(STOP + SECOND).ended("1");
    lived(brain.closed("1", { ...WHOLE, eventCoveredMs: 10 * MINUTE }));
    expect(count(brain, "shortened")).toBe(1);
    expect(brain.document.outbox.map(({ state }) => state)).toEqual(["failed"]);
    expect(lived(brain.delivered()).document.outbox).toEqual([]);
  });

  it("if no tuner was free", () => {
    const brain = new Brain({ tuners: [tuner("a")] });
    const both = [timer("1"), timer("2", { onChannel: 3 })];
    brain.fetch(...both);
    const before = count(brain, "report-made");
    expect(brain.of("2").state).toBe("conflicted");
    for (let moment = 0; moment < MOMENTS; moment += 1) {
      brain.at(brain.now + SECOND);
      brain.fetch(...both);
    }
    expect(count(brain, "report-made")).toBe(before);
    expect(brain.told("2")?.message).toMatch(/^Conflict, no tuner is free/);
  });

  it("if it began late", () => {
    const brain = new Brain();
    brain.now = EIGHT + 5 * MINUTE;
    brain.fetch(timer("1")).flowing("1").delivered();
    const before = count(brain, "report-made");
    for (let moment = 0; moment < MOMENTS; moment += 1) brain.at(brain.now + SECOND).fetch(timer("1"));
    expect(count(brain, "report-made")).toBe(before);
    expect(brain.of("1").reported?.message).toMatch(/6 min late/);
  });
});
