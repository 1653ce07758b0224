import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../../../src/model/errors.ts";
import { UNKNOWN_HEALTH, weakness, weakOf, withLesson } from "../../../../src/model/health.ts";
import { MODEL_LIMITS } from "../../../../src/model/limits.ts";
import { DAY, MINUTE, SECOND } from "../../../../src/model/time.ts";
import { ENGINE_LIMITS } from "../../../../src/recorder/engine/core/limits.ts";
import { Brain, EIGHT, timer, tuner, WHOLE } from "../runtime/world.ts";

const HALF_HOUR = 30 * MINUTE;

/** The recording's attempts fail on that tuner from now on, and flow on any other; until it flows or is over. */
function fight(
  brain: Brain,
  id: string,
  { dead, code }: { readonly dead: string; readonly code: ErrorCode },
) {
  for (let tries = 0; tries < 8; tries += 1) {
    const { state, attempts, nextTryAt = brain.now } = brain.of(id);
    if (state === "waiting") brain.at(Math.max(brain.now + SECOND, nextTryAt));
    else if (state === "tuning" && attempts.at(-1)?.tunerId === dead) brain.ended(id, code);
    else if (state === "tuning") return brain.flowing(id);
    else return brain;
  }
  return brain;
}

/** Shows on channels 1, 3 and 5, three multiplexes, at the same time one after the other; each fails on tuner a. */
function deadTuner(code: ErrorCode = "TUNER_NO_LOCK"): Brain {
  const brain = new Brain();
  const at = (n: number) => EIGHT + n * 60 * MINUTE;
  const shows = [1, 3, 5].map((channelId, n) =>
    timer(`${n + 1}`, { channelId: `${channelId}`, event: { start: at(n), stop: at(n) + HALF_HOUR } }),
  );
  brain.fetch(...shows);
  for (const [n, { id }] of shows.entries()) {
    brain.at(at(n) - MINUTE - 2 * SECOND);
    fight(brain, id, { dead: "a", code });
    brain
      .at(at(n) + HALF_HOUR + 2 * MINUTE + SECOND)
      .ended(id)
      .closed(id, { ...WHOLE, firstAt: at(n) - MINUTE, lastAt: at(n) + 32 * MINUTE });
  }
  return brain;
}

