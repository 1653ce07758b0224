import { oncePerPair } from "../../model/once-per.ts";
import type { PlanRequest } from "../../model/plan.ts";
import { losers } from "./remedy.ts";
import type { Role, SolutionCache } from "./solution-cache.ts";
import {
  forLinks,
  type GroupSolution,
  type PlannerOptions,
  type PlanningTask,
  solveGroup,
  unplanned,
  within,
} from "./solve-group.ts";

/** A plan of a group, and whether it may still improve. */
export interface Answer {
  readonly answer: GroupSolution;
  /** Some recording that a tuner could receive is not whole. */
  readonly lacks: boolean;
  /** For the group by itself, no other planner finds more. */
  readonly isFinal: boolean;
  /** It was searched for in this turn. */
  readonly isNew: boolean;
}

/** The making of one plan, within the limits on new work. */
export interface Turn {
  answerFor(group: readonly PlanRequest[], as: Role): Answer;
  /** The known answer from before this turn; without one, all stay on their previous tuners. */
  asBefore(group: readonly PlanRequest[], as: Role): Answer;
  /** Prefers an answer to the one that was searched for. */
  keep(group: readonly PlanRequest[], answer: GroupSolution): void;
}

/** The answer cannot improve, and needs no remedy. */
export function isSettled({ answer: { proof }, lacks }: Answer): boolean {
  return !lacks && (proof.proven === "all" || proof.proven === "padding");
}

const lacksSome = oncePerPair(({ placements }: GroupSolution, group: readonly PlanRequest[]) =>
  losers(group, placements).some(({ isHeld }) => isHeld !== true),
);

export function createTurn({
  cache,
  options,
  tuners,
  freshMost,
}: {
  readonly cache: SolutionCache;
  readonly options: PlannerOptions;
  readonly tuners: PlanningTask["tuners"];
  readonly freshMost: number;
}): Turn {
  let left = options.looksMost;
  let fresh = 0;
  const searched = new Set<readonly PlanRequest[]>();

  function search(task: PlanningTask, as: Role): GroupSolution {
    const { group } = task;
    fresh += group.length;
    searched.add(group);
    const looksMost = group.length === 1 ? options.budget.looks : left;
    const { answer, looks } = solveGroup(
      task,
      within(as === "link" ? forLinks(options) : options, looksMost),
    );
    left -= looks;
    cache.store(task, answer);
    return answer;
  }

  function judged(task: PlanningTask, answer: GroupSolution, isLearned: boolean): Answer {
    const found = {
      answer,
      lacks: lacksSome(answer, task.group),
      isFinal: false,
      isNew: searched.has(task.group),
    };
    const isFinal = !options.hasHelper || isLearned || isSettled(found);
    if (isFinal) cache.finished.set(task.group, { tuners, answer, lacks: found.lacks });
    return { ...found, isFinal };
  }

  function finished(group: readonly PlanRequest[]): Answer | undefined {
    const done = cache.finished.get(group);
    if (done?.tuners !== tuners) return undefined;
    return { answer: done.answer, lacks: done.lacks, isFinal: true, isNew: searched.has(group) };
  }

  return {
    answerFor: (group, as) => {
      const done = finished(group);
      if (done !== undefined) return done;
      const later = { answer: unplanned(group), lacks: true, isFinal: false, isNew: false };
      if (fresh >= freshMost && !cache.knowsAll(group)) return later;
      const task = { group, tuners };
      const learned = cache.learned(task, as);
      const known = learned?.answer ?? cache.solution(task);
      if (known === undefined && fresh >= freshMost) return later;
      return judged(task, known ?? search(task, as), learned !== undefined);
    },
    asBefore: (group, as) => {
      const task = { group, tuners };
      if (!searched.has(group)) {
        const done = finished(group);
        if (done !== undefined) return done;
        const learned = cache.learned(task, as);
        const known = learned?.answer ?? cache.solution(task);
        if (known !== undefined) return judged(task, known, learned !== undefined);
      }
      const { answer } = solveGroup(task, within(as === "link" ? forLinks(options) : options, 0));
      return { answer, lacks: true, isFinal: false, isNew: true };
    },
    keep: (group, answer) => {
      const task = { group, tuners };
      if (cache.solution(task) === answer || cache.finished.get(group)?.answer === answer) return;
      cache.finished.delete(group);
      cache.store(task, answer);
    },
  };
}
