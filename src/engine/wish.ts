import { type Clock, withDeadline } from "../kit/clock.ts";
import { RecorderdError } from "../model/errors.ts";
import { LIMITS } from "../model/limits.ts";
import {
  changedWish,
  isTerminal,
  type OwnChange,
  type Recording,
  type RecordingId,
} from "../model/recording.ts";
import { SECOND } from "../model/time.ts";
import type { TimerId } from "../model/timer.ts";
import type { DaemonDocument } from "./document.ts";

interface WishParts {
  readonly document: () => Pick<DaemonDocument, "recordings">;
  /** Absent while the recorder starts or ends. */
  readonly post: ((recordingId: RecordingId, change: OwnChange) => Promise<void>) | undefined;
  readonly clock: Clock;
}

const LOOK_MS = SECOND / 20;

/**
 * Has what somebody wants of a timer taken in, and waits until it is on disk.
 *
 * @throws RecorderdError RECORDING_UNKNOWN, TUNER_BUSY while the recorder starts or ends, STORE_WRITE_FAILED when it is not taken in
 */
export async function wishFor(
  timerId: TimerId,
  change: OwnChange,
  { document, post, clock }: WishParts,
): Promise<Recording> {
  const open = Object.values(document().recordings).findLast(
    (each) => each.timerId === timerId && !isTerminal(each.state),
  );
  if (open === undefined)
    throw new RecorderdError("RECORDING_UNKNOWN", `Nothing is to be recorded for timer ${timerId}.`);
  if (post === undefined) throw new RecorderdError("TUNER_BUSY", "The recorder is just starting or ending.");
  const wanted = JSON.stringify(changedWish(open.own ?? {}, change));
  await post(open.id, change);
  const found = () => {
    const recording = document().recordings[open.id];
    return JSON.stringify(recording?.own ?? {}) === wanted ? recording : undefined;
  };
  const timeoutError = () =>
    new RecorderdError("STORE_WRITE_FAILED", "It was not taken in: the data folder cannot be written.");
  const patience = { ms: LIMITS.tuneMs, signal: new AbortController().signal, timeoutError };
  return withDeadline(clock, patience, async (over) => {
    for (;;) {
      const recording = found();
      if (recording !== undefined) return recording;
      await clock.sleep(LOOK_MS, over);
    }
  });
}
