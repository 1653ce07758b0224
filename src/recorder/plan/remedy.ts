import type { Placement, PlanRequest, Remedy } from "../../model/plan.ts";
import { PRIORITY_MAX } from "../../model/priority.ts";
import type { RecordingId } from "../../model/recording.ts";
import type { TunerFacts } from "../../model/tuner.ts";
import { heldBy } from "./certificate.ts";

type Solve = (wishes: readonly PlanRequest[], tuners: readonly TunerFacts[]) => readonly Placement[];

interface Planned {
  readonly wishes: readonly PlanRequest[];
  readonly tuners: readonly TunerFacts[];
  readonly placements: readonly Placement[];
  readonly solve: Solve;
}

/**
 * For a recording that is not whole: what alone would make it whole, each found out by planning again. One of kind `none` where
 * nothing would.
 */
export function remediesFor(wish: PlanRequest, planned: Planned): readonly Remedy[] {
  if (wish.isLate) return [];
  const { recordingId } = wish;
  const found = [lessOne(wish, planned), raised(wish, planned), oneMoreTuner(wish, planned)];
  const remedies = found.filter((remedy) => remedy !== undefined);
  return remedies.length === 0 ? [{ kind: "none", recordingId }] : remedies;
}

/** Of all recordings without which it would be whole the least important, among these the shortest. */
function lessOne(wish: PlanRequest, { wishes, tuners, solve }: Planned): Remedy | undefined {
  const { recordingId } = wish;
  const least = wishes
    .filter((other) => other !== wish && other.runningOnTuner === undefined)
    .sort(
      (a, b) =>
        a.priority - b.priority || lengthOf(a) - lengthOf(b) || (a.recordingId < b.recordingId ? -1 : 1),
    )
    .find((other) => {
      const others = wishes.filter((one) => one !== other);
      return isWhole(wish, solve(others, tuners));
    });
  return least && { kind: "withdraw", recordingId, other: least.recordingId };
}

/** The least priority that would do. */
function raised(wish: PlanRequest, { wishes, tuners, placements, solve }: Planned): Remedy | undefined {
  const { recordingId } = wish;
  const planAt = (priority: number) =>
    solve(
      wishes.map((one) => (one === wish ? { ...one, priority } : one)),
      tuners,
    );
  const isEnough = (priority: number) => isWhole(wish, planAt(priority));
  // Between the priorities of the others, and beyond the highest, all are the same.
  const others = wishes.flatMap(({ priority }) => [priority, priority + 1]);
  const steps = [...new Set([wish.priority + 1, ...others])]
    .filter((priority) => priority > wish.priority && priority <= PRIORITY_MAX)
    .sort((a, b) => a - b);
  const highest = steps.at(-1);
  if (highest === undefined || !isEnough(highest)) return undefined;
  // What one priority is enough for, each higher one is.
  let [low, high] = [0, steps.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isEnough(steps[middle] ?? PRIORITY_MAX)) high = middle;
    else low = middle + 1;
  }
  const to = steps[low] ?? highest;
  const then = planAt(to);
  const losing = wishes.filter((one) => isWhole(one, placements) && !isWhole(one, then));
  return { kind: "raise-priority", recordingId, to, loses: losing.map((one) => one.recordingId) };
}

function oneMoreTuner(wish: PlanRequest, { wishes, tuners, placements, solve }: Planned): Remedy | undefined {
  const { recordingId } = wish;
  const holders = heldBy(wish, { wishes, tuners, placements });
  const like = tuners.find(
    ({ id, isDoubtful }) => isDoubtful !== true && holders.some(({ tunerId }) => tunerId === id),
  );
  if (like === undefined || !isWhole(wish, solve(wishes, [...tuners, { ...like, id: ONE_MORE }])))
    return undefined;
  return { kind: "add-tuner", recordingId, like: like.id };
}

/** No configured tuner has such an id. */
const ONE_MORE = "#one-more";

export function isWhole(
  { recordingId, event, isLate }: PlanRequest,
  placements: readonly Placement[],
): boolean {
  const placement = placements.find((one) => one.recordingId === recordingId);
  if (placement?.kind !== "placed" || placement.isHope === true) return false;
  return !isLate && placement.begin <= event.start;
}

function lengthOf({ event }: PlanRequest): number {
  return event.stop - event.start;
}

/** Those that are not recorded whole, though a tuner could receive them. */
export function losers(
  wishes: readonly PlanRequest[],
  placements: readonly Placement[],
): readonly PlanRequest[] {
  const incapable = new Set<RecordingId>(
    placements.flatMap((one) => (one.kind === "conflict" && !one.capable ? [one.recordingId] : [])),
  );
  return wishes.filter((wish) => !isWhole(wish, placements) && !incapable.has(wish.recordingId));
}
