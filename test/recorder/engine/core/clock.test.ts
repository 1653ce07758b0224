import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../src/model/time.ts";
import { ENGINE_LIMITS } from "../../../../src/recorder/engine/core/limits.ts";
import { nextInstant } from "../../../../src/recorder/engine/core/settle.ts";
import { Brain, EIGHT, timer, tuner, WHOLE } from "../runtime/world.ts";

const TEXT = "the guide service's clock is 24 h behind";
const BOOT = { boot: "boot-1", baseMs: 0 };

/** The clock is not trusted from now on. */
function doubted(brain: Brain): Brain {
  brain.clock = { ...BOOT, trusted: false, suspendsDecisions: true, text: TEXT };
  return brain;
}

function trusted(brain: Brain): Brain {
  brain.clock = { ...BOOT, trusted: true, suspendsDecisions: false };
  return brain;
}

function set(brain: Brain, byMs: number): Brain {
  brain.clock = { ...brain.clock, moved: { byMs, asleepMs: 0 } };
  return brain.at(brain.now + byMs);
}

describe("R-36 while the clock is not trusted", () => {
  it("no recording is missed, and reports are delayed with a notice; afterwards, due decisions follow", () => {
    const brain = doubted(new Brain().fetch(timer("1"))).at(EIGHT + DAY);
    expect(brain.of("1").state).toBe("planned");
    expect(brain.told("1")?.message).toMatch(/^The recorder’s clock is not trusted\. /);
    expect(brain.of("1").clockHoldReason).toBe(TEXT);
    expect(brain.facts).toContain("clock-not-trusted");
    trusted(brain).at(EIGHT + DAY + MINUTE);
    expect(brain.of("1")).toMatchObject({ state: "missed" });
    expect(brain.told("1")).toMatchObject({ state: "failed" });
    expect(brain.facts).toContain("clock-trusted");
  });

  it("a recording that was in the future only by a wrong clock is planned again", () => {
    const brain = doubted(new Brain().fetch(timer("1"))).at(EIGHT + 365 * DAY);
    set(trusted(brain), -365 * DAY - HOUR);
    expect(brain.of("1").state).toBe("planned");
    expect(brain.told("1")?.message).toMatch(/^Scheduled/);
    brain.ordered();
    expect(brain.at(EIGHT - MINUTE).kinds()).toContain("attempt");
  });

  it("recordings begin, and a running one continues past its end", () => {
    const brain = doubted(new Brain().fetch(timer("1"))).at(EIGHT - MINUTE);
    expect(brain.kinds()).toContain("attempt");
    brain.flowing("1").at(EIGHT + HOUR);
    expect(brain.of("1").state).toBe("recording");
    expect(brain.kinds()).not.toContain("stop");
    trusted(brain).at(EIGHT + HOUR + SECOND);
    expect(brain.of("1").state).toBe("closing");
    expect(brain.kinds()).toContain("stop");
  });

  it("a closing recording is finished once the clock is trusted, with every step repeated", () => {
    const brain = new Brain()
      .fetch(timer("1"))
      .at(EIGHT - MINUTE)
      .flowing("1")
      .at(EIGHT + HOUR)
      .ended("1");
    const { id } = brain.of("1");
    brain.ordered();
    doubted(brain).take({ kind: "inspected", recordingId: id, evidence: WHOLE });
    expect(brain.of("1").evidence).toBeUndefined();
    expect(brain.kinds()).toEqual(["deliver"]);
    trusted(brain).at(EIGHT + HOUR + MINUTE);
    expect(brain.kinds()).toContain("inspect");
    brain.take({ kind: "inspected", recordingId: id, evidence: WHOLE });
    doubted(brain).take({ kind: "published", recordingId: id, file: "/recordings/Show.ts" });
    expect(brain.of("1").state).toBe("closing");
    brain.ordered();
    trusted(brain).at(EIGHT + HOUR + 2 * MINUTE);
    expect(brain.kinds()).toContain("publish");
    brain.take({ kind: "published", recordingId: id, file: "/recordings/Show.ts" });
    expect(brain.of("1").state).toBe("completed");
    expect(brain.told("1")?.state).toBe("completed");
  });

  it("no recording is abandoned: a full disk is tried again", () => {
    const brain = doubted(new Brain().fetch(timer("1")))
      .at(EIGHT - MINUTE)
      .flowing("1");
    brain.ended("1", "DISK_FULL");
    expect(brain.of("1").state).toBe("waiting");
  });

  it("R-12 no timer is withdrawn for absence, but requests of the service are followed", () => {
    const brain = doubted(new Brain().fetch(timer("1"), timer("2", { onChannel: 3 })));
    brain.take({ kind: "timers-fetched", list: { timers: [], malformed: [] }, absent: ["1"] });
    expect(brain.of("1").state).toBe("planned");
    brain.fetch(timer("1"), timer("2", { onChannel: 3, action: "forget" }));
    expect(brain.of("2").state).toBe("cancelled");
  });

  it("a timer that seems long over is not dropped", () => {
    const brain = doubted(new Brain({ now: EIGHT + 365 * DAY }));
    brain.fetch(timer("1"));
    expect(Object.keys(brain.document.recordings)).toEqual([]);
    set(trusted(brain), -365 * DAY - HOUR);
    expect(brain.fetch(timer("1")).of("1").state).toBe("planned");
  });

  it("no history is removed", () => {
    const brain = new Brain().fetch(timer("1")).at(EIGHT + HOUR);
    expect(brain.of("1").state).toBe("missed");
    doubted(brain).at(EIGHT + 365 * DAY);
    expect(brain.of("1").state).toBe("missed");
  });
});

