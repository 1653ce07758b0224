import { describe, expect, it } from "vitest";
import type { Placement, PlanRequest, Worth } from "../../../src/model/plan.ts";
import { multiplexKey, tripletKey } from "../../../src/model/service.ts";
import { canReceive, type TunerFacts } from "../../../src/model/tuner.ts";
import { holdersFor } from "../../../src/recorder/plan/certificate.ts";
import { createPlanner } from "../../../src/recorder/plan/planner.ts";
import { isWhole } from "../../../src/recorder/plan/remedy.ts";
import { movedTo } from "../../../src/recorder/plan/repeats.ts";
import { solve } from "../../../src/recorder/plan/solve.ts";
import { casesOf } from "../../lane.ts";
import { fc } from "../../properties.ts";
import { type Instance, smallInstance, withRepeats } from "./instances.ts";

const EXACT = { budget: { width: 1_000_000, looks: 100_000_000, narrow: 4 } };
/** Runs of a law. */
const RUNS = casesOf({ sample: 20, all: 1000 });
const HARDLY = { budget: { width: 1, looks: 1, narrow: 1 } };
const repeating = fc.integer({ min: 1, max: 2 ** 31 - 1 }).map(withRepeats);
const instance = fc.integer({ min: 1, max: 2 ** 31 - 1 }).map(smallInstance);

function worthOf({ wishes, tuners }: Instance): Worth {
  return solve(wishes, tuners, EXACT).proof.worth;
}

/** The whole events of either, for the priorities that both know. */
function compareWhole(a: Worth, b: Worth): number {
  for (const priority of [...new Set([...a.priorities, ...b.priorities])].sort((x, y) => y - x)) {
    const of = (worth: Worth) => worth.whole[worth.priorities.indexOf(priority)] ?? 0;
    if (of(a) !== of(b)) return of(a) - of(b);
  }
  return 0;
}

function wholes({ wishes }: Instance, placements: readonly Placement[]): ReadonlySet<string> {
  return new Set(wishes.filter((wish) => isWhole(wish, placements)).map(({ recordingId }) => recordingId));
}

/** An event as it is recorded, looked at apart from the planner. */
interface Piece {
  readonly wish: PlanRequest;
  readonly from: number;
  readonly to: number;
}

function piecesOn(
  tuner: TunerFacts,
  { wishes }: Instance,
  placements: readonly Placement[],
): readonly Piece[] {
  return placements.flatMap((one) => {
    const wish = wishes.find(({ recordingId }) => recordingId === one.recordingId);
    if (one.kind !== "placed" || one.tunerId !== tuner.id || wish === undefined) return [];
    return [{ wish, from: one.span.start, to: one.span.stop }];
  });
}

