import type { AccessIndex, AccessPoint } from "../../../model/access-index.ts";
import type { EpochMs } from "../../../model/time.ts";
import { composeIndex, type IndexPart } from "../../../mpeg-ts/access-index/compose.ts";
import type { StoredIndex, StoredPoint } from "../../../mpeg-ts/access-index/format.ts";
import { continuesPts } from "../../../mpeg-ts/streams/access-points.ts";
import { recordingIndex, segmentIndex } from "../../capture/files.ts";
import { readIndex, readWholeIndex } from "../../capture/index-file.ts";
import type { IndexCache } from "./index-cache.ts";

/**
 * The access points of a finished recording.
 *
 * @param index absent: beside the file
 * @throws RecorderdError INDEX_UNUSABLE
 */
export function finishedIndex(
  file: string,
  cache?: IndexCache,
  index: string = recordingIndex(file),
): Promise<AccessIndex> {
  const read = async () => accessIndexOf(await readWholeIndex({ index, file }), { isGrowing: false });
  return cache === undefined ? read() : cache.of([index, file], read);
}

interface Segment {
  readonly file: string;
  /** Its attempt has ended. */
  readonly isOver: boolean;
  /** When its data began to come. */
  readonly startedAt?: EpochMs | undefined;
}

/**
 * The access points of segments in order, up to the first one that still grows: the place of those after it is not known.
 *
 * @throws RecorderdError INDEX_UNUSABLE, also if a segment is gone
 */
export function growingIndex(segments: readonly Segment[], cache?: IndexCache): Promise<AccessIndex> {
  const growing = segments.findIndex(({ isOver }) => !isOver);
  const known = segments.slice(0, growing < 0 ? segments.length : growing + 1);
  // The segment that grows changes all the time, and matters only as far as its index describes it.
  const files = known.flatMap(({ file, isOver }) => [segmentIndex(file), ...(isOver ? [file] : [])]);
  const read = async () => {
    const parts: IndexPart[] = [];
    for (const { file, startedAt } of known)
      parts.push({ ...(await readIndex({ index: segmentIndex(file), file })), startedAt });
    return accessIndexOf(composeIndex(parts), { isGrowing: true });
  };
  return cache === undefined ? read() : cache.of(files, read);
}

function accessIndexOf(
  { points, tables, end }: Required<StoredIndex>,
  { isGrowing }: Pick<AccessIndex, "isGrowing">,
): AccessIndex {
  return { points: points.map(accessPoint), tables, isGrowing, bytes: end.bytes, durationMs: end.streamMs };
}

function accessPoint(
  { offset, pts, streamMs, tables, isAfterGap }: StoredPoint,
  index: number,
  points: readonly StoredPoint[],
): AccessPoint {
  const before = points[index - 1];
  const isBreak = isAfterGap === true || (before !== undefined && !continuesPts(before, { pts, streamMs }));
  return { offset, pts, streamMs, isBreak, tables };
}
