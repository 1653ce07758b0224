import { type FileHandle, rm } from "node:fs/promises";
import { open } from "../../../../kit/files/steady-fs.ts";
import { Turns } from "../../../../kit/time/turns.ts";
import { WakeSignal } from "../../../../kit/time/wake-signal.ts";
import { RecorderdError } from "../../../../model/errors.ts";
import { type Triplet, tripletKey } from "../../../../model/service.ts";
import type { DurationMs } from "../../../../model/time.ts";
import type { HlsParts, HlsSource } from "../hls/source.ts";
import { PLAYBACK_LIMITS } from "../limits.ts";
import { type Filling, type FillingParts, startFilling } from "./filling.ts";
import { newestBytes } from "./newest-bytes.ts";
import type { RingSize } from "./ring.ts";
import { createRing } from "./ring.ts";
import { freeRoom } from "./room.ts";

/** The last minutes of a live service on disk. */
export interface LiveBuffer extends Required<HlsSource>, AsyncDisposable {
  /** Nobody has requested anything for a while, or there is nothing to watch. */
  readonly isIdle: boolean;
  readonly bytes: number;
  /** Bytes that may stay in memory. */
  readonly newestBytesMax: number;
  /** Lets old segments leave, and frees the space of those that had left before. */
  trim(size: Omit<RingSize, "leastMs">): Promise<void>;
  /** No more data is taken; what is there can be watched. */
  stop(why: RecorderdError): void;
}

export interface BufferParts extends FillingParts {
  /** Bytes that stay in memory. */
  readonly newestBytesMax: number;
}

/** Opens a buffer and begins to fill it. */
export function openBuffer(service: Triplet, parts: BufferParts, closed: AbortSignal): LiveBuffer {
  const { clock, limits } = parts;
  /** Requests that wait for a segment. */
  const waits = new Set<WakeSignal>();
  const wake = () => {
    for (const each of waits) each.signal();
  };
  const ring = createRing(wake);
  const newest = newestBytes(parts.newestBytesMax);
  const [sinceMs, startedAt] = [clock.monotonicMs(), clock.now()];
  let requestedMs = sinceMs;
  let waiting = 0;
  let halt = new AbortController();
  let filling: Filling | undefined;
  let endedBy: RecorderdError | undefined;
  let endedMs = Number.NEGATIVE_INFINITY;
  let punched: { readonly file: string; readonly bytes: number } | undefined;
  let canPunch = true;
  let left = 0;
  const trims = new Turns();

  const lastNumber = () => ring.segments.at(-1)?.number ?? -1;
  const touch = () => {
    requestedMs = clock.monotonicMs();
  };

  function fill(): void {
    halt = new AbortController();
    const before = lastNumber();
    endedBy = undefined;
    const mine = startFilling({ service, ring, newest, sinceMs }, parts, halt.signal);
    filling = mine;
    void mine.ended.then((why) => {
      filling = undefined;
      endedBy ??= why;
      if (lastNumber() > before) endedMs = clock.monotonicMs();
      wake();
    });
  }

  async function grown(ms: DurationMs): Promise<void> {
    const mine = new WakeSignal();
    waits.add(mine);
    await mine.waitFor(ms, { clock, signal: closed });
    waits.delete(mine);
    closed.throwIfAborted();
  }

  /** Players take a playlist without a segment for broken. @throws RecorderdError why there is none */
  async function untilSegment(after: number): Promise<void> {
    waiting += 1;
    try {
      const untilMs = clock.monotonicMs() + limits.firstSegmentWaitMs;
      while (lastNumber() <= after) {
        if (filling === undefined && endedBy !== undefined) throw endedBy;
        const leftMs = untilMs - clock.monotonicMs();
        if (leftMs <= 0) throw noData(service);
        await grown(leftMs);
      }
    } finally {
      waiting -= 1;
      touch();
    }
  }

  function partsNow(): HlsParts {
    const { segments, tables, removedBreaks } = ring;
    const isGrowing = filling !== undefined && endedBy === undefined;
    return { segments, tables, isGrowing, startedAt, live: { removedBreaks, endedBy } };
  }

  async function freeOld(keepBytes: number): Promise<void> {
    // Segments that left this time may still be requested.
    const freeable = ring.free(left);
    left = ring.front;
    const punchedBytes = punched?.file === freeable.front?.file ? (punched?.bytes ?? 0) : 0;
    const front = canPunch ? freeable.front : undefined;
    const files = { files: freeable.files, ...(front === undefined ? {} : { front }) };
    const bytes = await freeRoom(files, { punchedBytes, limits, signal: closed });
    if (front !== undefined && bytes !== undefined) punched = { file: front.file, bytes };
    canPunch &&= bytes !== undefined;
    if (!canPunch && ring.fileBytes > keepBytes / 2) filling?.changeFile();
  }

  fill();
  return {
    get isIdle() {
      if (waiting > 0) return false;
      const hasNothing = filling === undefined && ring.segments.length === 0;
      return hasNothing || clock.monotonicMs() - requestedMs >= limits.idleMs;
    },
    get bytes() {
      return ring.bytes;
    },
    newestBytesMax: parts.newestBytesMax,
    parts: async (purpose) => {
      touch();
      if (purpose === "segment") return partsNow();
      const isOver = filling === undefined && clock.monotonicMs() - endedMs >= limits.endShownMs;
      const after = lastNumber();
      if (isOver) fill();
      if (isOver || after < 0) await untilSegment(after);
      return partsNow();
    },
    grown,
    async *read({ first, last }) {
      const place = ring.place(first);
      if (place === undefined) throw gone(service);
      await using file = lazily(() => open(place.file));
      for (let at = first; at <= last; ) {
        const length = Math.min(PLAYBACK_LIMITS.readBytes, last + 1 - at);
        const bytes =
          newest.read({ first: at, last: at + length - 1 }) ??
          (await readPart(await file.get(), { position: place.position + at - first, length }));
        // Space that was freed meanwhile reads as zeros.
        if (bytes.length === 0 || ring.place(at) === undefined) throw gone(service);
        at += bytes.length;
        touch();
        yield bytes;
      }
    },
    trim: ({ keepMs, keepBytes }) => {
      // Without holes, half of the space is a file that only leaves as a whole.
      ring.trim({ keepMs, keepBytes: canPunch ? keepBytes : keepBytes / 2, leastMs: limits.leastMs });
      return trims.run(() => freeOld(keepBytes));
    },
    stop: (why) => {
      endedBy ??= why;
      halt.abort();
      wake();
    },
    async [Symbol.asyncDispose]() {
      halt.abort();
      await filling?.ended;
      await trims.ended();
      for (const file of ring.files) await rm(file, { force: true }).catch(() => {});
    },
  };
}

/** A file that is opened when something of it is needed. */
function lazily(openNow: () => Promise<FileHandle>): AsyncDisposable & { get(): Promise<FileHandle> } {
  let opened: Promise<FileHandle> | undefined;
  return {
    get: () => {
      opened ??= openNow();
      return opened;
    },
    async [Symbol.asyncDispose]() {
      await (await opened)?.close();
    },
  };
}

async function readPart(
  handle: FileHandle,
  { position, length }: { readonly position: number; readonly length: number },
): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function noData(service: Triplet): RecorderdError {
  return new RecorderdError("STREAM_NO_DATA", `Service ${tripletKey(service)} has no picture or sound yet.`);
}

function gone(service: Triplet): RecorderdError {
  return new RecorderdError(
    "RECORDING_UNKNOWN",
    `This part of service ${tripletKey(service)} has left its buffer.`,
  );
}
