import { beforeAll, describe, expect, it } from "vitest";
import { chainOf, later, tunersOf } from "../../../bench/orders.ts";
import { loadIntegerPrograms } from "../../../src/kit/integer-program.ts";
import type { Plan, PlanRequest } from "../../../src/model/plan.ts";
import { multiplexKey } from "../../../src/model/service.ts";
import { bestEvents } from "../../../src/recorder/plan/best-events.ts";
import { chainEvents } from "../../../src/recorder/plan/chain-events.ts";
import { withHeld } from "../../../src/recorder/plan/holding.ts";
import type { Optimizer } from "../../../src/recorder/plan/optimizer.ts";
import { compareWorth } from "../../../src/recorder/plan/plan-value.ts";
import { createPlanner } from "../../../src/recorder/plan/planner.ts";
import { problemOf } from "../../../src/recorder/plan/problem.ts";
import { ON_LOOP, ON_THREAD } from "../../../src/recorder/plan/solve-group.ts";
import { answersTo, kept, onLoop, thoughtThrough, worthIn } from "./thinking.ts";

const TUNERS = tunersOf(3);
/** Shorter links than the daemon's, so that few timers make a chain of several. */
const linkSize = { most: 20, near: 5 };
const LOOP = { ...ON_LOOP, linkSize };
/** More than the tuners can record, and about as much as they can. */
const CROWDED = { timers: 70, atOnce: 4, multiplexes: 7 };
const BUSY = { timers: 70, atOnce: 2.5, multiplexes: 5 };

let optimize: Optimizer;
beforeAll(async () => {
  optimize = await loadIntegerPrograms(60_000);
});

const thread = () => ({ ...ON_THREAD, linkSize, optimize });
const solved = (planner: ReturnType<typeof createPlanner>, wishes: readonly PlanRequest[]) =>
  thoughtThrough(planner, { wishes, tuners: TUNERS }, thread());

function moved(wishes: readonly PlanRequest[], index: number): readonly PlanRequest[] {
  return wishes.map((wish, at) =>
    at === index ? { ...wish, event: later(wish.event), window: later(wish.window) } : wish,
  );
}

