import type { DurationMs, EpochMs } from "../../model/time.ts";
import type { Program, Row, Term } from "./optimizer.ts";
import type { Job, Problem } from "./problem.ts";

// The first aims as an integer program. Once it is known which multiplexes the tuners of each kind hold in each slice of time, all
// else follows: a recording is whole where its multiplex is held from the time to tune before its event to its end; in part, since
// it is not ended before its event is, from when it is held until its end without a break. A tuner never has to change for a
// multiplex that goes on to be held. Where tuners deliver few services at once this is less strict than they are: what is best
// here is a bound then.

/** What one recording can get of the tuners of one kind. */
export interface Share {
  readonly job: number;
  readonly kind: number;
  /** Columns, at least one, the earliest slice first: 1 where it is held from then on. The last one says that it is placed at all. */
  readonly from: readonly number[];
  /** Whether the first of them is in time for all of the event. */
  readonly isFromStart: boolean;
  /** Tuners that are not counted on. */
  readonly isHope: boolean;
  /** When its event begins to be recorded, for each of these. */
  readonly begins: readonly EpochMs[];
}

export interface EventProgram extends Program {
  readonly shares: readonly Share[];
}

/** What may become of a recording: it is whole, or whole or nothing, or not whole, or anything; or it is left out. */
export type Scope = "surely whole" | "whole" | "part" | "any" | "none";

/** Tuners of one kind. */
interface Kind {
  readonly count: number;
  /** One of them. */
  readonly tuner: number;
}

/** @param scopes per recording; the less is left open of it, the smaller the program */
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
    const held = new Map<string, number[]>();
    /** Per slice and multiplex: those that want it. */
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
      const ofMultiplex = held.get(multiplex) ?? [];
      held.set(multiplex, ofMultiplex);
      const from: number[] = [];
      const slices: number[] = [];
      const isFromStart = scope !== "part" || isHope || job.isLate;
      for (let slice = isFromStart ? first : first + 1; slice < end; slice += 1) {
        const isNew = from.length === 0 || !isWholeOnly;
        // Which multiplexes are held is what is decided; who is whole follows.
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
      // Within a place nobody waits for the tuner to change: no more is promised than that it is not earlier.
      const begins = slices.map((slice) =>
        limited && gapMs > 0 && slice > first
          ? beginOf(job, points[slice - 1] ?? 0, 0)
          : beginOf(job, points[slice] ?? 0, gapMs),
      );
      shares.push({ job: index, kind, from, isFromStart, begins, isHope });
    }
    for (const [slice, wants] of wanting.entries()) {
      const holding = [...wants.keys()].map((multiplex): Term => [held.get(multiplex)?.[slice] ?? 0, 1]);
      const most = [...wants.keys()].reduce(
        (sum, multiplex) => sum + (columns[held.get(multiplex)?.[slice] ?? 0]?.most ?? 0),
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
        rows.push({ terms: [...terms, [held.get(multiplex)?.[slice] ?? 0, -atOnce]], most: 0 });
      }
    }
  }
  for (const [index, job] of jobs.entries()) {
    const own = shares.filter((share) => share.job === index);
    const placed = own.map(({ from }): Term => [from.at(-1) ?? 0, 1]);
    if (own.length > 1) rows.push({ terms: placed, most: 1 });
    // What runs runs, all of it.
    if (job.forced || scopes[index] === "surely whole")
      rows.push({ terms: own.map(({ from }): Term => [from[0] ?? 0, 1]), least: 1 });
  }
  return { columns, rows, shares };
}

/** What is had of the event when it is held from a slice on: the tuner tunes first. */
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
 * The ends of events, from the first beginning on. Between two of them nothing ends: all that is on in such a slice is on at its end,
 * and what waits for a tuner begins where something else ends.
 */
function pointsOf(jobs: readonly Job[], tuner: number): readonly EpochMs[] {
  const from = Math.min(...jobs.map(({ event, gapMs }) => event.start - (gapMs[tuner] ?? 0)));
  return [...new Set([from, ...jobs.map(({ event }) => event.stop)])].sort((a, b) => a - b);
}

/** Whole events of a rank: those that are held from the first slice on. */
export function wholeTerms({ jobs }: Problem, { shares }: EventProgram, rank: number): readonly Term[] {
  return shares.flatMap(({ job, from, isFromStart, isHope }): readonly Term[] => {
    const one = jobs[job];
    const counts = one !== undefined && isFromStart && !isHope && !one.isLate && one.rank === rank;
    return counts ? [[from[0] ?? 0, 1]] : [];
  });
}

/** Units of time of the other events of a rank. */
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

/** The same on tuners that are not counted on, whole events too, by importance. */
export function hopeTerms({ jobs }: Problem, { shares }: EventProgram, unitMs: DurationMs): readonly Term[] {
  return shares.flatMap((share): readonly Term[] => {
    const job = jobs[share.job];
    if (job === undefined || !share.isHope) return [];
    return heldMs(share, job).map((ms, at): Term => [share.from[at] ?? 0, (ms * job.weight) / unitMs]);
  });
}

/** What each slice adds to what is had of the event. */
function heldMs({ begins }: Share, { event }: Job): readonly DurationMs[] {
  return begins.map((begin, at) => (begins[at + 1] ?? event.stop) - begin);
}

/** A length that all parts of events are multiples of: they begin where another one ends, and the tuner has tuned. */
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
