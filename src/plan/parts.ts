import type { Placement, Plan, Remedy, Wish } from "../model/plan.ts";
import type { RecordingId } from "../model/recording.ts";

/** What was planned together: nobody outside stands in the way of anybody inside. */
export interface Part {
  readonly wishes: readonly Wish[];
  readonly placements: readonly Placement[];
  readonly remedies: readonly Remedy[];
}

const NOTHING: Part = { wishes: [], placements: [], remedies: [] };

/** The parts of a plan, and for each recording the one that it is in: who looks at all of a large plan for each of them never comes to an end. */
export interface Parts {
  readonly all: readonly Part[];
  readonly of: (recordingId: RecordingId) => Part;
}

export function partsOf(wishes: readonly Wish[], plan: Plan): Parts {
  const { groups } = plan;
  const groupOf = new Map(groups.flatMap((group, at) => group.recordingIds.map((id) => [id, at] as const)));
  const empty = () => ({ wishes: [] as Wish[], placements: [] as Placement[], remedies: [] as Remedy[] });
  const parts = groups.map(empty);
  /** What was in nobody's way and is in no group. */
  const apart = empty();
  const partOf = (id: RecordingId) => parts[groupOf.get(id) ?? -1] ?? apart;
  for (const wish of wishes) partOf(wish.recordingId).wishes.push(wish);
  for (const placement of plan.placements) partOf(placement.recordingId).placements.push(placement);
  for (const remedy of plan.remedies) partOf(remedy.recordingId).remedies.push(remedy);
  return {
    all: [...parts, apart],
    of: (id) => {
      const part = partOf(id);
      return part === apart ? NOTHING : part;
    },
  };
}
