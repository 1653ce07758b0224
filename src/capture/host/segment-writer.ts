import { strict as assert } from "node:assert";
import { close, fdatasync, write } from "node:fs";
import { LIMITS } from "../../model/limits.ts";

/**
 * No write is longer than this. Half a second of a usual service: twice as much would be written as often,
 * since what is old enough goes before it is full, and every file would hold twice the memory.
 */
const BLOCK_BYTES = 512 * 1024;
/**
 * Segments take turns: each has a first block that is an eighth smaller than that of the one before, and a first sync as much
 * sooner. Services of one rate that began together would fill their blocks in one moment, and be synced in one, and while its file
 * is busy each needs a second block.
 */
const TURNS = 8;
/**
 * What waits in memory is written when it is this old; sooner in the first seconds, so that a start is seen at once. All ages count
 * from the look that found it, and end with a look: two tenths of a second are left for that.
 */
const AGE_MS = 800;
const AGE_FIRST_MS = 50;
const FIRST_MS = 2000;
/** Nothing comes: the instant of the last write must be that of the last packet (decision 3). */
const IDLE_MS = 75;

interface Block {
  readonly bytes: Buffer;
  /** It is full with so many. */
  readonly room: number;
  filled: number;
  written: number;
}

/** Buffers that no segment uses now: allocated once, as a segment needs one after the other for hours. */
const spare: Buffer[] = [];
/** After a moment in which the disk was slow there may be more than are needed again. */
const SPARE_MAX = 16;
let segments = 0;

export interface SegmentWriterParts {
  readonly openedMs: number;
  /** A write failed: nothing more is written. */
  readonly onFailure: (error: NodeJS.ErrnoException) => void;
  /** A write is done. */
  readonly onWritten: () => void;
}

/**
 * Writes one file: collects what comes and writes it in few calls, one at a time. All times are readings of one monotonic clock.
 * What it holds grows without bound where the disk is slower than the source: its owner looks at `backlogBytes`.
 */
export class SegmentWriter {
  readonly #fd: number;
  readonly #parts: SegmentWriterParts;
  #blocks: Block[] = [];
  /** Of the next block. */
  #room: number;
  #backlogBytes = 0;
  #offset = 0;
  #isBusy = false;
  #hasFailed = false;
  #syncedMs: number;
  #isDirty = false;
  /** Something came since the last look. */
  #isNew = false;
  /** Something is not handed to the system yet. */
  #isWaiting = false;
  /** The first look that found it. */
  #waitingSinceMs: number | undefined;
  #cameMs: number;
  #onIdle: (() => void) | undefined;

  /** @param fd of a new file, which the writer closes */
  constructor(fd: number, parts: SegmentWriterParts) {
    this.#fd = fd;
    this.#parts = parts;
    this.#cameMs = parts.openedMs;
    const turn = segments % TURNS;
    segments += 1;
    this.#room = BLOCK_BYTES - turn * (BLOCK_BYTES / TURNS);
    this.#syncedMs = parts.openedMs - turn * (LIMITS.captureSyncMs / TURNS);
  }

  /** Bytes that came and are not written yet. */
  get backlogBytes(): number {
    return this.#backlogBytes;
  }

  /** Copies `bytes[from]` to `bytes[to - 1]`. When they came says the next look: the clock is not read for each piece. */
  append(bytes: Uint8Array, from: number, to: number): void {
    if (this.#hasFailed) return;
    this.#isNew = true;
    this.#isWaiting = true;
    for (let at = from; at < to; ) {
      const block = this.#filling();
      const length = Math.min(to - at, block.room - block.filled);
      block.bytes.set(bytes.subarray(at, at + length), block.filled);
      block.filled += length;
      this.#backlogBytes += length;
      at += length;
      if (block.filled === block.room) this.#write();
    }
    // Whoever waits for a sign of life sees it at once.
    if (this.#offset === 0) this.#write();
  }

  /** Called many times a second: writes what is old enough, and syncs what was written long enough ago. */
  look(nowMs: number): void {
    if (this.#isNew) this.#cameMs = nowMs;
    this.#isNew = false;
    if (this.#isWaiting) this.#waitingSinceMs ??= nowMs;
    if (this.#isBusy || this.#hasFailed) return;
    // Something always waits while a stream comes: what is due is not put off for that.
    if (this.#isDirty && nowMs - this.#syncedMs >= LIMITS.captureSyncMs) return this.#sync(nowMs);
    const since = this.#waitingSinceMs;
    if (since === undefined) return;
    const ageMs = nowMs - this.#parts.openedMs < FIRST_MS ? AGE_FIRST_MS : AGE_MS;
    if (nowMs - since >= ageMs || nowMs - this.#cameMs >= IDLE_MS) this.#write();
  }

  /** Writes what is left and closes the file. Resolves also where a write had failed. */
  async end(): Promise<void> {
    while (!this.#hasFailed && (this.#isBusy || this.#backlogBytes > 0)) {
      if (!this.#isBusy) this.#write();
      await this.#idle();
    }
    if (this.#isBusy) await this.#idle();
    for (const { bytes } of this.#blocks) giveBack(bytes);
    this.#blocks = [];
    await new Promise<void>((resolve) => {
      close(this.#fd, () => resolve());
    });
  }

  #filling(): Block {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.filled < last.room) return last;
    const bytes = spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
    const block = { bytes, room: this.#room, filled: 0, written: 0 };
    this.#room = BLOCK_BYTES;
    this.#blocks.push(block);
    return block;
  }

  #write(): void {
    const block = this.#blocks[0];
    if (this.#isBusy || this.#hasFailed || block === undefined) return;
    const { written, filled } = block;
    assert(filled > written, "a block that is begun has something to write");
    this.#isBusy = true;
    this.#isWaiting = this.#blocks.length > 1;
    this.#waitingSinceMs = undefined;
    write(this.#fd, block.bytes, written, filled - written, this.#offset, (error, length) => {
      this.#isBusy = false;
      if (error !== null) {
        this.#fail(error);
      } else {
        this.#wrote(block, length);
        // A full disk takes a part of a write before it refuses the rest.
        if (length < filled - written || this.#hasFullBlock()) this.#write();
      }
      this.#wakeIdle();
    });
  }

  #hasFullBlock(): boolean {
    const first = this.#blocks[0];
    return first !== undefined && first.filled === first.room;
  }

  #wrote(block: Block, length: number): void {
    block.written += length;
    this.#offset += length;
    this.#backlogBytes -= length;
    this.#isDirty = true;
    if (block.written === block.room) {
      this.#blocks.shift();
      giveBack(block.bytes);
    }
    this.#parts.onWritten();
  }

  #sync(nowMs: number): void {
    this.#isBusy = true;
    this.#isDirty = false;
    this.#syncedMs = nowMs;
    fdatasync(this.#fd, (error) => {
      this.#isBusy = false;
      if (error !== null) this.#fail(error);
      else if (this.#hasFullBlock()) this.#write();
      this.#wakeIdle();
    });
  }

  #fail(error: NodeJS.ErrnoException): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#backlogBytes = 0;
    this.#parts.onFailure(error);
  }

  #idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
    });
  }

  #wakeIdle(): void {
    const wake = this.#onIdle;
    if (this.#isBusy) return;
    this.#onIdle = undefined;
    wake?.();
  }
}

function giveBack(bytes: Buffer): void {
  if (spare.length < SPARE_MAX) spare.push(bytes);
}
