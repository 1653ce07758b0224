import type { DurationMs, EpochMs } from "../../model/time.ts";
import type { Program, Row, Term } from "./optimizer.ts";
import type { Job, Problem } from "./problem.ts";

// The first aims as an integer program. Its variables say which multiplexes the tuners of each kind hold in each time slice; the
// rest follows. A recording is whole if its multiplex is held from the tuning time before its event to its end. It is partial if
// the multiplex is held from some later time to its end without a break. A multiplex that stays held costs no tuning time. Tuners
// that deliver few services at once are stricter than this program: then its optimum is only a bound.

/** The options of one recording on the tuners of one kind. */
export interface Share {
  readonly job: number;
  readonly kind: number;
  /**
   * Columns, at least one, the earliest slice first: 1 if the multiplex is held from then on. The last column says that the
   * recording is placed at all.
   */
  readonly from: readonly number[];
  /** Whether the first column is in time for the whole event. */
  readonly isFromStart: boolean;
  /** The tuners of this kind are doubtful. */
  readonly isHope: boolean;
  /** When the recording of the event begins, per column. */
  readonly begins: readonly EpochMs[];
}

export interface EventProgram extends Program {
  readonly shares: readonly Share[];
}

/** The outcomes still open for a recording: whole; whole or nothing; partial; any; or none. */
export type Scope = "surely whole" | "whole" | "part" | "any" | "none";

/** Tuners of one kind. */
interface Kind {
  readonly count: number;
  /** Index of one of them. */
  readonly tuner: number;
}

/** @param scopes per recording; narrower scopes make the program smaller */
export function eventProgram(problem: Problem, scopes: readonly Scope[]): EventProgram {
  const { jobs } = problem;
  const kinds = kindsIn(problem);
  const columns: { most: number; isWhole: boolean }[] = [];
  const rows: Row[] = [];
  const shares: Share[] = [];
  const column = (most: number, isWhole: boolean) => columns.push({ most, isWhole }) - 1;
  for (const [kind, { tuner, count }] of kinds.entries()) {
    const able = jobs.flatMap((job, index) => (job.may[tuner] === true ? [{ job, index }] : []));
    const points = pointsOf(
      able.map(({ job }) => job),
      tuner,
    );
    const heldColumns = new Map<string, number[]>();
    /** Recordings that can use each multiplex, per slice. */
    const wanting = points.map(() => new Map<string, { readonly job: Job; readonly column: number }[]>());
    for (const { job, index } of able) {
      const { multiplex, event } = job;
      const isHope = job.doubtful[tuner] === true;
      const scope = scopes[index] ?? "any";
      const isWholeOnly = scope === "whole" || scope === "surely whole";
      if (scope === "none" || (isWholeOnly && isHope)) continue;
      const first = points.findLastIndex((point) => point <= event.start - (job.gapMs[tuner] ?? 0));
      const end = points.indexOf(event.stop);
      const limited = isLimited(job, { tuner, jobs });
      const ofMultiplex = heldColumns.get(multiplex) ?? [];
      heldColumns.set(multiplex, ofMultiplex);
      const from: number[] = [];
      const slices: number[] = [];
      const isFromStart = scope !== "part" || isHope || job.isLate;
      for (let slice = isFromStart ? first : first + 1; slice < end; slice += 1) {
        const isNew = from.length === 0 || !isWholeOnly;
        // Only the held multiplexes are decided; whole events follow from them.
        const own = isNew ? column(1, slice === first || slice === end - 1) : (from[0] ?? 0);
        ofMultiplex[slice] ??= column(limited ? count : 1, true);
        rows.push({
          terms: [
            [own, 1],
            [ofMultiplex[slice] ?? 0, -1],
          ],
          most: 0,
        });
        if (isNew && from.length > 0)
          rows.push({
            terms: [
              [from.at(-1) ?? 0, 1],
              [own, -1],
            ],
            most: 0,
          });
        const there = wanting[slice]?.get(multiplex) ?? [];
        wanting[slice]?.set(multiplex, [...there, { job, column: own }]);
        if (!isNew) continue;
        from.push(own);
        slices.push(slice);
      }
      if (from.length === 0) continue;
      const gapMs = job.gapMs[tuner] ?? 0;
      // The tuning time between recordings that share a place is ignored: the begin is a lower bound.
      const begins = slices.map((slice) =>
        limited && gapMs > 0 && slice > first
          ? beginOf(job, points[slice - 1] ?? 0, 0)
          : beginOf(job, points[slice] ?? 0, gapMs),
      );
      shares.push({ job: index, kind, from, isFromStart, begins, isHope });
    }
    for (const [slice, wants] of wanting.entries()) {
      const holding = [...wants.keys()].map(
        (multiplex): Term => [heldColumns.get(multiplex)?.[slice] ?? 0, 1],
      );
      const most = [...wants.keys()].reduce(
        (sum, multiplex) => sum + (columns[heldColumns.get(multiplex)?.[slice] ?? 0]?.most ?? 0),
        0,
      );
      if (most > count) rows.push({ terms: holding, most: count });
      for (const [multiplex, there] of wants) {
        const atOnce = there[0]?.job.atOnce[tuner] ?? 0;
        const on = there.filter(
          ({ job }) => job.event.start < (points[slice + 1] ?? Number.POSITIVE_INFINITY),
        );
        if (on.length <= atOnce) continue;
        const terms = on.map((each): Term => [each.column, 1]);
        rows.push({ terms: [...terms, [heldColumns.get(multiplex)?.[slice] ?? 0, -atOnce]], most: 0 });
      }
    }
  }
  for (const [index, job] of jobs.entries()) {
    const own = shares.filter((share) => share.job === index);
    const placed = own.map(({ from }): Term => [from.at(-1) ?? 0, 1]);
    if (own.length > 1) rows.push({ terms: placed, most: 1 });
    // Running recordings continue whole.
    if (job.forced || scopes[index] === "surely whole")
      rows.push({ terms: own.map(({ from }): Term => [from[0] ?? 0, 1]), least: 1 });
  }
  return { columns, rows, shares };
}

