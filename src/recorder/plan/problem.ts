import type { PlanRequest } from "../../model/plan.ts";
import { multiplexKey, tripletKey } from "../../model/service.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import { canReceive, type TunerFacts } from "../../model/tuner.ts";

/** One recording of a group, in numbers. */
export interface Job {
  readonly event: Span;
  readonly window: Span;
  readonly multiplex: string;
  /** Index of its priority among those of the group; 0 is the highest. */
  readonly rank: number;
  readonly forced: boolean;
  /** It is planned elsewhere and worth nothing here. */
  readonly held: boolean;
  readonly isLate: boolean;
  readonly may: readonly boolean[];
  /** Per tuner: how long it must be free before the event begins, less the part that may be missing. */
  readonly gapMs: readonly DurationMs[];
  /** Per tuner: the penalty for failures of this recording. */
  readonly avoid: readonly number[];
  /** Per tuner: the penalty for weak reception. */
  readonly weak: readonly number[];
  /** Per tuner: the plan does not rely on it. A running recording counts as reliable. */
  readonly doubtful: readonly boolean[];
  /** The value of a millisecond on a doubtful tuner. */
  readonly weight: number;
  /** Per tuner: how many recordings of the multiplex it delivers at once. */
  readonly atOnce: readonly number[];
  readonly had: number;
}

interface Span {
  readonly start: EpochMs;
  readonly stop: EpochMs;
}

/** Recordings that compete, the last end first: the order in which they are placed. */
export interface Problem {
  readonly requests: readonly PlanRequest[];
  readonly jobs: readonly Job[];
  readonly tuners: readonly TunerFacts[];
  /** Distinct priorities, the highest first. */
  readonly priorities: readonly number[];
  /** Per tuner: tuners of one kind are alike to all recordings, except for their names. */
  readonly kinds: readonly number[];
}

export function problemOf(group: readonly PlanRequest[], tuners: readonly TunerFacts[]): Problem {
  const requests = [...group].sort(byEnd);
  const priorities = [...new Set(requests.map(({ priority }) => priority))].sort((a, b) => b - a);
  const all = requests.map((request) => jobOf(request, { tuners, priorities }));
  const forced = all.filter((job) => job.forced);
  const jobs = forced.length === 0 ? all : all.map((job) => withoutTaken(job, forced));
  return { requests: requests, jobs, tuners, priorities, kinds: kindsOf(jobs, tuners) };
}

/**
 * The problem with running recordings on any tuner. On its own tuner, each would make that tuner a kind of its own. The bound of
 * this problem also holds for the original one.
 */
export function relaxedProblemOf(requests: readonly PlanRequest[], tuners: readonly TunerFacts[]): Problem {
  const running = new Set(
    requests.filter(({ runningOnTuner }) => runningOnTuner !== undefined).map((one) => one.recordingId),
  );
  const problem = problemOf(
    requests.map(({ runningOnTuner: _there, ...request }) => request),
    tuners,
  );
  const every = <T>(value: T) => tuners.map(() => value);
  const jobs = problem.jobs.map((job, at) =>
    running.has(problem.requests[at]?.recordingId ?? "")
      ? { ...job, may: every(true), doubtful: every(false), avoid: every(0), weak: every(0) }
      : job,
  );
  return { ...problem, jobs, kinds: kindsOf(jobs, tuners) };
}

/** Excludes tuners that a running recording uses until too little of the event is left: a limited search would find out too late. */
function withoutTaken(job: Job, forced: readonly Job[]): Job {
  if (job.forced) return job;
  const isTaken = (tuner: number) =>
    forced.some(
      ({ may, multiplex, event }) =>
        may[tuner] === true &&
        multiplex !== job.multiplex &&
        event.stop <= job.event.stop &&
        job.event.stop <= event.stop + (job.gapMs[tuner] ?? 0),
    );
  return { ...job, may: job.may.map((may, tuner) => may && !isTaken(tuner)) };
}

function byEnd(a: PlanRequest, b: PlanRequest): number {
  return b.event.stop - a.event.stop || (a.recordingId < b.recordingId ? -1 : 1);
}

function jobOf(
  request: PlanRequest,
  { tuners, priorities }: { readonly tuners: readonly TunerFacts[]; readonly priorities: readonly number[] },
): Job {
  const { service, event, window, runningOnTuner, previousTuner, avoid, lateMs } = request;
  const multiplex = multiplexKey(service);
  const receives = (tuner: TunerFacts) => canReceive(tuner, tripletKey(service));
  // If all other tuners failed the recording, a doubtful one is tried before them.
  const isLastHope = tuners.every(
    (tuner) => tuner.isDoubtful === true || !receives(tuner) || avoid.includes(tuner.id),
  );
  // Priority 0 still has a weight.
  const weight = request.priority + 1;
  return {
    event,
    window,
    multiplex,
    rank: priorities.indexOf(request.priority),
    forced: runningOnTuner !== undefined,
    held: request.isHeld === true,
    isLate: request.isLate,
    may: tuners.map((tuner) =>
      runningOnTuner === undefined ? receives(tuner) : tuner.id === runningOnTuner,
    ),
    gapMs: tuners.map(({ warmUpMs }) => Math.max(0, warmUpMs - lateMs)),
    avoid: tuners.map(({ id }) => avoid.lastIndexOf(id) + 1),
    weak: tuners.map(({ id }) => weight * (request.weak?.[id] ?? 0)),
    doubtful: tuners.map(
      ({ id, isDoubtful }) =>
        isDoubtful === true &&
        runningOnTuner === undefined &&
        !(avoid.length > 0 && isLastHope && !avoid.includes(id)),
    ),
    weight,
    atOnce: tuners.map((tuner) => tuner.servicesAtOnce(multiplex)),
    had: tuners.findIndex(({ id }) => id === previousTuner),
  };
}

function kindsOf(jobs: readonly Job[], tuners: readonly TunerFacts[]): readonly number[] {
  const seen: string[] = [];
  return tuners.map(({ warmUpMs }, at) => {
    const facts = jobs.map(
      ({ may, avoid, weak, doubtful, atOnce }) =>
        `${may[at] === true ? 1 : 0},${avoid[at]},${weak[at]},${doubtful[at]},${atOnce[at]}`,
    );
    const look = `${warmUpMs};${facts.join(";")}`;
    if (!seen.includes(look)) seen.push(look);
    return seen.indexOf(look);
  });
}
