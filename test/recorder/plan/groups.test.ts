import { describe, expect, it } from "vitest";
import type { PlanRequest } from "../../../src/model/plan.ts";
import type { TunerFacts } from "../../../src/model/tuner.ts";
import { groupsOf } from "../../../src/recorder/plan/groups.ts";
import { casesOf } from "../../lane.ts";
import { fc } from "../../properties.ts";

const WARM_UP_MS = 2;
const TUNERS: readonly TunerFacts[] = [
  { id: "t0", kind: "mock", services: "any", servicesAtOnce: () => 1, warmUpMs: WARM_UP_MS },
];

/** One wish in a world of 200 instants; now and then one that is lost, or runs on a tuner that is gone. */
const wish = fc
  .record({
    id: fc.nat(1000),
    start: fc.nat(200),
    length: fc.integer({ min: 1, max: 12 }),
    kind: fc.constantFrom("usual", "usual", "usual", "lost", "apart", "held"),
  })
  .map(({ id, start, length, kind }): PlanRequest => {
    const window = { start, stop: start + length };
    return {
      recordingId: `r${id}`,
      service: { onid: 1, tsid: 1, sid: 1 },
      event: window,
      window,
      priority: 50,
      isLate: false,
      lateMs: 0,
      avoid: [],
      ...(kind === "lost" ? { isLost: true as const } : {}),
      ...(kind === "apart" ? { runningOnTuner: "gone" } : {}),
      ...(kind === "held" ? { runningOnTuner: "t0" } : {}),
    };
  });

/** Plans one after the other: each keeps some wishes of the one before, loses others and gets new ones. */
const plans = fc.array(
  fc.record({ keeps: fc.array(fc.boolean(), { maxLength: 40 }), news: fc.array(wish) }),
  {
    minLength: 2,
    maxLength: 6,
  },
);

/** The groups of requests that meet, found in the simplest way. */
function meeting(wishes: readonly PlanRequest[]): ReadonlySet<string> {
  const left = new Set(wishes);
  const groups = new Set<string>();
  for (const seed of left) {
    const group = [seed];
    left.delete(seed);
    for (const one of group) {
      for (const other of left) {
        if (!meet(one, other)) continue;
        left.delete(other);
        group.push(other);
      }
    }
    groups.add(names(group));
  }
  return groups;
}

function meet({ window: a }: PlanRequest, { window: b }: PlanRequest): boolean {
  return a.start - WARM_UP_MS < b.stop && b.start - WARM_UP_MS < a.stop;
}

function names(wishes: readonly PlanRequest[]): string {
  return wishes
    .map(({ recordingId, window }) => `${recordingId} ${window.start} ${window.stop}`)
    .sort()
    .join(", ");
}

describe("groups of plan requests", () => {
  it("contain requests that overlap directly or through others, in any order and after any earlier plan", () => {
    fc.assert(
      fc.property(plans, fc.boolean(), (steps, inOrder) => {
        let wishes: readonly PlanRequest[] = [];
        for (const { keeps, news } of steps) {
          wishes = [...wishes.filter((_, at) => keeps[at] ?? true), ...news];
          if (inOrder) wishes = wishes.toSorted((a, b) => a.window.start - b.window.start);
          const found = groupsOf(wishes, TUNERS);
          const isApart = ({ runningOnTuner }: PlanRequest) => runningOnTuner === "gone";
          const planned = wishes.filter((one) => one.isLost !== true && !isApart(one));
          expect(new Set(found.groups.map(names))).toEqual(meeting(planned));
          expect(found.groups.flat().length).toBe(planned.length);
          expect(names(found.apart)).toBe(names(wishes.filter((one) => one.isLost !== true && isApart(one))));
          expect(names(found.lost)).toBe(names(wishes.filter((one) => one.isLost === true)));
        }
      }),
      { numRuns: casesOf({ sample: 300, all: 1000 }) },
    );
  });

  it("are identical arrays if unchanged, but not for other tuners", () => {
    const at = (id: string, start: number): PlanRequest => ({
      recordingId: id,
      service: { onid: 1, tsid: 1, sid: 1 },
      event: { start, stop: start + 10 },
      window: { start, stop: start + 10 },
      priority: 50,
      isLate: false,
      lateMs: 0,
      avoid: [],
    });
    const [early, meets, late] = [at("r1", 0), at("r2", 5), at("r3", 100)];
    const before = groupsOf([early, meets, late], TUNERS).groups;
    const after = groupsOf([early, meets, { ...late, priority: 60 }], TUNERS).groups;
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    const joined = groupsOf([early, meets, at("r4", 14), late], TUNERS).groups;
    expect(joined.map((group) => group.length)).toEqual([3, 1]);
    expect(joined[1]).not.toBe(before[0]);
    expect(groupsOf([early, meets, late], [...TUNERS]).groups[0]).not.toBe(before[0]);
  });
});
