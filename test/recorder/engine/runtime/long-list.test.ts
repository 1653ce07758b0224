import { describe, expect, it } from "vitest";
import { MINUTE } from "../../../../src/model/time.ts";
import type { Timer } from "../../../../src/model/timer.ts";
import { decide, decideInSteps } from "../../../../src/recorder/engine/core/decide.ts";
import type { DaemonDocument } from "../../../../src/recorder/engine/core/document.ts";
import { type Decision, Draft } from "../../../../src/recorder/engine/core/draft.ts";
import { ENGINE_LIMITS } from "../../../../src/recorder/engine/core/limits.ts";
import type { Occurrence } from "../../../../src/recorder/engine/core/occurrence.ts";
import { Brain, EIGHT, timer } from "./world.ts";

const MANY = 2 * ENGINE_LIMITS.newsAtOnce + 50;

function timers(count: number): readonly Timer[] {
  return Array.from({ length: count }, (_, index) => {
    const start = EIGHT + (index + 2) * 40 * MINUTE;
    return { ...timer(String(1000 + index)), event: { start, stop: start + 30 * MINUTE } };
  });
}

function list(all: readonly Timer[]) {
  return { kind: "timers-fetched", list: { timers: all, malformed: [] } } as const;
}

/** Each document on the way, the last one with all of the list. */
function portions(brain: Brain, all: readonly Timer[]): readonly DaemonDocument[] {
  const made: DaemonDocument[] = [];
  for (let rest: Occurrence | undefined = list(all); rest !== undefined; ) {
    const decision: Decision = decide(brain.document, rest, brain.world);
    brain.document = decision.document;
    made.push(decision.document);
    rest = decision.rest;
  }
  return made;
}

function counts(documents: readonly DaemonDocument[]): readonly number[] {
  return documents.map(({ recordings }) => Object.keys(recordings).length);
}

describe("a list with many changes", () => {
  it("is processed in portions, and changes nothing the next time", () => {
    const brain = new Brain();
    const made = portions(brain, timers(MANY));
    expect(counts(made)).toEqual([ENGINE_LIMITS.newsAtOnce, 2 * ENGINE_LIMITS.newsAtOnce, MANY]);
    const again = decide(brain.document, list(timers(MANY)), brain.world);
    expect(again.facts).toEqual([]);
    expect(again.rest).toBeUndefined();
  });

  it("is decided in steps, with the same result as in one go", () => {
    const [brain, other] = [new Brain(), new Brain()];
    const few = decideInSteps(brain.document, list(timers(3)), brain.world);
    expect(few.next().done).toBe(true);
    const steps = decideInSteps(brain.document, list(timers(MANY)), brain.world);
    let step = steps.next();
    let count = 1;
    for (; step.done !== true; step = steps.next()) count += 1;
    expect(count).toBeGreaterThan(3);
    expect(step.value).toEqual(decide(other.document, list(timers(MANY)), other.world));
  });

  it("has thousands of effects carried out in steps, in order", () => {
    const brain = new Brain();
    const all = Array.from({ length: 2500 }, (_, index) => index);
    const done: number[] = [];
    const steps = [...new Draft(brain.document, brain.world).forEach(all, (one) => done.push(one))];
    expect(steps).toHaveLength(2);
    expect(done).toEqual(all);
  });

  it("R-13 withdraws first, whatever the portions of the rest", () => {
    const brain = new Brain().fetch(timer("9"));
    const gone = { ...timer("9"), action: "forget" as const };
    const [first] = portions(brain, [...timers(MANY), gone]);
    expect(first?.recordings[brain.of("9").id]?.state).toBe("cancelled");
  });

  it("R-12 withdraws absent timers only once it is processed, and then no list is pending", () => {
    const brain = new Brain().fetch(timer("9"));
    brain.document = { ...brain.document, listAwaitedUntil: brain.now + MINUTE };
    const order = { ...list(timers(MANY)), absent: ["9"] };
    const first = decide(brain.document, order, brain.world);
    expect(first.document.listAwaitedUntil).toBe(brain.now + MINUTE);
    expect(first.document.recordings[brain.of("9").id]?.state).toBe("planned");
    brain.take(order);
    expect(brain.of("9").state).toBe("cancelled");
    expect(brain.document.listAwaitedUntil).toBe(0);
  });

  it("makes nothing missed before it is processed, because the rest may move or replace it", () => {
    const brain = new Brain().fetch(timer("9"));
    brain.now = brain.of("9").window.stop;
    const later = brain.now + 3 * MINUTE;
    const moved = { ...timer("9"), event: { start: later, stop: later + 30 * MINUTE } };
    const order = list([...timers(MANY), moved]);
    const first = decide(brain.document, order, brain.world);
    expect(first.rest).toBeDefined();
    expect(first.document.recordings[brain.of("9").id]?.state).toBe("planned");
    brain.take(order);
    expect(brain.of("9")).toMatchObject({ state: "planned", event: moved.event });
    expect(brain.document.listAwaitedUntil).toBe(0);
  });

  it("loses nothing if another list arrives meanwhile, and processes nothing twice", () => {
    const brain = new Brain();
    brain.document = decide(brain.document, list(timers(MANY)), brain.world).document;
    brain.fetch(...timers(MANY + 1));
    const { recordings } = brain.document;
    expect(Object.keys(recordings)).toHaveLength(MANY + 1);
    expect(new Set(Object.values(recordings).map(({ timerId }) => timerId)).size).toBe(MANY + 1);
  });

  it("ends even if no part can be processed because the clock is not trusted", () => {
    const brain = new Brain();
    const old = timers(MANY).map((one) => ({
      ...one,
      event: {
        start: brain.now - 2 * ENGINE_LIMITS.historyMs,
        stop: brain.now - ENGINE_LIMITS.historyMs - MINUTE,
      },
    }));
    brain.clock = { ...brain.clock, trusted: false, suspendsDecisions: true };
    expect(counts(portions(brain, old))).toEqual([0]);
    brain.clock = { ...brain.clock, suspendsDecisions: true };
    expect(counts(portions(brain, [...old, timer("9")])).at(-1)).toBe(1);
  });
});
