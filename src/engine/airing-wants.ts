import { LIMITS } from "../model/limits.ts";
import { isLost, isTerminal, plannedSpan, type Recording } from "../model/recording.ts";
import { isRecognisable } from "../model/repeat.ts";
import { tripletKey } from "../model/service.ts";
import type { EpochMs } from "../model/time.ts";
import { canReceive, type TunerFacts } from "../model/tuner.ts";
import type { AiringWants } from "../sync/airings.ts";
import type { DaemonDocument } from "./document.ts";
import { serviceOf } from "./timers.ts";

/** Of which recordings repeats are wanted: those that the plan has no whole place for, and those that were lost. */
export function airingWants(
  { recordings, channels }: Pick<DaemonDocument, "recordings" | "channels">,
  { now, tuners }: { readonly now: EpochMs; readonly tuners: readonly TunerFacts[] },
): AiringWants {
  const wants = Object.values(recordings)
    .filter((recording) => isWanted(recording, now))
    .sort((a, b) => Math.abs(a.event.start - now) - Math.abs(b.event.start - now))
    .slice(0, LIMITS.repeatsWanted)
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

function isWanted(recording: Recording, now: EpochMs): boolean {
  const { state, event, withdrawn } = recording;
  if (withdrawn) return false;
  if (isLost(recording)) return now < event.stop + LIMITS.repeatsAfterMs;
  if (isTerminal(state)) return false;
  return state === "conflicted" || (state === "planned" && plannedSpan(recording).start > event.start);
}