describe("a faulty tuner", () => {
  it("R-20 is quarantined after three failures of several multiplexes in a row, and the other one records everything", () => {
    const brain = deadTuner();
    expect(Object.keys(brain.document.health.quarantine)).toEqual(["a"]);
    expect(brain.facts).toContain("tuner-quarantined");
    expect(["1", "2", "3"].map((id) => brain.of(id).state)).toEqual(["completed", "completed", "completed"]);
  });

  it("is not quarantined for one multiplex, for being busy, or for a forbidden service", () => {
    const one = new Brain({ tuners: [tuner("a")] });
    one.fetch(timer("1")).at(EIGHT - MINUTE);
    for (let tries = 0; tries < 6; tries += 1) {
      one.ended("1", "TUNER_NO_LOCK").at(one.now + MINUTE);
    }
    expect(one.document.health.quarantine).toEqual({});
    for (const code of ["TUNER_IN_USE", "TUNER_FORBIDDEN", "TUNER_SERVICE_UNKNOWN", "DISK_FULL"] as const) {
      expect(deadTuner(code).document.health.quarantine).toEqual({});
    }
  });

  it("is quarantined if its server is unreachable, for any request", () => {
    const brain = new Brain({ tuners: [tuner("a")] });
    brain.fetch(timer("1")).at(EIGHT - MINUTE);
    for (let tries = 0; tries < 3; tries += 1)
      brain.ended("1", "TUNER_UNREACHABLE").at(brain.now + 20 * SECOND);
    expect(brain.document.health.quarantine["a"]).toMatchObject({ code: "TUNER_UNREACHABLE" });
  });

  it("R-20 with several servers is not quarantined while one of them is away", () => {
    const brain = new Brain({ tuners: [tuner("a", { hasSeveralServers: true })] });
    brain.fetch(timer("1")).at(EIGHT - MINUTE);
    for (let tries = 0; tries < 6; tries += 1)
      brain.ended("1", "TUNER_UNREACHABLE").at(brain.now + 20 * SECOND);
    expect(brain.document.health.quarantine).toEqual({});
  });

  it("R-20 is tried at once when its server returns, and its pauses start small again", () => {
    const brain = new Brain({ tuners: [tuner("a")] });
    brain.fetch(timer("1")).at(EIGHT - MINUTE);
    for (let tries = 0; tries < 5; tries += 1) {
      brain.at(brain.of("1").nextTryAt ?? brain.now).ended("1", "TUNER_UNREACHABLE");
    }
    const { attempts, nextTryAt = 0 } = brain.of("1");
    expect(nextTryAt - brain.now).toBe(16 * SECOND);
    brain.at(brain.now + SECOND).take({ kind: "tuner-back", tunerId: "b" });
    expect(brain.of("1").state).toBe("waiting");
    brain.take({ kind: "tuner-back", tunerId: "a" });
    expect(brain.of("1")).toMatchObject({ state: "tuning" });
    expect(brain.of("1").attempts).toHaveLength(attempts.length + 1);
    expect(brain.document.health.quarantine["a"]?.probeAt).toBe(brain.now);
    brain.ended("1", "TUNER_NO_LOCK");
    expect((brain.of("1").nextTryAt ?? 0) - brain.now).toBe(SECOND);
  });

  it("is not relied on: of two simultaneous timers, one is uncertain, and its message and the plan say so", () => {
    const brain = deadTuner();
    const event = { start: EIGHT + DAY, stop: EIGHT + DAY + HALF_HOUR };
    brain.fetch(timer("4", { event }), timer("5", { event, channelId: "3" }));
    const recordings = [brain.of("4"), brain.of("5")];
    const hoped = recordings.find(({ tunerId }) => tunerId === "a");
    expect(recordings.map(({ state }) => state)).toEqual(["planned", "planned"]);
    expect(recordings.map(({ tunerId }) => tunerId).toSorted()).toEqual(["a", "b"]);
    expect(brain.told(hoped?.timerId ?? "")?.message).toMatch(
      /^Scheduled on tuner a, .* Uncertain: tuner a has not worked since .* \(TUNER_NO_LOCK\), but the recorder tries it\.$/,
    );
    const sure = recordings.find(({ tunerId }) => tunerId === "b");
    expect(sure?.doubt).toBeUndefined();
  });

  it("gets only recordings that no other tuner can make whole, and a certain part comes before an uncertain whole", () => {
    const brain = deadTuner();
    const start = EIGHT + DAY;
    const first = timer("4", { event: { start, stop: start + 60 * MINUTE } });
    const second = timer("5", {
      channelId: "3",
      event: { start: start + 30 * MINUTE, stop: start + 90 * MINUTE },
    });
    brain.fetch(first, second);
    // Sure is half an hour of the second after the first, on b.
    expect([brain.of("4").tunerId, brain.of("5").tunerId]).toEqual(["b", "b"]);
    expect(brain.told("5")?.message).toMatch(/Only in part, from 21:00/);
  });

  it("is retried with growing pauses, with its failed multiplexes in turns", () => {
    const brain = deadTuner();
    brain.ordered();
    const probes: { readonly at: number; readonly sid: number | undefined }[] = [];
    const until = brain.now + 30 * MINUTE;
    while (brain.now < until) {
      brain.at(brain.now + 10 * SECOND);
      for (const command of brain.ordered()) {
        if (command.kind !== "probe") continue;
        probes.push({ at: brain.now, sid: command.service.sid });
        brain.take({ kind: "probed", leaseId: command.leaseId, tunerId: "a", code: "TUNER_NO_LOCK" });
      }
    }
    const pauses = probes.slice(1).map(({ at }, index) => at - (probes[index]?.at ?? 0));
    // The first try was while the last show was on.
    expect(pauses.slice(0, 4)).toEqual([60, 120, 240, 300].map((seconds) => seconds * SECOND));
    expect(Math.max(...pauses)).toBe(ENGINE_LIMITS.probeMsMax);
    expect(new Set(probes.map(({ sid }) => sid))).toEqual(new Set([1, 3, 5]));
    expect(brain.document.leases).toEqual({});
  });

  it("returns after a successful try", () => {
    const brain = deadTuner();
    const event = { start: EIGHT + DAY, stop: EIGHT + DAY + HALF_HOUR };
    brain.fetch(timer("4", { event }), timer("5", { event, channelId: "3" }));
    brain.at(brain.now + ENGINE_LIMITS.probeMsMin);
    const probe = brain.ordered().find(({ kind }) => kind === "probe");
    expect(probe).toMatchObject({ tunerId: "a" });
    brain.take({ kind: "probed", leaseId: "probe a", tunerId: "a" });
    expect(brain.document.health.quarantine).toEqual({});
    expect(brain.facts).toContain("tuner-back");
    expect([brain.of("4").doubt, brain.of("5").doubt]).toEqual([undefined, undefined]);
    expect(brain.told("4")?.message).not.toMatch(/Uncertain/);
  });

  it("returns after it received an uncertain recording", () => {
    const brain = deadTuner();
    const event = { start: EIGHT + DAY, stop: EIGHT + DAY + HALF_HOUR };
    brain.fetch(timer("4", { event }), timer("5", { event, channelId: "3" }));
    brain.at(EIGHT + DAY - MINUTE);
    brain.flowing("4").flowing("5");
    expect(brain.document.health.quarantine).toEqual({});
  });

  it("R-20 is tried before a recording is abandoned, if all others failed", () => {
    const brain = deadTuner();
    const event = { start: EIGHT + DAY, stop: EIGHT + DAY + HALF_HOUR };
    brain.fetch(timer("4", { event })).at(EIGHT + DAY - MINUTE - 2 * SECOND);
    expect(brain.of("4").attempts.at(-1)?.tunerId).toBe("b");
    brain.ended("4", "STREAM_WRONG_SERVICE").at(brain.now + SECOND);
    expect(brain.of("4").attempts.at(-1)?.tunerId).toBe("a");
  });

  it("stays quarantined over a restart", () => {
    const brain = deadTuner();
    brain.document = JSON.parse(JSON.stringify(brain.document));
    brain.take({ kind: "started", running: new Set() });
    expect(Object.keys(brain.document.health.quarantine)).toEqual(["a"]);
  });
});

