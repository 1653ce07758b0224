import { describe, expect, it } from "vitest";
import { MODEL_LIMITS } from "../../../../src/model/limits.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../src/model/time.ts";
import { ENGINE_LIMITS } from "../../../../src/recorder/engine/core/limits.ts";
import { nextInstant } from "../../../../src/recorder/engine/core/settle.ts";
import { inState } from "../../../model/recordings.ts";
import { Brain, EIGHT, EMPTY, receiving, timer, tripletOf, tuner, WHOLE } from "../runtime/world.ts";

const START = EIGHT - MINUTE;
const STOP = EIGHT + 32 * MINUTE;

describe("a timer of the service", () => {
  it("is planned on a tuner, and the report names time and tuner", () => {
    const brain = new Brain().fetch(timer("1"));
    expect(brain.of("1")).toMatchObject({
      state: "planned",
      tunerId: "a",
      window: { start: START, stop: STOP },
    });
    expect(brain.told("1")).toMatchObject({
      state: "waiting",
      message: "Scheduled on tuner a, 19:59–20:32.",
    });
  });

  it("R-15 that was unreadable at first is recorded once it is readable, despite the reported failure", () => {
    const brain = new Brain();
    const malformed = [{ id: "1", reason: "no start" }];
    brain.take({ kind: "timers-fetched", list: { timers: [], malformed } }).delivered();
    brain.fetch(timer("1", { state: "failed" }));
    expect(brain.of("1").state).toBe("planned");
    expect(brain.told("1")?.state).toBe("waiting");
  });

  it("R-14 changes nothing when fetched again unchanged", () => {
    const brain = new Brain().fetch(timer("1"), timer("2"));
    const before = brain.document;
    brain.fetch(timer("2"), timer("1"));
    expect(brain.document).toBe(before);
  });

  it("R-13 gives the same document in any order of the list, forgets first", () => {
    const list = [
      timer("1"),
      timer("2", { onChannel: 3 }),
      timer("3", { action: "forget" }),
      timer("4", { onChannel: 5 }),
    ];
    const forward = new Brain().fetch(...list).document;
    const backward = new Brain().fetch(...[...list].reverse()).document;
    expect(backward).toEqual(forward);
  });

  it("is not withdrawn by absence from one list", () => {
    const brain = new Brain().fetch(timer("1")).fetch();
    expect(brain.of("1").state).toBe("planned");
  });

  it("R-14 keeps its recording when its event moves", () => {
    const brain = new Brain().fetch(timer("1"));
    const { id } = brain.of("1");
    brain.fetch(timer("1", { event: { start: EIGHT + 10 * MINUTE, stop: EIGHT + 40 * MINUTE } }));
    expect(brain.of("1")).toMatchObject({
      id,
      window: { start: START + 10 * MINUTE, stop: STOP + 10 * MINUTE },
    });
  });

  it("may have its own padding", () => {
    const brain = new Brain().fetch(timer("1", { beforeMinutes: 5, afterMinutes: 0 }));
    expect(brain.of("1").window).toEqual({ start: EIGHT - 5 * MINUTE, stop: EIGHT + 30 * MINUTE });
  });

  it("follows the rule that ordered it, also while it runs", () => {
    const rule = { id: 3, keep: 2, priority: 60, folder: "Kids" };
    const brain = new Brain().fetch(timer("1", { rule }));
    expect(brain.of("1")).toMatchObject({ rule, priority: 60 });
    const changed = { ...rule, priority: 70, folder: "Films" };
    brain.fetch(timer("1", { rule: changed }));
    expect(brain.of("1")).toMatchObject({ rule: changed, priority: 70 });
    brain.at(EIGHT).flowing("1").fetch(timer("1", { rule }));
    expect(brain.of("1")).toMatchObject({ state: "recording", rule, priority: 60 });
    brain.fetch(timer("1"));
    expect(brain.of("1").rule).toBeUndefined();
    expect(brain.of("1").priority).toBe(50);
  });

  it("R-15 is reported as failed once if it is unreadable, and affects no other", () => {
    const brain = new Brain();
    const list = { timers: [timer("1")], malformed: [{ id: "9", reason: "start_time is missing" }] };
    brain.take({ kind: "timers-fetched", list }).take({ kind: "timers-fetched", list });
    expect(brain.of("1").state).toBe("planned");
    expect(brain.document.outbox.filter(({ timerId }) => timerId === "9")).toHaveLength(1);
    expect(brain.told("9")).toMatchObject({
      state: "failed",
      message: "Not understood: start_time is missing",
    });
  });

  it("that the service lists as done is not recorded again", () => {
    const brain = new Brain().fetch(timer("1", { state: "completed" }));
    expect(Object.keys(brain.document.recordings)).toEqual([]);
  });

  it("may have any id, even the name of a built-in property", () => {
    for (const id of ["constructor", "toString", "__proto__"]) {
      const brain = new Brain().fetch(timer("1"), timer(id, { onChannel: 3 }));
      expect(brain.of(id).state).toBe("planned");
      brain.fetch(timer("1"), timer(id, { onChannel: 3 })).at(START);
      expect(brain.of("1").state).toBe("tuning");
    }
  });

  it("R-18 that is booked again after its withdrawal is recorded again", () => {
    const brain = new Brain().fetch(timer("1")).at(EIGHT).flowing("1");
    brain.fetch(timer("1", { action: "forget" })).fetch(timer("1"));
    const [first, second] = Object.values(brain.document.recordings);
    expect(first).toMatchObject({ state: "closing", withdrawn: true });
    expect(second).toMatchObject({ timerId: "1", state: "tuning" });
  });

  it("that was cancelled is recorded if it is booked again during its event", () => {
    const brain = new Brain()
      .fetch(timer("1"))
      .fetch(timer("1", { action: "forget" }))
      .at(EIGHT);
    expect(brain.fetch(timer("1")).of("1").state).toBe("tuning");
  });

  it("with an unknown action is stored and not followed", () => {
    const brain = new Brain().fetch(timer("1", { action: "other" }));
    expect(brain.document.timers["1"]).toBeDefined();
    expect(Object.keys(brain.document.recordings)).toEqual([]);
  });

  it("R-40 follows the channel list until it begins", () => {
    const brain = new Brain({ channels: [] }).fetch(timer("1"));
    expect(brain.told("1")?.message).toContain("no service of a tuner matches it");
    brain.take({
      kind: "channels-fetched",
      channels: [
        {
          id: "1",
          name: "One",
          nameShort: "",
          knownNames: [],
          lcns: [],
          triplets: [{ onid: 1, tsid: 1, sid: 1 }],
        },
      ],
    });
    expect(brain.of("1")).toMatchObject({ state: "planned", channelName: "One" });
    expect(brain.of("1").trouble).toBeUndefined();
  });
});

