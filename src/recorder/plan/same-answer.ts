import type { Placement } from "../../model/plan.ts";
import type { GroupSolution } from "./solve-group.ts";

/**
 * The answer with the placements of an earlier one if they are equal. An answer of another thread is a copy; without this, its
 * readers would take all of a long chain for new.
 */
export function keptObjects(answer: GroupSolution, before: GroupSolution | undefined): GroupSolution {
  if (before === undefined || !samePlacements(answer.placements, before.placements)) return answer;
  if (!samePlacements(answer.held ?? [], before.held ?? [])) return answer;
  const { held } = before;
  return { ...answer, placements: before.placements, ...(held === undefined ? {} : { held }) };
}

function samePlacements(a: readonly Placement[], b: readonly Placement[]): boolean {
  return a.length === b.length && a.every((one, at) => samePlacement(one, b[at]));
}

function samePlacement(a: Placement, b: Placement | undefined): boolean {
  if (a.recordingId !== b?.recordingId) return false;
  if (a.kind === "conflict" || b.kind === "conflict")
    return a.kind === "conflict" && b.kind === "conflict" && a.capable === b.capable;
  return (
    a.tunerId === b.tunerId &&
    a.span.start === b.span.start &&
    a.span.stop === b.span.stop &&
    a.begin === b.begin &&
    a.seamMs === b.seamMs &&
    a.isHope === b.isHope
  );
}
