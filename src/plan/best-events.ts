import type { EpochMs } from "../model/time.ts";
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
  for (const { aims, terms, isReachedBy } of stagesOf(problem, program)) {
    if (values !== undefined && isReachedBy?.(values) === true) {
      for (const { at } of aims) bound[at] = isSure ? 0 : (bound[at] ?? 0);
      continue;
    }
    const found = open.maximize(terms);
    // Out of time: what was found before has to do.
    if (found === undefined) break;
    values = found.values;
    const got = Math.round(sumOf(terms, values));
    const most = Math.max(got, Math.floor(found.bound + FUZZ));
    if (isSure) for (const [at, value] of readOff(aims, most)) bound[at] = value;
    isSure &&= most === got;
    open.add({ terms, least: got - FUZZ });
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

/** One sum to be made as great as can be. */
interface Stage {
  /** The aims that are its digits, the most significant one first. */
  readonly aims: readonly Aim[];
  readonly terms: readonly Term[];
  /** Nothing can be gained any more. */
  readonly isReachedBy?: (values: Float64Array) => boolean;
}

interface Aim {
  /** Its place in the worth. */
  readonly at: number;
  /** How much one of it counts for in the sum, and how much the worth counts for one of it. */
  readonly weight: number;
  readonly unit: number;
}

function stagesOf(problem: Problem, program: EventProgram): readonly Stage[] {
  return [
    ...wholeStages(problem, program),
    ...partStages(problem, program),
    hopeStage(problem, program),
    aversionStage(problem, program, AVOIDED),
    aversionStage(problem, program, WEAK),
    ...stayingStage(problem, program),
  ];
}

/** Several ranks in one sum, as long as they can be told apart. */
function wholeStages(problem: Problem, program: EventProgram): readonly Stage[] {
  const together: number[][] = [];
  let product = Number.POSITIVE_INFINITY;
  const most = (rank: number) => 1 + problem.jobs.filter((job) => job.rank === rank && !job.isLate).length;
  for (const rank of problem.priorities.keys()) {
    product *= most(rank);
    if (product > SUM_MOST) {
      together.push([]);
      product = most(rank);
    }
    together.at(-1)?.push(rank);
  }
  return together.map((ranks) => {
    const weightOf = (rank: number) =>
      ranks.filter((other) => other > rank).reduce((weight, other) => weight * most(other), 1);
    return {
      aims: ranks.map((rank) => ({ at: rank, weight: weightOf(rank), unit: 1 })),
      terms: ranks.flatMap((rank) =>
        wholeTerms(problem, program, rank).map(([column, one]): Term => [column, one * weightOf(rank)]),
      ),
    };
  });
}

function partStages(problem: Problem, program: EventProgram): readonly Stage[] {
  const ranks = problem.priorities.length;
  const unitMs = unitOf(problem);
  return [...problem.priorities.keys()].map((rank) => {
    const whole = wholeTerms(problem, program, rank);
    const members = problem.jobs.filter((job) => job.rank === rank).length;
    return {
      aims: [{ at: ranks + rank, weight: 1, unit: unitMs }],
      terms: partTerms(problem, program, { rank, unitMs }),
      isReachedBy: (values) => Math.round(sumOf(whole, values)) === members,
    };
  });
}

/** What is tried on tuners that are not counted on. */
function hopeStage(problem: Problem, program: EventProgram): Stage {
  const unit = unitOf(problem);
  const terms = hopeTerms(problem, program, unit);
  return {
    aims: [{ at: placeOf(problem, HOPE), weight: 1, unit }],
    terms,
    isReachedBy: () => terms.length === 0,
  };
}

/** Tuners that failed a recording, or receive it weakly. */
function aversionStage(problem: Problem, program: EventProgram, aim: typeof AVOIDED | typeof WEAK): Stage {
  const { jobs, kinds } = problem;
  const terms = program.shares.flatMap((share): readonly Term[] => {
    const job = jobs[share.job];
    const against = (aim === WEAK ? job?.weak : job?.avoid)?.[kinds.indexOf(share.kind)] ?? 0;
    return against === 0 ? [] : [[placed(share), -against]];
  });
  return {
    aims: [{ at: placeOf(problem, aim), weight: 1, unit: 1 }],
    terms,
    isReachedBy: () => terms.length === 0,
  };
}

function placeOf({ priorities }: Problem, aim: number): number {
  return 2 * priorities.length + aim;
}

/** Not proven, since padding comes first, but of plans that are as good until here those are better that change less. */
function stayingStage({ jobs, kinds }: Problem, { shares }: EventProgram): readonly Stage[] {
  const terms = shares
    .filter(({ job, kind }) => kinds[jobs[job]?.had ?? -1] === kind)
    .map((share): Term => [placed(share), 1]);
  return [{ aims: [], terms, isReachedBy: () => terms.length === 0 || new Set(kinds).size === 1 }];
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
  return aims.map(({ at, weight, unit }) => {
    const count = Math.floor(left / weight);
    left -= count * weight;
    return [at, count * unit];
  });
}
