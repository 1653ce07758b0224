import { expect, it } from "vitest";
import { chainOf, tunersOf } from "../../../bench/orders.ts";
import { createPlanner } from "../../../src/recorder/plan/planner.ts";
import { isWhole } from "../../../src/recorder/plan/remedy.ts";
import { ON_LOOP } from "../../../src/recorder/plan/solve-group.ts";
import { chanceOf } from "../../../src/simulator/weeks/chance.ts";
import { onLoop } from "./thinking.ts";

const MULTIPLEXES = 30;
/** One for each multiplex would do. */
const TUNERS = tunersOf(40);
/** Those of nodes that are gone. */
const LOST = tunersOf(60).slice(TUNERS.length);

it.each([1, 2, 3])(
  "R-22 the loop's first plan leaves nothing out while there is a tuner for each multiplex, wherever all were planned before (seed %i)",
  (seed) => {
    const chance = chanceOf(seed, "previous tuners");
    const crowded = [...TUNERS.slice(0, 5), ...LOST];
    const requests = chainOf({ seed, timers: 300, atOnce: 25, multiplexes: MULTIPLEXES }).map((request) => ({
      ...request,
      previousTuner: crowded[chance.int(0, crowded.length - 1)]?.id ?? "",
    }));
    const { placements } = onLoop(createPlanner(ON_LOOP), requests, TUNERS).at(-1) ?? { placements: [] };
    const left = requests.filter((request) => !isWhole(request, placements));
    expect(left.map(({ recordingId }) => recordingId)).toEqual([]);
  },
);
