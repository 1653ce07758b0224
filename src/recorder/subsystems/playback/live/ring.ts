import type { AccessPoint } from "../../../../model/access-index.ts";
import type { DurationMs } from "../../../../model/time.ts";
import { addTables } from "../../../../mpeg-ts/access-index/compose.ts";
import { continuesPts, type FoundCut, type FoundPoint } from "../../../../mpeg-ts/streams/access-points.ts";
import { createSegmenter, leadInOf, type Segment, type Segmenter } from "../hls/segments.ts";

/** A file with a part of the buffer. A source that failed goes on in another one. */
interface Piece {
  readonly file: string;
  /** Its first byte in the numbering of the buffer, which goes on from file to file. */
  readonly base: number;
  /** Its beginning on the buffer's timeline; known with its first access point. */
  baseMs: DurationMs | undefined;
  readonly segmenter: Segmenter;
  last: FoundPoint | undefined;
  isOver: boolean;
}

/** The space of a ring that can be freed. */
export interface Freeable {
  /** Files without a byte that is needed. */
  readonly files: readonly string[];
  /** The file that has bytes before the first one that is needed. */
  readonly front?: { readonly file: string; readonly bytes: number };
}

/** How much of a buffer is kept. */
export interface RingSize {
  readonly keepMs: DurationMs;
  readonly keepBytes: number;
  /** Kept however few bytes are allowed. */
  readonly leastMs: DurationMs;
}

/**
 * The segments of a live service: new ones come at the end, old ones leave at the front, and none changes its number. Bytes are
 * counted through all files of the buffer; nothing here reads or writes one.
 */
export interface Ring {
  readonly segments: readonly Segment[];
  /** Tables of the segments, by position; those that no segment needs any more are empty. */
  readonly tables: readonly Uint8Array[];
  /** Breaks that left with their segments. */
  readonly removedBreaks: number;
  /** Bytes to the last access point. */
  readonly bytes: number;
  /** Files that hold bytes, the last one growing. */
  readonly files: readonly string[];
  /** Length of the last file, to its last access point. */
  readonly fileBytes: number;
  /** A new file follows. @returns the number of its first byte */
  begin(file: string): number;
  /** @param atMs time since the ring began */
  add(point: FoundPoint, tables: Uint8Array, atMs: DurationMs): void;
  /** The first segment of the file ends before a picture, and not with the next access point. */
  cut(cut: FoundCut): void;
  /** The file gets no more data: what is whole becomes its last segment. */
  end(): void;
  trim(size: RingSize): void;
  /** The file that has a byte, and its position there; `undefined` if it was freed. */
  place(byte: number): { readonly file: string; readonly position: number } | undefined;
  /** The first byte that is needed. */
  readonly front: number;
  /** Gives up all bytes before one. */
  free(front: number): Freeable;
}

const NO_TABLES = new Uint8Array(0);

