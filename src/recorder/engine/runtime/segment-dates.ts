import type { Attempt } from "../../../model/attempt.ts";
import type { Inspection } from "../../../model/inspection.ts";
import { isUndatable, playedMs } from "../../../model/live-pace.ts";
import type { DurationMs, EpochMs } from "../../../model/time.ts";
import type { FoundSegment } from "./segment-cuts.ts";
import { END_UNSURE } from "./segment-reading.ts";

/**
 * The dates that a segment's file and its attempt give.
 *
 * @param attempts all of the recording: the last one of a film may be asked to end before it shows its pace
 */
export function datesOf(
  attempt: Attempt,
  {
    attempts,
    inspection,
    mtimeMs,
  }: {
    readonly attempts: readonly Attempt[];
    readonly inspection: Pick<Inspection, "spans" | "streamMs">;
    readonly mtimeMs: EpochMs;
  },
): Pick<FoundSegment, "writtenAt" | "undatable"> {
  const writtenAt = lastWrite(attempt, { mtimeMs, streamMs: inspection.streamMs });
  const elapsedMs = writtenAt - attempt.startedAt;
  const wasExcessive = attempts.some(
    ({ tunerId, cause }) => tunerId === attempt.tunerId && cause === "STREAM_EXCESSIVE",
  );
  return isUndatable(playedMs(inspection), { elapsedMs, wasExcessive })
    ? { writtenAt, undatable: true }
    : { writtenAt };
}

/**
 * The instant of the last remaining byte of a segment; the first byte was written when the stream was seen to flow.
 */
function lastWrite(
  { cause, flowingAt = Infinity, steppedMs = 0 }: Attempt,
  { mtimeMs, streamMs }: { readonly mtimeMs: EpochMs; readonly streamMs: DurationMs },
): EpochMs {
  const writtenAt = mtimeMs + steppedMs;
  return END_UNSURE.includes(cause) ? Math.min(writtenAt, flowingAt + streamMs) : writtenAt;
}
