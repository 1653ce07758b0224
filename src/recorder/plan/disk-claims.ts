import type { RecordingId } from "../../model/recording.ts";
import type { EpochMs } from "../../model/time.ts";

/** A recording that runs or is due, and the bytes it will still write. */
export interface DiskClaim {
  readonly recordingId: RecordingId;
  readonly priority: number;
  readonly runs: boolean;
  readonly start: EpochMs;
  readonly bytes: number;
}

/**
 * The recordings that must give way when the disk is nearly full. The order is priority, then running recordings, then
 * start; a recording that does not fit into the rest gives way. The first running recording continues to the stop mark: a part is
 * better than nothing.
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
