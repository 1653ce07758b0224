import { expect } from "vitest";
import type { PlanRequest, Remedy } from "../../../src/model/plan.ts";
import { PRIORITY_MAX } from "../../../src/model/priority.ts";
import type { TunerFacts } from "../../../src/model/tuner.ts";
import { isWhole, losers, remediesFor } from "../../../src/recorder/plan/remedy.ts";
import { solve as solved } from "../../../src/recorder/plan/solve.ts";
import { type Instance, smallInstance } from "./instances.ts";

const EXACT = { budget: { width: 1_000_000, looks: 100_000_000, narrow: 4 } };

const solve = (wishes: readonly PlanRequest[], tuners: readonly TunerFacts[]) =>
  solved(wishes, tuners, EXACT).placements;

/** Some at the top of the range, where there is no higher priority. */
function instanceOf(seed: number): Instance {
  const { wishes, tuners } = smallInstance(seed);
  const more = seed % 3 === 0 ? PRIORITY_MAX - 51 : 0;
  return {
    tuners,
    wishes: wishes.map((wish) => ({ ...wish, priority: Math.min(PRIORITY_MAX, wish.priority + more) })),
  };
}

/** All there is, tried one by one. */
function triedOut(wish: PlanRequest, { wishes, tuners }: Instance) {
  const others = wishes.filter((one) => one !== wish && one.runningOnTuner === undefined);
  const at = (priority: number) => wishes.map((one) => (one === wish ? { ...one, priority } : one));
  const higher = Array.from({ length: PRIORITY_MAX - wish.priority }, (_, step) => wish.priority + 1 + step);
  // Beyond the highest of the others one is as good as the next.
  const top = Math.max(...wishes.map(({ priority }) => priority)) + 2;
  return {
    without: others.filter((other) =>
      isWhole(
        wish,
        solve(
          wishes.filter((one) => one !== other),
          tuners,
        ),
      ),
    ),
    priority: higher.filter((to) => to <= top).find((to) => isWhole(wish, solve(at(to), tuners))),
  };
}

/** Compares the remedies of so many generated problems with all that can be tried. @returns how many of each kind there were */
export function compareRemedies(instances: number): Readonly<Record<Remedy["kind"], number>> {
  const seen: Record<Remedy["kind"], number> = {
    withdraw: 0,
    "raise-priority": 0,
    "add-tuner": 0,
    none: 0,
    repeat: 0,
  };
  for (let seed = 1; seed <= instances; seed += 1) {
    const { wishes, tuners } = instanceOf(seed);
    const placements = solve(wishes, tuners);
    for (const wish of losers(wishes, placements).filter(({ isLate }) => !isLate)) {
      const remedies = remediesFor(wish, { requests: wishes, tuners, placements, solve });
      for (const { kind } of remedies) seen[kind] += 1;
      const about = `seed ${seed}, ${wish.recordingId}`;
      const { without, priority } = triedOut(wish, { wishes, tuners });
      const withdraw = remedies.find((remedy) => remedy.kind === "withdraw");
      const least = without.find(({ recordingId }) => recordingId === withdraw?.other);
      expect(least === undefined, about).toBe(without.length === 0);
      expect(least?.priority, about).toBe(
        without.length === 0 ? undefined : Math.min(...without.map((each) => each.priority)),
      );
      const raise = remedies.find((remedy) => remedy.kind === "raise-priority");
      expect(raise?.to, about).toBe(priority);
      const isNone = remedies.some(({ kind }) => kind === "none");
      expect(isNone, about).toBe(
        remedies.length === 1 &&
          least === undefined &&
          raise === undefined &&
          !remedies.some(({ kind }) => kind === "add-tuner"),
      );
      expect(remedies, about).not.toHaveLength(0);
    }
  }
  return seen;
}
