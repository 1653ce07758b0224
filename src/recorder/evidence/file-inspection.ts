import { close, fstat, read } from "node:fs";
import { promisify } from "node:util";
import { stateFrom } from "../../kit/files/file-state.ts";
import { BufferPool } from "../../kit/files/spare-buffers.ts";
import { openFd, portionsOf } from "../../kit/files/steady-fs.ts";
import { Turns } from "../../kit/time/turns.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Inspection } from "../../model/inspection.ts";
import type { NetworkSettings } from "../../model/network.ts";
import type { FileInspection, OpenInspection } from "../../model/ports.ts";
import { type Triplet, tripletKey } from "../../model/service.ts";
import { INDEX_ENDING } from "../../mpeg-ts/access-index/format.ts";
import { PACKET_BYTES } from "../../mpeg-ts/packets.ts";
import { IndexWriter } from "./index-writer.ts";
import { Inspector, type InspectorOptions } from "./inspector.ts";
import { EVIDENCE_LIMITS } from "./limits.ts";

/**
 * One second of a rich service: a system call costs more than its bytes. Not a multiple of the host's blocks: a full read needs
 * another one, and a short read shows the end.
 */
const READ_BYTES = 6000 * PACKET_BYTES;
/** New data between two looks; more is a long read. */
const USUAL_PORTIONS = 4;
/** A long read writes what it found to the index this often. */
const FLUSH_PORTIONS = 64;
/** Node.js reads as many at once. All recordings are inspected at the same time. */
const buffers = new BufferPool({ bytes: READ_BYTES, most: 4 });
// Not the FileHandle of node:fs/promises, which needs twice the instructions per read: each growing file is read every other
// second.
const closeFd = promisify(close);
const statFd = promisify(fstat);

/**
 * Inspects a file from its first byte. Each `advance` reads to the present end, and no byte twice. The first `advance` opens the
 * file, so it may be created later; after a close, the next one reopens it. Calls are serialized.
 */
export const openInspection: OpenInspection = inspecting({});

/** Receives the sections of NIT, SDT and EIT from files that are being written. */
export interface GuideTap {
  /** Whether a file with this time of its last write is still being written. */
  isLive(mtimeMs: number): boolean;
  /** @param source equal for all files of a service */
  section(pid: number, section: Uint8Array, source: string): void;
}

interface InspectingParts {
  readonly tap?: GuideTap;
  readonly networks?: NetworkSettings;
  /**
   * Writes the index of access points beside each file, from the file's first byte, and receives the failure that ended an
   * index. Nothing else depends on it.
   */
  readonly index?: (file: string, error: unknown) => void;
  /** Receives the access points instead of an index file. */
  readonly accessPoint?: InspectorOptions["accessPoint"];
  readonly firstCut?: InspectorOptions["firstCut"];
  /** Receives all bytes of the file, in order, before what is found in them. Their memory is used again. */
  readonly bytes?: (portion: Uint8Array) => void;
}

/** Inspections that know the networks, and pass event tables to a listener. */
export function inspecting(parts: InspectingParts): OpenInspection {
  return (file, service) => inspectionOf(file, { ...parts, service });
}

