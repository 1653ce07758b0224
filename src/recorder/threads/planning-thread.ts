// Runs on a thread of its own: see planning.ts.
import { loadIntegerPrograms } from "../../kit/integer-program.ts";
import { threadQuestion } from "../../kit/process/thread.ts";
import { type PlanAlone, planAlone } from "../plan/parts.ts";
import { createPlanner } from "../plan/planner.ts";
import { type PlanningMessage, tunersOf } from "../plan/planning-message.ts";
import { solveChain } from "../plan/solve-chain.ts";
import { type GroupSolution, ON_THREAD, solveGroup } from "../plan/solve-group.ts";
import { THREADS_LIMITS } from "./limits.ts";

/** Groups to optimise, each by itself, or whole plans from scratch. One answer for each, in order. */
export interface PlanningQuestion {
  readonly kind: "groups" | "plans";
  readonly parcels: readonly PlanningMessage[];
}

export type PlanningAnswer<K extends PlanningQuestion["kind"]> = K extends "groups"
  ? readonly GroupSolution[]
  : PlanAlone;

const { question, answer } = threadQuestion();
const { kind, parcels } = question as PlanningQuestion;
const optimize = await loadIntegerPrograms(THREADS_LIMITS.optimizerMs);
for (const parcel of parcels) {
  const { requests, links } = parcel;
  const tuners = tunersOf(parcel);
  const options = { ...ON_THREAD, optimize };
  if (kind === "groups" && links !== undefined) answer(solveChain(links, { ...options, tuners }));
  else if (kind === "groups") answer([solveGroup({ group: requests, tuners }, options).answer]);
  // The question is only about the difference: no remedies.
  else answer(planAlone(createPlanner({ ...options, remediesUpTo: 0 }).plan(requests, tuners)));
}
