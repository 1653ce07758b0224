import { oncePer } from "../../model/once-per.ts";
import type { Part, Placement, Plan, PlanRequest, Remedy } from "../../model/plan.ts";
import type { RecordingId } from "../../model/recording.ts";

/** A plan as a planning thread returns it; the caller has the plan requests. */
export type PlanAlone = Omit<Plan, "parts" | "apart">;

const NOTHING: Part = { requests: [], placements: [], remedies: [] };

/** The part of a plan that contains a recording; an empty one if the recording competes with nobody. */
export function partWith(recordingId: RecordingId, { parts }: Plan): Part {
  return (
    parts.find(({ requests }) => requests.some((request) => request.recordingId === recordingId)) ?? NOTHING
  );
}

/** A part with the links before and after it: all that may be in the way of its recordings. */
export const surroundings = oncePer((part: Part): Pick<Part, "requests" | "placements"> => {
  const all = [part, ...(part.beside ?? [])];
  return {
    requests: all.flatMap(({ requests }) => requests),
    placements: all.flatMap(({ placements }) => placements),
  };
});

export function planAlone({ parts: _parts, apart: _apart, ...plan }: Plan): PlanAlone {
  return plan;
}

/** Adds the parts of a plan: its groups, with the plan requests they were made of. */
export function withParts(requests: readonly PlanRequest[], plan: PlanAlone): Plan {
  const { groups } = plan;
  const groupOf = new Map(groups.flatMap((group, at) => group.recordingIds.map((id) => [id, at] as const)));
  const empty = () => ({
    requests: [] as PlanRequest[],
    placements: [] as Placement[],
    remedies: [] as Remedy[],
  });
  const parts = groups.map(empty);
  const apart = empty();
  const partOf = (id: RecordingId) => parts[groupOf.get(id) ?? -1] ?? apart;
  for (const request of requests) partOf(request.recordingId).requests.push(request);
  for (const placement of plan.placements) partOf(placement.recordingId).placements.push(placement);
  for (const remedy of plan.remedies) partOf(remedy.recordingId).remedies.push(remedy);
  return { ...plan, parts, apart };
}
