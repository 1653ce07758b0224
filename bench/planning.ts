import type { Wish } from "../src/model/plan.ts";
import { MINUTE } from "../src/model/time.ts";
import type { TunerFacts } from "../src/model/tuner.ts";
import { createPlanner, WIDE } from "../src/plan/planner.ts";
import { type Benchmark, type Case, count, elapsedMs, ms } from "./harness.ts";
import { ordersOf, tunersOf, worstEvening } from "./orders.ts";

const MULTIPLEXES = 12;

/** Plans as the daemon's loop makes them, and as its worker does. */
export const planningBenchmark: Benchmark = {
  name: "planning",
  open: async () => {
    const few = ordersOf({ seed: 1, timers: 500, days: 14, multiplexes: MULTIPLEXES });
    const many = ordersOf({ seed: 1, timers: 5000, days: 140, multiplexes: MULTIPLEXES });
    const cases = [
      scratch("500 timers, 4 tuners, in the loop", few, tunersOf(4)),
      scratch("500 timers, 4 tuners, wide budget", few, tunersOf(4), WIDE),
      changed("500 timers, one changed, in the loop", few, tunersOf(4)),
      scratch("5000 timers, 4 tuners, in the loop", many, tunersOf(4)),
      changed("5000 timers, one changed, in the loop", many, tunersOf(4)),
      scratch("worst evening, 8 tuners, in the loop", worstEvening(1), tunersOf(8)),
      scratch("worst evening, 8 tuners, wide budget", worstEvening(1), tunersOf(8), WIDE),
    ];
    return { cases, [Symbol.asyncDispose]: async () => {} };
  },
};

function scratch(
  name: string,
  wishes: readonly Wish[],
  tuners: readonly TunerFacts[],
  options?: Parameters<typeof createPlanner>[0],
): Case {
  return {
    name,
    run: async () => {
      const planner = createPlanner(options);
      const time = await elapsedMs(() => planner.plan(wishes, tuners));
      const { groups } = planner.plan(wishes, tuners);
      const open = groups.filter(({ proven }) => proven === "none");
      const whole = groups.reduce((sum, { worth }) => sum + worth.whole.reduce((a, b) => a + b, 0), 0);
      return {
        plan: ms(time),
        groups: count(groups.length),
        "not proven": count(open.length),
        "whole events": count(whole),
      };
    },
  };
}

/** One order moves by a quarter of an hour, another one in every round; all else was planned before. */
function changed(name: string, wishes: readonly Wish[], tuners: readonly TunerFacts[]): Case {
  const planner = createPlanner();
  const planned = () => planner.plan(wishes, tuners);
  let round = 0;
  return {
    name,
    run: async () => {
      planned();
      round += 1;
      const at = (round * 37) % wishes.length;
      const moved = wishes.map((wish, index) => (index === at ? later(wish) : wish));
      return { plan: ms(await elapsedMs(() => planner.plan(moved, tuners))) };
    },
  };
}

function later(wish: Wish): Wish {
  const by = ({ start, stop }: Wish["event"]) => ({ start: start + 15 * MINUTE, stop: stop + 15 * MINUTE });
  return { ...wish, event: by(wish.event), window: by(wish.window) };
}
