import { describe, expect, it } from "vitest";
import type { Use } from "../../../../src/model/lease.ts";
import { MODEL_LIMITS } from "../../../../src/model/limits.ts";
import { HOUR, MINUTE, SECOND } from "../../../../src/model/time.ts";
import { ENGINE_LIMITS } from "../../../../src/recorder/engine/core/limits.ts";
import { GATHER_LIMITS } from "../../../../src/recorder/subsystems/gather/limits.ts";
import { Brain, EIGHT, receiving, timer, tripletOf, tuner } from "../runtime/world.ts";

type Ask = { readonly tunerId?: string; readonly use?: Use };

/** Asks for channel `n`, and says which tuner that gets, or why it gets none. */
function ask(brain: Brain, id: string, { n, tunerId, use = "view" }: Ask & { readonly n: number }): string {
  const until =
    brain.now +
    (use === "gathering" ? MODEL_LIMITS.tuneMs + GATHER_LIMITS.idleListenMs : MODEL_LIMITS.viewMs);
  const named = tunerId === undefined ? {} : { tunerId };
  brain.ordered();
  brain.take({ kind: "lease-asked", leaseId: id, use, service: tripletOf(n), until, ...named });
  for (const command of brain.ordered()) {
    if (command.kind === "lease" && command.leaseId === id) return command.tunerId;
  }
  return brain.refusal?.code ?? "nothing";
}

const leases = (brain: Brain) =>
  Object.values(brain.document.leases).map(({ id, tunerId }) => `${id} ${tunerId}`);

describe("R-27 a viewer", () => {
  it("gets a tuner that no recording needs soon, from the last to the first", () => {
    const brain = new Brain({ now: EIGHT - HOUR });
    expect(ask(brain, "v1", { n: 1 })).toBe("b");
    expect(leases(brain)).toEqual(["v1 b"]);
    expect(ask(brain, "v2", { n: 3 })).toBe("a");
    expect(ask(brain, "v3", { n: 5 })).toBe("TUNER_BUSY");
    expect(ask(brain, "v4", { n: 2 })).toBe("b");
  });

  it("gets no tuner of another node, whose stream does not reach it", () => {
    const brain = new Brain({
      tuners: [
        { ...tuner("a"), ...receiving(1) },
        { ...tuner("b"), isElsewhere: true },
      ],
    });
    expect(ask(brain, "v1", { n: 1 })).toBe("a");
    expect(ask(brain, "v2", { n: 3 })).toBe("TUNER_NONE_CAPABLE");
    expect(brain.refusal?.text).toContain("other nodes");
  });

  it("loses its tuner to a recording that needs it", () => {
    const brain = new Brain({ tuners: [tuner("a")] });
    brain.fetch(timer("1"));
    expect(ask(brain, "v1", { n: 3 })).toBe("a");
    brain.at(EIGHT - MINUTE - 2 * SECOND);
    expect(brain.kinds()).toEqual(expect.arrayContaining(["evict", "attempt"]));
    expect(leases(brain)).toEqual([]);
    expect(brain.facts).toContain("lease-taken");
    expect(brain.of("1").state).toBe("tuning");
  });

  it("is warned before the attempt begins", () => {
    const brain = new Brain({ tuners: [tuner("a")] });
    brain.fetch(timer("1"));
    ask(brain, "v1", { n: 3 });
    brain.at(EIGHT - MINUTE - 2 * SECOND);
    const kinds = brain.kinds();
    expect(kinds.indexOf("evict")).toBeLessThan(kinds.indexOf("attempt"));
  });

  it("never stops a recording, nor gets a tuner that one needs soon", () => {
    const brain = new Brain({ tuners: [tuner("a")] });
    brain.fetch(timer("1"));
    brain.at(EIGHT - MINUTE - 20 * SECOND);
    expect(ask(brain, "v1", { n: 3 })).toBe("TUNER_BUSY");
    brain.at(EIGHT - MINUTE).flowing("1");
    expect(ask(brain, "v2", { n: 3 })).toBe("TUNER_BUSY");
    expect(ask(brain, "v3", { n: 3, tunerId: "a" })).toBe("TUNER_BUSY");
    expect(brain.of("1").state).toBe("recording");
  });

  it("R-22 shares the tuner of a recording on its multiplex, and stays when the recording ends", () => {
    const brain = new Brain({ tuners: [tuner("a"), tuner("b")] });
    brain
      .fetch(timer("1"))
      .at(EIGHT - MINUTE)
      .flowing("1");
    expect(ask(brain, "v1", { n: 2 })).toBe(brain.of("1").tunerId);
    brain.at(EIGHT + 33 * MINUTE).ended("1");
    expect(leases(brain)).toHaveLength(1);
  });

  it("yields if the tuner can deliver no more services of its multiplex", () => {
    const brain = new Brain({ tuners: [tuner("a", { servicesAtOnce: () => 1 })] });
    brain.fetch(timer("1"));
    expect(ask(brain, "v1", { n: 2 })).toBe("a");
    brain.at(EIGHT - MINUTE - 2 * SECOND);
    expect(brain.kinds()).toEqual(expect.arrayContaining(["evict", "attempt"]));
  });

  it("takes a tuner from a probe, and a probe takes none from a viewer", () => {
    const brain = new Brain({ tuners: [tuner("a")] });
    expect(ask(brain, "p1", { n: 1, use: "probe" })).toBe("a");
    expect(ask(brain, "v1", { n: 3 })).toBe("a");
    expect(leases(brain)).toEqual(["v1 a"]);
    expect(ask(brain, "p2", { n: 1, use: "probe" })).toBe("TUNER_BUSY");
  });

  it("is refused if no tuner receives the service, and for an unknown tuner", () => {
    const brain = new Brain({ tuners: [tuner("a", receiving(1, 2))] });
    expect(ask(brain, "v1", { n: 3 })).toBe("TUNER_NONE_CAPABLE");
    expect(ask(brain, "v2", { n: 1, tunerId: "z" })).toBe("TUNER_NONE_CAPABLE");
  });

  it("leaves at its request, at its time limit, and with the daemon", () => {
    const brain = new Brain();
    ask(brain, "v1", { n: 1 });
    brain.take({ kind: "lease-ended", leaseId: "v1" });
    expect(leases(brain)).toEqual([]);
    ask(brain, "v2", { n: 1 });
    brain.at(brain.now + MODEL_LIMITS.viewMs);
    expect(leases(brain)).toEqual([]);
    ask(brain, "v3", { n: 1 });
    brain.take({ kind: "started", running: new Set() });
    expect(leases(brain)).toEqual([]);
  });

  it("is refused with TUNER_BUSY beyond the limit of leases", () => {
    const brain = new Brain();
    for (let n = 0; n < ENGINE_LIMITS.leases; n += 1) expect(ask(brain, `v${n}`, { n: 1 })).toBe("b");
    expect(ask(brain, "one more", { n: 1 })).toBe("TUNER_BUSY");
  });
});

