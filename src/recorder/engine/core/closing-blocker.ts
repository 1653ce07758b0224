import type { ErrorCode } from "../../../model/errors.ts";
import { LIMITS } from "../../../model/limits.ts";
import type { RecordingIn } from "../../../model/recording.ts";
import type { EpochMs } from "../../../model/time.ts";
import type { Draft } from "./draft.ts";

type Closing = RecordingIn<"closing">;

/** A failed step is tried again for as long as it takes: its storage may come back. */
export function noteClosingFailure(draft: Draft, recording: Closing, code: ErrorCode, text: string): void {
  const { blocker } = recording.closing;
  const since = blocker?.code === code ? blocker.since : draft.now;
  const closing = { since: draft.now, blocker: { since, code, text } };
  draft.put({ ...recording, closing, nextTryAt: draft.now + LIMITS.retryMsMax });
  // Once, not with every try of the days that a disk may be away.
  if (blocker?.code !== code) draft.note("closing-failed", recording, { code, text });
}

/** When the step under way has taken so long that people are told. */
export function slowAt({ closing, nextTryAt }: Closing): EpochMs {
  return nextTryAt === undefined && closing.blocker?.code !== "STORAGE_SLOW"
    ? closing.since + LIMITS.closingSlowMs
    : Number.POSITIVE_INFINITY;
}

/** The step gives no sign of life: a file system may hang for ever. The step goes on. */
export function noteSlowStorage(draft: Draft, recording: Closing): void {
  const { since } = recording.closing;
  const [code, text] = ["STORAGE_SLOW", "The storage is slow, or does not answer."] as const;
  draft.put({ ...recording, closing: { since, blocker: { since, code, text } } });
  draft.note("closing-failed", recording, { code, text });
}
