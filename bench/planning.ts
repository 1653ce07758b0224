import { monitorEventLoopDelay } from "node:perf_hooks";
import { loadIntegerPrograms } from "../src/kit/integer-program.ts";
import { silentLog } from "../src/kit/log.ts";
import { systemClock } from "../src/kit/time/clock.ts";
import type { Plan, PlanRequest } from "../src/model/plan.ts";
import { SECOND } from "../src/model/time.ts";
import type { TunerFacts } from "../src/model/tuner.ts";
import type { Optimizer } from "../src/recorder/plan/optimizer.ts";
import { createPlanner, type Planner } from "../src/recorder/plan/planner.ts";
import { solve } from "../src/recorder/plan/solve.ts";
import { ON_LOOP, ON_THREAD } from "../src/recorder/plan/solve-group.ts";
import { createPlanning } from "../src/recorder/threads/planning.ts";
import { chainCases, countsOf, moved, THREAD } from "./chains.ts";
import { type Benchmark, type Case, count, elapsedMs, ms } from "./harness.ts";
import { wholeLoop } from "./loop.ts";
import { ordersOf, tunersOf, type Worst, worstEvening } from "./orders.ts";

const MULTIPLEXES = 12;
const EVENINGS = 3;

/** Plans as the daemon's loop makes them, and as the thread beside it does. */
export const planningBenchmark: Benchmark = {
  name: "planning",
  open: async (folder) => {
    const few = ordersOf({ seed: 1, timers: 500, days: 14, multiplexes: MULTIPLEXES });
    const many = ordersOf({ seed: 1, timers: 5000, days: 140, multiplexes: MULTIPLEXES });
    const optimize = await loadIntegerPrograms(60 * SECOND);
    const cases = [
      scratch("500 timers, 4 tuners", few, tunersOf(4)),
      changed("500 timers, one changed", few, tunersOf(4)),
      beside("500 timers, 4 tuners", few, tunersOf(4)),
      scratch("5000 timers, 4 tuners", many, tunersOf(4)),
      changed("5000 timers, one changed", many, tunersOf(4)),
      besideAtFirst("5000 timers, 4 tuners", many, tunersOf(4)),
      wholeLoop("500 timers, whole loop", { wishes: few, tuners: tunersOf(4), folder }),
      wholeLoop("5000 timers, whole loop", { wishes: many, tuners: tunersOf(4), folder }),
      ...chainCases(folder),
      ...EVERY_KIND.map((kind) => worst(kind, optimize)),
      ...EVERY_KIND.slice(0, 1).map((kind) => {
        const { wishes, tuners } = worstEvening({ ...kind, seed: 1 });
        return beside("worst evening", wishes, tuners);
      }),
    ];
    return { cases, [Symbol.asyncDispose]: async () => {} };
  },
};

const EVERY_KIND: readonly Omit<Worst, "seed">[] = (["alike", "two kinds", "all different"] as const).flatMap(
  (tuners) => (["ties", "one priority", "distinct"] as const).map((priorities) => ({ priorities, tuners })),
);

/** In the loop: the plans that it takes until all are planned. */
function scratch(name: string, wishes: readonly PlanRequest[], tuners: readonly TunerFacts[]): Case {
  return {
    name: `${name}, in the loop`,
    run: async () => {
      const planner = createPlanner(ON_LOOP);
      const times: number[] = [];
      let plan: Plan | undefined;
      while (plan === undefined || plan.placements.length < wishes.length)
        times.push(
          await elapsedMs(() => {
            plan = planner.plan(wishes, tuners);
          }),
        );
      return {
        "first plan": ms(times[0] ?? 0),
        "longest plan": ms(Math.max(...times)),
        plans: count(times.length),
        ...countsOf(plan),
      };
    },
  };
}

/** One order moves by a quarter of an hour, another one in every round; all else was planned before. */
function changed(name: string, wishes: readonly PlanRequest[], tuners: readonly TunerFacts[]): Case {
  const planner = createPlanner(ON_LOOP);
  let round = 0;
  return {
    name: `${name}, in the loop`,
    run: async () => {
      while (planner.plan(wishes, tuners).placements.length < wishes.length);
      round += 1;
      const at = (round * 37) % wishes.length;
      const others = wishes.map((wish, index) => (index === at ? moved(wish) : wish));
      return { plan: ms(await elapsedMs(() => planner.plan(others, tuners))) };
    },
  };
}

/** With the thread, until nothing is provisional any more. */
function beside(name: string, wishes: readonly PlanRequest[], tuners: readonly TunerFacts[]): Case {
  return withThread(name, { wishes, tuners, isOver: ({ pendingGroups }) => pendingGroups().length === 0 });
}

/** With the thread, until all are planned, provisionally or not: to think all of them through takes minutes. */
function besideAtFirst(name: string, wishes: readonly PlanRequest[], tuners: readonly TunerFacts[]): Case {
  const isOver = ({ plan }: Planner) => plan(wishes, tuners).placements.length === wishes.length;
  return withThread(`${name}, until all are planned`, { wishes, tuners, isOver });
}

/** How long it takes, and how long the loop stood still meanwhile. */
function withThread(
  name: string,
  {
    wishes,
    tuners,
    isOver,
  }: {
    readonly wishes: readonly PlanRequest[];
    readonly tuners: readonly TunerFacts[];
    readonly isOver: (planner: Planner) => boolean;
  },
): Case {
  return {
    name: `${name}, with the thread`,
    run: async () => {
      const { planner, run } = createPlanning({ threadFile: THREAD, clock: systemClock(), log: silentLog });
      const over = new AbortController();
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      const time = await elapsedMs(async () => {
        planner.plan(wishes, tuners);
        await run(over.signal, async () => {
          planner.plan(wishes, tuners);
          if (isOver(planner)) over.abort();
        });
      });
      delay.disable();
      return {
        "until then": ms(time),
        "loop blocked": ms(delay.max / 1e6),
        ...countsOf(planner.plan(wishes, tuners)),
      };
    },
  };
}

/** The hardest of a few evenings of one kind, beside the loop. */
function worst(kind: Omit<Worst, "seed">, optimize: Optimizer): Case {
  return {
    name: `worst evening, tuners ${kind.tuners}, ${kind.priorities}`,
    run: async () => {
      let [most, open, whole, possible] = [0, 0, 0, 0];
      for (let seed = 1; seed <= EVENINGS; seed += 1) {
        const { wishes, tuners } = worstEvening({ ...kind, seed });
        const started = performance.now();
        const { proof } = solve(wishes, tuners, { budget: ON_THREAD.budget, optimize });
        most = Math.max(most, performance.now() - started);
        const got = proof.worth.whole.reduce((a, b) => a + b, 0);
        whole += got;
        possible += proof.wholeAtMost?.reduce((a, b) => a + b, 0) ?? got;
        if (proof.proven === "none") open += 1;
      }
      return {
        "hardest proof": ms(most),
        "not proven": count(open),
        "whole events": count(whole),
        "possible at most": count(possible),
      };
    },
  };
}
