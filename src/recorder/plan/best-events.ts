import type { DurationMs, EpochMs } from "../../model/time.ts";
import {
  type EventProgram,
  eventProgram,
  hopeTerms,
  partTerms,
  type Scope,
  type Share,
  unitOf,
  wholeTerms,
} from "./event-program.ts";
import type { Optimizer, Row, Term } from "./optimizer.ts";
import { AVOIDED, HOPE, WEAK, worthLength } from "./plan-value.ts";
import type { Job, Problem } from "./problem.ts";

/** What becomes of a recording, and by tuners of which kind. */
export interface EventPlacement {
  readonly kind: number;
  readonly begin: EpochMs;
}

export interface BestEvents {
  /** In the order of the problem's recordings; absent: nothing is recorded of it. */
  readonly fates: readonly (EventPlacement | undefined)[];
  /** As a worth, down to weak reception: no plan is better by these aims. What is not known is infinite. */
  readonly bound: Float64Array;
}

/** Greater sums are not told apart for certain by an optimizer that reckons with fractions. */
const SUM_MOST = 50_000;
/** How far off a sum of whole numbers may be. */
const FUZZ = 0.01;

/** What an optimizer found of a program, and how far that is the best. */
interface Reached {
  readonly program: EventProgram;
  readonly values: Float64Array | undefined;
  /** Nothing is better by any of the aims that were looked at. */
  readonly isSure: boolean;
}

/**
 * The aims that come before padding, one after the other. First the whole events, of which a program that knows nothing but whole or
 * nothing is enough; then the minutes of those that are not, for most of which it is clear by then which these are.
 */
export function bestEvents(problem: Problem, optimize: Optimizer): BestEvents | undefined {
  const { jobs, priorities } = problem;
  const bound = new Float64Array(worthLength(priorities.length)).fill(Number.POSITIVE_INFINITY);
  const wholeOnly = eventProgram(
    problem,
    jobs.map(({ isLate }) => (isLate ? "none" : "whole")),
  );
  const ranks = [...priorities.keys()];
  const wholes = ranks.map((rank) => wholeAim(problem, wholeOnly, rank));
  const first = reach({ program: wholeOnly, isSure: true, bound, optimize }, wholes);
  const { values: found } = first;
  if (found === undefined) return undefined;
  const counts = ranks.map((rank) => Math.round(sumOf(wholeTerms(problem, wholeOnly, rank), found)));
  const program = eventProgram(
    problem,
    jobs.map((job) => scopeOf(job, problem, counts[job.rank] ?? 0)),
  );
  const kept = ranks.flatMap((rank): readonly Row[] => {
    const terms = wholeTerms(problem, program, rank);
    return terms.length === 0 ? [] : [{ terms, least: counts[rank] ?? 0 }];
  });
  const others = othersOf(problem, program);
  const second = reach(
    { program: { ...program, rows: [...program.rows, ...kept] }, isSure: first.isSure, bound, optimize },
    others,
  );
  const { program: last, values } =
    second.values === undefined ? { program: wholeOnly, values: found } : { program, values: second.values };
  return { fates: jobs.map((_, job) => fateOf(job, last, values)), bound };
}

/** Where all of an importance are whole, or none, it is clear of each. */
function scopeOf({ rank, isLate }: Job, { jobs }: Problem, whole: number): Scope {
  if (isLate) return "any";
  const members = jobs.filter((job) => job.rank === rank && !job.isLate).length;
  if (whole === members) return "surely whole";
  return whole === 0 ? "part" : "any";
}

/** Makes the aims as great as can be in their order, and notes in `bound` how great that is. */
function reach(
  {
    program,
    isSure: wasSure,
    bound,
    optimize,
  }: Pick<Reached, "program" | "isSure"> & { readonly bound: Float64Array; readonly optimize: Optimizer },
  all: readonly Aim[],
): Reached {
  using open = optimize(program);
  let values: Float64Array | undefined;
  let isSure = wasSure;
  let left = all;
  while (left.length > 0) {
    const { reached, aims, rest } = nextOf(left);
    left = rest;
    if (isSure) for (const { at } of reached) if (at !== undefined) bound[at] = 0;
    if (aims.length === 0) break;
    const terms = aims.flatMap(({ terms: own }, index) =>
      own.map(([column, one]): Term => [column, one * weightOf(aims, index)]),
    );
    const found = open.maximize(terms);
    // Out of time: what was found before has to do.
    if (found === undefined) return { program, values, isSure: false };
    const best = found.values;
    values = best;
    const got = Math.round(sumOf(terms, best));
    const most = Math.max(got, Math.floor(found.bound + FUZZ));
    if (isSure) for (const [at, value] of readOff(aims, most)) bound[at] = value;
    isSure &&= most === got;
    // One by one, and just that: any less, and the solver finds how to trade fractions of them for more of what comes after.
    for (const { terms: own } of aims) open.add({ terms: own, least: Math.round(sumOf(own, best)) });
  }
  return { program, values, isSure };
}

function fateOf(job: number, { shares }: EventProgram, values: Float64Array): EventPlacement | undefined {
  for (const { job: whose, kind, from, begins } of shares) {
    if (whose !== job) continue;
    const at = from.findIndex((column) => isOn(column, values));
    const begin = begins[at];
    if (begin !== undefined) return { kind, begin };
  }
  return undefined;
}

