import { isLost, isTerminal, type Recording } from "../../../model/recording.ts";
import type { ProgrammeWant } from "../../sync/programmes.ts";
import type { DaemonDocument } from "../core/document.ts";
import type { World } from "../core/draft.ts";
import { RUNTIME_LIMITS } from "./limits.ts";

/**
 * Shows of planned, running and recently stored recordings (a day at most), and of lost ones whose repeat would be
 * booked.
 */
export function programmeWants(
  { recordings }: Pick<DaemonDocument, "recordings">,
  world: Pick<World, "now" | "policy">,
): readonly ProgrammeWant[] {
  return Object.values(recordings).flatMap((recording) => {
    const { id, showId, channelId, event } = recording;
    if (showId === undefined || !isOfUse(recording, world)) return [];
    return [{ key: `${id} ${showId}`, showId, channelId, start: event.start }];
  });
}

function isOfUse(recording: Recording, { now, policy }: Pick<World, "now" | "policy">): boolean {
  const { state, withdrawn, event, evidence } = recording;
  if (!isTerminal(state)) return !withdrawn;
  const isWanted = evidence?.file !== undefined || (policy.repeats === "book" && isLost(recording));
  return isWanted && now < event.stop + RUNTIME_LIMITS.programmeAfterMs;
}
