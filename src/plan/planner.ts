import type { Plan, Remedy, Wish } from "../model/plan.ts";
import { multiplexKey, tripletKey } from "../model/service.ts";
import { canReceive, type TunerFacts } from "../model/tuner.ts";
import { groupsOf } from "./groups.ts";
import { losers, remediesFor } from "./remedy.ts";
import type { Budget } from "./search.ts";
import { type Solution, solve } from "./solve.ts";

/** A group that competes, and the tuners that it competes for. */
export interface Task {
  readonly key: string;
  readonly group: readonly Wish[];
  readonly tuners: readonly TunerFacts[];
}

export interface Answer extends Solution {
  readonly remedies: readonly Remedy[];
}

/** Plans, and remembers what it planned: a group that is as it was costs no search. */
export interface Planner {
  plan(wishes: readonly Wish[], tuners: readonly TunerFacts[]): Plan;
  /** The groups of the latest plan for which nothing is proven within the budget. */
  open(): readonly Task[];
  /** Takes over a better answer for a group. */
  learn(task: Task, answer: Answer): void;
}

export interface PlannerOptions {
  readonly budget: Budget;
  /** Larger groups are not searched for remedies. */
  readonly remediesUpTo: number;
  /** Groups that are remembered beyond those of the latest plan. */
  readonly remembered: number;
}

/** Within the loop of the daemon. Counted in partial plans: some tens of milliseconds at most for a group. */
const INLINE: PlannerOptions = {
  budget: { width: 64, looks: 2000 },
  remediesUpTo: 12,
  remembered: 1000,
};

/** Beside the loop. */
export const WIDE: PlannerOptions = {
  budget: { width: 6000, looks: 600_000 },
  remediesUpTo: 30,
  remembered: 1000,
};

export function createPlanner(options: PlannerOptions = INLINE): Planner {
  const known = new Map<string, Answer>();
  let open: readonly Task[] = [];
  let latest:
    | { readonly wishes: readonly Wish[]; readonly tuners: readonly TunerFacts[]; readonly plan: Plan }
    | undefined;

  function remember(key: string, answer: Answer): void {
    known.delete(key);
    known.set(key, answer);
  }

  function learn(task: Task, answer: Answer): void {
    latest = undefined;
    remember(task.key, answer);
    // Planned again with this plan as the one before, it is the best one still.
    remember(keyOf(after(task.group, answer), task.tuners), answer);
  }

  /** Wishes are values: the very same ones, as with each heartbeat, are planned already. */
  function plan(wishes: readonly Wish[], tuners: readonly TunerFacts[]): Plan {
    const isSame =
      latest?.tuners === tuners &&
      latest.wishes.length === wishes.length &&
      latest.wishes.every((wish, index) => wish === wishes[index]);
    if (latest !== undefined && isSame) return latest.plan;
    const made = planAnew(wishes, tuners);
    latest = { wishes, tuners, plan: made };
    return made;
  }

  function planAnew(wishes: readonly Wish[], tuners: readonly TunerFacts[]): Plan {
    const configured = new Set(tuners.map(({ id }) => id));
    // What runs on a tuner that is configured no more is in nobody's way.
    const [apart, planned] = split(wishes, ({ holds }) => holds !== undefined && !configured.has(holds));
    const groups = groupsOf(planned, Math.max(0, ...tuners.map(({ warmUpMs }) => warmUpMs)));
    const unproven: Task[] = [];
    const answers = groups.map((group) => {
      const task = { key: keyOf(group, tuners), group, tuners };
      const before = known.get(task.key);
      const answer = before ?? answerOf(task, options);
      if (before === undefined) learn(task, answer);
      else remember(task.key, answer);
      if (answer.proof.proven === "none") unproven.push(task);
      return answer;
    });
    open = unproven;
    for (const key of known.keys()) {
      if (known.size <= options.remembered + 2 * groups.length) break;
      known.delete(key);
    }
    return {
      placements: [
        ...answers.flatMap(({ placements }) => placements),
        ...apart.map(({ recordingId, holds = "", window, event }) => {
          const { start: begin } = event;
          return { kind: "placed" as const, recordingId, tunerId: holds, span: window, begin, seamMs: 0 };
        }),
      ],
      remedies: answers.flatMap(({ remedies }) => remedies),
      groups: answers.map(({ proof }) => proof),
    };
  }

  return { plan, open: () => open, learn };
}

/** Searches one group, without memory. */
function answerOf({ group, tuners }: Task, { budget, remediesUpTo }: PlannerOptions): Answer {
  const solution = solve(group, tuners, budget);
  const { placements } = solution;
  const again = (wishes: readonly Wish[], with_: readonly TunerFacts[]) =>
    solve(wishes, with_, budget).placements;
  const remedies =
    group.length > remediesUpTo
      ? []
      : losers(group, placements).flatMap((wish) =>
          remediesFor(wish, { wishes: group, tuners, placements, solve: again }),
        );
  return { ...solution, remedies };
}

function split<T>(all: readonly T[], test: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(test), all.filter((one) => !test(one))];
}

function after(group: readonly Wish[], { placements }: Solution): readonly Wish[] {
  const tunerOf = new Map(
    placements.map((one) => [one.recordingId, one.kind === "placed" ? one.tunerId : undefined]),
  );
  return group.map(({ had: _before, ...wish }) => {
    const had = wish.holds === undefined ? tunerOf.get(wish.recordingId) : undefined;
    return had === undefined ? wish : { ...wish, had };
  });
}

/** All that the answer depends on. */
function keyOf(group: readonly Wish[], tuners: readonly TunerFacts[]): string {
  const wishes = group.map(textOf).sort();
  const multiplexes = [...new Set(group.map(({ service }) => multiplexKey(service)))].sort();
  const services = [...new Set(group.map(({ service }) => tripletKey(service)))].sort();
  const facts = tuners.map((tuner) => {
    const { id, warmUpMs, servicesAtOnce, isDoubtful = "" } = tuner;
    const received =
      tuner.services === "any" ? "any" : services.map((one) => (canReceive(tuner, one) ? 1 : 0)).join("");
    return `${id} ${warmUpMs} ${isDoubtful} ${received} ${multiplexes.map(servicesAtOnce).join()}`;
  });
  return `${facts.join(";")}|${wishes.join(";")}`;
}

/** A wish stays the same object as long as nothing changes about it. */
const TEXTS = new WeakMap<Wish, string>();

function textOf(wish: Wish): string {
  const known = TEXTS.get(wish);
  if (known !== undefined) return known;
  const { recordingId, service, event, window, priority, isLate, lateMs, holds, had, avoid } = wish;
  const times = [event.start, event.stop, window.start, window.stop, lateMs].join(" ");
  const weak = Object.entries(wish.weak ?? {}).join(" ");
  const text = `${recordingId} ${tripletKey(service)} ${times} ${priority} ${isLate} ${holds ?? ""} ${had ?? ""} ${avoid.join()} ${weak}`;
  TEXTS.set(wish, text);
  return text;
}