describe("forget", () => {
  it("cancels a planned recording and is acknowledged", () => {
    const brain = new Brain().fetch(timer("1")).fetch(timer("1", { action: "forget" }));
    expect(brain.of("1").state).toBe("cancelled");
    expect(brain.document.outbox).toMatchObject([
      { timerId: "1", state: "completed", acknowledgesForget: true },
    ]);
  });

  it("R-18 ends a running recording and keeps its file", () => {
    const brain = new Brain().fetch(timer("1")).at(START).flowing("1");
    brain.ordered();
    brain.fetch(timer("1", { action: "forget" }));
    expect(brain.of("1").state).toBe("closing");
    expect(brain.kinds()).toContain("stop");
    brain.ended("1").closed("1", { ...WHOLE, eventCoveredMs: MINUTE });
    expect(brain.of("1")).toMatchObject({ state: "cancelled", evidence: { file: WHOLE.file } });
  });
});

describe("a recording", () => {
  it("begins when its tuner must warm up, not before", () => {
    const brain = new Brain().fetch(timer("1"));
    brain.ordered();
    expect(nextInstant(brain.document, { ...brain.world, now: START - 30 * SECOND })).toBeLessThanOrEqual(
      START - 2 * SECOND,
    );
    brain.at(START - 2 * SECOND - 1);
    expect(brain.kinds()).toEqual([]);
    brain.at(START - 2 * SECOND);
    expect(brain.ordered()).toMatchObject([
      { kind: "attempt", attempt: 1, tunerId: "a", endsBy: STOP + ENGINE_LIMITS.captureOverrunMs },
    ]);
  });

  it("R-05 is reported as running only with payload on disk", () => {
    const brain = new Brain().fetch(timer("1")).at(START).delivered();
    expect(brain.of("1").state).toBe("tuning");
    expect(brain.told("1")).toBeUndefined();
    brain.flowing("1");
    expect(brain.told("1")).toMatchObject({ state: "running", message: "Recording on tuner a since 19:59." });
  });

  it("R-04 is completed once the event is on disk, with its figures", () => {
    const brain = new Brain()
      .fetch(timer("1"))
      .at(START)
      .flowing("1")
      .at(STOP + MODEL_LIMITS.stopDelayMs);
    expect(brain.kinds()).toContain("stop");
    brain.ended("1");
    expect(brain.kinds()).toContain("inspect");
    brain.closed("1");
    expect(brain.of("1").state).toBe("completed");
    expect(brain.told("1")).toMatchObject({
      state: "completed",
      message: "Recorded, perfect: 100 % of the event, 1.0 MB, no errors.",
    });
  });

  it("R-04 is reported as failed with the figures if too little of the event is on disk", () => {
    const gap = { start: EIGHT, stop: EIGHT + 10 * MINUTE };
    const brain = new Brain()
      .fetch(timer("1"))
      .at(START)
      .flowing("1")
      .at(STOP + SECOND)
      .ended("1");
    brain.closed("1", { ...WHOLE, eventCoveredMs: 20 * MINUTE, gaps: [gap] });
    expect(brain.of("1").state).toBe("partial");
    expect(brain.told("1")).toMatchObject({
      state: "failed",
      message: "Recorded only in part, damaged: 66.6 % of the event, 1.0 MB, missing 20:00–20:10.",
    });
  });

  it("R-05 fails without a file if no data came", () => {
    const brain = new Brain({ tuners: [tuner("a")] })
      .fetch(timer("1"))
      .at(START)
      .ended("1", "STREAM_NO_DATA");
    brain.at(STOP + SECOND);
    brain.closed("1", EMPTY);
    expect(brain.of("1").state).toBe("failed");
    expect(brain.told("1")).toMatchObject({ state: "failed", message: "Not recorded: STREAM_NO_DATA." });
  });

  it("R-07 closes at once on a full disk, with that reason", () => {
    const brain = new Brain().fetch(timer("1")).at(START).flowing("1").ended("1", "DISK_FULL");
    expect(brain.of("1").state).toBe("closing");
    brain.closed("1", { ...WHOLE, eventCoveredMs: MINUTE });
    expect(brain.told("1")).toMatchObject({ state: "failed" });
    expect(brain.told("1")?.message).toContain("DISK_FULL.");
  });

  it("R-18 follows a longer event without a restart", () => {
    const brain = new Brain().fetch(timer("1")).at(START).flowing("1");
    brain.ordered();
    brain.fetch(timer("1", { event: { start: EIGHT, stop: EIGHT + 50 * MINUTE } })).at(STOP + SECOND);
    expect(brain.of("1").state).toBe("recording");
    expect(brain.kinds()).toEqual([]);
  });

  it("R-04 is not whole if its event became longer while it was closing", () => {
    const brain = new Brain()
      .fetch(timer("1"))
      .at(START)
      .flowing("1")
      .at(STOP + SECOND)
      .ended("1");
    brain.take({ kind: "inspected", recordingId: brain.of("1").id, evidence: WHOLE });
    brain.fetch(timer("1", { event: { start: EIGHT, stop: EIGHT + 50 * MINUTE } }));
    brain.take({ kind: "published", recordingId: brain.of("1").id, file: "/recordings/Show.ts" });
    expect(brain.of("1")).toMatchObject({ state: "partial", evidence: { eventMs: 50 * MINUTE } });
    expect(brain.told("1")?.message).toContain("64 % of the event");
  });

  it("R-18 is judged by its own event, and the next one is recorded, if its timer moved there while it was closing", () => {
    const brain = new Brain().fetch(timer("1")).at(START).flowing("1");
    brain.at(STOP + SECOND).ended("1");
    brain.take({ kind: "inspected", recordingId: brain.of("1").id, evidence: WHOLE });
    const next = timer("1", { event: { start: EIGHT + DAY, stop: EIGHT + DAY + 30 * MINUTE } });
    brain.fetch(next);
    brain.take({ kind: "published", recordingId: brain.of("1").id, file: "/recordings/Show.ts" });
    brain.fetch(next);
    expect(Object.values(brain.document.recordings)).toMatchObject([
      { state: "completed", event: { start: EIGHT } },
      { state: "planned", event: next.event },
    ]);
  });

  it("repeats no message while it waits for a tuner", () => {
    const brain = new Brain({ tuners: [tuner("a")] });
    brain
      .fetch(timer("1"), timer("2", { onChannel: 3 }))
      .at(START)
      .flowing("1")
      .ended("1", "STREAM_STALLED");
    brain.at(EIGHT);
    const told = brain.told("2")?.message;
    expect(told).toContain("“Show 1” 19:59–20:32");
    for (let tries = 1; tries <= 20; tries += 1) brain.ended("1", "TUNER_NO_LOCK").at(EIGHT + tries * MINUTE);
    expect(brain.told("2")?.message).toBe(told);
  });

  it("R-18 keeps its tuner although its event moved to a later time: another recording uses a free one", () => {
    const brain = new Brain()
      .fetch(timer("1"), timer("2", { onChannel: 3 }))
      .at(START)
      .flowing("1")
      .flowing("2")
      .at(EIGHT + MINUTE);
    const later = { start: EIGHT + 4 * HOUR, stop: EIGHT + 5 * HOUR };
    brain.fetch(timer("1", { event: later }), timer("2", { onChannel: 3 }));
    const before = brain.of("2").tunerId;
    brain.ended("2", "CAPTURE_DIED").at(EIGHT + MINUTE + ENGINE_LIMITS.retryMsMax);
    expect(brain.of("2")).toMatchObject({ state: "tuning", tunerId: before });
  });

  it("R-18 is not resumed before its event if that moved after an interruption", () => {
    const brain = new Brain().fetch(timer("1")).at(START).flowing("1").ended("1", "STREAM_ENDED");
    brain.fetch(timer("1", { event: { start: EIGHT + DAY, stop: EIGHT + DAY + 30 * MINUTE } }));
    brain.ordered();
    brain.at(START + HOUR);
    expect(brain.kinds()).not.toContain("attempt");
    brain.at(START + DAY - 2 * SECOND);
    expect(brain.kinds()).toContain("attempt");
  });

  it("R-08 never reverts a reported state", () => {
    const brain = new Brain({ tuners: [tuner("a")] }).fetch(timer("1")).at(START).flowing("1").delivered();
    brain.ended("1", "STREAM_STALLED");
    expect(brain.of("1").state).toBe("waiting");
    const report = brain.told("1");
    expect(report?.state).toBeUndefined();
    expect(report?.message).toContain("Trying again");
  });
});

