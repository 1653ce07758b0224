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

/** The least important one, and the shortest of these. */
function least(wishes: readonly PlanRequest[]): PlanRequest | undefined {
  const lengthOf = ({ event }: PlanRequest) => event.stop - event.start;
  return wishes.toSorted(
    (a, b) =>
      a.priority - b.priority || lengthOf(a) - lengthOf(b) || (a.recordingId < b.recordingId ? -1 : 1),
  )[0];
}

/** Every single change, tried one by one. */
function triedOut(wish: PlanRequest, { wishes, tuners }: Instance) {
  const isEnough = (others: readonly PlanRequest[], withTuners = tuners) =>
    isWhole(wish, solve(others, withTuners));
  const at = (priority: number) => wishes.map((one) => (one === wish ? { ...one, priority } : one));
  const higher = Array.from({ length: PRIORITY_MAX - wish.priority }, (_, step) => wish.priority + 1 + step);
  // Beyond the highest of the others one is as good as the next.
  const top = Math.max(...wishes.map(({ priority }) => priority)) + 2;
  const to = higher.filter((priority) => priority <= top).find((priority) => isEnough(at(priority)));
  const before = solve(wishes, tuners);
  const after = to === undefined ? [] : solve(at(to), tuners);
  const losing = to === undefined ? [] : wishes.filter((one) => isWhole(one, before) && !isWhole(one, after));
  return {
    without: least(
      wishes.filter(
        (other) =>
          other !== wish &&
          other.runningOnTuner === undefined &&
          isEnough(wishes.filter((one) => one !== other)),
      ),
    )?.recordingId,
    priority: to,
    loses: losing.map(({ recordingId }) => recordingId),
    partly: losing
      .map(({ recordingId }) => recordingId)
      .filter((id) => after.some((one) => one.recordingId === id && one.kind === "placed")),
    tuners: tuners
      .filter(({ isDoubtful: _failed, ...facts }) => isEnough(wishes, [...tuners, { ...facts, id: "more" }]))
      .map(({ id }) => id),
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
      const tried = triedOut(wish, { wishes, tuners });
      const found = <K extends Remedy["kind"]>(kind: K) =>
        remedies.find((one): one is Remedy & { readonly kind: K } => one.kind === kind);
      expect(found("withdraw")?.other, about).toBe(tried.without);
      const raise = found("raise-priority");
      expect(raise?.to, about).toBe(tried.priority);
      expect(raise?.loses ?? [], about).toEqual(tried.loses);
      expect(raise?.partly ?? [], about).toEqual(tried.partly);
      if (raise !== undefined) expect(raise.to, about).toBeLessThanOrEqual(PRIORITY_MAX);
      const like = found("add-tuner")?.like;
      expect(like === undefined, about).toBe(tried.tuners.length === 0);
      if (like !== undefined) expect(tried.tuners, about).toContain(like);
      const helps = tried.without !== undefined || raise !== undefined || like !== undefined;
      expect(found("none") === undefined, about).toBe(helps);
      expect(remedies, about).not.toHaveLength(0);
    }
  }
  return seen;
}
