import { strict as assert } from "node:assert";
import { close, fdatasync, writev } from "node:fs";
import { usableMemoryBytes } from "../../../kit/machine/machine.ts";
import { CAPTURE_LIMITS } from "../limits.ts";
import { HOST_LIMITS } from "./limits.ts";

/** Size of a buffer; small, so that a segment takes little more memory than its backlog. */
const BLOCK_BYTES = 32 * 1024;
/** Largest write, in buffers. It holds a quarter of a second of a usual service; older data is written earlier anyway. */
const WRITE_BLOCKS = 8;
const WRITE_BYTES = WRITE_BLOCKS * BLOCK_BYTES;
/**
 * Staggers segments: each new one writes its first block an eighth smaller than the one before, and syncs earlier. Otherwise
 * services that began together would write and sync at the same moment.
 */
const TURNS = WRITE_BLOCKS;
/**
 * Maximum age of unwritten data; less in the first seconds, so that a start shows at once. Ages are rounded up to the next look,
 * which leaves two tenths of a second.
 */
const AGE_MS = 800;
const AGE_FIRST_MS = 50;
const FIRST_MS = 2000;
/** Without new data, the last write must follow the last packet at once: it dates the stream (docs/dev/decisions/0003). */
const IDLE_MS = 75;

interface Block {
  readonly bytes: Buffer;
  filled: number;
  written: number;
}

/**
 * Free buffers, reused for hours. Discarded buffers would stay allocated until a full garbage collection. The pool can grow after
 * a slow disk, so it is limited to what all segments may need.
 */
const spareBlocks: Buffer[] = [];
let begun = 0;
let open = 0;
const BACKLOGS_BYTES = Math.min(HOST_LIMITS.backlogsBytes, HOST_LIMITS.backlogsShare * usableMemoryBytes());
/** Unwritten bytes of all segments. */
let backlogs = 0;

export interface SegmentWriterParts {
  readonly openedMs: number;
  /** A write failed; nothing more is written. */
  readonly onFailure: (error: NodeJS.ErrnoException) => void;
  /** A write is done. */
  readonly onWritten: () => void;
}

/**
 * Writes one file: collects data and writes it in few calls, one at a time. Times are readings of the monotonic clock. A disk
 * slower than the source makes the backlog grow without bound; the owner checks `backlogBytes`.
 */
export class SegmentWriter {
  readonly #fd: number;
  readonly #parts: SegmentWriterParts;
  /** In file order; only the last one is not full. */
  #blocks: Block[] = [];
  /** File length at which a write is due, whatever the age of the data. */
  #dueBytes: number;
  #backlogBytes = 0;
  #offset = 0;
  #isBusy = false;
  #hasFailed = false;
  #syncedMs: number;
  #isDirty = false;
  /** Data arrived since the last look. */
  #isNew = false;
  /** Some data is not yet passed to the system. */
  #isWaiting = false;
  /** Time of the first look after that data arrived. */
  #waitingSinceMs: number | undefined;
  #cameMs: number;
  #onIdle: (() => void) | undefined;

  /** @param fd of a new file, which the writer closes */
  constructor(fd: number, parts: SegmentWriterParts) {
    this.#fd = fd;
    this.#parts = parts;
    this.#cameMs = parts.openedMs;
    const turn = begun % TURNS;
    begun += 1;
    open += 1;
    this.#dueBytes = WRITE_BYTES - turn * BLOCK_BYTES;
    this.#syncedMs = parts.openedMs - turn * (CAPTURE_LIMITS.captureSyncMs / TURNS);
  }

  /** Bytes received and not yet written. */
  get backlogBytes(): number {
    return this.#backlogBytes;
  }

  /** The backlog that a segment may have now; beyond, its source must wait. */
  static get backlogBytesMax(): number {
    return backlogs > BACKLOGS_BYTES ? HOST_LIMITS.backlogBytes : HOST_LIMITS.backlogBytesMost;
  }

