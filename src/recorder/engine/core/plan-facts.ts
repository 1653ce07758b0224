import type { Health } from "../../../model/health.ts";
import type { Lack, Part, Placement, Plan, PlanFacts, PlanRequest } from "../../../model/plan.ts";
import { inOrder } from "../../../model/recording.ts";
import type { TunerFacts } from "../../../model/tuner.ts";
import { holdersFor } from "../../plan/certificate.ts";
import { surroundings } from "../../plan/parts.ts";
import type { Planner } from "../../plan/planner.ts";
import type { DaemonDocument } from "./document.ts";
import type { World } from "./draft.ts";
import { tunersToPlan } from "./health.ts";
import { lostRequests } from "./lost-requests.ts";
import { requestsOfAll } from "./plan-requests.ts";
import { recordingIndexOf } from "./recording-index.ts";

/** The inputs of planning. */
export type PlanWorld = Pick<World, "now" | "policy" | "tuners"> & {
  readonly preview: Planner["preview"];
  readonly health: Health;
};

export interface PlanProblem {
  readonly requests: readonly PlanRequest[];
  readonly tuners: readonly TunerFacts[];
}

export function planRequests(
  recordings: DaemonDocument["recordings"],
  world: Omit<PlanWorld, "preview">,
): readonly PlanRequest[] {
  return requestsOfAll(recordingIndexOf(recordings).open, world);
}

/** The plan as people see it: for each incomplete event the blocking recordings and the remedies. */
export function planFacts(recordings: DaemonDocument["recordings"], world: PlanWorld): PlanFacts {
  const tuners = tunersToPlan(world.tuners, world.health);
  // The last decision planned the same requests, so the answer is cached.
  const requests = () => [
    ...planRequests(recordings, world),
    ...lostRequests(recordingIndexOf(recordings).repeated, world),
  ];
  return factsOf(tuners, world.preview(requests, tuners));
}

export function factsOf(tuners: readonly TunerFacts[], plan: Plan): PlanFacts {
  const { parts, placements, groups } = plan;
  const conflicts = parts
    .flatMap((part) => lacksOf(part, tuners))
    .sort((a, b) => inOrder(a.recordingId, b.recordingId));
  return { placements, conflicts, groups };
}

interface CachedLacks {
  readonly tuners: readonly TunerFacts[];
  readonly lacks: readonly Lack[];
}

/** Parts are values, and most parts of a large plan are unchanged. */
const LACKS_CACHE = new WeakMap<Part, CachedLacks>();

/** The recordings that get less than their whole event. Recordings without a plan yet have no conflict. */
function lacksOf(part: Part, tuners: readonly TunerFacts[]): readonly Lack[] {
  const known = LACKS_CACHE.get(part);
  if (known?.tuners === tuners) return known.lacks;
  const requestOf = new Map(part.requests.map((request) => [request.recordingId, request]));
  const lacks = part.placements.flatMap((placement): readonly Lack[] => {
    const { recordingId } = placement;
    const request = requestOf.get(recordingId);
    if (request === undefined || isWholeEvent(request, placement)) return [];
    const remedies = part.remedies.filter((remedy) => remedy.recordingId === recordingId);
    return [{ recordingId, holders: holdersFor(request, { ...surroundings(part), tuners }), remedies }];
  });
  LACKS_CACHE.set(part, { tuners, lacks });
  return lacks;
}

function isWholeEvent({ event }: PlanRequest, placement: Placement): boolean {
  return placement.kind === "placed" && placement.isHope !== true && placement.begin <= event.start;
}
