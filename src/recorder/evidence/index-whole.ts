import { type Pace, readWholeFile } from "../../kit/files/whole-read.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Triplet } from "../../model/service.ts";
import type { EpochMs } from "../../model/time.ts";
import { addTables, composeIndex, type IndexPart } from "../../mpeg-ts/access-index/compose.ts";
import type { StoredPoint } from "../../mpeg-ts/access-index/format.ts";
import { IndexWriter } from "./index-writer.ts";
import { Inspector } from "./inspector.ts";

/** The part of a file that one attempt wrote. */
export interface AttemptInFile {
  readonly bytes: number;
  readonly startedAt: EpochMs;
}

export interface IndexOrder {
  readonly service: Triplet | undefined;
  /** Path of the index. */
  readonly index: string;
  /** The attempts that the file was joined from, in order; empty if they are not known. */
  readonly attempts?: readonly AttemptInFile[];
  readonly pace: Pace;
  /** Receives the number of bytes read so far. */
  readonly onRead: (bytes: number) => void;
}

/**
 * Writes the index of access points of a finished transport stream file.
 *
 * @throws RecorderdError FILE_CHANGED or WRITE_FAILED, or the system's error for a file that cannot be read
 */
export async function indexWhole(
  file: string,
  { service, index, attempts = [], pace, onRead }: IndexOrder,
  signal: AbortSignal,
): Promise<void> {
  const reader = partsReader(service, attempts);
  let bytes = 0;
  const take = (portion: Buffer) => {
    reader.push(portion);
    bytes += portion.length;
    onRead(bytes);
    return true;
  };
  const state = await readWholeFile(file, { take, pace }, signal);
  if (state === undefined) {
    throw new RecorderdError("FILE_CHANGED", `${file} changed while it was read.`, { file });
  }
  await write(index, reader.end());
}

async function write(index: string, parts: readonly IndexPart[]): Promise<void> {
  let failure: unknown;
  const writer = new IndexWriter(index, (_, error) => {
    failure = error;
  });
  const { points, tables, end } = composeIndex(parts);
  for (const point of points) writer.add(point, tables[point.tables] ?? new Uint8Array(0));
  await writer.close(end);
  if (failure === undefined) return;
  const message = `${index} cannot be written: ${failure instanceof Error ? failure.message : String(failure)}`;
  throw new RecorderdError("WRITE_FAILED", message, { file: index }, { cause: failure });
}

/** Reads a file in its parts: the clock of the stream does not tell how long nothing was recorded between two attempts. */
function partsReader(service: Triplet | undefined, attempts: readonly AttemptInFile[]) {
  const ended: IndexPart[] = [];
  let part = openPart(service, attempts[0]);

  return {
    push: (portion: Buffer): void => {
      for (let rest = portion; rest.length > 0; ) {
        const next = attempts[ended.length + 1];
        // The last part ends with the file.
        const some = next === undefined ? rest : rest.subarray(0, part.missing());
        part.push(some);
        rest = rest.subarray(some.length);
        if (next === undefined || part.missing() > 0) continue;
        ended.push(part.end());
        part = openPart(service, next);
      }
    },
    end: (): readonly IndexPart[] => [...ended, part.end()],
  };
}

function openPart(service: Triplet | undefined, attempt: AttemptInFile | undefined) {
  const points: StoredPoint[] = [];
  const tables: Uint8Array[] = [];
  const inspector = new Inspector(service, {
    accessPoint: (point, own) => points.push({ ...point, tables: addTables(tables, own) }),
  });
  let bytes = 0;
  return {
    missing: () => (attempt?.bytes ?? 0) - bytes,
    push: (portion: Buffer) => {
      inspector.push(portion);
      bytes += portion.length;
    },
    end: (): IndexPart => {
      inspector.settle();
      const end = { bytes, streamMs: inspector.inspection().streamMs };
      return { index: { points, tables, end }, from: 0, bytes, startedAt: attempt?.startedAt };
    },
  };
}
