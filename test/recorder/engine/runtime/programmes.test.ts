import { describe, expect, it } from "vitest";
import type { Programme } from "../../../../src/model/programme.ts";
import { DAY, MINUTE } from "../../../../src/model/time.ts";
import { programmeWants } from "../../../../src/recorder/engine/runtime/programme-wants.ts";
import { Brain, EIGHT, timer, tuner } from "./world.ts";

const EPISODE: Programme = { subtitle: "Hammerbarn", season: 2, episode: 5, seriesId: "77" };

function told(brain: Brain, programme: Programme = EPISODE, showId = "s1"): Brain {
  return brain.take({ kind: "programmes-fetched", programmes: { [showId]: programme } });
}

function recorded(brain: Brain): Brain {
  brain.at(EIGHT - MINUTE).flowing("1");
  brain
    .at(EIGHT + 33 * MINUTE)
    .ended("1")
    .closed("1");
  return brain.take({ kind: "annotated", recording: brain.of("1") });
}

const wants = (brain: Brain) => programmeWants(brain.document, brain.world).map(({ showId }) => showId);

describe("the guide's data on a show", () => {
  it("R-40 is stored with its recording, and follows the guide until it is recorded", () => {
    const brain = told(new Brain().fetch(timer("1")));
    expect(brain.of("1").programme).toEqual(EPISODE);
    told(brain, { subtitle: "Other" });
    expect(brain.of("1").programme).toEqual({ subtitle: "Other" });
    brain.at(EIGHT - MINUTE).flowing("1");
    told(brain);
    expect(brain.of("1").programme).toEqual(EPISODE);
  });

  it("R-14 changes nothing if repeated, or for shows without a timer", () => {
    const brain = told(new Brain().fetch(timer("1")));
    const { document } = brain;
    expect(told(brain).document).toBe(document);
    expect(told(brain, { subtitle: "Elsewhere" }, "s2").document).toBe(document);
    expect(brain.fetch(timer("1")).document).toBe(document);
  });

  it("belongs to the show: another show of the timer needs a new request", () => {
    const brain = told(new Brain().fetch(timer("1")));
    brain.fetch(timer("1", { showId: "s9" }));
    expect(brain.of("1")).toMatchObject({ showId: "s9" });
    expect(brain.of("1").programme).toBeUndefined();
    expect(wants(brain)).toEqual(["s9"]);
  });

  it("stays if the same show moves, is renamed, or gets another timer id", () => {
    const brain = told(new Brain().fetch(timer("1")));
    const event = { start: EIGHT + 4 * MINUTE, stop: EIGHT + 40 * MINUTE };
    brain.fetch(timer("1", { event, name: "Moved" }));
    expect(brain.of("1")).toMatchObject({ name: "Moved", programme: EPISODE });
    brain.fetch(timer("5", { event, showId: "s1" }));
    expect(brain.of("5").programme).toEqual(EPISODE);
  });

  it("R-40 rewrites the sidecars of a finished recording", () => {
    const brain = recorded(new Brain().fetch(timer("1")));
    brain.ordered();
    told(brain);
    expect(brain.of("1")).toMatchObject({ state: "completed", programme: EPISODE, sidecarDue: true });
    expect(brain.kinds()).toEqual(["annotate"]);
  });

  it("applies rules on the guide's series, even to the assignment of a single tuner", () => {
    const brain = new Brain({ tuners: [tuner("a")] });
    brain.policy = { ...brain.policy, priorities: [{ match: { series: "77" }, priority: 80 }] };
    brain.fetch(timer("1", { onChannel: 3 }), timer("2"));
    expect(brain.of("1")).toMatchObject({ priority: 50 });
    told(brain);
    expect(brain.of("1")).toMatchObject({ priority: 80, state: "planned" });
    expect(brain.of("2").state).toBe("conflicted");
    told(brain, EPISODE, "s2");
    told(brain, { seriesId: "78" });
    expect([brain.of("1").state, brain.of("2").state]).toEqual(["conflicted", "planned"]);
    brain.policy = { ...brain.policy, priorities: [] };
    brain.take({ kind: "started", running: new Set() });
    expect(brain.of("2").priority).toBe(50);
  });

  it("is requested for timers and recent recordings only", () => {
    const inNoGuide = timer("3", { showId: "0" });
    const brain = new Brain().fetch(timer("1"), timer("2"), inNoGuide);
    expect(wants(brain)).toEqual(["s1", "s2"]);
    brain.fetch(timer("1"), timer("2", { action: "forget" }), inNoGuide);
    expect(wants(brain)).toEqual(["s1"]);
    recorded(brain);
    brain.now = EIGHT + DAY;
    expect(wants(brain)).toEqual(["s1"]);
    brain.now = EIGHT + 30 * MINUTE + DAY;
    expect(wants(brain)).toEqual([]);
  });
});
