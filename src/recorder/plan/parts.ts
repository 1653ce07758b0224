import type { Part, Placement, Plan, PlanRequest, Remedy } from "../../model/plan.ts";
import type { RecordingId } from "../../model/recording.ts";

/** A plan as another thread hands it out: whoever asked knows the wishes. */
export type PlanAlone = Omit<Plan, "parts" | "apart">;

const NOTHING: Part = { wishes: [], placements: [], remedies: [] };

/** The part of a plan that a recording is in; an empty one where it is in nobody's way. */
export function partWith(recordingId: RecordingId, { parts }: Plan): Part {
  return parts.find(({ wishes }) => wishes.some((wish) => wish.recordingId === recordingId)) ?? NOTHING;
}

export function planAlone({ parts: _parts, apart: _apart, ...plan }: Plan): PlanAlone {
  return plan;
}

/** A plan with its parts, which are its groups with the wishes that they were made of. */
export function withParts(wishes: readonly PlanRequest[], plan: PlanAlone): Plan {
  const { groups } = plan;
  const groupOf = new Map(groups.flatMap((group, at) => group.recordingIds.map((id) => [id, at] as const)));
  const empty = () => ({
    wishes: [] as PlanRequest[],
    placements: [] as Placement[],
    remedies: [] as Remedy[],
  });
  const parts = groups.map(empty);
  const apart = empty();
  const partOf = (id: RecordingId) => parts[groupOf.get(id) ?? -1] ?? apart;
  for (const wish of wishes) partOf(wish.recordingId).wishes.push(wish);
  for (const placement of plan.placements) partOf(placement.recordingId).placements.push(placement);
  for (const remedy of plan.remedies) partOf(remedy.recordingId).remedies.push(remedy);
  return { ...plan, parts, apart };
}
