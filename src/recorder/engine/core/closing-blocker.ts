import type { RecordingIn, Trouble } from "../../../model/recording.ts";
import type { EpochMs } from "../../../model/time.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import type { Draft } from "./draft.ts";
import { ENGINE_LIMITS } from "./limits.ts";

type Closing = RecordingIn<"closing">;

/** Notes why a step failed. The step is retried without limit: its storage may come back. */
export function noteClosingFailure(
  draft: Draft,
  recording: Closing,
  { code, text, details }: Pick<Trouble, "code" | "text" | "details">,
): void {
  const { blocker } = recording.closing;
  const since = blocker?.code === code ? blocker.since : draft.now;
  const closing = { since: draft.now, blocker: { since, code, text, ...withoutUndefined({ details }) } };
  draft.put({ ...recording, closing, nextTryAt: draft.now + ENGINE_LIMITS.retryMsMax });
  // Note the failure once, not with every retry of the days that a disk may be away.
  if (blocker?.code !== code) draft.note("closing-failed", recording, { code, text });
}

/** The instant from which a running step counts as slow. */
export function slowAt({ closing, nextTryAt }: Closing): EpochMs {
  return nextTryAt === undefined && closing.blocker?.code !== "STORAGE_SLOW"
    ? closing.since + ENGINE_LIMITS.closingSlowMs
    : Number.POSITIVE_INFINITY;
}

/** Notes that the running step is slow: a file system may hang for ever. The step goes on. */
export function noteSlowStorage(draft: Draft, recording: Closing): void {
  const { since } = recording.closing;
  const [code, text] = ["STORAGE_SLOW", "The storage is slow, or does not answer."] as const;
  draft.put({ ...recording, closing: { since, blocker: { since, code, text } } });
  draft.note("closing-failed", recording, { code, text });
}
