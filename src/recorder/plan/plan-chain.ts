import type { PlanRequest, Worth } from "../../model/plan.ts";
import type { DurationMs } from "../../model/time.ts";
import { answerInChain } from "./chain-proof.ts";
import { linksOf } from "./links.ts";
import type { PlannedLink } from "./make-parts.ts";
import type { Optimizer } from "./optimizer.ts";
import { planLinks } from "./plan-links.ts";
import { compareWorth, sumOfWorths } from "./plan-value.ts";
import { type Answer, isSettled, type Turn } from "./planning-turn.ts";
import { chainKeysOf, type SolutionCache } from "./solution-cache.ts";
import { solveChain } from "./solve-chain.ts";
import {
  asProvisional,
  type ChainLink,
  type GroupSolution,
  type PlannerOptions,
  type PlanningTask,
  unplanned,
} from "./solve-group.ts";

/** The means of planning a chain. */
export interface ChainWork {
  readonly tuners: PlanningTask["tuners"];
  readonly warmUpMs: DurationMs;
  readonly options: PlannerOptions;
  readonly cache: SolutionCache;
  readonly turn: Turn;
}

export interface PlannedChain {
  readonly links: readonly PlannedLink[];
  /** The task of another planner, if it may find more. */
  readonly open?: PlanningTask;
}

/** The answer for each link that is planned so far, the earliest first. */
type Walk = readonly (ChainLink & Answer)[];

export function planChain(group: readonly PlanRequest[], work: ChainWork): PlannedChain {
  const { tuners, options, cache, turn } = work;
  const requests = linksOf(group, options.linkSize);
  const first = walkOf(requests, work, turn.answerFor);
  const isComplete = first.length === requests.length && first.at(-1)?.answer.placements.length !== 0;
  const walk = isComplete ? notWorse(first, work) : first;
  const { hasHelper, optimize } = options;
  if (!hasHelper && optimize !== undefined) return { links: solvedAtOnce(walk, { tuners, optimize }) };
  const isFinal =
    isComplete && (!hasHelper || walk.every(isSettled) || cache.isThoughtThrough(chainKeysOf(walk, tuners)));
  const links = requests.map((link, at): PlannedLink => {
    const { answer = unplanned(link), isFinal: isExpected = false, lacks = true } = walk[at] ?? {};
    // The proof of a whole chain holds only as long as all its links are the same.
    const own = isFinal && answer.isOfChain === true ? answer : answerAlone(answer, link);
    return { requests: link, answer: isFinal || (isExpected && !lacks) ? own : asProvisional(own) };
  });
  return isComplete && !isFinal ? { links, open: { group, tuners, links: walk } } : { links };
}

function walkOf(
  requests: readonly (readonly PlanRequest[])[],
  { warmUpMs }: Pick<ChainWork, "warmUpMs">,
  answerFor: Turn["answerFor"],
): Walk {
  const walk: (ChainLink & Answer)[] = [];
  planLinks(requests, {
    warmUpMs,
    unplanned,
    answerFor: (task, link) => {
      const found = answerFor(task, "link");
      walk.push({ requests: link, task, ...found });
      return found.answer;
    },
  });
  return walk;
}

/** The best plan of a link may cost a later one more: then all recordings stay on their previous tuners. */
function notWorse(walk: Walk, work: ChainWork): Walk {
  const { turn } = work;
  if (!walk.some(({ isNew }) => isNew)) return walk;
  const stays = walkOf(
    walk.map(({ requests }) => requests),
    work,
    turn.asBefore,
  );
  if (compareWorth(worthOfAll(stays), worthOfAll(walk)) <= 0) return walk;
  for (const { task, answer } of stays) turn.keep(task, answer);
  return stays;
}

function worthOfAll(walk: Walk): Worth {
  return sumOfWorths(walk.map(({ answer }) => answer.proof.worth));
}

function solvedAtOnce(
  walk: Walk,
  options: { readonly tuners: PlanningTask["tuners"]; readonly optimize: Optimizer },
): readonly PlannedLink[] {
  const answers = solveChain(walk, options);
  return walk.map(({ requests, answer }, at) => ({ requests, answer: answers[at] ?? answer }));
}

/** Cached, so that each plan contains the same object. */
function answerAlone(answer: GroupSolution, requests: readonly PlanRequest[]): GroupSolution {
  const known = ALONE.get(answer);
  if (known?.requests === requests) return known.answer;
  const made = answerInChain(answer, { requests, isProven: false });
  ALONE.set(answer, { requests, answer: made });
  return made;
}

const ALONE = new WeakMap<GroupSolution, PlannedLink>();
