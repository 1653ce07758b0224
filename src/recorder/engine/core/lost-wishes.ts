import type { PlanRequest } from "../../../model/plan.ts";
import { isTerminal, type Recording } from "../../../model/recording.ts";
import { hasYetToBegin } from "../../../model/repeat.ts";
import type { EpochMs } from "../../../model/time.ts";
import { padded } from "../../../model/window.ts";
import type { World } from "./draft.ts";
import { isToBeHealed, mayBeHealed } from "./healing.ts";

interface Known {
  /** Holds until then: the soonest of its repeats begins. */
  readonly until: EpochMs;
  readonly wishes: readonly PlanRequest[];
}

/** Recordings are values, and so are their wishes: the planner knows them again. */
const KNOWN = new WeakMap<Recording, Known>();

/** Of recordings that the guide knows repeats of: what has ended, not as it should have, and might be recorded at a repeat: nothing unless the recorder books by itself. */
export function lostWishes(
  recordings: readonly Recording[],
  { now, policy }: Pick<World, "now" | "policy">,
): readonly PlanRequest[] {
  if (policy.repeats !== "book") return [];
  return recordings.flatMap((recording) => {
    if (recording.repeats === undefined || !isTerminal(recording.state)) return [];
    const known = KNOWN.get(recording);
    if (known !== undefined && now < known.until) return known.wishes;
    const made = wishesOf(recording, now);
    KNOWN.set(recording, made);
    return made.wishes;
  });
}

function wishesOf(recording: Recording, now: EpochMs): Known {
  const { id: recordingId, service, event, window, priority, padding, healing } = recording;
  const repeats = (recording.repeats ?? [])
    .filter((repeat) => hasYetToBegin(repeat, now) && healing?.tried.includes(repeat.showId) !== true)
    .map((repeat) => ({ repeat, window: padded(repeat.event, padding) }));
  const until = Math.min(...repeats.map(({ repeat }) => repeat.event.start));
  const isWanted = isToBeHealed(recording) && mayBeHealed(recording) && repeats.length > 0;
  if (service === undefined || !isWanted) return { until: Number.POSITIVE_INFINITY, wishes: [] };
  const wish = {
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
  return { until, wishes: [wish] };
}
