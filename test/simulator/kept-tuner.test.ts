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
function eveningWith(...faults: readonly FaultStep[]): FaultPlan {
  return {
    file: "an evening",
    household: false,
    tuners: 1,
    steps: [
      { at: START + 10 * HOUR, action: booked("1", { from: 0, minutes: 120 }) },
      { at: START + 10 * HOUR, action: booked("2", { from: 20, minutes: 60 }) },
      ...faults.map((action) => ({ at: EVENING + 10 * MINUTE, action })),
    ],
  };
}

const POWER_CUT: FaultStep = { kind: "crash", calls: 0, when: "before", offMs: 3 * HOUR, power: true };
const WRONG_CLOCK: FaultStep = { kind: "clock-step", byMs: 284 * DAY, until: EVENING + 3 * HOUR };
const WRONG_DATE: FaultStep = { kind: "guide-date", byMs: 9 * DAY, until: EVENING + 3 * HOUR };

async function outcomesOf(plan: FaultPlan) {
  const result = await simulateWeeks({ days: 1, seed: 1, faults: [], plan });
  expect(result.violation, weeksText(result).join("\n")).toBeUndefined();
  return result.timers.map(({ timerId, outcome, message }) => ({ timerId, outcome, message }));
}

describe("R-20 a tuner stays kept for a recording that could not begin in the end", () => {
  it("the power fails before it begins", async () => {
    expect(await outcomesOf(eveningWith(POWER_CUT))).toMatchObject([
      { timerId: "1", outcome: "missed" },
      { timerId: "2", outcome: "missed" },
    ]);
  });

  it("R-36 the clock is set wrong before it begins, and the guide service has another wrong time", async () => {
    const message = "Not recorded: The recorder's clock was 284 days ahead.";
    expect(await outcomesOf(eveningWith(WRONG_CLOCK, WRONG_DATE))).toEqual([
      { timerId: "1", outcome: "missed", message },
      { timerId: "2", outcome: "missed", message },
    ]);
  });
});

it.each([284 * DAY, -284 * DAY, 2 * HOUR])(
  "R-36 a clock that is set wrong by %d ms costs no recording while NTP's time and the guide service agree",
  async (byMs) => {
    const fault: FaultStep = { kind: "clock-step", byMs, until: EVENING + 3 * HOUR };
    expect(await outcomesOf(eveningWith(fault))).toMatchObject([
      { timerId: "1", outcome: "partial" },
      { timerId: "2", outcome: "completed" },
    ]);
  },
);