describe("a failed attempt", () => {
  it("R-20 is followed by one on another tuner at once, then by the same with a pause", () => {
    const brain = new Brain().fetch(timer("1")).at(START);
    brain.ordered();
    brain.ended("1", "TUNER_NO_LOCK");
    expect(brain.ordered()).toMatchObject([{ kind: "attempt", attempt: 2, tunerId: "b" }]);
    brain.ended("1", "TUNER_NO_LOCK");
    expect(brain.kinds()).not.toContain("attempt");
    brain.at(START + 2 * SECOND);
    expect(brain.ordered()).toMatchObject([{ kind: "attempt", attempt: 3, tunerId: "a" }]);
  });

  it("R-20 is retried with growing pauses until the window ends", () => {
    const brain = new Brain({ tuners: [tuner("a")] }).fetch(timer("1")).at(START);
    let tries = 0;
    while (brain.now < STOP) {
      if (brain.of("1").state === "tuning") {
        tries += 1;
        brain.ended("1", "TUNER_NO_LOCK");
      }
      brain.at(Math.max(brain.now + 1, nextInstant(brain.document, brain.world)));
    }
    expect(tries).toBeGreaterThan(60);
    expect(tries).toBeLessThan(80);
    expect(brain.of("1").state).toBe("closing");
  });

  it("is not retried in a tight loop if payload begins and breaks off repeatedly", () => {
    const brain = new Brain({ tuners: [tuner("a")] }).fetch(timer("1")).at(START).flowing("1");
    brain.ordered();
    brain.ended("1", "STREAM_ENDED");
    expect(brain.kinds()).not.toContain("attempt");
    brain.at(START + ENGINE_LIMITS.retryMsMin);
    expect(brain.kinds()).toContain("attempt");
  });

  it("R-20 is not retried in a tight loop if two tuners break off in turns", () => {
    const brain = new Brain().fetch(timer("1")).at(START).flowing("1");
    brain.ordered();
    brain.ended("1", "STREAM_ENDED");
    expect(brain.kinds()).not.toContain("attempt");
    brain.at(START + ENGINE_LIMITS.retryMsMin);
    expect(brain.kinds()).toContain("attempt");
  });

  it("R-42 is followed by longer pauses after very many attempts", () => {
    const brain = new Brain().fetch(timer("1")).at(START);
    const before = brain.of("1");
    const attempts = Array.from({ length: ENGINE_LIMITS.attemptsQuick }, (_, index) => ({
      number: index + 1,
      tunerId: "a",
      startedAt: START,
      flowingAt: START,
      ...(index + 1 === ENGINE_LIMITS.attemptsQuick ? {} : { endedAt: START }),
    }));
    const recordings = { [before.id]: inState(before, "recording", { attempts }) };
    brain.document = { ...brain.document, recordings };
    brain.at(EIGHT).ended("1", "STREAM_ENDED");
    brain.ordered();
    brain.at(EIGHT + ENGINE_LIMITS.retryMsMax - 1);
    expect(brain.kinds()).not.toContain("attempt");
    brain.at(EIGHT + ENGINE_LIMITS.retryMsMax);
    expect(brain.kinds()).toContain("attempt");
  });

  it("is not confused with a later one if its events arrive late", () => {
    const brain = new Brain().fetch(timer("1")).at(START).ended("1", "TUNER_NO_LOCK");
    const before = brain.document;
    brain.take({
      kind: "attempt-ended",
      recordingId: brain.of("1").id,
      attempt: 1,
      cause: "TUNER_NO_LOCK",
      text: "",
    });
    expect(brain.document).toBe(before);
  });
});