describe("weak reception", () => {
  /** On tuner a, so many of a million packets of channel 1's multiplex were damaged. */
  function damaged(errors: number): Brain {
    const brain = new Brain();
    brain
      .fetch(timer("1"))
      .at(EIGHT - MINUTE - 2 * SECOND)
      .flowing("1");
    brain.at(EIGHT + HALF_HOUR + 2 * MINUTE + SECOND).ended("1");
    return brain.closed("1", { ...WHOLE, bytes: 188_000_000, continuityErrors: errors });
  }

  it("moves recordings to a tuner that receives the multiplex better", () => {
    const event = { start: EIGHT + DAY, stop: EIGHT + DAY + HALF_HOUR };
    const good = damaged(0).fetch(timer("2", { event }));
    expect(good.of("2").tunerId).toBe("a");
    const bad = damaged(2000).fetch(timer("2", { event }), timer("3", { event, channelId: "3" }));
    expect([bad.of("2").tunerId, bad.of("3").tunerId]).toEqual(["b", "a"]);
  });

  it("is left to the less important recording if there is no other tuner, and never costs an event", () => {
    const event = { start: EIGHT + DAY, stop: EIGHT + DAY + HALF_HOUR };
    const brain = damaged(2000);
    // b receives that multiplex no better.
    brain.document = {
      ...brain.document,
      health: { ...brain.document.health, weak: { "4112/1": { a: 2 }, "4112/2": { a: 1 } } },
    };
    brain.policy = { ...brain.policy, priorities: [{ match: { title: "Show 3" }, priority: 80 }] };
    brain.fetch(timer("2", { event }), timer("3", { event, channelId: "3" }));
    expect([brain.of("2").state, brain.of("3").state]).toEqual(["planned", "planned"]);
    // 51 × 2 for the one against 81 × 1 for the other.
    expect([brain.of("2").tunerId, brain.of("3").tunerId]).toEqual(["b", "a"]);
  });

  it("is learnt from failures and damage, and forgotten after a week", () => {
    const now = EIGHT;
    const pair = { tunerId: "a", multiplex: "1/1" };
    const failed = [true, true, false].reduce(
      (pairs, each) => withLesson(pairs, { ...pair, failed: each }, now),
      UNKNOWN_HEALTH.pairs,
    );
    const [found] = Object.values(failed);
    expect(found).toMatchObject({ tries: 3, failures: 2 });
    expect(found === undefined ? 0 : weakness(found, now)).toBe(2);
    expect(found === undefined ? 1 : weakness(found, now + MODEL_LIMITS.healthMs + 1)).toBe(0);
    const weak = weakOf({ ...UNKNOWN_HEALTH, pairs: failed }, now);
    expect(weak).toEqual({ "1/1": { a: 2 } });
    expect(weakOf({ ...UNKNOWN_HEALTH, pairs: failed, weak }, now + 1)).toBe(weak);
  });

  it("includes the time that a tuner takes to deliver", () => {
    const brain = new Brain();
    brain.fetch(timer("1")).at(EIGHT - MINUTE - 2 * SECOND);
    brain.now += 3 * SECOND;
    brain.flowing("1");
    expect(Object.values(brain.document.health.pairs)).toEqual([
      { tunerId: "a", multiplex: "4112/1", tries: 1, failures: 0, lockMs: 3 * SECOND, at: brain.now },
    ]);
  });

  it("is stored for a limited number of multiplexes; the oldest entry goes first", () => {
    let pairs = UNKNOWN_HEALTH.pairs;
    for (let n = 0; n <= MODEL_LIMITS.healthPairs; n += 1) {
      pairs = withLesson(pairs, { tunerId: "a", multiplex: `1/${n}`, failed: false }, n);
    }
    expect(Object.keys(pairs)).toHaveLength(MODEL_LIMITS.healthPairs);
    expect(pairs["a 1/0"]).toBeUndefined();
  });
});
