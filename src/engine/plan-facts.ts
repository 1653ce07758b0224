import type { Health } from "../model/health.ts";
import type { Plan, PlanFacts, Wish } from "../model/plan.ts";
import type { Recording } from "../model/recording.ts";
import type { TunerFacts } from "../model/tuner.ts";
import { heldBy } from "../plan/certificate.ts";
import { partsOf } from "../plan/parts.ts";
import type { World } from "./draft.ts";
import { tunersToPlan } from "./health.ts";
import { lostWishes } from "./lost-wishes.ts";
import { openOf, wishOf } from "./planning.ts";
import { endOf } from "./settle.ts";

/** What planning depends on. */
export type PlanWorld = Pick<World, "now" | "policy" | "tuners" | "plan"> & { readonly health: Health };

/** What is to be planned, and for which tuners. */
export interface PlanProblem {
  readonly wishes: readonly Wish[];
  readonly tuners: readonly TunerFacts[];
}

/** What is to come or runs, as far as it wants a tuner. */
export function wishesOf(recordings: readonly Recording[], world: Omit<PlanWorld, "plan">): readonly Wish[] {
  return openOf(recordings, (each) => world.now >= endOf(each)).flatMap((each) => wishOf(each, world));
}

/** The plan as people see it: of who has less than the whole event, who stands in the way and what would help. */
export function planFacts(recordings: readonly Recording[], world: PlanWorld): PlanFacts {
  const tuners = tunersToPlan(world.tuners, world.health);
  const wishes = wishesOf(recordings, world);
  // The very question that the last decision asked: what it costs was paid.
  return factsOf({ wishes, tuners }, world.plan([...wishes, ...lostWishes(recordings, world)], tuners));
}

export function factsOf({ wishes, tuners }: PlanProblem, plan: Plan): PlanFacts {
  const { placements, groups } = plan;
  const placementOf = new Map(placements.map((one) => [one.recordingId, one]));
  const lacking = wishes.filter(({ recordingId, event }) => {
    const placement = placementOf.get(recordingId);
    // What is still to be planned has no conflict yet.
    if (placement === undefined) return false;
    if (placement.kind !== "placed" || placement.isHope === true) return true;
    return placement.begin > event.start;
  });
  const parts = partsOf(wishes, plan);
  const conflicts = lacking.map((wish) => {
    const part = parts.of(wish.recordingId);
    return {
      recordingId: wish.recordingId,
      holders: heldBy(wish, { ...part, tuners }),
      remedies: part.remedies.filter(({ recordingId }) => recordingId === wish.recordingId),
    };
  });
  return { placements, conflicts, groups };
}
