import type { Placement, Remedy, Wish } from "../model/plan.ts";
import type { RecordingId } from "../model/recording.ts";
import type { TunerFacts } from "../model/tuner.ts";
import { heldBy } from "./certificate.ts";

type Solve = (wishes: readonly Wish[], tuners: readonly TunerFacts[]) => readonly Placement[];

/** For a recording that is not whole: what would make it whole, each found out by planning again. */
export function remediesFor(
  wish: Wish,
  {
    wishes,
    tuners,
    placements,
    solve,
  }: {
    readonly wishes: readonly Wish[];
    readonly tuners: readonly TunerFacts[];
    readonly placements: readonly Placement[];
    readonly solve: Solve;
  },
): readonly Remedy[] {
  const { recordingId } = wish;
  if (wish.isLate) return [];
  const isCured = (again: readonly Placement[]) => isWhole(wish, again);
  const holders = heldBy(wish, { wishes, tuners, placements });
  const others = wishes.filter((one) => holders.some((holder) => holder.recordingId === one.recordingId));
  const remedies: Remedy[] = [];
  const [least] = others
    .filter(({ holds }) => holds === undefined)
    .sort(
      (a, b) =>
        a.priority - b.priority || lengthOf(a) - lengthOf(b) || (a.recordingId < b.recordingId ? -1 : 1),
    )
    .filter((other) =>
      isCured(
        solve(
          wishes.filter((one) => one !== other),
          tuners,
        ),
      ),
    );
  if (least !== undefined) remedies.push({ kind: "withdraw", recordingId, other: least.recordingId });
  const to = Math.max(wish.priority, ...others.map(({ priority }) => priority)) + 1;
  const raised = solve(
    wishes.map((one) => (one === wish ? { ...one, priority: to } : one)),
    tuners,
  );
  if (isCured(raised)) {
    const loses = wishes.filter((one) => isWhole(one, placements) && !isWhole(one, raised));
    remedies.push({ kind: "raise-priority", recordingId, to, loses: loses.map((one) => one.recordingId) });
  }
  const like = tuners.find(
    ({ id, isDoubtful }) => isDoubtful !== true && holders.some(({ tunerId }) => tunerId === id),
  );
  if (like !== undefined && isCured(solve(wishes, [...tuners, { ...like, id: ONE_MORE }]))) {
    remedies.push({ kind: "add-tuner", recordingId, like: like.id });
  }
  return remedies;
}

/** No configured tuner has such an id. */
const ONE_MORE = "#one-more";

export function isWhole({ recordingId, event, isLate }: Wish, placements: readonly Placement[]): boolean {
  const placement = placements.find((one) => one.recordingId === recordingId);
  if (placement?.kind !== "placed" || placement.isHope === true) return false;
  return !isLate && placement.begin <= event.start;
}

function lengthOf({ event }: Wish): number {
  return event.stop - event.start;
}

/** Those that are not recorded whole, though a tuner could receive them. */
export function losers(wishes: readonly Wish[], placements: readonly Placement[]): readonly Wish[] {
  const incapable = new Set<RecordingId>(
    placements.flatMap((one) => (one.kind === "conflict" && !one.capable ? [one.recordingId] : [])),
  );
  return wishes.filter((wish) => !isWhole(wish, placements) && !incapable.has(wish.recordingId));
}