describe("tuners", () => {
  it("R-22 receive several services of one multiplex at once", () => {
    const brain = new Brain().fetch(timer("1", { onChannel: 1 }), timer("2", { onChannel: 2 })).at(START);
    expect([brain.of("1").tunerId, brain.of("2").tunerId]).toEqual(["a", "a"]);
  });

  it("R-26 start all recordings that begin at the same time", () => {
    const brain = new Brain({ tuners: [tuner("a"), tuner("b"), tuner("c")] });
    brain.fetch(timer("1", { onChannel: 1 }), timer("2", { onChannel: 3 }), timer("3", { onChannel: 5 }));
    brain.ordered();
    brain.at(START);
    expect(brain.kinds()).toEqual(["attempt", "attempt", "attempt"]);
  });

  it("in conflict: the report names the user of each capable tuner, and the recording is placed once one is free", () => {
    const brain = new Brain({ tuners: [tuner("a")] });
    brain.fetch(timer("1", { onChannel: 1 }), timer("2", { onChannel: 3 }));
    expect(brain.of("2").state).toBe("conflicted");
    expect(brain.told("2")).toMatchObject({
      state: "waiting",
      message:
        "Conflict, no tuner is free: a records “Show 1” 19:59–20:32. Without “Show 1” it would be recorded.",
    });
    brain.fetch(timer("1", { onChannel: 1, action: "forget" }), timer("2", { onChannel: 3 }));
    expect(brain.of("2")).toMatchObject({ state: "planned", tunerId: "a" });
    expect(brain.told("2")?.message).toBe("Scheduled on tuner a, 19:59–20:32.");
  });

  it("in conflict: the report says so if no single change would help", () => {
    const brain = new Brain({ tuners: [tuner("a")] });
    brain.policy = { ...brain.policy, priorities: [{ match: { title: "Show 2" }, priority: 70 }] };
    brain.fetch(timer("1")).at(START).flowing("1");
    brain.fetch(timer("1"), timer("2", { onChannel: 3 }), timer("3", { onChannel: 5 }));
    expect(brain.told("3")?.message).toMatch(/^Conflict, no tuner is free: .*No single change would help: /);
    expect(brain.told("2")?.message).not.toContain("No single change");
  });

  it("get no recordings of services that they cannot receive", () => {
    const brain = new Brain({ tuners: [tuner("a", receiving(1)), tuner("b", receiving(3))] });
    brain.fetch(timer("1", { onChannel: 3 }), timer("2", { onChannel: 5 }));
    expect(brain.of("1").tunerId).toBe("b");
    expect(brain.told("2")?.message).toBe("No configured tuner receives Channel 5.");
  });

  it("R-25 are not reused before the previous recording has ended", () => {
    const brain = new Brain({ tuners: [tuner("a")] });
    const first = timer("1", { onChannel: 1, afterMinutes: 0 });
    const event = { start: first.event.stop, stop: first.event.stop + 30 * MINUTE };
    brain
      .fetch(first, timer("2", { onChannel: 3, event, beforeMinutes: 0 }))
      .at(START)
      .flowing("1");
    brain.ordered();
    brain.at(event.start - SECOND);
    expect(brain.kinds()).not.toContain("attempt");
    brain.at(event.start + MODEL_LIMITS.stopDelayMs);
    expect(brain.kinds()).toEqual(["stop"]);
    brain.ended("1");
    expect(brain.kinds()).toContain("attempt");
  });

  it("R-21 are released after any end", () => {
    const brain = new Brain({ tuners: [tuner("a")] })
      .fetch(timer("1"))
      .at(START)
      .flowing("1")
      .at(STOP + SECOND)
      .ended("1")
      .closed("1");
    brain.fetch(
      timer("1"),
      timer("2", { onChannel: 3, event: { start: STOP + DAY, stop: STOP + DAY + MINUTE } }),
    );
    brain.ordered();
    brain.at(STOP + DAY - MINUTE);
    expect(brain.ordered()).toMatchObject([{ kind: "attempt", tunerId: "a" }]);
  });
});

