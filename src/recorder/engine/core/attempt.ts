import type { Attempt } from "../../../model/attempt.ts";
import type { Recording } from "../../../model/recording.ts";
import type { TunerId } from "../../../model/tuner.ts";
import type { Draft } from "./draft.ts";
import { ENGINE_LIMITS } from "./limits.ts";

/** The next attempt of a recording. The caller stores it together with its other changes. */
export function nextAttempt({ now, world }: Draft, { attempts }: Recording, tunerId: TunerId): Attempt {
  return { number: attempts.length + 1, tunerId, startedAt: now, boot: world.clock.boot };
}

export function orderAttempt(draft: Draft, recording: Recording, { number, tunerId }: Attempt): void {
  const { id: recordingId, service, channelName, window } = recording;
  if (service === undefined) return;
  // The capture compares this instant with the clock of this machine.
  const endsBy = window.stop + ENGINE_LIMITS.captureOverrunMs - (draft.world.clock.othersAheadMs ?? 0);
  draft.order({ kind: "attempt", recordingId, attempt: number, tunerId, service, channelName, endsBy });
}
