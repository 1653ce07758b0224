import { expect, it } from "vitest";
import { casesOf } from "../lane.ts";
import { simulateFleet } from "./fleet/fleet-minutes.ts";

const MINUTES = 3;
/** Seeds up to this one have no drained nodes. */
const WITHOUT_DRAINS = 13;

/** Seeds that notice the loss of a protection (`scripts/mutation-table.mjs`). */
const NAMED: Readonly<Record<number, string>> = {
  1: "seed 1: a lease that is renewed is not taken, and a leader of an earlier term writes nothing and knows of its end",
  3: "seed 3: a late try changes nothing after a later one",
  13: "seed 13: a write without an answer leaves no value behind that nobody wrote",
  14: "seed 14: a drained leader hands over",
};

for (let seed = 1; seed <= casesOf({ sample: 20, all: 1000 }); seed += 1) {
  it(
    NAMED[seed] ?? `seed ${seed}: a fleet has one leader a term, and keeps what was acknowledged`,
    async () => {
      const { violation, terms, stored } = await simulateFleet(seed, MINUTES, {
        drains: seed > WITHOUT_DRAINS,
      });
      expect(violation).toBeUndefined();
      expect(Math.min(terms, stored)).toBeGreaterThan(0);
    },
  );
}