describe("R-27 EIT gathering", () => {
  const gathering = { use: "gathering" as const };

  it("gets only an unused tuner, not even one on its multiplex", () => {
    const brain = new Brain({ now: EIGHT - HOUR });
    expect(ask(brain, "v1", { n: 1 })).toBe("b");
    expect(ask(brain, "g1", { n: 2, ...gathering })).toBe("a");
    expect(ask(brain, "g2", { n: 2, ...gathering })).toBe("TUNER_BUSY");
    expect(leases(brain)).toEqual(["v1 b", "g1 a"]);
  });

  it("ends before a recording needs the tuner, even one of the same multiplex", () => {
    const brain = new Brain({ tuners: [tuner("a")] });
    brain.fetch(timer("1"));
    const latest =
      EIGHT - MINUTE - 2 * SECOND - (MODEL_LIMITS.tuneMs + GATHER_LIMITS.idleListenMs) - MINUTE / 2;
    brain.at(latest);
    expect(ask(brain, "g1", { n: 1, ...gathering })).toBe("TUNER_BUSY");
    expect(ask(brain, "g2", { n: 3, ...gathering })).toBe("TUNER_BUSY");
    const earlier = new Brain({ tuners: [tuner("a")] });
    earlier.fetch(timer("1")).at(latest - 3 * SECOND);
    expect(ask(earlier, "g3", { n: 3, ...gathering })).toBe("a");
  });

  it.each(["view", "probe"] as const)("yields its tuner to a %s", (use) => {
    const brain = new Brain({ tuners: [tuner("a")] });
    expect(ask(brain, "g1", { n: 1, ...gathering })).toBe("a");
    expect(ask(brain, "u1", { n: 3, use })).toBe("a");
    expect(leases(brain)).toEqual(["u1 a"]);
  });

  it("yields its tuner to a recording booked meanwhile that begins at once", () => {
    const brain = new Brain({ tuners: [tuner("a")], now: EIGHT });
    expect(ask(brain, "g1", { n: 3, ...gathering })).toBe("a");
    brain.fetch(timer("1"));
    expect(brain.kinds()).toEqual(expect.arrayContaining(["evict", "attempt"]));
    expect(leases(brain)).toEqual([]);
    expect(brain.of("1").state).toBe("tuning");
  });

  it("gets no faulty tuner", () => {
    const brain = new Brain({ tuners: [tuner("a", { isDoubtful: true }), tuner("b")] });
    expect(ask(brain, "g1", { n: 1, tunerId: "a", ...gathering })).toBe("TUNER_BUSY");
    expect(ask(brain, "g2", { n: 1, ...gathering })).toBe("b");
  });
});

it("R-26 as many recordings as tuners start at once", () => {
  const tuners = ["a", "b", "c"].map((id) => tuner(id));
  const brain = new Brain({ tuners });
  brain.fetch(timer("1"), timer("2", { channelId: "3" }), timer("3", { channelId: "5" }));
  brain.at(EIGHT - MINUTE - 2 * SECOND);
  const attempts = brain.ordered().filter(({ kind }) => kind === "attempt");
  expect(attempts.map((command) => ("tunerId" in command ? command.tunerId : "")).toSorted()).toEqual([
    "a",
    "b",
    "c",
  ]);
});
