import type { Holder, Placed, Placement, PlanRequest } from "../../model/plan.ts";
import { multiplexKey, tripletKey } from "../../model/service.ts";
import { canReceive, type TunerFacts } from "../../model/tuner.ts";

/**
 * The holders that keep a recording from being whole: per capable tuner, in configured order, the recordings that use it during
 * the event. They are on another multiplex, or as many of the same one as the tuner delivers at once.
 */
export function holdersFor(request: PlanRequest, part: PlannedRequests): readonly Holder[] {
  const placement = part.placements.find(({ recordingId }) => recordingId === request.recordingId);
  const known = placement === undefined ? undefined : CACHE.get(placement);
  if (known !== undefined && known.request === request && known.tuners === part.tuners) return known.holders;
  const holders = findHolders(request, part);
  if (placement !== undefined) CACHE.set(placement, { request, tuners: part.tuners, holders });
  return holders;
}

interface PlannedRequests {
  readonly requests: readonly PlanRequest[];
  readonly tuners: readonly TunerFacts[];
  readonly placements: readonly Placement[];
}

/** The placements of one group are made together, so results are cached per placement. */
const CACHE = new WeakMap<
  Placement,
  {
    readonly request: PlanRequest;
    readonly tuners: readonly TunerFacts[];
    readonly holders: readonly Holder[];
  }
>();

function findHolders(
  request: PlanRequest,
  { requests, tuners, placements }: PlannedRequests,
): readonly Holder[] {
  const requestOf = new Map(requests.map((one) => [one.recordingId, one]));
  const placed = placements.flatMap((one) => {
    const other = requestOf.get(one.recordingId);
    return one.kind === "placed" && other !== undefined && other !== request ? [{ one, other }] : [];
  });
  return tuners
    .filter((tuner) => canReceive(tuner, tripletKey(request.service)))
    .flatMap((tuner) => {
      const there = placed
        .filter(({ one, other }) => one.tunerId === tuner.id && meets(request, { one, other, tuner }))
        .sort(
          (a, b) => a.one.span.start - b.one.span.start || (a.one.recordingId < b.one.recordingId ? -1 : 1),
        );
      const multiplex = multiplexKey(request.service);
      const isFull = there.length >= tuner.servicesAtOnce(multiplex);
      return there
        .filter(({ other }) => isFull || multiplexKey(other.service) !== multiplex)
        .map(({ one }) => ({ recordingId: one.recordingId, tunerId: tuner.id }));
    });
}

/** Whether the tuner records the other event during this one, or too close to it to change over. */
function meets(
  { event, lateMs }: PlanRequest,
  { one, other, tuner }: { readonly one: Placed; readonly other: PlanRequest; readonly tuner: TunerFacts },
): boolean {
  const gap = (ms: number) => Math.max(0, tuner.warmUpMs - ms);
  return other.event.stop + gap(lateMs) > event.start && one.begin - gap(other.lateMs) < event.stop;
}
