// Runs on a thread of its own: see planning.ts.
import { loadIntegerPrograms } from "../../kit/integer-program.ts";
import { threadQuestion } from "../../kit/process/thread.ts";
import { type PlanAlone, planAlone } from "../plan/parts.ts";
import { createPlanner, type GroupSolution, ON_THREAD, solveGroup } from "../plan/planner.ts";
import { type PlanningMessage, tunersOf } from "../plan/planning-message.ts";
import { THREADS_LIMITS } from "./limits.ts";

/** Groups to optimise, each by itself, or whole plans from scratch. One answer for each, in order. */
export interface PlanningQuestion {
  readonly kind: "groups" | "plans";
  readonly parcels: readonly PlanningMessage[];
}

export type PlanningAnswer<K extends PlanningQuestion["kind"]> = K extends "groups"
  ? GroupSolution
  : PlanAlone;

const { question, answer } = threadQuestion();
const { kind, parcels } = question as PlanningQuestion;
const optimize = await loadIntegerPrograms(THREADS_LIMITS.optimizerMs);
for (const parcel of parcels) {
  const { requests } = parcel;
  const tuners = tunersOf(parcel);
  if (kind === "groups") answer(solveGroup({ group: requests, tuners }, { ...ON_THREAD, optimize }).answer);
  // The question is only about the difference: no remedies.
  else answer(planAlone(createPlanner({ ...ON_THREAD, optimize, remediesUpTo: 0 }).plan(requests, tuners)));
}
