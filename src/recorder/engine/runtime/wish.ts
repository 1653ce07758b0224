import { type Clock, withDeadline } from "../../../kit/time/clock.ts";
import { RecorderdError } from "../../../model/errors.ts";
import { LIMITS } from "../../../model/limits.ts";
import { isTerminal, type Recording, type RecordingId } from "../../../model/recording.ts";
import type { TimerId } from "../../../model/timer.ts";
import type { OverrideChange } from "../../../model/timer-override.ts";
import type { DaemonDocument } from "../core/document.ts";

interface WishParts {
  readonly document: () => Pick<DaemonDocument, "recordings">;
  /** Resolves with the document that holds it; absent while the recorder starts or ends. */
  readonly ask:
    | ((recordingId: RecordingId, change: OverrideChange) => Promise<Pick<DaemonDocument, "recordings">>)
    | undefined;
  readonly clock: Clock;
}

/**
 * Has what somebody wants of a timer taken in, and waits until it is on disk.
 *
 * @returns the recording as it was then, with what others changed before
 * @throws RecorderdError RECORDING_UNKNOWN, TUNER_BUSY while the recorder starts or ends, STORE_WRITE_FAILED while the data folder
 * cannot be written
 */
export async function wishFor(
  timerId: TimerId,
  change: OverrideChange,
  { document, ask, clock }: WishParts,
): Promise<Recording> {
  const open = Object.values(document().recordings).findLast(
    (each) => each.timerId === timerId && !isTerminal(each.state),
  );
  if (open === undefined)
    throw new RecorderdError("RECORDING_UNKNOWN", `Nothing is to be recorded for timer ${timerId}.`);
  if (ask === undefined) throw new RecorderdError("TUNER_BUSY", "The recorder is just starting or ending.");
  const timeoutError = () =>
    new RecorderdError(
      "STORE_WRITE_FAILED",
      "The change is not stored yet, because the data folder cannot be written. It is stored as soon as the folder can be written.",
    );
  const patience = { ms: LIMITS.tuneMs, signal: new AbortController().signal, timeoutError };
  const { recordings } = await withDeadline(clock, patience, () => ask(open.id, change));
  const recording = recordings[open.id];
  if (recording !== undefined && !isTerminal(recording.state)) return recording;
  throw new RecorderdError("RECORDING_UNKNOWN", `The recording of timer ${timerId} was over by then.`);
}
