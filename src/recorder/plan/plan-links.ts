import type { PlanRequest } from "../../model/plan.ts";
import type { DurationMs } from "../../model/time.ts";
import { type Holding, holdingAfter, startOf, withHeld } from "./holding.ts";
import type { PlannedLink } from "./make-parts.ts";
import type { GroupSolution } from "./solve-group.ts";

const NOTHING: Holding = [];

/**
 * Plans a chain link by link, the earliest first. If the loop has no more time for a link, the later ones wait as well: they
 * depend on it.
 */
export function planLinks(
  links: readonly (readonly PlanRequest[])[],
  {
    warmUpMs,
    answerFor,
    unplanned,
  }: {
    readonly warmUpMs: DurationMs;
    readonly answerFor: (task: readonly PlanRequest[], link: readonly PlanRequest[]) => GroupSolution;
    readonly unplanned: (link: readonly PlanRequest[]) => GroupSolution;
  },
): readonly PlannedLink[] {
  // Later links may have longer recordings, which begin earlier.
  const untils = links.map((link) => startOf(link, warmUpMs));
  for (let at = untils.length - 2; at >= 0; at -= 1)
    untils[at] = Math.min(untils[at] ?? 0, untils[at + 1] ?? 0);
  let holding = NOTHING;
  const planned: PlannedLink[] = [];
  for (const [at, link] of links.entries()) {
    const answer = answerFor(withHeld(link, { holding, warmUpMs }), link);
    planned.push({ requests: link, answer });
    const next = links[at + 1];
    if (next === undefined) break;
    if (answer.placements.length === 0) {
      const rest = links.slice(at + 1);
      return [...planned, ...rest.map((requests) => ({ requests, answer: unplanned(requests) }))];
    }
    holding = holdingAfter(holding, { link, answer, until: untils[at + 1] ?? 0 });
  }
  return planned;
}
