import { expect, it } from "vitest";
import { casesOf } from "../lane.ts";
import { simulateOrders } from "./fleet/fleet-orders.ts";

const MINUTES = 3;
/** Seeds up to this one have no drained nodes. */
const WITHOUT_DRAINS = 11;

/** Seeds that notice the loss of a protection (`scripts/mutation-table.mjs`). */
const NAMED: Readonly<Record<number, string>> = {
  1: "seed 1: a new leader finds what runs, ends what nobody needs, and loses nobody by its own pause",
  2: "seed 2: a leader does not count on a node that is away",
  4: "seed 4: no tuner stays open for a leader that is gone",
  8: "seed 8: a node obeys no earlier term",
  9: "seed 9: a capture that begins when its leader is gone ends",
  11: "seed 11: a tuner is free if a capture does not begin and its leader is gone",
  12: "seed 12: nothing begins on a drained node",
};

for (let seed = 1; seed <= casesOf({ sample: 20, all: 1000 }); seed += 1) {
  it(NAMED[seed] ?? `seed ${seed}: a node obeys one leader, and both agree on what runs`, async () => {
    const { violation, terms, begun } = await simulateOrders(seed, MINUTES, {
      drains: seed > WITHOUT_DRAINS,
    });
    expect(violation).toBeUndefined();
    expect(Math.min(terms, begun)).toBeGreaterThan(0);
  });
}
