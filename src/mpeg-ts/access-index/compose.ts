import type { DurationMs } from "../../model/time.ts";
import { PACKET_BYTES } from "../packets.ts";
import type { IndexEnd, StoredIndex, StoredPoint } from "./format.ts";

/** A file, and the part of it that belongs to a recording. */
export interface IndexPart {
  readonly index: StoredIndex;
  readonly from: number;
  readonly bytes: number;
}

/** The index of a recording that consists of these parts, one after the other. */
export function composeIndex(parts: readonly IndexPart[]): Required<StoredIndex> {
  const points: StoredPoint[] = [];
  const tables: Uint8Array[] = [];
  let end: IndexEnd = { bytes: 0, streamMs: 0 };
  for (const { index, from, bytes } of parts) {
    const to = from + bytes;
    const fromMs = streamMsAt(index, from);
    const numbers = index.tables.map((each) => addTables(tables, each));
    for (const point of index.points) {
      if (point.offset < from || point.offset + PACKET_BYTES > to) continue;
      points.push({
        ...point,
        offset: end.bytes + point.offset - from,
        streamMs: end.streamMs + Math.max(0, point.streamMs - fromMs),
        tables: numbers[point.tables] ?? 0,
      });
    }
    const lengthMs = Math.max(0, streamMsAt(index, to) - fromMs);
    end = { bytes: end.bytes + bytes, streamMs: end.streamMs + lengthMs };
  }
  return { points, tables, end };
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
