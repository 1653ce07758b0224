import { DAY, type DurationMs, type EpochMs } from "../../model/time.ts";
import type { Job, Problem } from "./problem.ts";
import type { Fate } from "./realize.ts";
import { type Move, NOWHERE } from "./search.ts";

/** The recorded part of each recording that gets a tuner, and the kind of that tuner if it matters. */
export interface Fates {
  /** By index of the problem's recordings. */
  readonly fates: readonly (Fate | undefined)[];
  /** Per tuner, the kinds of the fates. */
  readonly kinds: readonly number[];
}

/** A recording whose part is decided. */
interface Fated {
  readonly index: number;
  readonly job: Job;
  readonly begin: EpochMs;
  readonly kind: number | undefined;
}

/**
 * Gives a tuner to each recording whose part is decided, in the order of their begins: one that holds its multiplex, or any that
 * is free. If enough tuners are alike, that is always possible.
 */
export function forwardMoves(problem: Problem, { fates, kinds }: Fates): readonly Move[] {
  const { jobs, tuners } = problem;
  const fated = jobs
    .flatMap((job, index): readonly Fated[] => {
      if (job.forced) return [{ index, job, begin: job.event.start, kind: undefined }];
      const fate = fates[index];
      return fate === undefined ? [] : [{ index, job, kind: undefined, ...fate }];
    })
    .sort((a, b) => Number(b.job.forced) - Number(a.job.forced) || a.begin - b.begin || a.index - b.index);
  /** Per tuner, what it has so far. */
  const taken = tuners.map((): Fated[] => []);
  const moves: Move[] = jobs.map(() => NOWHERE);
  for (const one of fated) {
    const tuner = tunerFor(one, { taken, kinds });
    if (tuner < 0) continue;
    taken[tuner]?.push(one);
    moves[one.index] = { tuner, before: -1 };
  }
  return moves;
}

function tunerFor(
  { job, begin, kind }: Fated,
  { taken, kinds }: { readonly taken: readonly (readonly Fated[])[]; readonly kinds: readonly number[] },
): number {
  let best = -1;
  let bestRank = Number.NEGATIVE_INFINITY;
  for (const [tuner, there] of taken.entries()) {
    if (job.may[tuner] !== true || (kind !== undefined && kinds[tuner] !== kind)) continue;
    if (job.forced) return tuner;
    if (job.doubtful[tuner] === true) continue;
    const rank = rankOf({ job, begin, tuner, there });
    if (rank !== undefined && rank > bestRank) {
      best = tuner;
      bestRank = rank;
    }
  }
  return best;
}

/** How well the tuner suits; `undefined`: it is taken. One that holds the multiplex comes first, then the previous one, then the one that is free longest. */
function rankOf({
  job,
  begin,
  tuner,
  there,
}: {
  readonly job: Job;
  readonly begin: EpochMs;
  readonly tuner: number;
  readonly there: readonly Fated[];
}): number | undefined {
  // Longer idle times make no difference.
  let freeMs: DurationMs = DAY;
  let shares = false;
  for (const other of there) {
    const isBefore = other.job.event.stop + (job.gapMs[tuner] ?? 0) <= begin;
    if (isBefore) freeMs = Math.min(freeMs, begin - other.job.event.stop);
    else if (job.event.stop + (other.job.gapMs[tuner] ?? 0) <= other.begin) continue;
    else if (other.job.multiplex === job.multiplex) shares = true;
    else return undefined;
  }
  if (shares) return 3 * DAY;
  return job.had === tuner ? 2 * DAY : freeMs;
}