/** @param onSegment called after each new segment */
export function createRing(onSegment: () => void = () => {}): Ring {
  const segments: Segment[] = [];
  const tables: Uint8Array[] = [];
  let pieces: Piece[] = [];
  let [number, removedBreaks, freed, neededTables] = [0, 0, 0, 0];
  /** Ends of the last piece: bytes and time. */
  let [endByte, endMs] = [0, 0];

  function keep(segment: Segment | undefined): void {
    if (segment === undefined) return;
    segments.push(segment);
    number = segment.number + 1;
    onSegment();
  }

  function end(): void {
    const piece = pieces.at(-1);
    if (piece === undefined || piece.isOver) return;
    piece.isOver = true;
    // The end of its last picture group is not known.
    if (piece.last !== undefined) keep(piece.segmenter.end({ offset: endByte, streamMs: endMs }));
  }

  /** Without a segment, the bytes so far become one. */
  const front = () => segments[0]?.first ?? pieces[0]?.base ?? endByte;

  return {
    segments,
    tables,
    get removedBreaks() {
      return removedBreaks;
    },
    get bytes() {
      return endByte - front();
    },
    get files() {
      return pieces.map(({ file }) => file);
    },
    get fileBytes() {
      return endByte - (pieces.at(-1)?.base ?? endByte);
    },
    get front() {
      return front();
    },
    begin: (file) => {
      end();
      const segmenter = createSegmenter({ number, isBreak: number > 0 });
      pieces.push({ file, base: endByte, baseMs: undefined, segmenter, last: undefined, isOver: false });
      return endByte;
    },
    add: (found, own, atMs) => {
      const piece = pieces.at(-1);
      if (piece === undefined || piece.isOver) return;
      piece.baseMs ??= Math.max(endMs, Math.round(atMs)) - found.streamMs;
      const isBreak = piece.last !== undefined && !continuesPts(piece.last, found);
      piece.last = found;
      const point: AccessPoint = {
        offset: piece.base + found.offset,
        pts: found.pts,
        streamMs: piece.baseMs + found.streamMs,
        isBreak,
        tables: addTables(tables, own),
      };
      [endByte, endMs] = [point.offset, point.streamMs];
      keep(piece.segmenter.push(point));
    },
    cut: ({ offset, pts, streamMs }) => {
      const piece = pieces.at(-1);
      if (piece?.baseMs === undefined || piece.isOver) return;
      const end = { offset: piece.base + offset, pts, streamMs: piece.baseMs + streamMs };
      const segment = piece.segmenter.cut(end);
      if (segment !== undefined) [endByte, endMs] = [end.offset, end.streamMs];
      keep(segment);
    },
    end,
    trim: ({ keepMs, keepBytes, leastMs }) => {
      const last = segments.at(-1);
      const lastMs = last === undefined ? 0 : last.startMs + last.durationMs;
      const isWanted = ({ first, startMs, durationMs }: Segment) =>
        lastMs - startMs - durationMs < keepMs && endByte - first <= keepBytes;
      const wanted = segments.findIndex(isWanted);
      const latest = latestFront(segments, leastMs);
      const removed = segments.splice(
        0,
        decodableFront(segments, wanted < 0 ? latest : Math.min(wanted, latest)),
      );
      removedBreaks += removed.filter(({ isBreak }) => isBreak).length;
      for (const needed = segments[0]?.tables ?? 0; neededTables < needed; neededTables += 1)
        tables[neededTables] = NO_TABLES;
    },
    place: (byte) => {
      const piece = pieces.findLast(({ base }) => base <= byte);
      return piece === undefined || byte < freed
        ? undefined
        : { file: piece.file, position: byte - piece.base };
    },
    free: (to) => {
      freed = Math.max(freed, Math.min(to, front()));
      const isNeeded = (_: Piece, at: number) => (pieces[at + 1]?.base ?? Number.POSITIVE_INFINITY) > freed;
      const files = pieces.filter((piece, at) => !isNeeded(piece, at)).map(({ file }) => file);
      pieces = pieces.filter(isNeeded);
      const [first] = pieces;
      const bytes = first === undefined ? 0 : freed - first.base;
      return { files, ...(first === undefined || bytes <= 0 ? {} : { front: { file: first.file, bytes } }) };
    },
  };
}

/** The newest segment that may be the first: it and those after it last that long, without the time of missing data. */
function latestFront(segments: readonly Segment[], leastMs: DurationMs): number {
  let lengthMs = 0;
  const at = segments.findLastIndex(({ durationMs }) => {
    lengthMs += durationMs;
    return lengthMs >= leastMs;
  });
  return Math.max(0, at);
}

/** The segment at that place, or the one before it if a decoder needs that too. */
function decodableFront(segments: readonly Segment[], at: number): number {
  const isAlone = segments.slice(0, at + 1).map((segment) => leadInOf(segment) === 0);
  return Math.max(0, isAlone.lastIndexOf(true));
}
