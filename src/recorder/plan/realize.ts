import type { EventPlacement } from "./best-events.ts";
import type { Job, Problem } from "./problem.ts";
import { type Budget, type Move, NOWHERE, search } from "./search.ts";

/** The recorded part of a recording, and the kind of its tuner if that matters. */
export type Fate = Pick<EventPlacement, "begin"> & Partial<EventPlacement>;

/**
 * Assigns recordings to tuners when the recorded part and the kind of tuner of each are already decided.
 *
 * @returns moves that record at least that, or `undefined` if none were found within the budget
 */
export function realize(
  problem: Problem,
  { fates }: { readonly fates: readonly (Fate | undefined)[] },
  budget: Budget,
): readonly Move[] | undefined {
  const placed = problem.jobs.flatMap((job, index) => {
    const fate = fates[index];
    if (fate !== undefined) return [{ index, job: boundJob(job, fate, problem) }];
    // It takes nothing from the others where it is only tried.
    return job.doubtful.includes(true) ? [{ index, job }] : [];
  });
  const indices = placed.map(({ index }) => index);
  const part = {
    ...problem,
    requests: indices.flatMap((index) => problem.requests[index] ?? []),
    jobs: placed.map(({ job }) => job),
  };
  const rough = search(part, { depth: "padding", budget, isBound: true });
  if (rough === undefined) return undefined;
  const fine = search(part, { depth: "all", budget, restrictTo: rough, isBound: true }) ?? rough;
  const moves: Move[] = problem.jobs.map(() => NOWHERE);
  for (const [at, { tuner, before }] of fine.moves.entries()) {
    moves[indices[at] ?? 0] = { tuner, before: before < 0 ? before : (indices[before] ?? -1) };
  }
  return moves;
}

/** Makes the decided part of a recording mandatory. */
function boundJob(job: Job, { kind, begin }: Fate, { kinds }: Problem): Job {
  const { event, window } = job;
  return {
    ...job,
    forced: true,
    event: { start: begin, stop: event.stop },
    // A recording that begins late has no padding before.
    window: { start: begin > event.start ? begin : window.start, stop: window.stop },
    may: job.may.map((may, tuner) => may && (kind === undefined || kinds[tuner] === kind)),
  };
}