function isOn(column: number, values: Float64Array): boolean {
  return (values[column] ?? 0) > 0.5;
}

/** A sum of whole numbers to be made as great as can be. */
interface Aim {
  /** Its place in the worth; absent: no aim of the plan's, and not proven. */
  readonly at?: number;
  /** How much the worth counts for one of it. */
  readonly unit: number;
  /** So many values it can have, from 0 on; infinite where that is not known. */
  readonly values: number;
  readonly terms: readonly Term[];
  /** There is nothing to be gained. */
  readonly isReached: boolean;
}

/** Those after whole events, in their order. */
function othersOf(problem: Problem, program: EventProgram): readonly Aim[] {
  const unitMs = unitOf(problem);
  return [
    ...[...problem.priorities.keys()].map((rank) => partAim(problem, program, { rank, unitMs })),
    aimAt(placeOf(problem, HOPE), hopeTerms(problem, program, unitMs), unitMs),
    aimAt(placeOf(problem, AVOIDED), aversionTerms(problem, program, AVOIDED), 1),
    aimAt(placeOf(problem, WEAK), aversionTerms(problem, program, WEAK), 1),
    stayingAim(problem, program),
  ];
}

/** What is reached already, and the next aims that can be told apart in one sum, the first the most significant. */
function nextOf(left: readonly Aim[]): {
  readonly reached: readonly Aim[];
  readonly aims: readonly Aim[];
  readonly rest: readonly Aim[];
} {
  const reached: Aim[] = [];
  const aims: Aim[] = [];
  let product = 1;
  for (const [index, aim] of left.entries()) {
    if (aim.isReached) {
      reached.push(aim);
      continue;
    }
    product *= aim.values;
    if (aims.length > 0 && (product > SUM_MOST || aim.unit !== aims[0]?.unit))
      return { reached, aims, rest: left.slice(index) };
    aims.push(aim);
  }
  return { reached, aims, rest: [] };
}

/** How much one of an aim counts for in a sum of several. */
function weightOf(aims: readonly Aim[], index: number): number {
  return aims.slice(index + 1).reduce((weight, { values }) => weight * values, 1);
}

function wholeAim({ jobs, ...problem }: Problem, program: EventProgram, rank: number): Aim {
  const members = jobs.filter((job) => job.rank === rank && !job.isLate).length;
  const terms = wholeTerms({ jobs, ...problem }, program, rank);
  return { ...aimAt(rank, terms, 1), values: 1 + members };
}

function partAim(
  problem: Problem,
  program: EventProgram,
  { rank, unitMs }: { readonly rank: number; readonly unitMs: DurationMs },
): Aim {
  const terms = partTerms(problem, program, { rank, unitMs });
  const jobs = new Set(
    program.shares.filter(({ job }) => problem.jobs[job]?.rank === rank).map(({ job }) => job),
  );
  const allMs = [...jobs].reduce((sum, job) => sum + lengthOf(problem.jobs[job]), 0);
  return {
    ...aimAt(problem.priorities.length + rank, terms, unitMs),
    values: 1 + Math.floor(allMs / unitMs),
  };
}

function lengthOf(job: Job | undefined): DurationMs {
  return job === undefined ? 0 : job.event.stop - job.event.start;
}

function aimAt(at: number, terms: readonly Term[], unit: number): Aim {
  return { at, unit, terms, values: Number.POSITIVE_INFINITY, isReached: terms.length === 0 };
}

/** Tuners that failed a recording, or receive it weakly. */
function aversionTerms(
  { jobs, kinds }: Problem,
  { shares }: EventProgram,
  aim: typeof AVOIDED | typeof WEAK,
): readonly Term[] {
  return shares.flatMap((share): readonly Term[] => {
    const job = jobs[share.job];
    const against = (aim === WEAK ? job?.weak : job?.avoid)?.[kinds.indexOf(share.kind)] ?? 0;
    return against === 0 ? [] : [[placed(share), -against]];
  });
}

function placeOf({ priorities }: Problem, aim: number): number {
  return 2 * priorities.length + aim;
}

/** Of plans that are as good until here, those that change less; padding, which comes first, is left to others. */
function stayingAim({ jobs, kinds }: Problem, { shares }: EventProgram): Aim {
  const terms = shares
    .filter(({ job, kind }) => kinds[jobs[job]?.had ?? -1] === kind)
    .map((share): Term => [placed(share), 1]);
  const isReached = terms.length === 0 || new Set(kinds).size === 1;
  return { unit: 1, values: Number.POSITIVE_INFINITY, terms, isReached };
}

function placed({ from }: Share): number {
  return from.at(-1) ?? 0;
}

function sumOf(terms: readonly Term[], values: Float64Array): number {
  return terms.reduce((sum, [column, factor]) => sum + factor * (values[column] ?? 0), 0);
}

/** The aims of a sum, each with its value. */
function readOff(aims: readonly Aim[], sum: number): readonly (readonly [number, number])[] {
  let left = sum;
  return aims.flatMap(({ at, unit }, index) => {
    const weight = weightOf(aims, index);
    const count = Math.floor(left / weight);
    left -= count * weight;
    return at === undefined ? [] : [[at, count * unit] as const];
  });
}
