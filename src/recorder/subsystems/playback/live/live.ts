import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { RecorderdError } from "../../../../model/errors.ts";
import type { Capture } from "../../../../model/ports.ts";
import { type Triplet, type TripletKey, tripletKey } from "../../../../model/service.ts";
import type { DurationMs } from "../../../../model/time.ts";
import type { HlsSource } from "../hls/source.ts";
import { type LiveBuffer, openBuffer } from "./buffer.ts";
import type { FillingParts } from "./filling.ts";
import { bytesAllowed, freeBytesOf } from "./room.ts";

export interface LiveParts extends Omit<FillingParts, "nextId"> {
  /** Captures and files of this run begin with it. */
  readonly run: string;
  readonly keepMs: DurationMs;
  /** The most for all buffers. */
  readonly mostBytes: number;
  /** With less free space, buffers end. */
  readonly stopBytes: number;
  /** Free space that buffers leave to recordings. */
  readonly neededBytes: () => number;
  readonly signal: AbortSignal;
}

/** Live services that somebody watches, each in one buffer for all its viewers. */
export interface Live extends AsyncDisposable {
  source(service: Triplet): HlsSource;
}

/** Begins the names of captures for viewers. */
const PREFIX = "live.";

export function createLive(parts: LiveParts): Live {
  const { run, folder, keepMs, mostBytes, stopBytes, neededBytes, clock, limits, signal } = parts;
  const buffers = new Map<TripletKey, LiveBuffer>();
  /** Buffers that release their tuner. */
  const leaving = new Map<TripletKey, Promise<void>>();
  let count = 0;
  let trimmedMs = clock.monotonicMs();
  let isTending = false;

  const nextId = () => {
    count += 1;
    return `${PREFIX}${run}.${count}`;
  };

  function openedFor(service: Triplet): LiveBuffer {
    const key = tripletKey(service);
    const known = buffers.get(key);
    if (known !== undefined) return known;
    signal.throwIfAborted();
    if (buffers.size >= limits.buffers)
      throw new RecorderdError("TUNER_BUSY", "Too many services are watched live.");
    const given = [...buffers.values()].reduce((sum, each) => sum + each.newestBytesMax, 0);
    const newestBytesMax = Math.min(limits.newestBytes, limits.allNewestBytes - given);
    const buffer = openBuffer(service, { ...parts, nextId, newestBytesMax }, signal);
    buffers.set(key, buffer);
    if (!isTending) void tend();
    return buffer;
  }

  async function tend(): Promise<void> {
    isTending = true;
    while (buffers.size > 0 && !signal.aborted) {
      await clock.sleep(limits.lookMs, signal).catch(() => {});
      for (const [key, buffer] of buffers) if (buffer.isIdle) leave(key, buffer);
      await keepRoom();
    }
    isTending = false;
  }

  function leave(key: TripletKey, buffer: LiveBuffer): void {
    buffers.delete(key);
    const left = Promise.resolve(buffer[Symbol.asyncDispose]()).finally(() => leaving.delete(key));
    leaving.set(key, left);
  }

  async function keepRoom(): Promise<void> {
    const freeBytes = await freeBytesOf(folder);
    if (freeBytes === undefined || buffers.size === 0) return;
    const isLow = freeBytes < stopBytes;
    if (isLow) for (const buffer of buffers.values()) buffer.stop(diskLow());
    if (!isLow && clock.monotonicMs() - trimmedMs < limits.trimMs) return;
    trimmedMs = clock.monotonicMs();
    const all = [...buffers.values()];
    const bufferedBytes = all.reduce((sum, { bytes }) => sum + bytes, 0);
    const room = { freeBytes, bufferedBytes, neededBytes: neededBytes(), buffers: all.length, mostBytes };
    const keepBytes = isLow ? 0 : bytesAllowed(room);
    await Promise.all(all.map((buffer) => buffer.trim({ keepMs, keepBytes })));
  }

  return {
    source: (service) => {
      const key = tripletKey(service);
      return {
        parts: async (purpose) => {
          const known = buffers.get(key);
          if (purpose === "segment" && known === undefined) throw notWatched(key);
          await leaving.get(key);
          return await openedFor(service).parts(purpose);
        },
        grown: async (ms) => await buffers.get(key)?.grown(ms),
        async *read(range) {
          const known = buffers.get(key);
          if (known === undefined) throw notWatched(key);
          yield* known.read(range);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const [key, buffer] of buffers) leave(key, buffer);
      await Promise.all(leaving.values());
      await rmdir(folder).catch(() => {});
    },
  };
}

/** Ends the captures for viewers that an earlier run left, and removes their files. */
export async function cleanLive(folder: string, capture: Pick<Capture, "running" | "stop">): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.length === 0) return;
  for (const id of await capture.running()) if (id.startsWith(PREFIX)) await capture.stop(id);
  for (const name of names)
    if (name.startsWith(PREFIX)) await rm(join(folder, name), { force: true }).catch(() => {});
  await rmdir(folder).catch(() => {});
}

function notWatched(key: TripletKey): RecorderdError {
  return new RecorderdError(
    "RECORDING_UNKNOWN",
    `Nobody is watching service ${key}: request its playlist first.`,
  );
}

function diskLow(): RecorderdError {
  return new RecorderdError("DISK_LOW", "The disk has too little space to pause live television.");
}
