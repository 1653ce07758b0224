import { RecorderdError } from "../../../model/errors.ts";
import type { Recording } from "../../../model/recording.ts";
import type { Repeat } from "../../../model/repeat.ts";
import type { Snapshot } from "../../../model/snapshot.ts";
import type { TimerId } from "../../../model/timer.ts";
import type { Engine } from "./engine.ts";

interface Offer {
  readonly recording: Recording;
  readonly repeat: Repeat;
}

/**
 * The repeat that the plan offers for a timer now, or that is being booked for it.
 *
 * @throws RecorderdError RECORDING_UNKNOWN if it offers none
 */
export function offeredRepeat(
  timerId: TimerId,
  { recordings, plan }: Pick<Snapshot, "recordings" | "plan">,
): Offer {
  const recording = recordings.findLast((each) => each.timerId === timerId);
  const { healing } = recording ?? {};
  if (recording !== undefined && healing !== undefined && isOpen(healing.step)) {
    return { recording, repeat: healing.repeat };
  }
  const remedies = plan.conflicts.find(({ recordingId }) => recordingId === recording?.id)?.remedies ?? [];
  for (const remedy of remedies) {
    if (recording !== undefined && remedy.kind === "repeat") return { recording, repeat: remedy.repeat };
  }
  throw new RecorderdError("RECORDING_UNKNOWN", `The plan offers no repeat for timer ${timerId}.`);
}

function isOpen(step: NonNullable<Recording["healing"]>["step"]): boolean {
  return step === "booking" || step === "booked" || step === "cancelling";
}

interface RepeatParts {
  readonly snapshot: () => Pick<Snapshot, "recordings" | "plan">;
  readonly engine: Pick<Engine, "ask" | "ready">;
}

/**
 * Books the offered repeat, cancels the timer, and waits for both. The recorder finishes the rest by itself.
 *
 * @returns the booked repeat: of two requests at once, the first one's
 * @throws RecorderdError RECORDING_UNKNOWN, DAEMON_NOT_READY, GUIDE_… the service's failure
 */
export async function bookOfferedRepeat(
  timerId: TimerId,
  { snapshot, engine }: RepeatParts,
): Promise<Repeat> {
  await engine.ready();
  const { recording, repeat } = offeredRepeat(timerId, snapshot());
  return engine.ask({ kind: "repeat-asked", recordingId: recording.id, repeat });
}
