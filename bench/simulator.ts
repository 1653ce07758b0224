import { FAULTS } from "../src/simulator/weeks/script.ts";
import { simulateWeeks, type WeeksOptions } from "../src/simulator/weeks/weeks.ts";
import { type Benchmark, type Case, perSecond } from "./harness.ts";

const DAYS = 7;

/** Days of a household that the daemon's own engine lives through in a second of the processor. */
export const simulatorBenchmark: Benchmark = {
  name: "simulator",
  open: async () => ({
    cases: [week("no faults", []), week("all faults", FAULTS)],
    [Symbol.asyncDispose]: async () => {},
  }),
};

function week(name: string, faults: WeeksOptions["faults"]): Case {
  return {
    name: `a week, ${name}`,
    run: async () => {
      const before = process.cpuUsage();
      const { violation } = await simulateWeeks({ days: DAYS, seed: 1, faults });
      if (violation !== undefined) throw new Error(`the simulated week broke ${violation.invariant}`);
      const { user, system } = process.cpuUsage(before);
      return { simulated: perSecond(DAYS / ((user + system) / 1e6), "days") };
    },
  };
}