describe("R-36 when the clock is set", () => {
  it("pauses and recorded times shift with it", () => {
    const brain = new Brain({ tuners: [tuner("a")] }).fetch(timer("1")).at(EIGHT).ended("1", "TUNER_NO_LOCK");
    const { nextTryAt = 0, attempts } = brain.of("1");
    set(brain, -10 * SECOND);
    expect(brain.of("1").nextTryAt).toBe(nextTryAt - 10 * SECOND);
    const endedAt = (attempts[0]?.endedAt ?? 0) - 10 * SECOND;
    expect(brain.of("1").attempts[0]).toMatchObject({ endedAt, steppedMs: -10 * SECOND });
    expect(brain.facts).toContain("clock-set");
  });

  it("R-42 no pause becomes longer, whichever clock set it", () => {
    const brain = new Brain().fetch(timer("1")).at(EIGHT).ended("1", "TUNER_NO_LOCK");
    brain.clock = { ...brain.clock, boot: "boot-2" };
    brain.now = EIGHT - 365 * DAY;
    brain.take({ kind: "started", running: new Set() });
    expect(brain.of("1").nextTryAt).toBeLessThanOrEqual(brain.now + MINUTE);
  });

  it("an attempt that began too early releases its tuner and begins again in time", () => {
    const brain = new Brain().fetch(timer("1")).at(EIGHT).flowing("1");
    brain.ordered();
    set(brain, -DAY);
    expect(brain.kinds()).toContain("stop");
    brain.ended("1");
    expect(brain.of("1").state).toBe("waiting");
    brain.ordered();
    expect(brain.at(EIGHT - 2 * HOUR).kinds()).not.toContain("attempt");
    expect(brain.at(EIGHT - MINUTE).kinds()).toContain("attempt");
  });

  it("R-01 an outage that ended by a wrong clock gets the right end", () => {
    const brain = new Brain().fetch(timer("1"));
    const off = brain.now;
    // Off until EIGHT + 1 h, when the machine comes up and thinks that it is 1970.
    brain.now = HOUR;
    brain.clock = {
      boot: "boot-2",
      baseMs: 0,
      trusted: false,
      suspendsDecisions: true,
      text: "it shows 1970",
    };
    brain.take({ kind: "started", running: new Set() });
    expect(brain.of("1").state).toBe("planned");
    brain.clock = { boot: "boot-2", baseMs: 0, trusted: true, suspendsDecisions: false };
    set(brain, EIGHT);
    expect(brain.of("1").state).toBe("missed");
    expect(brain.document.outages.at(-1)).toMatchObject({ start: off, stop: EIGHT + HOUR });
    expect(brain.told("1")?.message).toBe("Not recorded: the recorder was off 19:00–21:00.");
  });
});