describe("a chain of overlapping timers", () => {
  it.each([CROWDED, BUSY])(
    "has the most whole events and minutes that any plan has, and is proven, also after a change",
    (size) => {
      const wishes = chainOf({ ...size, seed: 1 });
      const planner = createPlanner(LOOP);
      const plan = solved(planner, wishes);
      const changed = moved(kept(wishes, plan), 40);
      for (const [asked, found] of [
        [wishes, plan],
        [changed, solved(planner, changed)],
      ] as const) {
        const bound = bestEvents(problemOf(asked, TUNERS), optimize, "events")?.bound ?? [];
        const { whole, partMs } = worthIn(found);
        expect([...whole, ...partMs]).toEqual([...bound.slice(0, whole.length + partMs.length)]);
        expect(found.groups.length).toBeGreaterThan(3);
        expect(found.groups.map(({ proven }) => proven)).not.toContain("none");
      }
    },
  );

  it.each([LOOP, { ...ON_THREAD, linkSize }])(
    "R-22 never has two multiplexes on one tuner at once",
    (options) => {
      const wishes = chainOf({ ...CROWDED, seed: 2 });
      const plan = onLoop(createPlanner(options), wishes, TUNERS).at(-1);
      const wishOf = new Map(wishes.map((wish) => [wish.recordingId, wish]));
      const placed = plan?.placements.filter((one) => one.kind === "placed") ?? [];
      for (const one of placed)
        for (const other of placed) {
          const meets = one.span.start < other.span.stop && other.span.start < one.span.stop;
          if (one.tunerId !== other.tunerId || !meets) continue;
          const [a, b] = [wishOf.get(one.recordingId), wishOf.get(other.recordingId)];
          expect(a && multiplexKey(a.service), `${one.recordingId} ${other.recordingId}`).toBe(
            b && multiplexKey(b.service),
          );
        }
    },
  );

  it("gets a plan on the thread that is never worse than the one on the loop", () => {
    for (const seed of [4, 5]) {
      const wishes = chainOf({ ...CROWDED, seed });
      const planner = createPlanner(LOOP);
      const first = onLoop(planner, wishes, TUNERS).at(-1) as Plan;
      const last = solved(planner, wishes);
      expect(compareWorth(worthIn(last), worthIn(first)), `seed ${seed}`).toBeGreaterThan(0);
      expect(planner.pendingGroups()).toEqual([]);
    }
  });

  it("stays the same object in the parts far from a change, and all of it for the same timers in another order", () => {
    const planner = createPlanner(LOOP);
    const first = chainOf({ ...BUSY, seed: 1 });
    const wishes = kept(first, solved(planner, first));
    const before = solved(planner, wishes);
    const after = onLoop(planner, moved(wishes, 60), TUNERS)[0];
    expect(before.parts.length).toBeGreaterThan(4);
    expect(after?.parts.slice(0, 2)).toEqual(before.parts.slice(0, 2));
    expect(after?.parts[0]).toBe(before.parts[0]);
    const permuted = [...wishes].reverse();
    expect(onLoop(createPlanner(LOOP), permuted, TUNERS).at(-1)?.placements).toEqual(
      onLoop(createPlanner(LOOP), wishes, TUNERS).at(-1)?.placements,
    );
  });

  it("keeps running recordings on their tuners, and cuts its links in the same places", () => {
    const wishes = chainOf({ ...CROWDED, seed: 1 });
    const running = wishes.map((wish, at) =>
      at < 3 ? { ...wish, runningOnTuner: `tuner-${at + 1}` } : wish,
    );
    const plan = solved(createPlanner(LOOP), running);
    for (const { recordingId, runningOnTuner } of running.slice(0, 3))
      expect(plan.placements.find((one) => one.recordingId === recordingId)).toMatchObject({
        tunerId: runningOnTuner,
      });
    const cuts = ({ parts }: Plan) => parts.slice(1).map(({ requests }) => requests[0]?.recordingId);
    const [first] = onLoop(createPlanner(LOOP), wishes, TUNERS).slice(-1);
    expect(cuts(plan)).toEqual(first && cuts(first));
  });

  it("ignores an answer about timers that have changed meanwhile, and asks again", () => {
    const wishes = chainOf({ ...CROWDED, seed: 4 });
    const planner = createPlanner(LOOP);
    onLoop(planner, wishes, TUNERS);
    const task = planner.pendingGroups().find(({ links }) => links !== undefined);
    const answers = task && answersTo(task, thread());
    const changed = moved(wishes, 35);
    const [plan] = onLoop(planner, changed, TUNERS).slice(-1);
    if (task !== undefined) planner.learn(task, answers);
    expect(onLoop(planner, changed, TUNERS).at(-1)?.placements).toEqual(plan?.placements);
    expect(planner.pendingGroups().some(({ links }) => links !== undefined)).toBe(true);
  });

  it("keeps the parts that an answer of the thread leaves as they are", () => {
    const wishes = chainOf({ ...BUSY, seed: 1 });
    const planner = createPlanner(LOOP);
    const [before] = onLoop(planner, wishes, TUNERS).slice(-1) as [Plan];
    for (const task of planner.pendingGroups())
      planner.learn(task, structuredClone(answersTo(task, thread())));
    const [after] = onLoop(planner, wishes, TUNERS).slice(-1) as [Plan];
    const same = after.parts.filter(({ placements }, at) => placements === before.parts[at]?.placements);
    const equal = after.parts.filter(
      ({ placements }, at) => JSON.stringify(placements) === JSON.stringify(before.parts[at]?.placements),
    );
    expect(equal.length).toBeGreaterThan(1);
    expect(same).toHaveLength(equal.length);
  });

  it("accepts an answer although the tuners of its plan have become the previous ones", () => {
    const wishes = chainOf({ ...CROWDED, seed: 4 });
    const planner = createPlanner(LOOP);
    const [plan] = onLoop(planner, wishes, TUNERS).slice(-1) as [Plan];
    const task = planner.pendingGroups().find(({ links }) => links !== undefined);
    const answers = task && answersTo(task, thread());
    onLoop(planner, kept(wishes, plan), TUNERS);
    if (task !== undefined) planner.learn(task, answers);
    expect(planner.pendingGroups().some(({ links }) => links !== undefined)).toBe(false);
  });
});

it("shares the time of one group among the parts of a chain that are optimized by themselves", () => {
  const wishes = chainOf({ timers: 700, atOnce: 2.6, multiplexes: 6, seed: 1 });
  const problem = problemOf(wishes, TUNERS);
  const shares: number[] = [];
  const noted: Optimizer = (program, share = 1) => {
    shares.push(share);
    return optimize(program, share);
  };
  chainEvents({ relaxed: problem, strict: problem }, noted);
  // Whole events and minutes are two programs.
  expect(shares.length).toBeGreaterThan(2);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(2);
});

describe("a link", () => {
  const [held, ...link] = chainOf({ ...BUSY, seed: 1 }).slice(0, 4) as [PlanRequest, ...PlanRequest[]];
  const holding = {
    ...held,
    window: { ...held.window, stop: held.window.stop + 9 * 3_600_000 },
    isHeld: true as const,
  };
  const taskWith = (one: PlanRequest) => withHeld(link, { holding: [one], warmUpMs: 0 });

  it("is the same task as long as the same holds tuners in it", () => {
    const task = taskWith(holding);
    expect(taskWith({ ...holding })).toBe(task);
    expect(withHeld(link, { holding: [], warmUpMs: 0 })).toBe(link);
  });

  it.each([
    { service: { ...held.service, tsid: held.service.tsid + 1 } },
    { runningOnTuner: "another" },
    { window: { ...holding.window, stop: holding.window.stop - 1 } },
    { event: { ...holding.event, stop: holding.event.stop - 1 } },
    { priority: holding.priority + 1 },
  ])("is another task if what holds a tuner differs in %o", (difference) => {
    const task = taskWith(holding);
    expect(taskWith({ ...holding, ...difference })).not.toBe(task);
  });
});
