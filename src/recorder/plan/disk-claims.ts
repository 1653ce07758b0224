import type { RecordingId } from "../../model/recording.ts";
import type { EpochMs } from "../../model/time.ts";

/** A recording that runs or is due, and what it is still going to write. */
export interface DiskClaim {
  readonly recordingId: RecordingId;
  readonly priority: number;
  readonly runs: boolean;
  readonly start: EpochMs;
  readonly bytes: number;
}

/**
 * Which recordings must give way when the disk is nearly full. The most important come first, then what runs already,
 * then what began first; whoever does not fit into what they leave gives way. The first of those that run goes on until the stop
 * mark: what is written until then is more than nothing.
 *
 * @param roomBytes free bytes above the stop mark
 */
export function displacedByDiskSpace(
  claims: readonly DiskClaim[],
  roomBytes: number,
): ReadonlySet<RecordingId> {
  if (roomBytes <= 0) return new Set(claims.map(({ recordingId }) => recordingId));
  const out = new Set<RecordingId>();
  let left = roomBytes;
  let hasFirst = false;
  for (const { recordingId, runs, bytes } of [...claims].sort(byImportance)) {
    const stays: boolean = bytes <= left || (runs && !hasFirst);
    if (stays) left -= bytes;
    else out.add(recordingId);
    hasFirst ||= stays;
  }
  return out;
}

function byImportance(a: DiskClaim, b: DiskClaim): number {
  return (
    b.priority - a.priority ||
    Number(b.runs) - Number(a.runs) ||
    a.start - b.start ||
    (a.recordingId < b.recordingId ? -1 : 1)
  );
}
