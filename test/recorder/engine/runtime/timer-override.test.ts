import { describe, expect, it } from "vitest";
import { MINUTE } from "../../../../src/model/time.ts";
import { DOCUMENT_FORMAT } from "../../../../src/recorder/engine/runtime/document-format.ts";
import { setTimerOverride } from "../../../../src/recorder/engine/runtime/timer-override.ts";
import { Brain, EIGHT, timer, tuner } from "./world.ts";

/** Two events at once on two multiplexes for one tuner, and a rule that favours the first. */
function crowded(): Brain {
  const brain = new Brain({ tuners: [tuner("a")] });
  brain.policy = { ...brain.policy, priorities: [{ match: { title: "Show 1" }, priority: 70 }] };
  return brain.fetch(timer("1"), timer("2", { onChannel: 3 }));
}

function wish(brain: Brain, id: string, change: Parameters<typeof setTimerOverride>[1]) {
  return setTimerOverride(id, change, {
    document: () => brain.document,
    engine: { ask: (question) => brain.ask(question), ready: async () => {} },
  });
}

describe("an override of a timer", () => {
  it("takes precedence over the rules from the next plan on, until it is removed", async () => {
    const brain = crowded();
    expect(["1", "2"].map((id) => brain.of(id).state)).toEqual(["planned", "conflicted"]);
    await wish(brain, "2", { priority: 90 });
    expect(["1", "2"].map((id) => brain.of(id).state)).toEqual(["conflicted", "planned"]);
    await wish(brain, "2", { priority: null });
    expect(brain.of("2")).toMatchObject({ priority: 50, state: "conflicted" });
    expect(brain.of("2")).not.toHaveProperty("own");
  });

  it("survives restarts, new lists of the service and a move of the event", async () => {
    const brain = crowded();
    await wish(brain, "2", { priority: 90, padding: { beforeMs: 0, afterMs: 10 * MINUTE } });
    brain.document = DOCUMENT_FORMAT.parse(JSON.parse(JSON.stringify(brain.document)));
    brain.take({ kind: "started", running: new Set() });
    const start = EIGHT + 5 * MINUTE;
    brain.fetch(
      timer("1"),
      timer("2", { onChannel: 3, beforeMinutes: 7, event: { start, stop: start + 30 * MINUTE } }),
    );
    expect(brain.of("2")).toMatchObject({
      priority: 90,
      window: { start, stop: start + 40 * MINUTE },
      state: "planned",
    });
  });

  it("is refused for a timer without a recording to come", async () => {
    await expect(wish(crowded(), "9", { priority: 90 })).rejects.toMatchObject({ code: "RECORDING_UNKNOWN" });
  });

  it("never ends a running recording", async () => {
    const brain = crowded().at(EIGHT).flowing("1");
    await wish(brain, "2", { priority: 100 });
    expect(brain.of("1").state).toBe("recording");
    expect(brain.commands.some(({ kind }) => kind === "stop")).toBe(false);
  });
});
