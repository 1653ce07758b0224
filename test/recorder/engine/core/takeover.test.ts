import { describe, expect, it } from "vitest";
import { MINUTE, SECOND } from "../../../../src/model/time.ts";
import { Brain, EIGHT, receiving, timer, tuner } from "../runtime/world.ts";

const TEXT = "The source has sent nothing for 3 s.";

/** Recording on tuner a since a minute before eight, in the middle of it now. */
function running(brain = new Brain()): Brain {
  brain
    .fetch(timer("1"))
    .at(EIGHT - MINUTE)
    .flowing("1")
    .at(EIGHT + 10 * MINUTE)
    .ordered();
  return brain;
}

function doubted(brain: Brain, attempt = 1): Brain {
  return brain.take({ kind: "attempt-doubted", recordingId: brain.of("1").id, attempt, text: TEXT });
}

function ended(brain: Brain, attempt: number, cause: "asked" | "STREAM_STALLED" | "STREAM_NO_DATA"): Brain {
  const recordingId = brain.of("1").id;
  return brain.take({ kind: "attempt-ended", recordingId, attempt, cause, text: `${cause}.` });
}

function attempts(brain: Brain): readonly string[] {
  return brain
    .of("1")
    .attempts.map(({ tunerId, endedAt, cause }) => `${tunerId} ${endedAt === undefined ? "runs" : cause}`);
}

describe("R-28 a failing attempt", () => {
  it("is replaced on another tuner, and stopped once that one delivers", () => {
    const brain = doubted(running());
    expect(brain.ordered()).toMatchObject([{ kind: "attempt", attempt: 2, tunerId: "b" }]);
    expect(brain.of("1")).toMatchObject({ state: "recording" });
    expect(attempts(brain)).toEqual(["a runs", "b runs"]);
    brain.at(brain.now + SECOND).flowing("1");
    expect(brain.ordered()).toContainEqual({ kind: "stop", recordingId: brain.of("1").id, attempt: 1 });
    ended(brain, 1, "asked");
    expect(brain.of("1")).toMatchObject({ state: "recording", tunerId: "b" });
    expect(attempts(brain)).toEqual(["a asked", "b runs"]);
    expect(brain.told("1")?.message).toMatch(/^Recording on tuner b since \S+\.$/);
    expect(brain.facts).toEqual(expect.arrayContaining(["doubted", "relieved"]));
  });

  it("continues if the other one fails", () => {
    const brain = ended(doubted(running()), 2, "STREAM_NO_DATA");
    expect(brain.of("1")).toMatchObject({ state: "recording", tunerId: "a" });
    expect(brain.of("1").trouble).toBeUndefined();
    // A tuner that failed is not used for a takeover again.
    brain.ordered();
    expect(doubted(brain).ordered()).toEqual([]);
  });

  it("may end before the other one delivers, which continues", () => {
    const brain = ended(doubted(running()), 1, "STREAM_STALLED");
    expect(brain.of("1")).toMatchObject({ state: "recording", trouble: { code: "STREAM_STALLED" } });
    brain.flowing("1");
    expect(brain.of("1").trouble).toBeUndefined();
    expect(attempts(brain)).toEqual(["a STREAM_STALLED", "b runs"]);
  });

  it("is retried as usual if both fail", () => {
    const brain = ended(ended(doubted(running()), 1, "STREAM_STALLED"), 2, "STREAM_NO_DATA");
    expect(brain.of("1").state).toBe("waiting");
  });

  it("keeps its tuner until it ends, and the other one keeps its own", () => {
    const brain = doubted(running());
    brain.fetch(
      timer("1"),
      timer("2", { onChannel: 3, event: { start: brain.now, stop: EIGHT + 20 * MINUTE } }),
    );
    expect(brain.ordered().filter(({ kind }) => kind === "attempt")).toHaveLength(1);
    expect(brain.of("2").attempts).toEqual([]);
    ended(brain.flowing("1"), 1, "asked");
    expect(brain.of("2").attempts).toMatchObject([{ tunerId: "a" }]);
  });

  it("is not replaced if that costs another recording its tuner, or if no tuner is left", () => {
    const soon = { onChannel: 3, event: { start: EIGHT + 15 * MINUTE, stop: EIGHT + 45 * MINUTE } };
    const brain = new Brain({ tuners: [tuner("a", receiving(1, 2)), tuner("b")] });
    brain.fetch(timer("1"), timer("2", soon));
    running(brain).fetch(timer("1"), timer("2", soon));
    expect(doubted(brain).kinds()).not.toContain("attempt");
    // A takeover costs nothing if the tuner that is given up can serve the other recording.
    const both = new Brain();
    both.fetch(timer("1"), timer("2", soon));
    running(both).fetch(timer("1"), timer("2", soon));
    expect(doubted(both).kinds()).toContain("attempt");
    const elsewhere = running(new Brain({ tuners: [tuner("a"), tuner("b", receiving(5, 6))] }));
    expect(doubted(elsewhere).ordered()).toEqual([]);
  });

  it("is not replaced by itself if a restart reports its payload again", () => {
    const brain = running();
    const { id, attempts: before } = brain.of("1");
    brain.take({ kind: "started", running: new Set([`${id}.1`]) });
    brain.at(brain.now + MINUTE).flowing("1");
    expect(brain.of("1").attempts).toEqual(before);
    expect(brain.facts).not.toContain("relieved");
  });

  it("is stopped together with the other one at the end of the window, and both are adopted after a restart", () => {
    const brain = doubted(running());
    const { id } = brain.of("1");
    brain.ordered();
    brain.take({ kind: "started", running: new Set([`${id}.1`, `${id}.2`]) });
    expect(brain.ordered().filter(({ kind }) => kind === "adopt")).toHaveLength(2);
    brain.take({ kind: "started", running: new Set([`${id}.1`]) });
    expect(attempts(brain)).toEqual(["a runs", "b CAPTURE_DIED"]);

    const other = doubted(running());
    other.ordered();
    other.at(EIGHT + 33 * MINUTE);
    expect(other.ordered().filter(({ kind }) => kind === "stop")).toHaveLength(2);
    expect(ended(other, 2, "asked").kinds()).not.toContain("inspect");
    expect(ended(other, 1, "asked").kinds()).toContain("inspect");
  });
});