  /** Copies `bytes[from]` to `bytes[to - 1]`. The next look dates the data, because reading the clock each time costs too much. */
  append(bytes: Uint8Array, from: number, to: number): void {
    if (this.#hasFailed) return;
    this.#isNew = true;
    this.#isWaiting = true;
    for (let at = from; at < to; ) {
      const block = this.#filling();
      const length = Math.min(to - at, BLOCK_BYTES - block.filled);
      block.bytes.set(bytes.subarray(at, at + length), block.filled);
      block.filled += length;
      at += length;
    }
    this.#changeBacklog(to - from);
    // The first data is written at once: others wait for a sign of life.
    if (this.#isDue() || this.#offset === 0) this.#write();
  }

  /** Called many times a second: writes data, and syncs the file, when they are old enough. */
  look(nowMs: number): void {
    if (this.#isNew) this.#cameMs = nowMs;
    this.#isNew = false;
    if (this.#isWaiting) this.#waitingSinceMs ??= nowMs;
    if (this.#isBusy || this.#hasFailed) return;
    // A sync is not put off for a write: a stream always has unwritten data.
    if (this.#isDirty && nowMs - this.#syncedMs >= CAPTURE_LIMITS.captureSyncMs) return this.#sync(nowMs);
    const since = this.#waitingSinceMs;
    if (since === undefined) return;
    const ageMs = nowMs - this.#parts.openedMs < FIRST_MS ? AGE_FIRST_MS : AGE_MS;
    if (nowMs - since >= ageMs || nowMs - this.#cameMs >= IDLE_MS) this.#write();
  }

  /** Writes the rest and closes the file. Resolves even if a write failed. */
  async end(): Promise<void> {
    while (!this.#hasFailed && (this.#isBusy || this.#backlogBytes > 0)) {
      if (!this.#isBusy) this.#write();
      await this.#idle();
    }
    if (this.#isBusy) await this.#idle();
    for (const { bytes } of this.#blocks) giveBack(bytes);
    this.#blocks = [];
    open -= 1;
    spareBlocks.length = Math.min(spareBlocks.length, open * WRITE_BLOCKS);
    await new Promise<void>((resolve) => {
      close(this.#fd, () => resolve());
    });
  }

  #filling(): Block {
    const last = this.#blocks.at(-1);
    if (last !== undefined && last.filled < BLOCK_BYTES) return last;
    const block = { bytes: spareBlocks.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES), filled: 0, written: 0 };
    this.#blocks.push(block);
    return block;
  }

  #isDue(): boolean {
    return this.#offset + this.#backlogBytes >= this.#dueBytes;
  }

  /** Writes full buffers if enough are there, or all data if it is old. */
  #write(): void {
    if (this.#isBusy || this.#hasFailed || this.#backlogBytes === 0) return;
    const whole = this.#isDue() ? this.#blocks.filter(({ filled }) => filled === BLOCK_BYTES) : this.#blocks;
    const portions = whole.slice(0, WRITE_BLOCKS).map(unwrittenPart);
    const requestedBytes = portions.reduce((sum, { length }) => sum + length, 0);
    assert(requestedBytes > 0, "a due write has a full block, and what waits has something to write");
    this.#isBusy = true;
    this.#isWaiting = this.#blocks.length > portions.length;
    this.#waitingSinceMs = undefined;
    writev(this.#fd, portions, this.#offset, (error, length) => {
      this.#isBusy = false;
      if (error !== null) {
        this.#fail(error);
      } else {
        this.#wrote(length);
        // A full disk accepts a part of a write before it refuses the rest.
        if (length < requestedBytes || this.#isDue()) this.#write();
      }
      this.#wakeIdle();
    });
  }

  #wrote(length: number): void {
    this.#offset += length;
    this.#changeBacklog(-length);
    while (this.#dueBytes <= this.#offset) this.#dueBytes += WRITE_BYTES;
    this.#isDirty = true;
    for (let left = length; left > 0; ) {
      const [block] = this.#blocks;
      assert(block !== undefined, "only what is there is written");
      const taken = Math.min(left, block.filled - block.written);
      block.written += taken;
      left -= taken;
      if (block.written < BLOCK_BYTES) break;
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
      else if (this.#isDue()) this.#write();
      this.#wakeIdle();
    });
  }

  #fail(error: NodeJS.ErrnoException): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#changeBacklog(-this.#backlogBytes);
    this.#parts.onFailure(error);
  }

  #changeBacklog(by: number): void {
    this.#backlogBytes += by;
    backlogs += by;
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

function unwrittenPart({ bytes, written, filled }: Block): Buffer {
  const isWhole = written === 0 && filled === BLOCK_BYTES;
  return isWhole ? bytes : bytes.subarray(written, filled);
}

function giveBack(bytes: Buffer): void {
  if (spareBlocks.length < open * WRITE_BLOCKS) spareBlocks.push(bytes);
}
