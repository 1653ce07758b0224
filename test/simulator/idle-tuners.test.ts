import { expect, it } from "vitest";
import { FAULTS } from "../../src/simulator/weeks/script.ts";
import { simulateWeeks, type WeeksOptions } from "../../src/simulator/weeks/weeks.ts";
import { weeksText } from "../../src/simulator/weeks/weeks-text.ts";
import { casesOf, IS_LONG } from "../lane.ts";

const DAYS = casesOf({ sample: 3, all: 7 });

/** The final state of every timer, and how often an idle tuner gathered EIT. */
async function week(options: Pick<WeeksOptions, "seed" | "faults">, gathers: boolean) {
  let listened = 0;
  const onListened = () => {
    listened += 1;
  };
  const result = await simulateWeeks({ days: DAYS, ...options, ...(gathers ? { onListened } : {}) });
  expect(result.violation, weeksText(result).join("\n")).toBeUndefined();
  const outcomes = result.timers.map(({ timerId, outcome, attempts, told }) =>
    [timerId, outcome, attempts, ...told].join(" "),
  );
  return { listened, outcomes };
}

it("R-27 a week has the same recordings with and without EIT gathering on idle tuners", async () => {
  for (const seed of IS_LONG ? [1, 2] : [1]) {
    const without = await week({ seed, faults: [] }, false);
    const with_ = await week({ seed, faults: [] }, true);
    expect(without.listened).toBe(0);
    expect(with_.listened).toBeGreaterThan(4 * DAYS);
    expect(with_.outcomes).toEqual(without.outcomes);
  }
});

it("R-27 weeks with every kind of fault keep every invariant with EIT gathering on idle tuners", async () => {
  for (const seed of IS_LONG ? [11, 12, 13] : [11]) {
    expect((await week({ seed, faults: FAULTS }, true)).listened).toBeGreaterThan(0);
  }
});
