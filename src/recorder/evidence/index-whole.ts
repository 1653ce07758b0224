import { type Pace, readWholeFile } from "../../kit/files/whole-read.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Triplet } from "../../model/service.ts";
import { IndexWriter } from "./index-writer.ts";
import { Inspector } from "./inspector.ts";

export interface IndexOrder {
  readonly service: Triplet | undefined;
  /** Path of the index. */
  readonly index: string;
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
  { service, index, pace, onRead }: IndexOrder,
  signal: AbortSignal,
): Promise<void> {
  let failure: unknown;
  const writer = new IndexWriter(index, (_, error) => {
    failure = error;
  });
  const inspector = new Inspector(service, { accessPoint: (point, tables) => writer.add(point, tables) });
  let bytes = 0;
  const take = (portion: Buffer) => {
    inspector.push(portion);
    bytes += portion.length;
    onRead(bytes);
    return true;
  };
  const state = await readWholeFile(file, { take, pace }, signal);
  inspector.settle();
  if (state === undefined) {
    throw new RecorderdError("FILE_CHANGED", `${file} changed while it was read.`, { file });
  }
  await writer.close({ bytes, streamMs: inspector.inspection().streamMs });
  if (failure === undefined) return;
  const message = `${index} cannot be written: ${failure instanceof Error ? failure.message : String(failure)}`;
  throw new RecorderdError("WRITE_FAILED", message, { file: index }, { cause: failure });
}
