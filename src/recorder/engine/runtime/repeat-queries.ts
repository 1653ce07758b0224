import { isHealing } from "../../../model/healing.ts";
import { isLost, isTerminal, plannedSpan, type Recording } from "../../../model/recording.ts";
import { isRecognisable } from "../../../model/repeat.ts";
import { tripletKey } from "../../../model/service.ts";
import { canReceive } from "../../../model/tuner.ts";
import type { RepeatQueries } from "../../sync/airings.ts";
import type { DaemonDocument } from "../core/document.ts";
import type { World } from "../core/draft.ts";
import { canBeHealed, needsHealing } from "../core/healing.ts";
import { serviceOf } from "../core/recording-order.ts";
import { RUNTIME_LIMITS } from "./limits.ts";

/** The recordings to search repeats for: those without a whole place in the plan, and lost ones. */
export function repeatQueries(
  { recordings, channels }: Pick<DaemonDocument, "recordings" | "channels">,
  { now, tuners, policy }: Pick<World, "now" | "tuners" | "policy">,
): RepeatQueries {
  const wants = Object.values(recordings)
    .filter((recording) => isWanted(recording, { now, policy }))
    .sort((a, b) => Math.abs(a.event.start - now) - Math.abs(b.event.start - now))
    .slice(0, RUNTIME_LIMITS.repeatsWanted)
    .flatMap(({ id, name, showId, programme, channelId, event }) => {
      const want = { recordingId: id, title: name, programme: programme ?? {}, showId, channelId, event };
      return isRecognisable(want) ? [want] : [];
    });
  if (wants.length === 0) return { wants, channelIds: [] };
  const received = Object.values(channels).filter((channel) => {
    const service = serviceOf(channel, tuners);
    return service !== undefined && tuners.some((tuner) => canReceive(tuner, tripletKey(service)));
  });
  return { wants, channelIds: received.map(({ id }) => id) };
}

function isWanted(recording: Recording, { now, policy }: Pick<World, "now" | "policy">): boolean {
  const { state, event, withdrawn, healing } = recording;
  if (withdrawn || (healing !== undefined && isHealing(healing))) return false;
  const isBooked = policy.repeats === "book";
  const isOver = isBooked ? needsHealing(recording) && canBeHealed(recording) : isLost(recording);
  if (isOver) return now < event.stop + RUNTIME_LIMITS.repeatsAfterMs;
  if (isTerminal(state)) return false;
  return state === "conflicted" || (state === "planned" && plannedSpan(recording).start > event.start);
}
