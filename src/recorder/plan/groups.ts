import type { PlanRequest } from "../../model/plan.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import { type TunerFacts, warmUpMost } from "../../model/tuner.ts";

export interface Groups {
  /** Wishes whose windows, with the time to tune, meet directly or through others. What is in two groups never competes. */
  readonly groups: readonly (readonly PlanRequest[])[];
  /** What runs on a tuner that is configured no more is in nobody's way. */
  readonly apart: readonly PlanRequest[];
  readonly lost: readonly PlanRequest[];
  readonly hasRepeats: boolean;
  readonly warmUpMs: DurationMs;
}

interface Group {
  readonly wishes: readonly PlanRequest[];
  readonly latestStart: EpochMs;
  /** The end of all its windows. */
  readonly reach: EpochMs;
  readonly hasRepeats: boolean;
}

/** By the first wish of each: of thousands of wishes most are as they were in the plan before, and are not looked at one by one. */
const KNOWN = new WeakMap<PlanRequest, Group & { readonly tuners: readonly TunerFacts[] }>();

/** A group that is as it was is the very same array. Wishes may come in any order; in that of their windows they cost least. */
export function groupsOf(wishes: readonly PlanRequest[], tuners: readonly TunerFacts[]): Groups {
  const warmUpMs = warmUpMost(tuners);
  const configured = new Set(tuners.map(({ id }) => id));
  const groups: Group[] = [];
  const apart: PlanRequest[] = [];
  const lost: PlanRequest[] = [];
  let making: PlanRequest[] = [];
  let latestStart = Number.NEGATIVE_INFINITY;
  let reach = Number.NEGATIVE_INFINITY;
  const close = () => {
    const [first, last] = [making[0], making.at(-1)];
    if (first === undefined || last === undefined) return;
    const hasRepeats = making.some(isRepeated);
    const group = { wishes: making, latestStart: last.window.start, reach, hasRepeats, tuners };
    KNOWN.set(first, group);
    groups.push(group);
    making = [];
  };
  for (let at = 0; at < wishes.length; at += 1) {
    const wish = wishes[at] as PlanRequest;
    const { window, isLost = false, runningOnTuner } = wish;
    if (isLost) {
      lost.push(wish);
      continue;
    }
    if (window.start < latestStart) return groupsOf(inOrder(wishes), tuners);
    latestStart = window.start;
    if (runningOnTuner !== undefined && !configured.has(runningOnTuner)) {
      apart.push(wish);
      continue;
    }
    if (window.start - warmUpMs >= reach) {
      close();
      const known = knownAt(at, wishes, { tuners, warmUpMs });
      if (known !== undefined) {
        groups.push(known);
        ({ latestStart, reach } = known);
        at += known.wishes.length - 1;
        continue;
      }
    }
    making.push(wish);
    reach = Math.max(reach, window.stop);
  }
  close();
  return {
    groups: groups.map((group) => group.wishes),
    apart,
    lost,
    hasRepeats: lost.some(isRepeated) || groups.some((group) => group.hasRepeats),
    warmUpMs,
  };
}

/** The group that began with this wish, where all of it is there and nothing joins it. */
function knownAt(
  at: number,
  wishes: readonly PlanRequest[],
  { tuners, warmUpMs }: { readonly tuners: readonly TunerFacts[]; readonly warmUpMs: DurationMs },
): Group | undefined {
  const first = wishes[at];
  const known = first && KNOWN.get(first);
  if (known?.tuners !== tuners) return undefined;
  if (!known.wishes.every((wish, index) => wish === wishes[at + index])) return undefined;
  const next = wishes[at + known.wishes.length];
  const isAlone = next === undefined || (next.isLost !== true && next.window.start - warmUpMs >= known.reach);
  return isAlone ? known : undefined;
}

function inOrder(wishes: readonly PlanRequest[]): readonly PlanRequest[] {
  return wishes.toSorted((a, b) => a.window.start - b.window.start);
}

function isRepeated({ repeats }: PlanRequest): boolean {
  return repeats !== undefined;
}