describe("a restart", () => {
  it("R-34 adopts a running capture", () => {
    const brain = new Brain().fetch(timer("1")).at(START).flowing("1");
    brain.ordered();
    brain.now += 5 * SECOND;
    brain.take({ kind: "started", running: new Set([`${brain.of("1").id}.1`]) });
    expect(brain.ordered()).toMatchObject([{ kind: "adopt", attempt: 1 }, { kind: "deliver" }]);
    expect(brain.of("1").state).toBe("recording");
  });

  describe("after which the document lacks attempts that are on the disk", () => {
    const lost = (brain: Brain, number: number) => {
      const { id: recordingId } = brain.of("1");
      return { recordingId, number, tunerId: "b", startedAt: START };
    };

    it("R-34 adopts a capture that runs, whether its recording was planned, in conflict or waiting", () => {
      const planned = new Brain().fetch(timer("1"));
      const conflicted = new Brain({ tuners: [tuner("a")] }).fetch(
        timer("1"),
        timer("2", { onChannel: 3, rule: { id: 1, priority: 80 } }),
      );
      const waiting = new Brain({ tuners: [tuner("a")] })
        .fetch(timer("1"))
        .at(START)
        .ended("1", "TUNER_NO_LOCK");
      const brains = [planned, conflicted, waiting];
      expect(brains.map((brain) => brain.of("1").state)).toEqual(["planned", "conflicted", "waiting"]);
      for (const brain of brains) {
        brain.now = START + MINUTE;
        brain.ordered();
        const found = [lost(brain, brain.of("1").attempts.length + 1)];
        const { number } = found[0] ?? {};
        brain.take({ kind: "started", running: new Set([`${brain.of("1").id}.${number}`]), found });
        expect(brain.ordered()).toContainEqual(expect.objectContaining({ kind: "adopt", attempt: number }));
        expect(brain.of("1")).toMatchObject({ state: "tuning", tunerId: "b" });
        brain.flowing("1");
        expect(brain.of("1").state).toBe("recording");
        expect(brain.document.strays).toEqual([]);
      }
    });

    it("R-34 counts what a capture recorded that runs no more, and begins another one under a new number", () => {
      const brain = new Brain().fetch(timer("1"));
      brain.now = START + MINUTE;
      brain.ordered();
      brain.take({ kind: "started", running: new Set(), found: [lost(brain, 3)] });
      expect(brain.ordered()).toContainEqual(expect.objectContaining({ kind: "attempt", attempt: 4 }));
      expect(brain.of("1").attempts.map(({ number, cause }) => [number, cause])).toEqual([
        [1, "CAPTURE_NOT_STARTED"],
        [2, "CAPTURE_NOT_STARTED"],
        [3, "CAPTURE_DIED"],
        [4, undefined],
      ]);
    });

    it("R-29 closes a recording whose time is over with what is there", () => {
      const brain = new Brain().fetch(timer("1"));
      brain.now = STOP + HOUR;
      brain.ordered();
      brain.take({ kind: "started", running: new Set(), found: [lost(brain, 1)] }).fetch(timer("1"));
      expect(brain.of("1").state).toBe("closing");
      expect(brain.kinds()).toContain("inspect");
    });
  });

  describe("with a new document, beside captures of the lost one", () => {
    const left = (number: number, more: object = {}) => ({
      ...{ recordingId: "r000042", number, tunerId: "b", startedAt: START, timerId: "1" },
      ...{ service: tripletOf(1), runs: true, ...more },
    });
    const running = new Set(["r000042.1"]);

    it("R-34 adopts them once the list names their timers, under their former ids", () => {
      const brain = new Brain();
      brain.now = START + MINUTE;
      brain.take({ kind: "started", running, unclaimed: [left(1)] });
      expect(brain.ordered()).toEqual([]);
      brain.fetch(timer("1"));
      expect(brain.of("1")).toMatchObject({ id: "r000042", state: "tuning", tunerId: "b" });
      expect(brain.ordered()).toContainEqual(expect.objectContaining({ kind: "adopt", attempt: 1 }));
      expect(brain.document.unclaimed).toEqual([]);
    });

    it("R-29 counts what they have recorded if they run no more", () => {
      const brain = new Brain();
      brain.now = START + MINUTE;
      brain.take({ kind: "started", running: new Set(), unclaimed: [left(1, { runs: false })] });
      brain.fetch(timer("1"));
      expect(brain.of("1")).toMatchObject({ id: "r000042", attempts: [{ cause: "CAPTURE_DIED" }, {}] });
    });

    it.each([
      ["another timer has the id", left(1, { timerId: "2" })],
      ["the channel has another service now", left(1, { service: tripletOf(2) })],
      ["they are much older than the event", left(1, { startedAt: START - DAY })],
    ])("R-29 ends and lists them if %s", (_why, unclaimed) => {
      const brain = new Brain();
      brain.now = START + MINUTE;
      brain.take({ kind: "started", running, unclaimed: [unclaimed] }).fetch(timer("1"));
      expect(brain.document.strays).toMatchObject([{ attemptId: "r000042.1" }]);
      expect(brain.document.unclaimed).toEqual([]);
      expect(brain.kinds()).toContain("end-stray");
    });

    it("R-42 waits for the list for five minutes, and gives no other recording their id", () => {
      const brain = new Brain();
      brain.now = START + MINUTE;
      brain.take({ kind: "started", running, unclaimed: [left(1)] });
      expect(brain.document.nextRecording).toBeGreaterThan(42);
      expect(nextInstant(brain.document, brain.world)).toBeLessThanOrEqual(
        brain.now + ENGINE_LIMITS.listAwaitMs,
      );
      brain.at(brain.now + ENGINE_LIMITS.listAwaitMs);
      expect(brain.document.strays).toMatchObject([{ attemptId: "r000042.1" }]);
    });

    it("R-22 ends one that is in the way of a recording that is known", () => {
      const brain = new Brain({ tuners: [tuner("b")] }).fetch(timer("3", { onChannel: 3 }));
      brain.now = START + MINUTE;
      brain.take({ kind: "started", running, unclaimed: [left(1)] });
      expect(brain.kinds()).toEqual(expect.arrayContaining(["end-stray", "attempt"]));
    });
  });

  it("begins a new segment at once if the capture is gone", () => {
    const brain = new Brain().fetch(timer("1")).at(START).flowing("1");
    brain.ordered();
    brain.now += 30 * SECOND;
    brain.take({ kind: "started", running: new Set() });
    expect(brain.ordered()).toContainEqual(expect.objectContaining({ kind: "attempt", attempt: 2 }));
  });

  it("R-01 R-34 begins a planned attempt at once on the same tuner, and reports no end of a capture", () => {
    const brain = new Brain({ tuners: [tuner("a"), tuner("b")] }).fetch(timer("1")).at(START);
    brain.ordered();
    const unbegun = new Set([`${brain.of("1").id}.1`]);
    brain.now += 3 * SECOND;
    brain.take({ kind: "started", running: new Set(), unbegun });
    expect(brain.ordered()).toContainEqual(
      expect.objectContaining({ kind: "attempt", attempt: 2, tunerId: "a" }),
    );
    expect(brain.of("1").trouble).toBeUndefined();
    expect(brain.told("1")?.message).not.toContain("ended");
  });

  it("R-01 R-02 ends recordings missed meanwhile, and names the outage", () => {
    const brain = new Brain()
      .fetch(timer("1"))
      .at(EIGHT - 30 * MINUTE)
      .delivered();
    brain.now = STOP + MINUTE;
    brain.take({ kind: "started", running: new Set() }).fetch(timer("1"));
    expect(brain.of("1").state).toBe("missed");
    expect(brain.told("1")).toMatchObject({
      state: "failed",
      message: "Not recorded: the recorder was off 19:30–20:33.",
    });
  });

  it("R-01 counts an outage from the end of the process, not from its last write", () => {
    const brain = new Brain().fetch(timer("1")).at(EIGHT - 30 * MINUTE);
    brain.now = STOP + HOUR;
    brain.take({ kind: "started", running: new Set(), aliveAt: STOP + MINUTE }).fetch(timer("1"));
    expect(brain.document.outages.at(-1)).toMatchObject({ start: STOP + MINUTE, stop: STOP + HOUR });
    expect(brain.told("1")).toMatchObject({
      state: "failed",
      message: expect.not.stringContaining("was off"),
    });
  });

  describe("R-18 an outage causes no decision before the service has sent its timers", () => {
    function back(): Brain {
      const brain = new Brain()
        .fetch(timer("1"))
        .at(EIGHT - 30 * MINUTE)
        .delivered();
      brain.now = STOP + MINUTE;
      return brain.take({ kind: "started", running: new Set() });
    }
    const later = { start: STOP - 10 * MINUTE, stop: STOP + HOUR };

    it("a moved recording is made, even of a running event, and never reported as missed", () => {
      const brain = back().fetch(timer("1", { event: later }));
      expect(brain.of("1")).toMatchObject({ state: "tuning", event: later });
      expect(brain.document.outbox.filter(({ state }) => state === "failed")).toEqual([]);
    });

    it("a withdrawn recording was not missed", () => {
      const brain = back().fetch(timer("1", { action: "forget" }));
      expect(brain.of("1").state).toBe("cancelled");
    });

    it("a silent service is awaited for five minutes, not longer", () => {
      const brain = back();
      expect(brain.of("1").state).toBe("planned");
      expect(nextInstant(brain.document, brain.world)).toBeLessThanOrEqual(
        brain.now + ENGINE_LIMITS.listAwaitMs,
      );
      brain.at(brain.now + ENGINE_LIMITS.listAwaitMs - SECOND);
      expect(brain.of("1").state).toBe("planned");
      brain.at(brain.now + SECOND);
      expect(brain.of("1").state).toBe("missed");
    });

    it("a move learned later is followed, even if the service repeats the failure", () => {
      const brain = back();
      brain.at(brain.now + ENGINE_LIMITS.listAwaitMs).delivered();
      brain.fetch(timer("1", { event: later, state: "failed" }));
      expect(Object.values(brain.document.recordings).map(({ state }) => state)).toEqual([
        "missed",
        "tuning",
      ]);
    });
  });

  it("R-03 starts at once inside a window and reports the delay", () => {
    const brain = new Brain().fetch(timer("1")).at(EIGHT - 30 * MINUTE);
    brain.ordered();
    brain.now = EIGHT + 5 * MINUTE;
    brain.take({ kind: "started", running: new Set() });
    expect(brain.kinds()).toContain("attempt");
    brain.flowing("1");
    expect(brain.told("1")?.message).toBe("Recording on tuner a since 20:05, 6 min late.");
  });

  it("R-10 records that a capture ended as requested, even if its end was not observed", () => {
    const brain = new Brain()
      .fetch(timer("1"))
      .at(START)
      .flowing("1")
      .at(STOP + SECOND);
    brain.ordered();
    brain.take({ kind: "started", running: new Set() });
    expect(brain.of("1").attempts).toMatchObject([{ cause: "asked" }]);
    expect(brain.kinds()).toEqual(["inspect", "deliver"]);
  });

  it("ends and keeps a capture without an open recording", () => {
    const brain = new Brain();
    brain.take({ kind: "started", running: new Set(["r000042.1"]) });
    expect(brain.ordered()).toEqual([{ kind: "end-stray", attemptId: "r000042.1" }]);
    expect(brain.document.strays).toEqual([{ attemptId: "r000042.1", endedAt: brain.now }]);
    expect(brain.facts).toContain("stray-ended");
  });

  it("resumes closing", () => {
    const brain = new Brain()
      .fetch(timer("1"))
      .at(START)
      .flowing("1")
      .at(STOP + SECOND)
      .ended("1");
    brain.ordered();
    brain.take({ kind: "started", running: new Set() });
    expect(brain.kinds()).toEqual(["inspect", "deliver"]);
    brain.take({ kind: "inspected", recordingId: brain.of("1").id, evidence: WHOLE });
    brain.ordered();
    brain.take({ kind: "started", running: new Set() });
    expect(brain.kinds()).toEqual(["publish", "deliver"]);
  });
});

