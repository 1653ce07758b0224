import { type Clock, withDeadline } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { isAsking } from "../../../model/healing.ts";
import { LIMITS } from "../../../model/limits.ts";
import type { Recording, RecordingId } from "../../../model/recording.ts";
import type { Repeat } from "../../../model/repeat.ts";
import type { Snapshot } from "../../../model/snapshot.ts";
import { SECOND } from "../../../model/time.ts";
import type { TimerId } from "../../../model/timer.ts";
import type { DaemonDocument } from "../core/document.ts";

interface Offer {
  readonly recording: Recording;
  readonly repeat: Repeat;
}

/**
 * The repeat that the plan offers for a timer now, or that is being booked for it.
 *
 * @throws RecorderdError RECORDING_UNKNOWN where it offers none
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
  /** Absent while the recorder starts or ends. */
  readonly ask:
    | ((recordingId: RecordingId, repeat: Repeat) => Promise<Pick<DaemonDocument, "recordings">>)
    | undefined;
  readonly clock: Clock;
}

const LOOK_MS = SECOND / 20;
/** The service is asked three times at most: for its list, for the order, to cancel. */
const PATIENCE_MS = 3 * LIMITS.guideRequestMs;

/**
 * Has the offered repeat booked and the timer cancelled, and waits until both are done. What is not done by then the recorder goes
 * on with by itself.
 *
 * @throws RecorderdError RECORDING_UNKNOWN, TUNER_BUSY while the recorder starts or ends, GUIDE_… what the service answers
 */
export async function repeatFor(timerId: TimerId, { snapshot, ask, clock }: RepeatParts): Promise<Repeat> {
  const { recording, repeat: offered } = offeredRepeat(timerId, snapshot());
  if (ask === undefined) throw new RecorderdError("TUNER_BUSY", "The recorder is just starting or ending.");
  const before = recording.healing?.failures ?? 0;
  const timeoutError = () => new RecorderdError("GUIDE_TIMEOUT", `The service does not answer. ${GOES_ON}`);
  const patience = { ms: PATIENCE_MS, signal: new AbortController().signal, timeoutError };
  return withDeadline(clock, patience, async (over) => {
    const { recordings } = await ask(recording.id, offered);
    const taken = recordings[recording.id]?.healing;
    if (taken?.by !== "person")
      throw new RecorderdError("RECORDING_UNKNOWN", `The recording of timer ${timerId} was over by then.`);
    // Where another one is being booked already, by somebody who asked at the same time, it is that.
    const { repeat } = taken;
    for (;;) {
      const { healing } = snapshot().recordings.find(({ id }) => id === recording.id) ?? {};
      const isIts = healing?.by === "person" && healing.repeat.showId === repeat.showId;
      if (isIts && healing.step === "moved") return repeat;
      const isRefused = isIts && healing.step === "given-up";
      if (isIts && healing.trouble !== undefined && (isRefused || healing.failures > before)) {
        const { code, text } = healing.trouble;
        throw new RecorderdError(code, isAsking(healing) ? `${text} ${GOES_ON}` : text);
      }
      await clock.sleep(LOOK_MS, over);
    }
  });
}

const GOES_ON = "The recorder asks again by itself until it is done.";
