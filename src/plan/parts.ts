import type { Placement, Plan, Remedy, Wish } from "../model/plan.ts";
import type { RecordingId } from "../model/recording.ts";

/** What was planned together: nobody outside stands in the way of anybody inside. */
export interface Part {
  readonly wishes: readonly Wish[];
  readonly placements: readonly Placement[];
  readonly remedies: readonly Remedy[];
}

const NOTHING: Part = { wishes: [], placements: [], remedies: [] };

/** For each recording the part of the plan that it is in: who looks at all of a large plan for each of them never comes to an end. */
export function partsOf(wishes: readonly Wish[], plan: Plan): (recordingId: RecordingId) => Part {
  const { groups } = plan;
  const groupOf = new Map(groups.flatMap((group, at) => group.recordingIds.map((id) => [id, at] as const)));
  const parts = groups.map(() => ({
    wishes: [] as Wish[],
    placements: [] as Placement[],
    remedies: [] as Remedy[],
  }));
  const partOf = (id: RecordingId) => parts[groupOf.get(id) ?? -1];
  for (const wish of wishes) partOf(wish.recordingId)?.wishes.push(wish);
  for (const placement of plan.placements) partOf(placement.recordingId)?.placements.push(placement);
  for (const remedy of plan.remedies) partOf(remedy.recordingId)?.remedies.push(remedy);
  return (id) => partOf(id) ?? NOTHING;
}
