import type { Placement, PlanRequest, Remedy } from "../../model/plan.ts";
import { PRIORITY_MAX } from "../../model/priority.ts";
import { tripletKey } from "../../model/service.ts";
import { canReceive, type TunerFacts } from "../../model/tuner.ts";
import { holdersFor } from "./certificate.ts";
import { relaxedProblemOf } from "./problem.ts";

type Solve = (requests: readonly PlanRequest[], tuners: readonly TunerFacts[]) => readonly Placement[];

interface Planned {
  readonly requests: readonly PlanRequest[];
  readonly tuners: readonly TunerFacts[];
  readonly placements: readonly Placement[];
  readonly solve: Solve;
}

/** The single changes that would make a recording whole, each found by planning again. One remedy of kind `none` if nothing would. */
export function remediesFor(request: PlanRequest, planned: Planned): readonly Remedy[] {
  if (request.isLate) return [];
  const { recordingId } = request;
  const found = [
    withdrawalRemedy(request, planned),
    priorityRemedy(request, planned),
    extraTunerRemedy(request, planned),
  ];
  const remedies = found.filter((remedy) => remedy !== undefined);
  return remedies.length === 0 ? [{ kind: "none", recordingId }] : remedies;
}

/** Finds the least important recording, and the shortest of these, whose withdrawal would make this one whole. */
function withdrawalRemedy(request: PlanRequest, { requests, tuners, solve }: Planned): Remedy | undefined {
  const { recordingId } = request;
  const least = requests
    .filter((other) => other !== request && other.runningOnTuner === undefined)
    .sort(
      (a, b) =>
        a.priority - b.priority || lengthOf(a) - lengthOf(b) || (a.recordingId < b.recordingId ? -1 : 1),
    )
    .find((other) => {
      const others = requests.filter((one) => one !== other);
      return isWhole(request, solve(others, tuners));
    });
  return least && { kind: "withdraw", recordingId, other: least.recordingId };
}

/** The lowest priority that would be enough. */
function priorityRemedy(
  request: PlanRequest,
  { requests, tuners, placements, solve }: Planned,
): Remedy | undefined {
  const { recordingId } = request;
  const planAt = (priority: number) =>
    solve(
      requests.map((one) => (one === request ? { ...one, priority } : one)),
      tuners,
    );
  const isEnough = (priority: number) => isWhole(request, planAt(priority));
  // Only values between the priorities of the others, and beyond the highest, differ.
  const others = requests.flatMap(({ priority }) => [priority, priority + 1]);
  const steps = [...new Set([request.priority + 1, ...others])]
    .filter((priority) => priority > request.priority && priority <= PRIORITY_MAX)
    .sort((a, b) => a - b);
  const highest = steps.at(-1);
  if (highest === undefined || !isEnough(highest)) return undefined;
  // A priority that is enough implies every higher one.
  let [low, high] = [0, steps.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isEnough(steps[middle] ?? PRIORITY_MAX)) high = middle;
    else low = middle + 1;
  }
  const to = steps[low] ?? highest;
  const then = planAt(to);
  const losing = requests.filter((one) => isWhole(one, placements) && !isWhole(one, then));
  const partly = losing.filter((one) => isPartly(one, then)).map((one) => one.recordingId);
  return {
    kind: "raise-priority",
    recordingId,
    to,
    loses: losing.map((one) => one.recordingId),
    ...(partly.length === 0 ? {} : { partly }),
  };
}

function isPartly({ recordingId }: PlanRequest, placements: readonly Placement[]): boolean {
  return placements.some((one) => one.recordingId === recordingId && one.kind === "placed");
}

/** Tries one tuner more of each kind that works: first those in use meanwhile, then those that receive it, in configured order. */
function extraTunerRemedy(
  request: PlanRequest,
  { requests, tuners, placements, solve }: Planned,
): Remedy | undefined {
  const { recordingId } = request;
  const holders = holdersFor(request, { requests, tuners, placements });
  const ranked = [
    ...tuners.filter(({ id }) => holders.some(({ tunerId }) => tunerId === id)),
    ...tuners.filter((tuner) => canReceive(tuner, tripletKey(request.service))),
    // A tuner for the others may be enough.
    ...tuners,
  ];
  const kinds = newKinds(requests, tuners);
  const tried = new Set<number | undefined>();
  for (const { isDoubtful: _failed, ...like } of ranked) {
    const kind = kinds.get(like.id);
    if (tried.has(kind)) continue;
    tried.add(kind);
    if (isWhole(request, solve(requests, [...tuners, { ...like, id: ONE_MORE }])))
      return { kind: "add-tuner", recordingId, like: like.id };
  }
  return undefined;
}

/** The kinds of new tuners: those which have recorded nothing yet, and failed nothing. */
function newKinds(
  requests: readonly PlanRequest[],
  tuners: readonly TunerFacts[],
): ReadonlyMap<string, number> {
  const { kinds } = relaxedProblemOf(
    requests.map((one) => ({ ...one, avoid: [], weak: {} })),
    tuners.map(({ isDoubtful: _failed, ...facts }) => facts),
  );
  return new Map(tuners.map(({ id }, at) => [id, kinds[at] ?? 0]));
}

/** No configured tuner has such an id. */
const ONE_MORE = "#one-more";

export function isWhole(request: PlanRequest, placements: readonly Placement[]): boolean {
  return isWholeAt(
    request,
    placements.find((one) => one.recordingId === request.recordingId),
  );
}

function isWholeAt({ event, isLate }: PlanRequest, placement: Placement | undefined): boolean {
  if (placement?.kind !== "placed" || placement.isHope === true) return false;
  return !isLate && placement.begin <= event.start;
}

function lengthOf({ event }: PlanRequest): number {
  return event.stop - event.start;
}

/** Recordings that are not whole although a tuner could receive them. */
export function losers(
  requests: readonly PlanRequest[],
  placements: readonly Placement[],
): readonly PlanRequest[] {
  const placed = new Map(placements.map((one) => [one.recordingId, one]));
  return requests.filter((request) => {
    const one = placed.get(request.recordingId);
    return !isWholeAt(request, one) && !(one?.kind === "conflict" && !one.capable);
  });
}
