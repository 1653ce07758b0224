import { RecorderdError } from "../model/errors.ts";
import type { Recording } from "../model/recording.ts";
import type { Repeat } from "../model/repeat.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { TimerId } from "../model/timer.ts";

/**
 * The repeat that the plan offers for a timer now.
 *
 * @throws RecorderdError RECORDING_UNKNOWN where it offers none
 */
export function offeredRepeat(
  timerId: TimerId,
  { recordings, plan }: Pick<Snapshot, "recordings" | "plan">,
): { readonly recording: Recording; readonly repeat: Repeat } {
  const recording = recordings.findLast((each) => each.timerId === timerId);
  const remedies = plan.conflicts.find(({ recordingId }) => recordingId === recording?.id)?.remedies ?? [];
  for (const remedy of remedies) {
    if (recording !== undefined && remedy.kind === "repeat") return { recording, repeat: remedy.repeat };
  }
  throw new RecorderdError("RECORDING_UNKNOWN", `The plan offers no repeat for timer ${timerId}.`);
}
