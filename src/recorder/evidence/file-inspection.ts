import { close, createReadStream, fstat, open, read } from "node:fs";
import { promisify } from "node:util";
import { stateFrom } from "../../kit/files/file-state.ts";
import { BufferPool } from "../../kit/files/spare-buffers.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { Inspection } from "../../model/inspection.ts";
import { LIMITS } from "../../model/limits.ts";
import type { NetworkSettings } from "../../model/network.ts";
import type { FileInspection, OpenInspection } from "../../model/ports.ts";
import { type Triplet, tripletKey } from "../../model/service.ts";
import { PACKET_BYTES } from "../../mpeg-ts/packets.ts";
import { Inspector } from "./inspector.ts";

/**
 * A second of a rich service: each call of the system costs more than the bytes it brings. Not a multiple of the host's blocks: a
 * read that comes back short says that this was all, and one that is just filled has to be followed by another.
 */
const READ_BYTES = 6000 * PACKET_BYTES;
/** As many as Node.js reads at once. All recordings are looked at in the same moment. */
const buffers = new BufferPool({ bytes: READ_BYTES, most: 4 });
// Not the FileHandle of node:fs/promises, which takes twice the instructions for a read: each growing file is read every other second.
const openFd = promisify(open);
const closeFd = promisify(close);
const statFd = promisify(fstat);

/**
 * Follows a file from its first byte; each `advance` reads to the end that it finds, and nothing twice.
 * The file is opened by the first `advance`, so it may be made later, and again by the one after it was closed. Calls take turns.
 */
export const openInspection: OpenInspection = inspecting({});

/** Who wants the sections of NIT, SDT and EIT out of files that are written now. */
export interface GuideTap {
  /** Whether a file that was last written then is one. */
  isLive(mtimeMs: number): boolean;
  /** @param source one and the same for all files of a service */
  section(pid: number, section: Uint8Array, source: string): void;
}

interface InspectingParts {
  readonly tap?: GuideTap;
  readonly networks?: NetworkSettings;
}

/** Inspections that know networks, and tell a listener of event tables on the way. */
export function inspecting(parts: InspectingParts): OpenInspection {
  return (file, service) => inspectionOf(file, { ...parts, service });
}

function inspectionOf(
  file: string,
  { service, tap, networks }: InspectingParts & { readonly service: Triplet | undefined },
): FileInspection {
  let isLive = false;
  const source = service === undefined ? file : tripletKey(service);
  const listen = (pid: number, section: Uint8Array) => {
    if (isLive) tap?.section(pid, section, source);
  };
  const inspector = new Inspector(service, {
    ...(tap === undefined ? {} : { guide: listen }),
    ...(networks === undefined ? {} : { networks }),
  });
  let fd: number | undefined;
  let id: string | undefined;
  let readBytes = 0;
  /** The last bytes that were read, as the file held them then. */
  let tail: Uint8Array = Buffer.alloc(0);
  let lastTurn: Promise<unknown> = Promise.resolve();

  async function readOn(signal: AbortSignal): Promise<void> {
    const reading = fd ?? (await openAnew());
    // What comes while it is open is written now: asked each time, that would cost as much as the read.
    if (tap !== undefined && !isLive) isLive = tap.isLive((await statFd(reading)).mtimeMs);
    // A file that grows faster than it is read has no end to arrive at: it is read as far as it went after the first full portion.
    let end: number | undefined;
    // Portion by portion: a file of which hours are to be read holds up no other.
    for (let length = READ_BYTES; length === READ_BYTES && readBytes < (end ?? Number.POSITIVE_INFINITY); ) {
      length = await buffers.use((buffer) => readPortion(reading, buffer));
      signal.throwIfAborted();
      if (length === READ_BYTES) end ??= (await statFd(reading)).size;
    }
    inspector.settle();
  }

  async function openAnew(): Promise<number> {
    fd = await openFd(file, "r");
    isLive = false;
    id = stateFrom(await statFd(fd, { bigint: true })).id;
    return fd;
  }

  /**
   * Reads from the end of what is known, with its last packet once more. Who cuts a file in place takes that packet away: the writer goes
   * on at its old place, and what lies between is zeros by then (docs/dev/decisions/0032).
   */
  async function readPortion(reading: number, buffer: Uint8Array): Promise<number> {
    const length = await readAt(reading, { buffer, position: readBytes - tail.length });
    if (!tail.every((byte, at) => at < length && byte === buffer[at])) throw await changed(reading);
    const portion = buffer.subarray(tail.length, length);
    inspector.push(portion);
    readBytes += length - tail.length;
    tail = Uint8Array.prototype.slice.call(buffer, Math.max(0, length - PACKET_BYTES), length);
    return length;
  }

  async function changed(reading: number): Promise<RecorderdError> {
    const { size } = await statFd(reading);
    const how =
      size < readBytes
        ? `was cut from ${readBytes} to ${size} bytes`
        : `does not hold any more what was read of its first ${readBytes} bytes`;
    const message = `${file} ${how}, by another program than the one that records it.`;
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
    if (opened !== undefined) await closeFd(opened);
  }

  /** A read never meets the end of its descriptor: another file may have its number then. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(work);
    // A failure is told to the one who asked; the next turn begins all the same.
    lastTurn = turn.catch(() => {});
    return turn;
  }

  return {
    advance: (signal) => inTurn(() => advance(signal)),
    fileId: () => id,
    [Symbol.asyncDispose]: () => inTurn(closeFile),
  };
}

/** @returns how many bytes there were; fewer than the buffer holds only at the end of the file */
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
 * What the first bytes of a file hold, as if there were no more of it, and what is lost between them and the next file. That is
 * seen by the two together only.
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
  await push([inspector, alone], next, { bytes: LIMITS.overlapBytes, signal });
  return withSeam(beginning, { both: inspector.inspection(), next: alone.inspection() });
}

async function push(
  inspectors: readonly Inspector[],
  file: string,
  { bytes, signal }: { readonly bytes: number; readonly signal: AbortSignal },
): Promise<void> {
  try {
    for await (const portion of createReadStream(file, {
      end: bytes - 1,
      highWaterMark: READ_BYTES,
      signal,
    })) {
      for (const inspector of inspectors) inspector.push(portion as Buffer);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    throw unreadable(file, error instanceof Error ? error.message : String(error), error);
  }
  for (const inspector of inspectors) inspector.settle();
}

/** Adds what the counters of two files show where they are joined, and neither shows alone. */
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
