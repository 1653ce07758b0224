import type { PlanRequest } from "../src/model/plan.ts";
import { multiplexKey, tripletKey } from "../src/model/service.ts";
import { canReceive, type TunerFacts } from "../src/model/tuner.ts";

/** In which order a greedy rule gives tuners away. */
export type Rule = "first come, first served" | "highest priority first";

/**
 * The common way of recorders: each recording in turn gets the first tuner with room for its whole event, and never moves again.
 * Padding yields here too, so that only the choice is compared. Written apart from the planner.
 *
 * @param wishes in the order in which they were ordered
 * @returns those that are recorded whole
 */
export function greedy(
  wishes: readonly PlanRequest[],
  { tuners, rule }: { readonly tuners: readonly TunerFacts[]; readonly rule: Rule },
): readonly PlanRequest[] {
  const given = tuners.map((): PlanRequest[] => []);
  const inTurn =
    rule === "first come, first served"
      ? wishes
      : wishes.toSorted((a, b) => b.priority - a.priority || a.event.start - b.event.start);
  return inTurn.filter((wish) => {
    const at = tuners.findIndex((tuner, index) => hasRoom(wish, { tuner, given: given[index] ?? [] }));
    given[at]?.push(wish);
    return at >= 0;
  });
}

function hasRoom(
  wish: PlanRequest,
  { tuner, given }: { readonly tuner: TunerFacts; readonly given: readonly PlanRequest[] },
): boolean {
  const multiplex = multiplexKey(wish.service);
  const gap = ({ lateMs }: PlanRequest) => Math.max(0, tuner.warmUpMs - lateMs);
  const meets = (other: PlanRequest) =>
    other.event.stop + gap(wish) > wish.event.start && wish.event.stop + gap(other) > other.event.start;
  return (
    canReceive(tuner, tripletKey(wish.service)) &&
    given.filter(meets).every((other) => multiplexKey(other.service) === multiplex)
  );
}
