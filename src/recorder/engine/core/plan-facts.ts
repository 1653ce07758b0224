import type { Health } from "../../../model/health.ts";
import type { Lack, Part, Placement, Plan, PlanFacts, PlanRequest } from "../../../model/plan.ts";
import { inOrder } from "../../../model/recording.ts";
import type { TunerFacts } from "../../../model/tuner.ts";
import { holdersFor } from "../../plan/certificate.ts";
import type { Planner } from "../../plan/planner.ts";
import { concernsOf } from "./concerns.ts";
import type { DaemonDocument } from "./document.ts";
import type { World } from "./draft.ts";
import { tunersToPlan } from "./health.ts";
import { lostWishes } from "./lost-wishes.ts";
import { wishesOf } from "./planning.ts";

/** What planning depends on. */
export type PlanWorld = Pick<World, "now" | "policy" | "tuners"> & {
  readonly look: Planner["preview"];
  readonly health: Health;
};

/** What is to be planned, and for which tuners. */
export interface PlanProblem {
  readonly wishes: readonly PlanRequest[];
  readonly tuners: readonly TunerFacts[];
}

/** What is to come or runs, as far as it wants a tuner. */
export function wished(
  recordings: DaemonDocument["recordings"],
  world: Omit<PlanWorld, "look">,
): readonly PlanRequest[] {
  return wishesOf(concernsOf(recordings).open, world);
}

/** The plan as people see it: of who has less than the whole event, who stands in the way and what would help. */
export function planFacts(recordings: DaemonDocument["recordings"], world: PlanWorld): PlanFacts {
  const tuners = tunersToPlan(world.tuners, world.health);
  // The very question that the last decision asked: what it costs was paid.
  const wishes = () => [...wished(recordings, world), ...lostWishes(concernsOf(recordings).repeated, world)];
  return factsOf(tuners, world.look(wishes, tuners));
}

export function factsOf(tuners: readonly TunerFacts[], plan: Plan): PlanFacts {
  const { parts, placements, groups } = plan;
  const conflicts = parts
    .flatMap((part) => lacksOf(part, tuners))
    .sort((a, b) => inOrder(a.recordingId, b.recordingId));
  return { placements, conflicts, groups };
}

interface Known {
  readonly tuners: readonly TunerFacts[];
  readonly lacks: readonly Lack[];
}

/** Parts are values: of a large plan most are as they were. */
const KNOWN = new WeakMap<Part, Known>();

/** Of who has less than the whole event. What is still to be planned has no conflict yet. */
function lacksOf(part: Part, tuners: readonly TunerFacts[]): readonly Lack[] {
  const known = KNOWN.get(part);
  if (known?.tuners === tuners) return known.lacks;
  const wishOf = new Map(part.wishes.map((wish) => [wish.recordingId, wish]));
  const lacks = part.placements.flatMap((placement): readonly Lack[] => {
    const { recordingId } = placement;
    const wish = wishOf.get(recordingId);
    if (wish === undefined || isAllOf(wish, placement)) return [];
    const remedies = part.remedies.filter((remedy) => remedy.recordingId === recordingId);
    return [{ recordingId, holders: holdersFor(wish, { ...part, tuners }), remedies }];
  });
  KNOWN.set(part, { tuners, lacks });
  return lacks;
}

function isAllOf({ event }: PlanRequest, placement: Placement): boolean {
  return placement.kind === "placed" && placement.isHope !== true && placement.begin <= event.start;
}
