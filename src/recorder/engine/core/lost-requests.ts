import type { PlanRequest } from "../../../model/plan.ts";
import { isTerminal, type Recording } from "../../../model/recording.ts";
import { hasYetToBegin } from "../../../model/repeat.ts";
import type { EpochMs } from "../../../model/time.ts";
import { padded } from "../../../model/window.ts";
import type { World } from "./draft.ts";
import { canBeHealed, needsHealing } from "./healing.ts";

interface CachedRequests {
  /** The cache holds until the first repeat begins. */
  readonly until: EpochMs;
  readonly requests: readonly PlanRequest[];
}

/** Recordings are values. The same request object lets the planner reuse its plan. */
const REQUEST_CACHE = new WeakMap<Recording, CachedRequests>();

/** The requests of failed recordings for one of their repeats; none unless the recorder books repeats itself. */
export function lostRequests(
  recordings: readonly Recording[],
  { now, policy }: Pick<World, "now" | "policy">,
): readonly PlanRequest[] {
  if (policy.repeats !== "book") return [];
  return recordings.flatMap((recording) => {
    if (recording.repeats === undefined || !isTerminal(recording.state)) return [];
    const known = REQUEST_CACHE.get(recording);
    if (known !== undefined && now < known.until) return known.requests;
    const made = buildLostRequests(recording, now);
    REQUEST_CACHE.set(recording, made);
    return made.requests;
  });
}

function buildLostRequests(recording: Recording, now: EpochMs): CachedRequests {
  const { id: recordingId, service, event, window, priority, padding, healing } = recording;
  const repeats = (recording.repeats ?? [])
    .filter((repeat) => hasYetToBegin(repeat, now) && healing?.tried.includes(repeat.showId) !== true)
    .map((repeat) => ({ repeat, window: padded(repeat.event, padding) }));
  const until = Math.min(...repeats.map(({ repeat }) => repeat.event.start));
  const isWanted = needsHealing(recording) && canBeHealed(recording) && repeats.length > 0;
  if (service === undefined || !isWanted) return { until: Number.POSITIVE_INFINITY, requests: [] };
  const request = {
    recordingId,
    service,
    event,
    window,
    priority,
    isLate: false,
    lateMs: 0,
    avoid: [],
    isLost: true,
    repeats,
  } as const;
  return { until, requests: [request] };
}