describe("closing", () => {
  it("that needs a retry is ordered once by a restart, so that two runs cannot damage one file", () => {
    const brain = new Brain()
      .fetch(timer("1"))
      .at(START)
      .flowing("1")
      .at(STOP + SECOND)
      .ended("1");
    const recordingId = brain.of("1").id;
    brain.take({ kind: "closing-failed", recordingId, code: "DISK_FULL", text: "The disk is full." });
    brain.ordered();
    brain.now += HOUR;
    brain.take({ kind: "started", running: new Set() });
    expect(brain.kinds().filter((kind) => kind === "inspect")).toHaveLength(1);
    brain.at(brain.now + HOUR);
    expect(brain.kinds()).not.toContain("inspect");
  });

  it("of a recording withdrawn between two attempts is ordered once, even if the next attempt was due", () => {
    const brain = new Brain({ tuners: [tuner("a")] }).fetch(timer("1")).at(START).flowing("1");
    brain.ended("1", "STREAM_STALLED");
    expect(brain.of("1").state).toBe("waiting");
    brain.fetch(timer("1", { action: "forget" }));
    expect(brain.kinds()).toContain("inspect");
    brain.at(brain.now + MINUTE);
    expect(brain.kinds()).not.toContain("inspect");
  });

  it("that failed is retried with pauses until it succeeds", () => {
    const brain = new Brain()
      .fetch(timer("1"))
      .at(START)
      .flowing("1")
      .at(STOP + SECOND)
      .ended("1");
    const recordingId = brain.of("1").id;
    for (let tries = 0; tries < 3; tries += 1) {
      brain.take({ kind: "closing-failed", recordingId, code: "STORAGE_OFFLINE", text: "No disk." });
      brain.ordered();
      brain.at(nextInstant(brain.document, brain.world));
      expect(brain.kinds()).toEqual(["inspect"]);
    }
    brain.closed("1");
    expect(brain.of("1").state).toBe("completed");
  });
});

