import { describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "../../src/model/time.ts";
import type { FaultPlan } from "../../src/simulator/weeks/fault-plan.ts";
import type { FaultStep } from "../../src/simulator/weeks/script.ts";
import { simulateWeeks } from "../../src/simulator/weeks/weeks.ts";
import { weeksText } from "../../src/simulator/weeks/weeks-text.ts";

/** A Monday. */
const START = Date.UTC(2026, 10, 2);
const EVENING = START + 19 * HOUR;

function booked(timerId: string, event: { readonly from: number; readonly minutes: number }): FaultStep {
  const start = EVENING + event.from * MINUTE;
  const stop = start + event.minutes * MINUTE;
  // Every third channel is on another multiplex.
  const booking = { timerId, name: `Show ${timerId}`, channel: Number(timerId) * 3, event: { start, stop } };
  return { kind: "book", booking };
}

/** One tuner: the second event can be whole, and the first one gets the rest of its time. */
function eveningWith(fault: FaultStep): FaultPlan {
  return {
    file: "an evening",
    household: false,
    tuners: 1,
    steps: [
      { at: START + 10 * HOUR, action: booked("1", { from: 0, minutes: 120 }) },
      { at: START + 10 * HOUR, action: booked("2", { from: 20, minutes: 60 }) },
      { at: EVENING + 10 * MINUTE, action: fault },
    ],
  };
}

const POWER_CUT: FaultStep = { kind: "crash", calls: 0, when: "before", offMs: 3 * HOUR, power: true };
const WRONG_CLOCK: FaultStep = { kind: "clock-step", byMs: 284 * DAY, until: EVENING + 3 * HOUR };

describe("R-20 a tuner stays kept for a recording that could not begin in the end", () => {
  it.each([
    ["the power fails", POWER_CUT],
    ["the clock is set wrong", WRONG_CLOCK],
  ])("%s before it begins", async (_what, fault) => {
    const result = await simulateWeeks({ days: 1, seed: 1, faults: [], plan: eveningWith(fault) });
    expect(result.violation, weeksText(result).join("\n")).toBeUndefined();
    const outcomes = result.timers.map(({ timerId, outcome }) => [timerId, outcome]);
    expect(outcomes).toEqual([
      ["1", "missed"],
      ["2", "missed"],
    ]);
  });
});