/** The begin of the recorded part if the multiplex is held from a slice on: the tuner tunes first. */
function beginOf({ event }: Job, at: EpochMs, gapMs: DurationMs): EpochMs {
  return Math.min(event.stop, Math.max(event.start, at + gapMs));
}

function isLimited(
  { atOnce }: Job,
  { tuner, jobs }: { readonly tuner: number; readonly jobs: readonly Job[] },
): boolean {
  return (atOnce[tuner] ?? 0) < jobs.length;
}

function kindsIn({ kinds }: Problem): readonly Kind[] {
  return [...new Set(kinds)]
    .sort((a, b) => a - b)
    .map((kind) => ({
      tuner: kinds.indexOf(kind),
      count: kinds.filter((other) => other === kind).length,
    }));
}

/**
 * The ends of events, from the earliest start on. No event ends within a slice, so all events in a slice last to its end, and a
 * recording that waits for a tuner begins when another one ends.
 */
function pointsOf(jobs: readonly Job[], tuner: number): readonly EpochMs[] {
  const from = Math.min(...jobs.map(({ event, gapMs }) => event.start - (gapMs[tuner] ?? 0)));
  return [...new Set([from, ...jobs.map(({ event }) => event.stop)])].sort((a, b) => a - b);
}

/** Whole events of a rank: those whose multiplex is held from the first slice on. */
export function wholeTerms({ jobs }: Problem, { shares }: EventProgram, rank: number): readonly Term[] {
  return shares.flatMap(({ job, from, isFromStart, isHope }): readonly Term[] => {
    const one = jobs[job];
    const counts =
      one !== undefined && isFromStart && !isHope && !one.isLate && !one.held && one.rank === rank;
    return counts ? [[from[0] ?? 0, 1]] : [];
  });
}

/** Units of time of the partial events of a rank. */
export function partTerms(
  { jobs }: Problem,
  { shares }: EventProgram,
  { rank, unitMs }: { readonly rank: number; readonly unitMs: DurationMs },
): readonly Term[] {
  return shares.flatMap((share): readonly Term[] => {
    const job = jobs[share.job];
    if (job === undefined || share.isHope || job.rank !== rank) return [];
    const wholeMs = job.isLate || !share.isFromStart ? 0 : job.event.stop - job.event.start;
    return heldMs(share, job)
      .map((ms, at): Term => [share.from[at] ?? 0, (ms - (at === 0 ? wholeMs : 0)) / unitMs])
      .filter(([, units]) => units !== 0);
  });
}

/** Units of time on doubtful tuners, whole events included, weighted by priority. */
export function hopeTerms({ jobs }: Problem, { shares }: EventProgram, unitMs: DurationMs): readonly Term[] {
  return shares.flatMap((share): readonly Term[] => {
    const job = jobs[share.job];
    if (job === undefined || !share.isHope) return [];
    return heldMs(share, job).map((ms, at): Term => [share.from[at] ?? 0, (ms * job.weight) / unitMs]);
  });
}

/** The time that each slice adds to the recorded part of the event. */
function heldMs({ begins }: Share, { event }: Job): readonly DurationMs[] {
  return begins.map((begin, at) => (begins[at + 1] ?? event.stop) - begin);
}

/** A common divisor of all partial lengths: parts begin where another event ends plus tuning time. */
export function unitOf({ jobs, tuners }: Problem): DurationMs {
  const from = jobs[0]?.event.stop ?? 0;
  const all = jobs.flatMap(({ event, gapMs, isLate, doubtful }) => [
    event.stop - from,
    isLate || doubtful.includes(true) ? event.start - from : 0,
    ...tuners.map((_, at) => gapMs[at] ?? 0),
  ]);
  return all.reduce(greatestDivisor, 0) || 1;
}

function greatestDivisor(a: number, b: number): number {
  let [x, y] = [Math.abs(a), Math.abs(b)];
  while (y > 0) [x, y] = [y, x % y];
  return x;
}
