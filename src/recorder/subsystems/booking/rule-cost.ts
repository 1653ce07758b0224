import { RecorderdError } from "../../../model/errors.ts";
import type { RuleBurden, RuleQuestion } from "../../../model/what-if.ts";
import type { RulePreview, RuleRequest } from "../../../web/guide-api.ts";
import { timerFor } from "./rule-views.ts";

/** Finds the cost of a rule for the other recordings. */
export type AskBurden = (question: RuleQuestion) => Promise<RuleBurden>;

/** Adds what the recorded matches cost. Without a plan to compare with, the preview is as the service made it. */
export async function withBurden(
  found: RulePreview,
  {
    order,
    replaces,
    burden,
  }: { readonly order: RuleRequest; readonly replaces: number | undefined; readonly burden: AskBurden },
): Promise<RulePreview> {
  const recorded = found.matches.filter(({ outcome }) => outcome === "records");
  const { keep } = order;
  const question: RuleQuestion = {
    timers: recorded.map((match) => timerFor(match, order)),
    ...(replaces === undefined ? {} : { ruleId: replaces }),
    ...(keep === undefined ? {} : { keep }),
  };
  try {
    const { displaced, unplaced, space } = await burden(question);
    const without = new Set(unplaced);
    return {
      ...found,
      displaced: displaced.map(({ recordingId: _id, ...facts }) => facts),
      unplaced: recorded
        .filter(({ showId }) => without.has(String(showId)))
        .map(({ showId, title, start }) => ({ showId, title, start })),
      ...space,
    };
  } catch (error) {
    if (error instanceof RecorderdError && error.code === "PLANNING_FAILED") return found;
    throw error;
  }
}
