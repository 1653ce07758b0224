import type { FileState } from "../../kit/files/file-state.ts";
import { type Pace, readWholeFile } from "../../kit/files/whole-read.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Inspection } from "../../model/inspection.ts";
import type { NetworkSettings } from "../../model/network.ts";
import type { Digest } from "../../model/ports.ts";
import type { Triplet } from "../../model/service.ts";
import { HOPELESS_BYTES } from "../../mpeg-ts/foreign-packets.ts";
import { ZeroSearch } from "../../mpeg-ts/zero-search.ts";
import { unreadable } from "./file-inspection.ts";
import { Inspector } from "./inspector.ts";
import { TailHash } from "./tail-hash.ts";

export interface WholeInspection {
  readonly inspection: Inspection;
  /** Digest of the inspected bytes. */
  readonly digest: Digest;
  /** The same without an incomplete packet at the end. */
  readonly wholePackets: Digest;
  /** State of the file; absent if it changed meanwhile. */
  readonly state?: FileState;
}

export interface WholeOrder {
  readonly service: Triplet | undefined;
  readonly networks?: NetworkSettings | undefined;
  /**
   * Ends before the first run of zeros that no stream contains: the file was cut there, and its writer continued at the old
   * position.
   */
  readonly untilZeros?: boolean;
  /** Ends early in a file that is no transport stream: a person may name one of any length. */
  readonly givesUp?: boolean;
  readonly pace?: Pace;
  /** Receives the number of bytes read so far. */
  readonly onRead?: (bytes: number) => void;
}

/** A file of a recording that has ended, read at this rate at most. */
export interface ReadingOrder extends Pick<WholeOrder, "service" | "networks" | "untilZeros"> {
  readonly bytesPerSecond: number;
}

/** `inspectWhole`, wherever it runs. */
export type ReadWhole = (file: string, order: ReadingOrder, signal: AbortSignal) => Promise<WholeInspection>;

/** Reads on this thread. */
export function wholeReader(clock: Clock, onRead?: WholeOrder["onRead"]): ReadWhole {
  return async (file, { bytesPerSecond, ...order }, signal) =>
    await inspectWhole(
      file,
      { ...order, pace: { clock, bytesPerSecond }, ...(onRead && { onRead }) },
      signal,
    );
}

/**
 * Reads a file from start to end in one pass, so that the inspection and the SHA-256 describe the same bytes.
 *
 * @throws RecorderdError FILE_UNREADABLE
 */
export async function inspectWhole(
  file: string,
  { service, networks, untilZeros = false, givesUp = false, pace, onRead }: WholeOrder,
  signal: AbortSignal,
): Promise<WholeInspection> {
  const inspector = new Inspector(service, networks === undefined ? {} : { networks });
  const hash = new TailHash();
  const zeros = new ZeroSearch();
  let bytes = 0;
  const push = (part: Buffer) => {
    inspector.push(part);
    hash.update(part);
    bytes += part.length;
    onRead?.(bytes);
  };
  const take = (portion: Buffer) => {
    const { clean, isFound } = untilZeros ? zeros.next(portion) : { clean: [portion], isFound: false };
    for (const part of clean) push(part);
    return !isFound && !(givesUp && bytes >= HOPELESS_BYTES && inspector.packets === 0);
  };
  const state = await reading(file, signal, () =>
    readWholeFile(file, { take, ...(pace && { pace }) }, signal),
  );
  if (untilZeros) for (const part of zeros.rest()) push(part);
  inspector.settle();
  const inspection = inspector.inspection();
  return { inspection, ...digestsOf(hash, { bytes, inspection }), ...(state === undefined ? {} : { state }) };
}

function digestsOf(
  hash: TailHash,
  { bytes, inspection }: { readonly bytes: number; readonly inspection: Inspection },
): Pick<WholeInspection, "digest" | "wholePackets"> {
  const of = (without: number) => ({ bytes: bytes - without, sha256: hash.digest(without) });
  return { digest: of(0), wholePackets: of(inspection.tailBytes) };
}

/** Translates system errors to RecorderdErrors. */
async function reading<T>(file: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RecorderdError || signal.aborted) throw error;
    throw unreadable(file, error instanceof Error ? error.message : String(error), error);
  }
}
