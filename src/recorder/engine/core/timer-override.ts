import { isTerminal, type Recording, type RecordingId } from "../../../model/recording.ts";
import type { Steps } from "../../../model/steps.ts";
import { MINUTE } from "../../../model/time.ts";
import { type OverrideChange, withOverride } from "../../../model/timer-override.ts";
import type { Draft } from "./draft.ts";
import { orderOf } from "./recording-order.ts";

/** A user's override wins over the rules and the account until it is removed. */
export function applyOverride(draft: Draft, recordingId: RecordingId, change: OverrideChange): void {
  const recording = draft.recording(recordingId);
  const timer = draft.document.timers[recording?.timerId ?? ""];
  if (recording === undefined || timer === undefined || isTerminal(recording.state)) return;
  const { override: before = {}, ...rest } = recording;
  const override = withOverride(before, change);
  const { priority, padding, window } = orderOf(draft, timer, { programme: recording.programme, override });
  const isAny = Object.keys(override).length > 0;
  const next = draft.put({ ...rest, ...(isAny ? { override } : {}), priority, padding, window });
  const minutes = override.padding && {
    before: override.padding.beforeMs / MINUTE,
    after: override.padding.afterMs / MINUTE,
  };
  draft.note("wish-changed", next, {
    ...(override.priority === undefined ? {} : { priority: override.priority }),
    ...minutes,
  });
}

/** The rules may have changed since the earlier run. */
export function* recomputeAllPriorities(draft: Draft): Steps<void> {
  yield* draft.forEach(draft.open(), (recording) => recomputePriority(draft, recording));
}

export function recomputePriority(draft: Draft, recording: Recording): void {
  const timer = draft.document.timers[recording.timerId];
  if (timer === undefined) return;
  const { priority } = orderOf(draft, timer, recording);
  if (priority !== recording.priority) draft.put({ ...recording, priority });
}
