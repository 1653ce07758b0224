import { attemptId, isAttemptRunning } from "../../../model/attempt.ts";
import { isOpen } from "../../../model/recording.ts";
import { multiplexKey } from "../../../model/service.ts";
import { endAttempt } from "./attempt.ts";
import type { Draft } from "./draft.ts";
import { usesOf } from "./leases.ts";
import type { Occurrence } from "./occurrence.ts";
import { takeUpFound } from "./survivors.ts";

/**
 * Takes up what a node has recorded without its leader. A capture whose tuner has another use is over: its node ends it, and its
 * segment counts.
 */
export function adoptFound(
  draft: Draft,
  { found, running }: Extract<Occurrence, { readonly kind: "attempts-found" }>,
): void {
  takeUpFound(draft, found);
  for (const { recordingId, number, tunerId } of found) {
    const recording = draft.recording(recordingId);
    if (recording === undefined || !isOpen(recording) || recording.service === undefined) continue;
    if (!isAttemptRunning(recording, number)) continue;
    const { service } = recording;
    const isFree = usesOf(draft, tunerId).every(({ multiplex }) => multiplex === multiplexKey(service));
    if (running.has(attemptId(recordingId, number)) && isFree) {
      draft.move(recording, "adopted", {});
      draft.order({ kind: "adopt", recordingId, attempt: number, service });
      continue;
    }
    const text = "The capture ended while its node had no leader.";
    endAttempt(draft, recording, { attempt: number, cause: "CAPTURE_DIED", text });
  }
}
