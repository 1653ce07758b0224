import type { Attempt } from "../../../model/attempt.ts";
import { LIMITS } from "../../../model/limits.ts";
import type { Recording } from "../../../model/recording.ts";
import type { TunerId } from "../../../model/tuner.ts";
import type { Draft } from "./draft.ts";

/** The next attempt of a recording, to be put into it along with whatever else changes. */
export function nextAttempt({ now, world }: Draft, { attempts }: Recording, tunerId: TunerId): Attempt {
  return { number: attempts.length + 1, tunerId, startedAt: now, boot: world.clock.boot };
}

export function orderAttempt(draft: Draft, recording: Recording, { number, tunerId }: Attempt): void {
  const { id: recordingId, service, channelName, window } = recording;
  if (service === undefined) return;
  // By the clock of this machine, as whatever runs the capture will look at it.
  const endsBy = window.stop + LIMITS.captureOverrunMs - (draft.world.clock.othersAheadMs ?? 0);
  draft.order({ kind: "attempt", recordingId, attempt: number, tunerId, service, channelName, endsBy });
}