describe("a plan", () => {
  it.each([
    ["with an exact search", EXACT],
    ["with a minimal search", HARDLY],
  ])(
    "R-22 R-25 never has two multiplexes on one tuner at once, nor more services than it delivers, %s",
    (_, means) => {
      fc.assert(
        fc.property(instance, (given) => {
          const { placements } = solve(given.wishes, given.tuners, means);
          return given.tuners.every((tuner) => {
            const pieces = piecesOn(tuner, given, placements);
            return pieces.every((one) => {
              const meanwhile = pieces.filter((other) => other.from < one.to && one.from < other.to);
              const key = multiplexKey(one.wish.service);
              const at = meanwhile.filter((other) => other.from <= one.from);
              return (
                canReceive(tuner, tripletKey(one.wish.service)) &&
                meanwhile.every(({ wish }) => multiplexKey(wish.service) === key) &&
                at.length <= tuner.servicesAtOnce(key)
              );
            });
          });
        }),
        { numRuns: RUNS },
      );
    },
  );

  it("is worth the sum of its spans", () => {
    fc.assert(
      fc.property(instance, (given) => {
        const { placements, proof } = solve(given.wishes, given.tuners, EXACT);
        let paddingMs = 0;
        for (const one of placements) {
          const wish = given.wishes.find(({ recordingId }) => recordingId === one.recordingId);
          if (one.kind !== "placed" || wish === undefined) continue;
          paddingMs += one.span.stop - one.span.start - (wish.event.stop - one.begin);
        }
        return paddingMs === proof.worth.paddingMs;
      }),
      { numRuns: RUNS },
    );
  });

  it("is worth the same for recordings and tuners in any order, and is identical if only recordings are permuted", () => {
    fc.assert(
      fc.property(instance, ({ wishes, tuners }) => {
        const backwards = { wishes: [...wishes].reverse(), tuners };
        const others = { wishes, tuners: [...tuners].reverse() };
        const known = ({ order: _order, ...worth }: Worth) => JSON.stringify(worth);
        expect(solve(backwards.wishes, tuners, EXACT)).toEqual(solve(wishes, tuners, EXACT));
        return known(worthOf(others)) === known(worthOf({ wishes, tuners }));
      }),
      { numRuns: RUNS / 2 },
    );
  });

  it("loses no event by more padding", () => {
    fc.assert(
      fc.property(instance, fc.nat(7), fc.nat(5), ({ wishes, tuners }, pick, more) => {
        const padded = wishes.map((wish, at) =>
          at === pick % wishes.length && wish.runningOnTuner === undefined
            ? { ...wish, window: { start: wish.window.start - more, stop: wish.window.stop + more } }
            : wish,
        );
        const [before, after] = [worthOf({ wishes, tuners }), worthOf({ wishes: padded, tuners })];
        return JSON.stringify([before.whole, before.partMs]) === JSON.stringify([after.whole, after.partMs]);
      }),
      { numRuns: RUNS / 2 },
    );
  });

  it("never displaces a recording whose priority rises", () => {
    fc.assert(
      fc.property(instance, fc.nat(7), fc.integer({ min: 1, max: 3 }), ({ wishes, tuners }, pick, by) => {
        const raised = wishes[pick % wishes.length];
        const before = wholes({ wishes, tuners }, solve(wishes, tuners, EXACT).placements);
        const others = wishes.map((wish) =>
          wish === raised ? { ...wish, priority: wish.priority + by } : wish,
        );
        const after = wholes({ wishes: others, tuners }, solve(others, tuners, EXACT).placements);
        const id = raised?.recordingId ?? "";
        return !before.has(id) || after.has(id);
      }),
      { numRuns: RUNS / 2 },
    );
  });

  it("is never worse with one tuner more", () => {
    fc.assert(
      fc.property(instance, ({ wishes, tuners }) => {
        const more = tuners.map((tuner) => ({ ...tuner, id: `${tuner.id}'` }));
        const [before, after] = [
          worthOf({ wishes, tuners }),
          worthOf({ wishes, tuners: [...tuners, ...more.slice(0, 1)] }),
        ];
        return compareWhole(after, before) >= 0;
      }),
      { numRuns: RUNS / 2 },
    );
  });

  it("is the same when planned again from itself", () => {
    fc.assert(
      fc.property(instance, ({ wishes, tuners }) => {
        const { placements } = solve(wishes, tuners, EXACT);
        const again = wishes.map((wish) => {
          const { previousTuner: _had, ...rest } = wish;
          const placement = placements.find(({ recordingId }) => recordingId === wish.recordingId);
          if (wish.runningOnTuner !== undefined || placement?.kind !== "placed") return rest;
          return { ...rest, previousTuner: placement.tunerId };
        });
        expect(solve(again, tuners, EXACT).placements).toEqual(placements);
      }),
      { numRuns: RUNS },
    );
  });

  it("names, for each recording without a place, one obstacle on each capable tuner", () => {
    fc.assert(
      fc.property(instance, (given) => {
        const { wishes, tuners } = given;
        const { placements } = solve(wishes, tuners, EXACT);
        return placements.every((one) => {
          const wish = wishes.find(({ recordingId }) => recordingId === one.recordingId);
          if (
            one.kind === "placed" ||
            !one.capable ||
            wish === undefined ||
            wish.runningOnTuner !== undefined
          )
            return true;
          const holders = holdersFor(wish, { requests: wishes, tuners, placements });
          const able = tuners.filter((tuner) => canReceive(tuner, tripletKey(wish.service)));
          return able.every((tuner) => {
            const named = holders.filter(({ tunerId }) => tunerId === tuner.id);
            const really = named.every(({ recordingId }) =>
              placements.some(
                (other) =>
                  other.kind === "placed" && other.recordingId === recordingId && other.tunerId === tuner.id,
              ),
            );
            return named.length > 0 && really;
          });
        });
      }),
      { numRuns: RUNS },
    );
  });

  it("offers remedies that work when applied", () => {
    let offered = 0;
    fc.assert(
      fc.property(instance, ({ wishes, tuners }) => {
        const planner = createPlanner();
        const made = planner.plan(wishes, tuners);
        return made.remedies.every((remedy) => {
          offered += 1;
          const applied = createPlanner();
          const wish = wishes.find(({ recordingId }) => recordingId === remedy.recordingId);
          if (wish === undefined) return false;
          switch (remedy.kind) {
            case "withdraw": {
              const rest = wishes.filter(({ recordingId }) => recordingId !== remedy.other);
              return isWhole(wish, applied.plan(rest, tuners).placements);
            }
            case "raise-priority": {
              const raised = wishes.map((one) => (one === wish ? { ...one, priority: remedy.to } : one));
              const { placements } = applied.plan(raised, tuners);
              const { loses, partly = [] } = remedy;
              const isThere = (id: string) =>
                placements.some((one) => one.recordingId === id && one.kind === "placed");
              return isWhole(wish, placements) && loses.every((id) => isThere(id) === partly.includes(id));
            }
            case "add-tuner": {
              const like = tuners.find(({ id }) => id === remedy.like);
              if (like === undefined) return false;
              const { isDoubtful: _failed, ...facts } = like;
              return isWhole(wish, applied.plan(wishes, [...tuners, { ...facts, id: "another" }]).placements);
            }
            case "none":
              return true;
          }
          return false;
        });
      }),
      { numRuns: RUNS },
    );
    expect(offered).toBeGreaterThan(RUNS / 4);
  });

  it("offers repeats that can be recorded whole without a loss elsewhere", () => {
    let offered = 0;
    fc.assert(
      fc.property(repeating, ({ wishes, tuners }) => {
        const made = createPlanner().plan(wishes, tuners);
        const before = wholes({ wishes, tuners }, made.placements);
        return made.remedies.every((remedy) => {
          const wish = wishes.find(({ recordingId }) => recordingId === remedy.recordingId);
          if (remedy.kind !== "repeat") return true;
          const there = wish?.repeats?.find(({ repeat }) => repeat === remedy.repeat);
          if (wish === undefined || there === undefined) return false;
          offered += 1;
          const moved = wishes.map((one) => (one === wish ? movedTo(wish, there) : one));
          const { placements } = createPlanner().plan(moved, tuners);
          const whole = wholes({ wishes: moved, tuners }, placements);
          return [wish.recordingId, ...before].every((id) => whole.has(id));
        });
      }),
      { numRuns: RUNS / 2 },
    );
    expect(offered).toBeGreaterThan(RUNS / 20);
  });
});
