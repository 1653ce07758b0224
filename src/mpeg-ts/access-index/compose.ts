import type { DurationMs, EpochMs } from "../../model/time.ts";
import { PACKET_BYTES } from "../packets.ts";
import { BUFFER_MS_MAX } from "../streams/access-points.ts";
import { stampStepMs } from "../streams/pes.ts";
import { CLOCK_SLACK_MS } from "../streams/time-line.ts";
import type { IndexEnd, StoredIndex, StoredPoint } from "./format.ts";

/** A file, and the part of it that belongs to a recording. */
export interface IndexPart {
  readonly index: StoredIndex;
  readonly from: number;
  readonly bytes: number;
  /** When the file began. Absent if it is not known: the part then follows the one before without a gap. */
  readonly startedAt?: EpochMs | undefined;
}

/**
 * The index of a recording that consists of these parts, one after the other. Its timeline has room for the time between two parts,
 * and depends on no later part: a growing recording has the same one.
 */
export function composeIndex(parts: readonly IndexPart[]): Required<StoredIndex> {
  const points: StoredPoint[] = [];
  const tables: Uint8Array[] = [];
  let end: IndexEnd = { bytes: 0, streamMs: 0 };
  /** When the last byte of the part before came, as far as that is known. */
  let endedAt: EpochMs | undefined;
  for (const { index, from, bytes, startedAt } of parts) {
    const to = from + bytes;
    const fromMs = streamMsAt(index, from);
    const numbers = index.tables.map((each) => addTables(tables, each));
    const own = index.points
      .filter(({ offset }) => offset >= from && offset + PACKET_BYTES <= to)
      .map((point) => ({ ...point, streamMs: Math.max(0, point.streamMs - fromMs) }));
    const wallMs =
      startedAt === undefined || endedAt === undefined ? undefined : startedAt + fromMs - endedAt;
    const missingMs = missingBetween(points.at(-1), own[0], { end, wallMs });
    const startMs = end.streamMs + missingMs;
    for (const [at, point] of own.entries()) {
      points.push({
        ...point,
        ...(at === 0 && missingMs > 0 ? { isAfterGap: true } : {}),
        offset: end.bytes + point.offset - from,
        streamMs: startMs + point.streamMs,
        tables: numbers[point.tables] ?? 0,
      });
    }
    const toMs = streamMsAt(index, to);
    endedAt = startedAt === undefined ? undefined : startedAt + toMs;
    end = { bytes: end.bytes + bytes, streamMs: startMs + Math.max(0, toMs - fromMs) };
  }
  return { points, tables, end };
}

/**
 * The time between two parts, by the broadcast's clock where it goes on, otherwise by the wall clock. A part without an access point
 * has no place of its own.
 *
 * @param last access point of the parts before
 * @param first access point of the part, with its position in it
 */
function missingBetween(
  last: StoredPoint | undefined,
  first: StoredPoint | undefined,
  { end, wallMs }: { readonly end: IndexEnd; readonly wallMs: DurationMs | undefined },
): DurationMs {
  if (first === undefined || wallMs === undefined) return 0;
  if (last === undefined) return Math.max(0, wallMs);
  const clockMs = stampStepMs(last.pts, first.pts) - (end.streamMs - last.streamMs) - first.streamMs;
  if (Math.abs(clockMs - wallMs) > CLOCK_SLACK_MS) return Math.max(0, wallMs);
  return clockMs > BUFFER_MS_MAX ? Math.round(clockMs) : 0;
}

/** Adds tables to those of an index. @returns their position: the last one if they have not changed */
export function addTables(all: Uint8Array[], tables: Uint8Array): number {
  const last = all.at(-1);
  const isSame = last?.length === tables.length && last.every((byte, at) => byte === tables[at]);
  if (!isSame) all.push(tables);
  return all.length - 1;
}

/** The stream time of a byte: the bit rate hardly changes between two points. */
function streamMsAt({ points, end }: StoredIndex, offset: number): DurationMs {
  const after = points.findIndex((point) => point.offset >= offset);
  const before = after < 0 ? points.at(-1) : points[after - 1];
  const [left, leftMs] = before === undefined ? [0, 0] : [before.offset, before.streamMs];
  const next = after < 0 ? undefined : points[after];
  const [right, rightMs] =
    next === undefined ? [end?.bytes ?? left, end?.streamMs ?? leftMs] : [next.offset, next.streamMs];
  if (right <= left) return leftMs;
  return Math.round(leftMs + (rightMs - leftMs) * Math.min(1, (offset - left) / (right - left)));
}
