import type { PlanRequest, Proof } from "../../model/plan.ts";
import type { GroupSolution } from "./solve-group.ts";

/**
 * The answer for a link with a proof that holds for the whole chain: what is best for a link alone may cost the next one more.
 *
 * @param isProven the plan of the whole chain reaches the bound of the first two aims
 */
export function answerInChain(
  answer: GroupSolution,
  { requests, isProven }: { readonly requests: readonly PlanRequest[]; readonly isProven: boolean },
): GroupSolution {
  const { recordingIds, worth, provisional } = answer.proof;
  const about = { recordingIds, worth, ...(provisional === undefined ? {} : { provisional }) };
  return { ...answer, proof: { ...about, ...levelOf(answer, { requests, isProven }) }, isOfChain: true };
}

function levelOf(
  { proof: { worth } }: GroupSolution,
  { requests, isProven }: { readonly requests: readonly PlanRequest[]; readonly isProven: boolean },
): Pick<Proof, "proven" | "wholeAtMost"> {
  const whole = worth.whole.reduce((sum, one) => sum + one, 0);
  const wantedMs = requests.reduce((sum, { window, event }) => sum + lengthOf(window) - lengthOf(event), 0);
  // All that is wanted: there is no more.
  if (whole === requests.length)
    return { proven: worth.paddingMs === wantedMs && isFlawless(worth) ? "padding" : "events" };
  if (isProven) return { proven: "events" };
  const wholeAtMost = worth.priorities.map(
    (priority) => requests.filter((one) => one.priority === priority && !one.isLate).length,
  );
  return { proven: "none", wholeAtMost };
}

function isFlawless({ hope, avoided, weak }: Proof["worth"]): boolean {
  return hope === 0 && avoided === 0 && weak === 0;
}

function lengthOf({ start, stop }: { readonly start: number; readonly stop: number }): number {
  return stop - start;
}
