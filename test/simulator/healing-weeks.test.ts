import { expect, it } from "vitest";
import type { FaultPlan } from "../../src/simulator/weeks/fault-plan.ts";
import { FAULTS } from "../../src/simulator/weeks/script.ts";
import { simulateWeeks, type TimerOutcome } from "../../src/simulator/weeks/weeks.ts";
import { weeksText } from "../../src/simulator/weeks/weeks-text.ts";
import { casesOf } from "../lane.ts";

/** Tuners for all that is ordered, and for every repeat. */
const ROOM: FaultPlan = { file: "room for all", household: true, tuners: 4, steps: [] };
const SEEDS = casesOf({ sample: 2, all: 3 });
/** Faults that damage recordings, and faults that end the recorder in the middle of ordering. */
const DAMAGE = ["die", "stall", "no-data", "tuner", "crash", "outage"] as const;
const OWN = 900_000;

/** The guide of the weeks knows repeats of what channels with odd numbers broadcast. */
function wasLost({ timerId, channel, outcome, message }: TimerOutcome): boolean {
  const isLost = outcome === "partial" || outcome === "failed" || outcome === "missed";
  return Number(timerId) < OWN && channel % 2 === 1 && isLost && !message.startsWith("Withdrawn");
}

it("a lost recording is replaced by a complete repeat unless the household cancels that", async () => {
  let healed = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const options = { days: 5, seed, faults: DAMAGE, plan: ROOM, repeats: "book" as const };
    const result = await simulateWeeks(options);
    expect(result.violation, weeksText(result).join("\n")).toBeUndefined();
    for (const timer of result.timers.filter(wasLost)) {
      const isWhole = timer.message.includes("It was recorded whole");
      const isCancelled = result.timers.some(
        ({ timerId, name, outcome }) =>
          Number(timerId) >= OWN && name === timer.name && outcome === "cancelled",
      );
      expect(isWhole || isCancelled, weeksText(result).join("\n")).toBe(true);
      if (isWhole) healed += 1;
    }
  }
  expect(healed).toBeGreaterThan(SEEDS);
});

it("R-17 weeks with every kind of fault keep every invariant with booked repeats", async () => {
  for (let seed = 1; seed <= casesOf({ sample: 1, all: 2 }); seed += 1) {
    const result = await simulateWeeks({
      days: casesOf({ sample: 4, all: 7 }),
      seed,
      faults: FAULTS,
      repeats: "book",
    });
    expect(result.violation, weeksText(result).join("\n")).toBeUndefined();
  }
});
