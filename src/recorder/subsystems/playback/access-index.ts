import type { AccessIndex, AccessPoint } from "../../../model/access-index.ts";
import { composeIndex, type IndexPart } from "../../../mpeg-ts/access-index/compose.ts";
import type { StoredIndex, StoredPoint } from "../../../mpeg-ts/access-index/format.ts";
import { continuesPts } from "../../../mpeg-ts/streams/access-points.ts";
import { recordingIndex, segmentIndex } from "../../capture/files.ts";
import { readIndex, readWholeIndex } from "../../capture/index-file.ts";

/**
 * The access points of a finished recording.
 *
 * @throws RecorderdError INDEX_UNUSABLE
 */
export async function finishedIndex(file: string): Promise<AccessIndex> {
  const index = await readWholeIndex({ index: recordingIndex(file), file });
  return accessIndexOf(index, { isGrowing: false });
}

interface Segment {
  readonly file: string;
  /** Its attempt has ended. */
  readonly isOver: boolean;
}

/**
 * The access points of segments in order, up to the first one that still grows: the place of those after it is not known.
 *
 * @throws RecorderdError INDEX_UNUSABLE, also if a segment is gone
 */
export async function growingIndex(segments: readonly Segment[]): Promise<AccessIndex> {
  const parts: IndexPart[] = [];
  for (const { file, isOver } of segments) {
    parts.push(await readIndex({ index: segmentIndex(file), file }));
    if (!isOver) break;
  }
  return accessIndexOf(composeIndex(parts), { isGrowing: true });
}

function accessIndexOf(
  { points, tables, end }: Required<StoredIndex>,
  { isGrowing }: Pick<AccessIndex, "isGrowing">,
): AccessIndex {
  return { points: points.map(accessPoint), tables, isGrowing, bytes: end.bytes, durationMs: end.streamMs };
}

function accessPoint(
  { offset, pts, streamMs, tables }: StoredPoint,
  index: number,
  points: readonly StoredPoint[],
): AccessPoint {
  const before = points[index - 1];
  const isBreak = before !== undefined && !continuesPts(before, { pts, streamMs });
  return { offset, pts, streamMs, isBreak, tables };
}