describe("R-06 R-32 closing while the storage is missing", () => {
  const over = () =>
    new Brain()
      .fetch(timer("1"))
      .at(START)
      .flowing("1")
      .delivered()
      .at(STOP + SECOND)
      .ended("1");
  const failing = (brain: Brain, code: "STORAGE_OFFLINE" | "DISK_FULL" = "STORAGE_OFFLINE") =>
    brain.take({ kind: "closing-failed", recordingId: brain.of("1").id, code, text: "No disk." });

  it("is reported once with its time, and adds one line to the ledger", () => {
    const brain = failing(over());
    const message =
      "Ended; storage offline since 20:32:01. The recorder finishes the file when the storage is back.";
    expect(brain.told("1")?.message).toBe(message);
    brain.delivered();
    for (let tries = 0; tries < 1000; tries += 1) {
      failing(brain.at(nextInstant(brain.document, brain.world)));
    }
    expect([brain.document.outbox, brain.of("1").reported?.message]).toEqual([[], message]);
    expect(brain.facts.filter((fact) => fact === "closing-failed")).toHaveLength(1);
  });

  it("continues once the storage is back, without traces of the problem", () => {
    const brain = failing(over());
    brain.at(brain.now + DAY).closed("1");
    expect(brain.of("1")).toMatchObject({ state: "completed" });
    expect(brain.of("1").closing).toBeUndefined();
    expect(brain.told("1")).toMatchObject({
      state: "completed",
      message: expect.stringMatching(/^Recorded, /),
    });
  });

  it("reports again if another problem blocks it", () => {
    const brain = failing(failing(over()), "DISK_FULL");
    expect(brain.told("1")?.message).toBe(
      "Ended; the recorder has been trying to finish the file since 20:32:01: No disk.",
    );
  });

  it("that hangs is reported, continues undisturbed, and is not ordered again", () => {
    const brain = over().delivered();
    brain.ordered();
    const at = nextInstant({ ...brain.document, heartbeatAt: brain.now + DAY }, { ...brain.world });
    brain.at(brain.now + ENGINE_LIMITS.closingSlowMs - 1);
    expect(brain.document.outbox).toEqual([]);
    brain.at(brain.now + 1);
    expect(at).toBeLessThanOrEqual(brain.now);
    expect(brain.told("1")?.message).toBe(
      "Ended; the storage has not answered since 20:32:01, so the file is not finished yet.",
    );
    brain.delivered().at(brain.now + DAY);
    expect(brain.kinds()).toEqual(["deliver"]);
    expect(brain.closed("1").of("1").state).toBe("completed");
  });
});

