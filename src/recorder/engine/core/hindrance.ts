import type { ErrorCode } from "../../../model/errors.ts";
import { LIMITS } from "../../../model/limits.ts";
import type { Recording } from "../../../model/recording.ts";
import type { EpochMs } from "../../../model/time.ts";
import type { Draft } from "./draft.ts";

/** The step has failed and is tried again, for as long as it takes: its storage may come back. */
export function hinder(draft: Draft, recording: Recording, code: ErrorCode, text: string): void {
  const { hindrance } = hindranceOf(recording);
  const since = hindrance?.code === code ? hindrance.since : draft.now;
  const closing = { since: draft.now, hindrance: { since, code, text } };
  draft.put({ ...recording, closing, nextTryAt: draft.now + LIMITS.retryMsMax });
  // Once, not with every try of the days that a disk may be away.
  if (hindrance?.code !== code) draft.note("closing-failed", recording, { code, text });
}

/** When the step that is under way has taken so long that people shall know. */
export function slowAt({ closing, nextTryAt }: Recording): EpochMs {
  const isUnderWay = closing !== undefined && nextTryAt === undefined;
  return isUnderWay && closing.hindrance?.code !== "STORAGE_SLOW"
    ? closing.since + LIMITS.closingSlowMs
    : Number.POSITIVE_INFINITY;
}

/** A step that gives no sign of life: a file system may hang for ever. It is left to go on. */
export function slow(draft: Draft, recording: Recording): void {
  const since = recording.closing?.since ?? draft.now;
  const [code, text] = ["STORAGE_SLOW", "The storage is slow, or does not answer."] as const;
  draft.put({ ...recording, closing: { since, hindrance: { since, code, text } } });
  draft.note("closing-failed", recording, { code, text });
}

export function hindranceOf({ closing }: Recording): Pick<NonNullable<Recording["closing"]>, "hindrance"> {
  return closing?.hindrance === undefined ? {} : { hindrance: closing.hindrance };
}