function inspectionOf(
  file: string,
  {
    service,
    tap,
    networks,
    index,
    accessPoint,
    firstCut,
    bytes,
  }: InspectingParts & { readonly service: Triplet | undefined },
): FileInspection {
  let isLive = false;
  const source = service === undefined ? file : tripletKey(service);
  const listen = (pid: number, section: Uint8Array) => {
    if (isLive) tap?.section(pid, section, source);
  };
  const writer = index === undefined ? undefined : new IndexWriter(`${file}${INDEX_ENDING}`, index);
  const inspector = new Inspector(service, {
    ...(tap === undefined ? {} : { guide: listen }),
    ...(networks === undefined ? {} : { networks }),
    accessPoint: writer?.add.bind(writer) ?? accessPoint,
    firstCut,
  });
  let fd: number | undefined;
  let id: string | undefined;
  let readBytes = 0;
  /** The last bytes read, to detect changes. */
  let tail: Uint8Array = Buffer.alloc(0);
  /** Reads and closes, one at a time: a closed descriptor's number may soon belong to another file. */
  const turns = new Turns();

  async function readOn(signal: AbortSignal): Promise<void> {
    const reading = fd ?? (await reopen());
    // Checked once per open file: each check costs as much as a read.
    if (tap !== undefined && !isLive) isLive = tap.isLive((await statFd(reading)).mtimeMs);
    // A fast file has no final end: a long read goes to the end known then. To ask costs as much as a read.
    let end = Number.POSITIVE_INFINITY;
    // Portions let other files take turns during a long read.
    for (let portions = 1, length = READ_BYTES; length === READ_BYTES && readBytes < end; portions += 1) {
      length = await buffers.use((buffer) => readPortion(reading, buffer));
      signal.throwIfAborted();
      if (portions === USUAL_PORTIONS) end = (await statFd(reading)).size;
      if (portions % FLUSH_PORTIONS === 0) await writer?.flush();
    }
    inspector.settle();
    await writer?.flush();
  }

  async function reopen(): Promise<number> {
    fd = await openFd(file, "r");
    isLive = false;
    id = stateFrom(await statFd(fd, { bigint: true })).id;
    return fd;
  }

  /**
   * Reads on from the last packet, which is read again. A cut in place removes that packet: the writer continues at its old
   * position, and the gap is zeros (docs/dev/decisions/0032).
   */
  async function readPortion(reading: number, buffer: Uint8Array): Promise<number> {
    const length = await readAt(reading, { buffer, position: readBytes - tail.length });
    if (!tail.every((byte, at) => at < length && byte === buffer[at])) throw await changedError(reading);
    const portion = buffer.subarray(tail.length, length);
    bytes?.(portion);
    inspector.push(portion);
    readBytes += length - tail.length;
    tail = Uint8Array.prototype.slice.call(buffer, Math.max(0, length - PACKET_BYTES), length);
    return length;
  }

  async function changedError(reading: number): Promise<RecorderdError> {
    const { size } = await statFd(reading);
    const how =
      size < readBytes
        ? `was cut from ${readBytes} to ${size} bytes`
        : `has changed within its first ${readBytes} bytes`;
    const message = `${file} ${how}: another program changed it during the recording.`;
    return new RecorderdError("FILE_CHANGED", message, { file });
  }

  async function advance(signal: AbortSignal): Promise<Inspection> {
    signal.throwIfAborted();
    try {
      await readOn(signal);
    } catch (error) {
      if (error instanceof RecorderdError || signal.aborted) throw error;
      throw unreadable(file, error instanceof Error ? error.message : String(error), error);
    }
    return inspector.inspection();
  }

  async function closeFile(): Promise<void> {
    const opened = fd;
    fd = undefined;
    if (opened === undefined) return;
    await closeFd(opened);
    await writer?.close({ bytes: readBytes, streamMs: inspector.inspection().streamMs });
  }

  return {
    advance: (signal) => turns.run(() => advance(signal)),
    fileId: () => id,
    [Symbol.asyncDispose]: () => turns.run(closeFile),
  };
}

/** @returns the number of bytes; fewer than the buffer's size only at the end of the file */
function readAt(
  fd: number,
  { buffer, position }: { readonly buffer: Uint8Array; readonly position: number },
): Promise<number> {
  return new Promise((resolve, reject) => {
    read(fd, buffer, 0, buffer.length, position, (error, bytesRead) => {
      if (error === null) resolve(bytesRead);
      else reject(error);
    });
  });
}

/**
 * Inspects the first bytes of a file as if it ended there, and counts the packets lost between them and the next file, which only
 * both together show.
 *
 * @throws RecorderdError FILE_UNREADABLE
 */
export async function inspectBeginning(
  file: string,
  {
    service,
    networks = new Map(),
    bytes,
    next,
  }: {
    readonly service: Triplet | undefined;
    readonly networks?: NetworkSettings;
    readonly bytes: number;
    readonly next: string;
  },
  signal: AbortSignal,
): Promise<Inspection> {
  const inspector = new Inspector(service, { networks });
  await push([inspector], file, { bytes, signal });
  const beginning = inspector.inspection();
  const alone = new Inspector(service, { networks });
  await push([inspector, alone], next, { bytes: EVIDENCE_LIMITS.overlapBytes, signal });
  return withSeam(beginning, { both: inspector.inspection(), next: alone.inspection() });
}

async function push(
  inspectors: readonly Inspector[],
  file: string,
  { bytes, signal }: { readonly bytes: number; readonly signal: AbortSignal },
): Promise<void> {
  try {
    for await (const portion of portionsOf(file, {
      end: bytes - 1,
      highWaterMark: READ_BYTES,
      signal,
    })) {
      for (const inspector of inspectors) inspector.push(portion);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    throw unreadable(file, error instanceof Error ? error.message : String(error), error);
  }
  for (const inspector of inspectors) inspector.settle();
}

/** Adds the errors that the counters of two files show only at their joint. */
function withSeam(
  beginning: Inspection,
  { both, next }: { readonly both: Inspection; readonly next: Inspection },
): Inspection {
  const errorsOf = ({ pids }: Inspection, pid: number) =>
    pids.find((facts) => facts.pid === pid)?.continuityErrors ?? 0;
  const pids = beginning.pids.map((facts) => ({
    ...facts,
    continuityErrors: Math.max(facts.continuityErrors, errorsOf(both, facts.pid) - errorsOf(next, facts.pid)),
  }));
  return { ...beginning, pids, continuityErrors: pids.reduce((sum, pid) => sum + pid.continuityErrors, 0) };
}

export function unreadable(file: string, reason: string, cause?: unknown): RecorderdError {
  return new RecorderdError(
    "FILE_UNREADABLE",
    `cannot read ${file}: ${reason}; check that it exists, may be read and is written by one process only`,
    { file },
    { cause },
  );
}
