import type { Holder, Placed, Placement, PlanRequest } from "../../model/plan.ts";
import { multiplexKey, tripletKey } from "../../model/service.ts";
import { canReceive, type TunerFacts } from "../../model/tuner.ts";

/**
 * Why a recording is not whole: per capable tuner, in their configured order, those that hold it while its event is on: of
 * another multiplex, or as many of its own as the tuner delivers at once.
 */
export function heldBy(wish: PlanRequest, part: Setting): readonly Holder[] {
  const placement = part.placements.find(({ recordingId }) => recordingId === wish.recordingId);
  const known = placement === undefined ? undefined : KNOWN.get(placement);
  if (known !== undefined && known.wish === wish && known.tuners === part.tuners) return known.holders;
  const holders = newHeldBy(wish, part);
  if (placement !== undefined) KNOWN.set(placement, { wish, tuners: part.tuners, holders });
  return holders;
}

interface Setting {
  readonly wishes: readonly PlanRequest[];
  readonly tuners: readonly TunerFacts[];
  readonly placements: readonly Placement[];
}

/** The placements of one group are made together, and remembered as they are: every decision asks again. */
const KNOWN = new WeakMap<
  Placement,
  {
    readonly wish: PlanRequest;
    readonly tuners: readonly TunerFacts[];
    readonly holders: readonly Holder[];
  }
>();

function newHeldBy(wish: PlanRequest, { wishes, tuners, placements }: Setting): readonly Holder[] {
  const wishOf = new Map(wishes.map((one) => [one.recordingId, one]));
  const placed = placements.flatMap((one) => {
    const other = wishOf.get(one.recordingId);
    return one.kind === "placed" && other !== undefined && other !== wish ? [{ one, other }] : [];
  });
  return tuners
    .filter((tuner) => canReceive(tuner, tripletKey(wish.service)))
    .flatMap((tuner) => {
      const there = placed
        .filter(({ one, other }) => one.tunerId === tuner.id && meets(wish, { one, other, tuner }))
        .sort(
          (a, b) => a.one.span.start - b.one.span.start || (a.one.recordingId < b.one.recordingId ? -1 : 1),
        );
      const multiplex = multiplexKey(wish.service);
      const isFull = there.length >= tuner.servicesAtOnce(multiplex);
      return there
        .filter(({ other }) => isFull || multiplexKey(other.service) !== multiplex)
        .map(({ one }) => ({ recordingId: one.recordingId, tunerId: tuner.id }));
    });
}

/** Whether the tuner records the other event in the time of this one, or too near to it to change over. */
function meets(
  { event, lateMs }: PlanRequest,
  { one, other, tuner }: { readonly one: Placed; readonly other: PlanRequest; readonly tuner: TunerFacts },
): boolean {
  const gap = (ms: number) => Math.max(0, tuner.warmUpMs - ms);
  return other.event.stop + gap(lateMs) > event.start && one.begin - gap(other.lateMs) < event.stop;
}
