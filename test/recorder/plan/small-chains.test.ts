import { beforeAll, describe, expect, it } from "vitest";
import { loadIntegerPrograms } from "../../../src/kit/integer-program.ts";
import type { Plan, PlanRequest } from "../../../src/model/plan.ts";
import { multiplexKey } from "../../../src/model/service.ts";
import type { TunerFacts } from "../../../src/model/tuner.ts";
import type { Optimizer } from "../../../src/recorder/plan/optimizer.ts";
import { compareEvents, compareWorth } from "../../../src/recorder/plan/plan-value.ts";
import { createPlanner } from "../../../src/recorder/plan/planner.ts";
import { isWhole } from "../../../src/recorder/plan/remedy.ts";
import { movedTo } from "../../../src/recorder/plan/repeats.ts";
import { solve } from "../../../src/recorder/plan/solve.ts";
import { ON_LOOP, ON_THREAD } from "../../../src/recorder/plan/solve-group.ts";
import { casesOf } from "../../lane.ts";
import { type Instance, smallInstance, withRepeats } from "./instances.ts";
import { kept, onLoop, thoughtThrough, worthIn } from "./thinking.ts";

const EXACT = { budget: { width: 1_000_000, looks: 100_000_000, narrow: 4 } };
/** At most eight recordings make three links of these. */
const linkSize = { most: 3, near: 1 };
const INSTANCES = casesOf({ sample: 30, all: 2000 });

let optimize: Optimizer;
beforeAll(async () => {
  optimize = await loadIntegerPrograms(60_000);
});

/** All tuners receive everything, whole and well. */
function alike({ wishes, tuners }: Instance): Instance {
  const warmUpMs = tuners[0]?.warmUpMs ?? 0;
  const servicesAtOnce = () => Number.POSITIVE_INFINITY;
  return {
    tuners: tuners.map(({ id, kind }) => ({ id, kind, services: "any", servicesAtOnce, warmUpMs })),
    wishes: wishes.map(({ weak: _weak, ...wish }) => ({ ...wish, avoid: [] })),
  };
}

const WORLDS: readonly (readonly [string, (seed: number) => Instance, number])[] = [
  ["tuners that are alike", (seed) => alike(smallInstance(seed)), 0.98],
  ["tuners of every kind", smallInstance, 0.95],
];

/** An event as it is recorded, and its part of the plan. */
function piecesOn(tuner: TunerFacts, wishes: readonly PlanRequest[], { placements }: Plan) {
  return placements.flatMap((one) => {
    const wish = wishes.find(({ recordingId }) => recordingId === one.recordingId);
    return one.kind === "placed" && one.tunerId === tuner.id && wish !== undefined ? [{ one, wish }] : [];
  });
}

function expectCarriedOut({ wishes, tuners }: Instance, plan: Plan, about: string): void {
  let paddingMs = 0;
  for (const tuner of tuners) {
    const pieces = piecesOn(tuner, wishes, plan);
    for (const { one, wish } of pieces) {
      const meanwhile = pieces.filter(
        (other) => other.one.span.start < one.span.stop && one.span.start < other.one.span.stop,
      );
      const key = multiplexKey(wish.service);
      expect(
        meanwhile.every((other) => multiplexKey(other.wish.service) === key),
        about,
      ).toBe(true);
      const atOnce = meanwhile.filter((other) => other.one.span.start <= one.span.start).length;
      expect(atOnce, about).toBeLessThanOrEqual(tuner.servicesAtOnce(key));
      expect(one.span.stop, about).toBeGreaterThanOrEqual(wish.event.stop);
      if (wish.runningOnTuner !== undefined) expect(one.tunerId, about).toBe(wish.runningOnTuner);
      paddingMs += one.span.stop - one.span.start - (wish.event.stop - one.begin);
    }
  }
  expect(paddingMs, about).toBe(worthIn(plan).paddingMs);
}

/** @returns whether the plan has the best events that any has */
function expectHonest({ wishes, tuners }: Instance, plan: Plan, about: string): boolean {
  const best = solve(wishes, tuners, EXACT).proof.worth;
  const found = worthIn(plan);
  const lag = compareEvents(found, best);
  expect(lag, about).toBeLessThanOrEqual(0);
  const proofs = plan.groups.map(({ proven }) => proven);
  if (!proofs.includes("none")) expect(lag, `${about} is proven`).toBe(0);
  if (proofs.every((one) => one === "padding" || one === "all"))
    expect(compareWorth(found, best), `${about} is proven down to padding`).toBe(0);
  return lag === 0;
}

describe.each(WORLDS)("a chain of few timers on %s", (_, instanceOf, share) => {
  it("can be carried out, is never called best if it is not, and mostly is best, before and after a change", () => {
    let [plans, best] = [0, 0];
    const judge = (given: Instance, plan: Plan, about: string) => {
      expectCarriedOut(given, plan, about);
      plans += 1;
      if (expectHonest(given, plan, about)) best += 1;
    };
    for (let seed = 1; seed <= INSTANCES; seed += 1) {
      const { wishes, tuners } = instanceOf(seed);
      const planner = createPlanner({ ...ON_LOOP, linkSize });
      const options = { ...ON_THREAD, linkSize, optimize };
      expectCarriedOut(
        { wishes, tuners },
        onLoop(planner, wishes, tuners).at(-1) as Plan,
        `seed ${seed}, at first`,
      );
      const plan = thoughtThrough(planner, { wishes, tuners }, options);
      judge({ wishes, tuners }, plan, `seed ${seed}`);
      const gone = wishes[seed % wishes.length];
      if (gone?.runningOnTuner !== undefined || wishes.length === 1) continue;
      const rest = kept(
        wishes.filter((wish) => wish !== gone),
        plan,
      );
      const without = { wishes: rest, tuners };
      judge(without, thoughtThrough(planner, without, options), `seed ${seed} without ${gone?.recordingId}`);
    }
    expect(best / plans).toBeGreaterThan(share);
  });
});

it("a repeat that is offered for a recording of a chain can be recorded whole without a loss elsewhere", () => {
  let offered = 0;
  for (let seed = 1; seed <= INSTANCES; seed += 1) {
    const { wishes, tuners } = withRepeats(seed);
    const planner = createPlanner({ ...ON_LOOP, linkSize });
    const plan = thoughtThrough(planner, { wishes, tuners }, { ...ON_THREAD, linkSize, optimize });
    for (const { kind, recordingId, ...remedy } of plan.remedies) {
      const wish = wishes.find((one) => one.recordingId === recordingId);
      const there = wish?.repeats?.find(({ repeat }) => "repeat" in remedy && repeat === remedy.repeat);
      if (kind !== "repeat" || wish === undefined || there === undefined) continue;
      offered += 1;
      // The best plan has all of them whole if any plan has.
      const whole = wishes.filter((one) => one === wish || isWhole(one, plan.placements));
      const moved = wishes.map((one) => {
        const priority = whole.includes(one) ? 100 : 0;
        return { ...(one === wish ? movedTo(one, there) : one), priority };
      });
      const { placements } = solve(moved, tuners, EXACT);
      const lost = moved.filter((one) => one.priority === 100 && !isWhole(one, placements));
      expect(lost, `seed ${seed}, ${recordingId}`).toEqual([]);
    }
  }
  expect(offered).toBeGreaterThan(INSTANCES / 10);
});