describe("a recording on a drained node", () => {
  const drained = { ...receiving(), isDrained: true } as const;

  /** Its node is drained now. */
  function drain(brain: Brain, id: string): Brain {
    const at = brain.tuners.findIndex((each) => each.id === id);
    brain.tuners[at] = tuner(id, drained);
    return brain.at(brain.now + SECOND);
  }

  it("moves to a free tuner with an overlap, and back when that one is drained later", () => {
    const brain = drain(running(), "a");
    expect(brain.ordered()).toMatchObject([{ kind: "attempt", attempt: 2, tunerId: "b" }]);
    expect(attempts(brain)).toEqual(["a runs", "b runs"]);
    brain.at(brain.now + SECOND).flowing("1");
    expect(brain.kinds()).toContain("stop");
    ended(brain, 1, "asked");
    brain.tuners[0] = tuner("a");
    expect(drain(brain, "b").ordered()).toMatchObject([{ kind: "attempt", attempt: 3, tunerId: "a" }]);
    expect(brain.facts).toEqual(expect.arrayContaining(["drained", "relieved"]));
  });

  it("goes on if no other tuner is free, and moves as soon as one is", () => {
    const brain = new Brain();
    brain.fetch(timer("1"), timer("2", { onChannel: 3, event: { start: EIGHT, stop: EIGHT + 10 * MINUTE } }));
    brain
      .at(EIGHT - MINUTE)
      .flowing("1")
      .flowing("2")
      .at(EIGHT)
      .ordered();
    const [from, to] = [brain.of("1").tunerId ?? "", brain.of("2").tunerId];
    expect(drain(brain, from).ordered()).toEqual([]);
    expect(brain.of("1").state).toBe("recording");
    brain
      .at(EIGHT + 13 * MINUTE)
      .ended("2")
      .at(brain.now + SECOND);
    expect(brain.of("1").attempts.map(({ tunerId }) => tunerId)).toEqual([from, to]);
  });

  it("goes on if the other tuner fails, and tries the next one, each once", () => {
    const brain = drain(running(new Brain({ tuners: [tuner("a"), tuner("b"), tuner("c")] })), "a");
    ended(brain, 2, "STREAM_NO_DATA");
    expect(attempts(brain)).toEqual(["a runs", "b STREAM_NO_DATA", "c runs"]);
    ended(brain, 3, "STREAM_NO_DATA").at(brain.now + MINUTE);
    expect(attempts(brain)).toEqual(["a runs", "b STREAM_NO_DATA", "c STREAM_NO_DATA"]);
    expect(brain.of("1")).toMatchObject({ state: "recording", tunerId: "a" });
  });

  it("also moves from a tuner that other nodes have, too", () => {
    const brain = running();
    brain.leaving = new Set([`${brain.of("1").id}.1`]);
    brain.at(brain.now + SECOND);
    expect(brain.ordered()).toMatchObject([{ kind: "attempt", attempt: 2, tunerId: "b" }]);
  });

  it("is planned elsewhere if it has not begun", () => {
    const brain = new Brain();
    brain.fetch(timer("1"));
    expect(brain.of("1").tunerId).toBe("a");
    expect(drain(brain, "a").of("1").tunerId).toBe("b");
  });
});