describe("R-36 if the clock is years off and another source is right,", () => {
  const START = EIGHT - MINUTE;
  const STOP = EIGHT + 32 * MINUTE;

  it.each([
    ["behind", 20_780 * DAY],
    ["ahead", -20_780 * DAY],
  ])("a recording begins and its capture ends by that source: %s", (_which, othersAheadMs) => {
    const own = (at: number) => at - othersAheadMs;
    const brain = new Brain({ now: own(EIGHT - HOUR) });
    brain.clock = {
      ...brain.clock,
      trusted: false,
      suspendsDecisions: true,
      text: "years off",
      othersAheadMs,
    };
    brain.fetch(timer("1"));
    expect(brain.of("1").state).toBe("planned");
    expect(brain.kinds()).not.toContain("attempt");
    expect(brain.at(own(START) - MINUTE).kinds()).not.toContain("attempt");
    expect(nextInstant(brain.document, brain.world)).toBeLessThanOrEqual(own(START));
    brain.at(own(START));
    expect(brain.ordered()).toMatchObject([
      { kind: "attempt", endsBy: own(STOP) + ENGINE_LIMITS.captureOverrunMs },
    ]);
    brain.flowing("1").at(own(STOP) + MINUTE);
    expect(brain.of("1")).toMatchObject({ state: "recording", clockHoldReason: "years off" });
  });

  it("a recording begun by that source is closed when the clock is set right", () => {
    const othersAheadMs = 20_780 * DAY;
    const brain = new Brain({ now: EIGHT - HOUR - othersAheadMs });
    brain.clock = {
      ...brain.clock,
      trusted: false,
      suspendsDecisions: true,
      text: "years off",
      othersAheadMs,
    };
    brain
      .fetch(timer("1"))
      .at(START - othersAheadMs)
      .flowing("1")
      .at(STOP + MINUTE - othersAheadMs);
    const { othersAheadMs: _over, text: _said, ...clock } = brain.clock;
    brain.clock = { ...clock, trusted: true, suspendsDecisions: false };
    set(brain, othersAheadMs);
    expect(brain.of("1").state).toBe("closing");
    expect(brain.of("1").attempts).toMatchObject([{ startedAt: START }]);
  });
});

describe("R-36 if two sources agree and contradict the clock,", () => {
  const START = EIGHT - MINUTE;
  const STOP = EIGHT + 32 * MINUTE;

  /** The clock is set wrong; others are ahead of it by so much. */
  function wrong(brain: Brain, othersAheadMs: number): Brain {
    brain.clock = {
      ...BOOT,
      trusted: false,
      suspendsDecisions: true,
      text: TEXT,
      othersAheadMs,
      othersAgree: true,
    };
    return set(brain, -othersAheadMs);
  }

  function right(brain: Brain, othersAheadMs: number): Brain {
    return set(trusted(brain), othersAheadMs);
  }

  it.each([284 * DAY, -284 * DAY, 3 * HOUR, -3 * HOUR])(
    "a recording begins and ends by them, and its result follows when the clock is set right: %d ms",
    (ahead) => {
      const brain = wrong(new Brain().fetch(timer("1")), ahead);
      expect(brain.of("1").state).toBe("planned");
      expect(brain.told("1")?.message).toMatch(/^Scheduled/);
      expect(brain.kinds()).not.toContain("attempt");
      brain.at(START - ahead);
      expect(brain.kinds()).toContain("attempt");
      brain.flowing("1");
      expect(brain.told("1")?.message).toMatch(/^Recording on tuner a since 19:59/);
      brain.ordered();
      brain.at(STOP - MINUTE - ahead);
      expect(brain.kinds()).not.toContain("stop");
      brain.at(STOP + MINUTE - ahead);
      expect(brain.of("1").state).toBe("closing");
      expect(brain.kinds()).toContain("stop");
      brain.ended("1");
      expect(brain.kinds()).not.toContain("inspect");
      expect(brain.told("1")?.message).toContain("not trusted");
      right(brain, ahead);
      expect(brain.kinds()).toContain("inspect");
      expect(brain.of("1").attempts).toMatchObject([{ startedAt: START }]);
    },
  );

  it("a recording that the clock alone had called over is planned again as soon as they agree", () => {
    const brain = doubted(new Brain().fetch(timer("1")));
    set(brain, 284 * DAY);
    expect(brain.told("1")?.message).toContain("not trusted");
    brain.clock = { ...brain.clock, othersAheadMs: -284 * DAY, othersAgree: true };
    brain.at(brain.now + SECOND);
    expect(brain.of("1").clockHoldReason).toBeUndefined();
    expect(brain.told("1")?.message).toMatch(/^Scheduled/);
  });

  it("a capture that began by the wrong clock releases its tuner", () => {
    const brain = doubted(new Brain().fetch(timer("1")));
    brain.at(EIGHT).flowing("1").ordered();
    brain.clock = { ...brain.clock, othersAheadMs: -3 * HOUR, othersAgree: true };
    expect(brain.at(EIGHT + SECOND).kinds()).toContain("stop");
  });
});

