import { LIMITS } from "../model/limits.ts";
import { isTerminal, type Recording } from "../model/recording.ts";
import type { EpochMs } from "../model/time.ts";
import type { ProgrammeWant } from "../sync/programmes.ts";
import type { DaemonDocument } from "./document.ts";

/** Shows of what is to be recorded, is recorded, or lies on disk since a day at most. */
export function programmeWants(
  { recordings }: Pick<DaemonDocument, "recordings">,
  now: EpochMs,
): readonly ProgrammeWant[] {
  return Object.values(recordings).flatMap((recording) => {
    const { id, showId, channelId, event } = recording;
    if (showId === undefined || !isOfUse(recording, now)) return [];
    return [{ key: `${id} ${showId}`, showId, channelId, start: event.start }];
  });
}

function isOfUse({ state, withdrawn, event, evidence }: Recording, now: EpochMs): boolean {
  if (!isTerminal(state)) return !withdrawn;
  return evidence?.file !== undefined && now < event.stop + LIMITS.programmeAfterMs;
}
