import { beforeAll, describe, expect, it } from "vitest";
import { worstEvening } from "../../../bench/orders.ts";
import { loadIntegerPrograms } from "../../../src/kit/integer-program.ts";
import { bestEvents } from "../../../src/recorder/plan/best-events.ts";
import type { Optimizer } from "../../../src/recorder/plan/optimizer.ts";
import { problemOf } from "../../../src/recorder/plan/problem.ts";
import { solve } from "../../../src/recorder/plan/solve.ts";
import { smallInstance } from "./instances.ts";
import { bestValue } from "./oracle.ts";

const INSTANCES = 80;
/** So little that the search alone proves next to nothing. */
const budget = { width: 1, looks: 1, narrow: 1 };

let optimize: Optimizer;
beforeAll(async () => {
  optimize = await loadIntegerPrograms(60_000);
});

function compared(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((one, index) => one !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

describe("a proof of the first aims beyond the search limit", () => {
  it("never claims less than brute force finds", () => {
    for (let seed = 1; seed <= INSTANCES; seed += 1) {
      const { wishes, tuners } = smallInstance(seed);
      const problem = problemOf(wishes, tuners);
      const terms = 2 * problem.priorities.length + 3;
      const bound = bestEvents(problem, optimize)?.bound.slice(0, terms) ?? [];
      const best = bestValue(wishes, tuners).slice(0, terms);
      expect(compared([...bound], best), `seed ${seed}`).toBeGreaterThanOrEqual(0);
    }
  });

  it("matches brute force in whole events and minutes of the others, and covers nearly all cases", () => {
    let proven = 0;
    for (let seed = 1; seed <= INSTANCES; seed += 1) {
      const { wishes, tuners } = smallInstance(seed);
      const { proof } = solve(wishes, tuners, { budget, optimize });
      if (proof.proven === "none") continue;
      proven += 1;
      const found = [...proof.worth.whole, ...proof.worth.partMs];
      expect(found, `seed ${seed}`).toEqual(bestValue(wishes, tuners).slice(0, found.length));
    }
    // The unproven instances have tuners that deliver few services at once, and tuning takes time from the event.
    expect(proven).toBeGreaterThan(0.9 * INSTANCES);
  });

  it("is complete for sixty overlapping recordings and eight tuners", () => {
    for (const kind of ["ties", "one priority", "distinct"] as const) {
      const { wishes, tuners } = worstEvening({ seed: 1, priorities: kind, tuners: "alike" });
      const alone = solve(wishes, tuners, { budget: { width: 8, looks: 1000, narrow: 4 } });
      const { proof, placements } = solve(wishes, tuners, {
        budget: { width: 8, looks: 1000, narrow: 4 },
        optimize,
      });
      expect(alone.proof.proven).toBe("none");
      expect(proof.proven).toBe("events");
      expect(placements).toHaveLength(60);
    }
  });
});