describe("R-36 a recording that was lost because of the clock says so:", () => {
  it.each([
    ["ahead", 284 * DAY],
    ["behind", -284 * DAY],
  ])("missed while it was 284 days %s", (which, byMs) => {
    const brain = doubted(new Brain().fetch(timer("1")));
    brain.clock = { ...brain.clock, othersAheadMs: undefined };
    set(brain, byMs);
    brain.at(brain.now + 3 * HOUR);
    set(trusted(brain), -byMs);
    const text = `The recorder's clock was 284 days ${which}.`;
    expect(brain.of("1")).toMatchObject({ state: "missed", trouble: { code: "CLOCK_WRONG", text } });
    expect(brain.told("1")).toMatchObject({ state: "failed", message: `Not recorded: ${text}` });
  });

  it("missed when nothing vouched for the clock for a day", () => {
    const brain = doubted(new Brain().fetch(timer("1")));
    set(brain, 284 * DAY);
    brain.clock = { ...BOOT, trusted: false, suspendsDecisions: false, text: TEXT };
    brain.at(brain.now + DAY);
    expect(brain.of("1")).toMatchObject({ state: "missed", trouble: { code: "CLOCK_WRONG" } });
    expect(brain.told("1")?.message).toBe(`Not recorded: The recorder's clock was not trusted: ${TEXT}.`);
  });

  it("in part, where the clock was set right during the event", () => {
    const brain = doubted(new Brain().fetch(timer("1")));
    set(brain, -284 * DAY);
    brain.at(brain.now + (EIGHT + 20 * MINUTE - (brain.now + 284 * DAY)));
    set(trusted(brain), 284 * DAY);
    expect(brain.kinds()).toContain("attempt");
    brain
      .flowing("1")
      .at(EIGHT + HOUR)
      .ended("1");
    const { id } = brain.of("1");
    const part = { ...WHOLE, firstAt: EIGHT + 20 * MINUTE, eventCoveredMs: 10 * MINUTE };
    brain.take({ kind: "inspected", recordingId: id, evidence: part });
    brain.take({ kind: "published", recordingId: id, file: "/recordings/Show.ts" });
    expect(brain.of("1")).toMatchObject({ state: "partial", trouble: { code: "CLOCK_WRONG" } });
    expect(brain.told("1")?.message).toContain("The recorder's clock was 284 days behind.");
  });
});

it("R-01 a recording missed during sleep says so", () => {
  const brain = new Brain().fetch(timer("1"));
  brain.now = EIGHT + HOUR;
  brain.clock = { ...brain.clock, moved: { byMs: 0, asleepMs: 2 * HOUR } };
  brain.take({ kind: "instant" }).fetch(timer("1"));
  expect(brain.told("1")).toMatchObject({
    state: "failed",
    message: "Not recorded: the recorder was asleep 19:00–21:00.",
  });
  expect(brain.facts).toEqual(expect.arrayContaining(["asleep", "was-off"]));
});

it("R-37 a timer 60 days ahead begins in time, without an earlier attempt", () => {
  const start = EIGHT + 60 * DAY;
  const brain = new Brain().fetch(timer("1", { event: { start, stop: start + HOUR } }));
  expect(brain.kinds()).not.toContain("attempt");
  expect(brain.at(start - HOUR).kinds()).not.toContain("attempt");
  expect(brain.at(start - MINUTE).kinds()).toContain("attempt");
});
