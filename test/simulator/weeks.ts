import { expect, it } from "vitest";
import { FAULTS } from "../../src/simulator/weeks/script.ts";
import { simulateWeeks } from "../../src/simulator/weeks/weeks.ts";
import { weeksText } from "../../src/simulator/weeks/weeks-text.ts";

const AT_ONCE = 10;

/** One week of every seed, with every kind of fault: no invariant of src/simulator/weeks/invariants.ts breaks. */
export function surviveWeeks(first: number, last: number): void {
  for (let from = first; from <= last; from += AT_ONCE) {
    const to = Math.min(last, from + AT_ONCE - 1);
    it(`keep every invariant, seeds ${from} to ${to}`, async () => {
      for (let seed = from; seed <= to; seed += 1) await surviveWeek(seed);
    });
  }
}

export async function surviveWeek(seed: number): Promise<void> {
  const result = await simulateWeeks({ days: 7, seed, faults: FAULTS });
  expect(result.violation, weeksText(result).join("\n")).toBeUndefined();
}
