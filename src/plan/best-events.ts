import type { DurationMs, EpochMs } from "../model/time.ts";
import {
  type EventProgram,
  eventProgram,
  hopeTerms,
  partTerms,
  type Share,
  unitOf,
  wholeTerms,
} from "./event-program.ts";
import type { Optimizer, Term } from "./optimizer.ts";
import type { Problem } from "./problem.ts";
import { AVOIDED, HOPE, WEAK, worthLength } from "./worth.ts";

/** What becomes of a recording, and by tuners of which kind. */
export interface Fate {
  readonly kind: number;
  readonly begin: EpochMs;
}

export interface BestEvents {
  /** In the order of the problem's recordings; absent: nothing is recorded of it. */
  readonly fates: readonly (Fate | undefined)[];
  /** As a worth, down to weak reception: no plan is better by these aims. What is not known is infinite. */
  readonly bound: Float64Array;
}

/** Greater sums are not told apart for certain by an optimizer that reckons with fractions. */
const SUM_MOST = 50_000;
/** How far off a sum of whole numbers may be. */
const FUZZ = 0.01;

/** The aims that come before padding, one after the other. */
export function bestEvents(problem: Problem, optimize: Optimizer): BestEvents | undefined {
  const program = eventProgram(problem);
  using open = optimize(program);
  const bound = new Float64Array(worthLength(problem.priorities.length)).fill(Number.POSITIVE_INFINITY);
  let values: Float64Array | undefined;
  let isSure = true;
  let left = aimsOf(problem, program);
  while (left.length > 0) {
    const { reached, aims, rest } = nextOf(left, values);
    left = rest;
    if (isSure) for (const { at } of reached) if (at !== undefined) bound[at] = 0;
    if (aims.length === 0) break;
    const terms = aims.flatMap(({ terms: own }, index) =>
      own.map(([column, one]): Term => [column, one * weightOf(aims, index)]),
    );
    const found = open.maximize(terms);
    // Out of time: what was found before has to do.
    if (found === undefined) break;
    const best = found.values;
    values = best;
    const got = Math.round(sumOf(terms, best));
    const most = Math.max(got, Math.floor(found.bound + FUZZ));
    if (isSure) for (const [at, value] of readOff(aims, most)) bound[at] = value;
    isSure &&= most === got;
    // One by one: a sum of sums leaves much more room to fractions.
    for (const { terms: own } of aims) open.add({ terms: own, least: Math.round(sumOf(own, best)) - FUZZ });
  }
  const found = values;
  if (found === undefined) return undefined;
  return { fates: problem.jobs.map((_, job) => fateOf(job, program, found)), bound };
}

function fateOf(job: number, { shares }: EventProgram, values: Float64Array): Fate | undefined {
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
  /** Nothing can be gained any more. */
  readonly isReachedBy: (values: Float64Array) => boolean;
}

/** In their order. */
function aimsOf(problem: Problem, program: EventProgram): readonly Aim[] {
  const { priorities } = problem;
  const unitMs = unitOf(problem);
  return [
    ...[...priorities.keys()].map((rank) => wholeAim(problem, program, rank)),
    ...[...priorities.keys()].map((rank) => partAim(problem, program, { rank, unitMs })),
    aimAt(placeOf(problem, HOPE), hopeTerms(problem, program, unitMs), unitMs),
    aimAt(placeOf(problem, AVOIDED), aversionTerms(problem, program, AVOIDED), 1),
    aimAt(placeOf(problem, WEAK), aversionTerms(problem, program, WEAK), 1),
    stayingAim(problem, program),
  ];
}

/** What is reached already, and the next aims that can be told apart in one sum, the first the most significant. */
function nextOf(
  left: readonly Aim[],
  values: Float64Array | undefined,
): { readonly reached: readonly Aim[]; readonly aims: readonly Aim[]; readonly rest: readonly Aim[] } {
  const reached: Aim[] = [];
  const aims: Aim[] = [];
  let product = 1;
  for (const [index, aim] of left.entries()) {
    if (values !== undefined && aim.isReachedBy(values)) {
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
  const whole = wholeTerms(problem, program, rank);
  const members = problem.jobs.filter((job) => job.rank === rank);
  const allMs = members.reduce((sum, { event }) => sum + event.stop - event.start, 0);
  const terms = partTerms(problem, program, { rank, unitMs });
  return {
    ...aimAt(problem.priorities.length + rank, terms, unitMs),
    values: 1 + Math.floor(allMs / unitMs),
    isReachedBy: (values) => Math.round(sumOf(whole, values)) === members.length,
  };
}

function aimAt(at: number, terms: readonly Term[], unit: number): Aim {
  return { at, unit, terms, values: Number.POSITIVE_INFINITY, isReachedBy: () => terms.length === 0 };
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
  const isReachedBy = () => terms.length === 0 || new Set(kinds).size === 1;
  return { unit: 1, values: Number.POSITIVE_INFINITY, terms, isReachedBy };
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
