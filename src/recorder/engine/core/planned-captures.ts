import { MODEL_LIMITS } from "../../../model/limits.ts";
import type { PlannedCapture } from "../../../model/planned-capture.ts";
import { plannedSpan, type Recording } from "../../../model/recording.ts";
import type { EpochMs } from "../../../model/time.ts";
import type { DaemonDocument } from "./document.ts";
import { ENGINE_LIMITS } from "./limits.ts";
import { recordingIndexOf } from "./recording-index.ts";

/** The recordings that run or begin soon, with their tuners. */
export function plannedCaptures(
  { recordings }: Pick<DaemonDocument, "recordings">,
  now: EpochMs,
): readonly PlannedCapture[] {
  return recordingIndexOf(recordings).open.flatMap((each) => plannedCapture(each, now));
}

function plannedCapture(recording: Recording, now: EpochMs): readonly PlannedCapture[] {
  const { id: recordingId, timerId, service, channelName, state, tunerId, attempts, withdrawn } = recording;
  const { start, stop } = plannedSpan(recording);
  const isOver = state === "closing" || withdrawn || stop + MODEL_LIMITS.stopDelayMs <= now;
  if (isOver || service === undefined || tunerId === undefined) return [];
  if (start > now + ENGINE_LIMITS.plannedAheadMs) return [];
  const span = { start, stop: stop + MODEL_LIMITS.stopDelayMs };
  const endsBy = span.stop + ENGINE_LIMITS.captureOverrunMs;
  return [
    { recordingId, timerId, service, channelName, tunerId, attempt: attempts.length + 1, span, endsBy },
  ];
}
