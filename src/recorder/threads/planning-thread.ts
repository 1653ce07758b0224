// Runs on a thread of its own: see planning.ts.
import { loadIntegerPrograms } from "../../kit/integer-program.ts";
import { askedHere } from "../../kit/process/thread.ts";
import { LIMITS } from "../../model/limits.ts";
import { type Parcel, unpackedTuners } from "../plan/parcel.ts";
import { type PlanAlone, planAlone } from "../plan/parts.ts";
import { type Answer, answerOf, BESIDE, createPlanner } from "../plan/planner.ts";

/** Groups to be thought through, each by itself; or whole plans from scratch. One answer for each, in their order. */
export interface PlanningQuestion {
  readonly kind: "groups" | "plans";
  readonly parcels: readonly Parcel[];
}

export type PlanningAnswer<K extends PlanningQuestion["kind"]> = K extends "groups" ? Answer : PlanAlone;

const { question, answer } = askedHere();
const { kind, parcels } = question as PlanningQuestion;
const optimize = await loadIntegerPrograms(LIMITS.optimizerMs);
for (const parcel of parcels) {
  const { wishes } = parcel;
  const tuners = unpackedTuners(parcel);
  if (kind === "groups") answer(answerOf({ group: wishes, tuners }, { ...BESIDE, optimize }).answer);
  // Only what is other is asked for: not what would help.
  else answer(planAlone(createPlanner({ ...BESIDE, optimize, remediesUpTo: 0 }).plan(wishes, tuners)));
}