describe("reports", () => {
  it("R-01 on ended recordings are final: a later outage neither changes nor repeats them", () => {
    const brain = new Brain().fetch(timer("1")).at(EIGHT - 30 * MINUTE);
    brain.now = STOP + MINUTE;
    brain.take({ kind: "started", running: new Set() }).fetch(timer("1")).delivered();
    brain.now += DAY;
    brain.take({ kind: "started", running: new Set() });
    expect(brain.document.outbox).toEqual([]);
    expect(brain.of("1").reported?.message).toBe("Not recorded: the recorder was off 19:30–20:33.");
  });

  it("have only the message once the service has refused a state", () => {
    const brain = new Brain().fetch(timer("1"));
    const [report] = brain.document.outbox;
    brain.take({
      kind: "delivery",
      seq: report?.seq ?? 0,
      message: "",
      outcome: { kind: "refused", code: "GUIDE_NOT_ACCEPTABLE", text: "state" },
    });
    expect(brain.document.refusedStates).toEqual(["waiting"]);
    expect(brain.document.outbox).toHaveLength(1);
  });

  it("R-08 have only the message even if they were in transit when the service refused the first", () => {
    const brain = new Brain().fetch(timer("1"), timer("2", { onChannel: 3 }));
    const messages = brain.document.outbox.map(({ message }) => message);
    const refuseAll = () => {
      for (const { seq } of brain.document.outbox) {
        brain.take({
          kind: "delivery",
          seq,
          message: "",
          outcome: { kind: "refused", code: "GUIDE_NOT_ACCEPTABLE", text: "state" },
        });
      }
    };
    refuseAll();
    expect(brain.document.refusedStates).toEqual(["waiting"]);
    expect(brain.document.outbox.map(({ state, message }) => ({ state, message }))).toEqual(
      messages.map((message) => ({ message })),
    );
    // A report that is refused even without a state is refused for good.
    refuseAll();
    expect(brain.document.outbox).toEqual([]);
  });

  it("on a removed timer end, and do not loop", () => {
    const brain = new Brain().fetch(timer("1"));
    const [report] = brain.document.outbox;
    brain.take({
      kind: "delivery",
      seq: report?.seq ?? 0,
      message: "",
      outcome: { kind: "refused", code: "GUIDE_NOT_FOUND", text: "gone" },
    });
    expect(brain.document.outbox).toEqual([]);
  });

  it("are in the ledger with the text that was sent, whatever its language", () => {
    const brain = new Brain().fetch(timer("1"));
    const [report] = brain.document.outbox;
    expect(report?.content).toMatchObject({ about: { is: "scheduled", tunerId: "a" } });
    const outcome = { kind: "delivered" } as const;
    brain.take({ kind: "delivery", seq: report?.seq ?? 0, message: "Vorgemerkt.", outcome });
    const [fact] = brain.document.latestFacts;
    expect(fact).toMatchObject({ fact: "report-delivered", facts: { message: "Vorgemerkt." } });
    expect(brain.of("1").reported?.message).toMatch(/^Scheduled on tuner a/);
  });

  it("R-14 cost no write when a delivery is delayed", () => {
    const brain = new Brain().fetch(timer("1"));
    const before = brain.document;
    brain.take({
      kind: "delivery",
      seq: 1,
      message: "",
      outcome: { kind: "deferred", code: "GUIDE_TIMEOUT", text: "" },
    });
    expect(brain.document).toBe(before);
  });
});

it("R-37 a timer 60 days ahead does not begin at once", () => {
  const event = { start: EIGHT + 60 * DAY, stop: EIGHT + 60 * DAY + MINUTE };
  const brain = new Brain().fetch(timer("1", { event })).at(EIGHT);
  expect(brain.kinds()).not.toContain("attempt");
});

it("finished recordings leave the document after a while", () => {
  const brain = new Brain()
    .fetch(timer("1"))
    .at(START)
    .flowing("1")
    .at(STOP + SECOND)
    .ended("1")
    .closed("1")
    .delivered();
  brain.at(STOP + ENGINE_LIMITS.historyMs + MINUTE);
  expect(brain.document.recordings).toEqual({});
  expect(brain.document.timers).toEqual({});
});
