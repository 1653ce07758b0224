import type { Log } from "../../kit/log.ts";
import { askThread, type ThreadEnd } from "../../kit/process/thread.ts";
import { type Clock, yieldToLoop } from "../../kit/time/clock.ts";
import { WakeSignal } from "../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Plan, PlanRequest } from "../../model/plan.ts";
import type { TunerFacts } from "../../model/tuner.ts";
import { withParts } from "../plan/parts.ts";
import { createPlanner, type Planner } from "../plan/planner.ts";
import { toMessage } from "../plan/planning-message.ts";
import { ON_LOOP } from "../plan/solve-group.ts";
import { THREADS_LIMITS } from "./limits.ts";
import type { PlanningAnswer, PlanningQuestion } from "./planning-thread.ts";

export interface PlanningPart {
  readonly planner: Planner;
  /**
   * Improves provisional plans beside the loop until the signal is aborted; `requestReplan` makes the engine plan
   * again.
   */
  run(signal: AbortSignal, requestReplan: () => Promise<void>): Promise<void>;
  /**
   * Plans from scratch, beside the loop.
   *
   * @throws RecorderdError PLANNING_FAILED
   */
  plans(problems: readonly Problem[], signal: AbortSignal): Promise<readonly Plan[]>;
}

interface Problem {
  readonly requests: readonly PlanRequest[];
  readonly tuners: readonly TunerFacts[];
}

/** Groups per thread: later ones may have changed by then. */
const TOGETHER = 50;
/** Answers per replan: with one replan for each easy group, the loop would have time for little else. */
const AT_ONCE = 10;

/** The daemon's planner and the threads that help it. */
export function createPlanning({
  threadFile,
  clock,
  log,
}: {
  /** `planning-thread`, compiled. */
  readonly threadFile: URL;
  readonly clock: Clock;
  readonly log: Log;
}): PlanningPart {
  const planned = new WakeSignal();
  const inner = createPlanner(ON_LOOP);
  const planner: Planner = {
    ...inner,
    plan: (requests, tuners) => {
      const plan = inner.plan(requests, tuners);
      if (inner.pendingGroups().length > 0) planned.signal();
      return plan;
    },
  };

  function ask<K extends PlanningQuestion["kind"]>(
    question: PlanningQuestion & { readonly kind: K },
    onAnswer: (answer: PlanningAnswer<K>) => void,
    signal: AbortSignal,
  ): Promise<ThreadEnd> {
    const { planningMs: patienceMs, planningMiB: memoryMiB } = THREADS_LIMITS;
    return askThread({ file: threadFile, question, onAnswer, patienceMs, memoryMiB, clock }, signal);
  }

  async function think(signal: AbortSignal, requestReplan: () => Promise<void>): Promise<void> {
    const tasks = inner.pendingGroups().slice(0, TOGETHER);
    const parcels = tasks.map(({ group, tuners, links }) => toMessage(group, tuners, links));
    let answered = 0;
    const end = await ask(
      { kind: "groups", parcels },
      (answer) => {
        const task = tasks[answered];
        answered += 1;
        if (task === undefined) return;
        inner.learn(task, answer);
        if (answered % AT_ONCE === 0) void requestReplan();
      },
      signal,
    );
    if (signal.aborted) return;
    const stuck = tasks[answered];
    if (stuck !== undefined) {
      // Its provisional plan has to do; the other groups are sent again.
      inner.learn(stuck, undefined);
      const text = end.kind === "failed" ? end.text : "its answer was incomplete";
      log.warn("a plan could not be improved on the planning thread", {
        recordings: stuck.group.length,
        text,
      });
    }
    await requestReplan();
  }

  return {
    planner,
    run: async (signal, requestReplan) => {
      while (!signal.aborted) {
        if (inner.pendingGroups().length === 0)
          await planned.waitFor(THREADS_LIMITS.planningLookMs, { clock, signal });
        // Starting a thread takes a while, and planning has kept others waiting.
        await yieldToLoop();
        if (!signal.aborted && inner.pendingGroups().length > 0) await think(signal, requestReplan);
      }
    },
    plans: async (problems, signal) => {
      const parcels = problems.map(({ requests, tuners }) => toMessage(requests, tuners));
      const plans: Plan[] = [];
      const end = await ask(
        { kind: "plans", parcels },
        (plan) => {
          plans.push(withParts(problems[plans.length]?.requests ?? [], plan));
        },
        signal,
      );
      if (plans.length === problems.length) return plans;
      const text = end.kind === "failed" ? end.text : "its answer was incomplete";
      throw new RecorderdError("PLANNING_FAILED", `Planning the change failed: ${text}.`);
    },
  };
}
