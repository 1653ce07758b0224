import { describe, expect, it } from "vitest";
import type { Worth } from "../../../src/model/plan.ts";
import { solve } from "../../../src/recorder/plan/solve.ts";
import { casesOf } from "../../lane.ts";
import { smallInstance } from "./instances.ts";
import { bestValue } from "./oracle.ts";

const EXACT = { budget: { width: 1_000_000, looks: 100_000_000, narrow: 4 } };
const INSTANCES = casesOf({ sample: 100, all: 10_000 });
const PARTS = 10;

function terms(worth: Worth): readonly number[] {
  const { whole, partMs, hope, avoided, weak, paddingMs, stayed, tunings, order } = worth;
  return [...whole, ...partMs, hope, avoided, weak, paddingMs, stayed, tunings, order].map(
    (term) => term + 0,
  );
}

describe("the brute-force plan is no better in any aim", () => {
  for (let part = 0; part < PARTS; part += 1) {
    const from = 1 + (part * INSTANCES) / PARTS;
    const to = ((part + 1) * INSTANCES) / PARTS;
    it(`for the instances of the seeds ${from} to ${to}`, () => {
      for (let seed = from; seed <= to; seed += 1) {
        const { wishes, tuners } = smallInstance(seed);
        const { proof } = solve(wishes, tuners, EXACT);
        expect(proof.proven, `seed ${seed}`).toBe("all");
        expect(terms(proof.worth), `seed ${seed}`).toEqual(bestValue(wishes, tuners).map((term) => term + 0));
      }
    });
  }
});
