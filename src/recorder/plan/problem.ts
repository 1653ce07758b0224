import type { PlanRequest } from "../../model/plan.ts";
import { multiplexKey, tripletKey } from "../../model/service.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import { canReceive, type TunerFacts } from "../../model/tuner.ts";

/** One recording of a group, in numbers. */
export interface Job {
  readonly event: Span;
  readonly window: Span;
  readonly multiplex: string;
  /** Place of its priority among those of the group; 0 is the highest. */
  readonly rank: number;
  readonly forced: boolean;
  readonly isLate: boolean;
  /** Per tuner. */
  readonly may: readonly boolean[];
  /** Per tuner: how long it must be free before the event begins, beyond what may be missing. */
  readonly gapMs: readonly DurationMs[];
  /** Per tuner: how much it speaks against it that it failed. */
  readonly avoid: readonly number[];
  /** Per tuner: how much weak reception speaks against it. */
  readonly weak: readonly number[];
  /** Per tuner: it is not counted on. What runs already is. */
  readonly doubtful: readonly boolean[];
  /** What a millisecond on a tuner that is not counted on is worth. */
  readonly weight: number;
  /** Per tuner: how many recordings of the multiplex it takes at once. */
  readonly atOnce: readonly number[];
  readonly had: number;
}

interface Span {
  readonly start: EpochMs;
  readonly stop: EpochMs;
}

/** Recordings that compete, the last end first: the order in which they are placed. */
export interface Problem {
  readonly wishes: readonly PlanRequest[];
  readonly jobs: readonly Job[];
  readonly tuners: readonly TunerFacts[];
  /** Distinct priorities, the highest first. */
  readonly priorities: readonly number[];
  /** Per tuner: tuners of one kind are alike to all the recordings, but for their names. */
  readonly kinds: readonly number[];
}

export function problemOf(group: readonly PlanRequest[], tuners: readonly TunerFacts[]): Problem {
  const wishes = [...group].sort(byEnd);
  const priorities = [...new Set(wishes.map(({ priority }) => priority))].sort((a, b) => b - a);
  const all = wishes.map((wish) => jobOf(wish, { tuners, priorities }));
  const forced = all.filter((job) => job.forced);
  const jobs = forced.length === 0 ? all : all.map((job) => withoutTaken(job, forced));
  return { wishes, jobs, tuners, priorities, kinds: kindsOf(jobs, tuners) };
}

/** Not on a tuner that something runs on until nothing is left of it: a search that cannot look at all would find out too late. */
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
  wish: PlanRequest,
  { tuners, priorities }: { readonly tuners: readonly TunerFacts[]; readonly priorities: readonly number[] },
): Job {
  const { service, event, window, runningOnTuner, had, avoid, lateMs } = wish;
  const multiplex = multiplexKey(service);
  const receives = (tuner: TunerFacts) => canReceive(tuner, tripletKey(service));
  // Where all the others failed it, one that is not counted on is tried before they are again.
  const isLastHope = tuners.every(
    (tuner) => tuner.isDoubtful === true || !receives(tuner) || avoid.includes(tuner.id),
  );
  // No importance is nothing.
  const weight = wish.priority + 1;
  return {
    event,
    window,
    multiplex,
    rank: priorities.indexOf(wish.priority),
    forced: runningOnTuner !== undefined,
    isLate: wish.isLate,
    may: tuners.map((tuner) =>
      runningOnTuner === undefined ? receives(tuner) : tuner.id === runningOnTuner,
    ),
    gapMs: tuners.map(({ warmUpMs }) => Math.max(0, warmUpMs - lateMs)),
    avoid: tuners.map(({ id }) => avoid.lastIndexOf(id) + 1),
    weak: tuners.map(({ id }) => weight * (wish.weak?.[id] ?? 0)),
    doubtful: tuners.map(
      ({ id, isDoubtful }) =>
        isDoubtful === true &&
        runningOnTuner === undefined &&
        !(avoid.length > 0 && isLastHope && !avoid.includes(id)),
    ),
    weight,
    atOnce: tuners.map((tuner) => tuner.servicesAtOnce(multiplex)),
    had: tuners.findIndex(({ id }) => id === had),
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
