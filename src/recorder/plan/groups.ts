import type { PlanRequest } from "../../model/plan.ts";
import type { DurationMs, EpochMs } from "../../model/time.ts";
import { type TunerFacts, warmUpMost } from "../../model/tuner.ts";

export interface Groups {
  /** Plan requests whose windows, tuning time included, overlap directly or through others. Different groups never compete. */
  readonly groups: readonly (readonly PlanRequest[])[];
  /** Recordings on tuners that are no longer configured; they compete with nobody. */
  readonly apart: readonly PlanRequest[];
  readonly lost: readonly PlanRequest[];
  readonly hasRepeats: boolean;
  readonly warmUpMs: DurationMs;
}

interface Group {
  readonly requests: readonly PlanRequest[];
  readonly latestStart: EpochMs;
  /** The end of the last window. */
  readonly reach: EpochMs;
  readonly hasRepeats: boolean;
}

/**
 * Groups by their first plan request. Most of thousands of requests are unchanged since the previous plan, so they are not
 * examined one by one.
 */
const CACHE = new WeakMap<PlanRequest, Group & { readonly tuners: readonly TunerFacts[] }>();

/** Groups the plan requests. An unchanged group is the same array. Any order works; order of windows is fastest. */
export function groupsOf(requests: readonly PlanRequest[], tuners: readonly TunerFacts[]): Groups {
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
    const group = { requests: making, latestStart: last.window.start, reach, hasRepeats, tuners };
    CACHE.set(first, group);
    groups.push(group);
    making = [];
  };
  for (let at = 0; at < requests.length; at += 1) {
    const request = requests[at] as PlanRequest;
    const { window, isLost = false, runningOnTuner } = request;
    if (isLost) {
      lost.push(request);
      continue;
    }
    if (window.start < latestStart) return groupsOf(inOrder(requests), tuners);
    latestStart = window.start;
    if (runningOnTuner !== undefined && !configured.has(runningOnTuner)) {
      apart.push(request);
      continue;
    }
    if (window.start - warmUpMs >= reach) {
      close();
      const known = cachedAt(at, requests, { tuners, warmUpMs });
      if (known !== undefined) {
        groups.push(known);
        ({ latestStart, reach } = known);
        at += known.requests.length - 1;
        continue;
      }
    }
    making.push(request);
    reach = Math.max(reach, window.stop);
  }
  close();
  return {
    groups: groups.map((group) => group.requests),
    apart,
    lost,
    hasRepeats: lost.some(isRepeated) || groups.some((group) => group.hasRepeats),
    warmUpMs,
  };
}

/** The cached group that began with this request, if it is complete and nothing joins it. */
function cachedAt(
  at: number,
  requests: readonly PlanRequest[],
  { tuners, warmUpMs }: { readonly tuners: readonly TunerFacts[]; readonly warmUpMs: DurationMs },
): Group | undefined {
  const first = requests[at];
  const known = first && CACHE.get(first);
  if (known?.tuners !== tuners) return undefined;
  if (!known.requests.every((request, index) => request === requests[at + index])) return undefined;
  const next = requests[at + known.requests.length];
  const isAlone = next === undefined || (next.isLost !== true && next.window.start - warmUpMs >= known.reach);
  return isAlone ? known : undefined;
}

function inOrder(requests: readonly PlanRequest[]): readonly PlanRequest[] {
  return requests.toSorted((a, b) => a.window.start - b.window.start);
}

function isRepeated({ repeats }: PlanRequest): boolean {
  return repeats !== undefined;
}
