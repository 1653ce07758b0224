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

/** The begin of a recording's event on disk, and the kind of tuner that records it. */
export interface EventPlacement {
  readonly kind: number;
  readonly begin: EpochMs;
}

export interface BestEvents {
  /** By index of the problem's recordings; absent: the recording gets no tuner. */
  readonly fates: readonly (EventPlacement | undefined)[];
  /** An upper bound on the worth, down to weak reception: no plan is better by these aims. Unknown terms are infinite. */
  readonly bound: Float64Array;
}

/** An optimizer with floating-point numbers cannot tell greater sums apart reliably. */
const SUM_MOST = 50_000;
/** Tolerance for a sum of integers. */
const TOLERANCE = 0.01;

/** An optimizer's result for a program, and how far it is proven to be the best. */
interface Maximized {
  readonly program: EventProgram;
  readonly values: Float64Array | undefined;
  /** No other solution is better by any of the aims examined. */
  readonly isSure: boolean;
}

/**
 * Maximizes the aims that come before padding, one after the other: first whole events, for which a program without partial
 * recordings is enough; then minutes of the rest. The first step usually settles which events are partial.
 */
export function bestEvents(
  problem: Problem,
  optimize: Optimizer,
  aims: "events" | "all" = "all",
): BestEvents | undefined {
  const { jobs, priorities } = problem;
  const bound = new Float64Array(worthLength(priorities.length)).fill(Number.POSITIVE_INFINITY);
  const wholeOnly = eventProgram(
    problem,
    jobs.map(({ isLate }) => (isLate ? "none" : "whole")),
  );
  const ranks = [...priorities.keys()];
  const wholes = ranks.map((rank) => wholeAim(problem, wholeOnly, rank));
  const first = maximizeInOrder({ program: wholeOnly, isSure: true, bound, optimize }, wholes);
  const { values: found } = first;
  if (found === undefined) return undefined;
  const counts = ranks.map((rank) => Math.round(sumOf(wholeTerms(problem, wholeOnly, rank), found)));
  const program = eventProgram(
    problem,
    jobs.map((job) => scopeOf(job, problem, counts[job.rank] ?? 0)),
  );
  const fixedRows = ranks.flatMap((rank): readonly Row[] => {
    const terms = wholeTerms(problem, program, rank);
    return terms.length === 0 ? [] : [{ terms, least: counts[rank] ?? 0 }];
  });
  const others = othersOf(problem, program).slice(0, aims === "events" ? ranks.length : undefined);
  const second = maximizeInOrder(
    { program: { ...program, rows: [...program.rows, ...fixedRows] }, isSure: first.isSure, bound, optimize },
    others,
  );
  const { program: last, values } =
    second.values === undefined ? { program: wholeOnly, values: found } : { program, values: second.values };
  return { fates: jobs.map((_, job) => fateOf(job, last, values)), bound };
}

/** Narrows the scope of a recording: if all recordings of its priority are whole, or none is, the same holds for each. */
function scopeOf({ rank, isLate, held }: Job, { jobs }: Problem, whole: number): Scope {
  if (isLate) return "any";
  if (held) return "surely whole";
  const members = membersOf(jobs, rank);
  if (whole === members) return "surely whole";
  return whole === 0 ? "part" : "any";
}

function membersOf(jobs: readonly Job[], rank: number): number {
  return jobs.filter((job) => job.rank === rank && !job.isLate && !job.held).length;
}

/** Maximizes the aims in their order, and stores each maximum in `bound`. */
function maximizeInOrder(
  {
    program,
    isSure: wasSure,
    bound,
    optimize,
  }: Pick<Maximized, "program" | "isSure"> & { readonly bound: Float64Array; readonly optimize: Optimizer },
  all: readonly Aim[],
): Maximized {
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
    // Out of time: keep the previous result.
    if (found === undefined) return { program, values, isSure: false };
    const best = found.values;
    values = best;
    const got = Math.round(sumOf(terms, best));
    const most = Math.max(got, Math.floor(found.bound + TOLERANCE));
    if (isSure) for (const [at, value] of readOff(aims, most)) bound[at] = value;
    isSure &&= most === got;
    // Fix each aim at exactly its value: with a lower bound, the solver trades fractions of it for more of the later aims.
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

/** An integer sum to maximize. */
interface Aim {
  /** Its index in the worth; absent: the aim is no part of the worth, and not proven. */
  readonly at?: number;
  /** Contribution of one unit to the worth. */
  readonly unit: number;
  /** The number of possible values, from 0 on; infinite if unknown. */
  readonly values: number;
  readonly terms: readonly Term[];
  /** The maximum is reached. */
  readonly isReached: boolean;
}

/** The aims after whole events, in their order. */
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

/** Separates the reached aims from the rest, and picks the next aims that fit into one sum, the most significant first. */
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

/** The factor of one aim in a sum of several. */
function weightOf(aims: readonly Aim[], index: number): number {
  return aims.slice(index + 1).reduce((weight, { values }) => weight * values, 1);
}

function wholeAim({ jobs, ...problem }: Problem, program: EventProgram, rank: number): Aim {
  const terms = wholeTerms({ jobs, ...problem }, program, rank);
  return { ...aimAt(rank, terms, 1), values: 1 + membersOf(jobs, rank) };
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

/** Prefers fewer changes among plans that are otherwise equal. Padding comes first, but this program does not know it. */
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

/** Splits a sum into the values of its aims. */
function readOff(aims: readonly Aim[], sum: number): readonly (readonly [number, number])[] {
  let left = sum;
  return aims.flatMap(({ at, unit }, index) => {
    const weight = weightOf(aims, index);
    const count = Math.floor(left / weight);
    left -= count * weight;
    return at === undefined ? [] : [[at, count * unit] as const];
  });
}
