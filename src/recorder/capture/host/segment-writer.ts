import { strict as assert } from "node:assert";
import { close, fdatasync, writev } from "node:fs";
import { LIMITS } from "../../../model/limits.ts";

/** What comes is collected in pieces of memory of this size, so that a segment holds little more than what waits. */
const PIECE_BYTES = 64 * 1024;
/** Nor is a write longer. Half a second of a usual service: twice as much would be written as often, since what is old enough goes before. */
const WRITE_PIECES = 8;
const WRITE_BYTES = WRITE_PIECES * PIECE_BYTES;
/**
 * Segments take turns: each first writes an eighth less than the one before, and syncs as much sooner. Services of one rate that began
 * together would be written in one moment, and synced in one, and what comes while its file is busy waits.
 */
const TURNS = WRITE_PIECES;
/**
 * What waits in memory is written when it is this old; sooner in the first seconds, so that a start is seen at once. All ages count
 * from the look that found it, and end with a look: two tenths of a second are left for that.
 */
const AGE_MS = 800;
const AGE_FIRST_MS = 50;
const FIRST_MS = 2000;
/** Nothing comes: the instant of the last write must be that of the last packet (decision 3). */
const IDLE_MS = 75;

interface Piece {
  readonly bytes: Buffer;
  filled: number;
  written: number;
}

/**
 * Pieces that no segment uses now: allocated once, as a segment needs one after the other for hours. What is made and thrown away instead
 * is only given back by a collection of all memory, and that is seldom. Not more than all segments may want at once, since after a moment
 * in which the disk was slow there are.
 */
const spare: Buffer[] = [];
let begun = 0;
let open = 0;
/** Bytes of all segments that came and are not written yet. */
let backlogs = 0;

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
  /** In the order of the file; only the last is not full. */
  #pieces: Piece[] = [];
  /** When so much of the file is there, it is written, whatever its age. */
  #dueBytes: number;
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
    const turn = begun % TURNS;
    begun += 1;
    open += 1;
    this.#dueBytes = WRITE_BYTES - turn * PIECE_BYTES;
    this.#syncedMs = parts.openedMs - turn * (LIMITS.captureSyncMs / TURNS);
  }

  /** Bytes that came and are not written yet. */
  get backlogBytes(): number {
    return this.#backlogBytes;
  }

  /** The same of all writers together. */
  static get backlogsBytes(): number {
    return backlogs;
  }

  /** Copies `bytes[from]` to `bytes[to - 1]`. When they came says the next look: the clock is not read for each piece. */
  append(bytes: Uint8Array, from: number, to: number): void {
    if (this.#hasFailed) return;
    this.#isNew = true;
    this.#isWaiting = true;
    for (let at = from; at < to; ) {
      const piece = this.#filling();
      const length = Math.min(to - at, PIECE_BYTES - piece.filled);
      piece.bytes.set(bytes.subarray(at, at + length), piece.filled);
      piece.filled += length;
      at += length;
    }
    this.#changeBacklog(to - from);
    // Whoever waits for a sign of life sees it at once.
    if (this.#isDue() || this.#offset === 0) this.#write();
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
    for (const { bytes } of this.#pieces) giveBack(bytes);
    this.#pieces = [];
    open -= 1;
    spare.length = Math.min(spare.length, open * WRITE_PIECES);
    await new Promise<void>((resolve) => {
      close(this.#fd, () => resolve());
    });
  }

  #filling(): Piece {
    const last = this.#pieces.at(-1);
    if (last !== undefined && last.filled < PIECE_BYTES) return last;
    const piece = { bytes: spare.pop() ?? Buffer.allocUnsafeSlow(PIECE_BYTES), filled: 0, written: 0 };
    this.#pieces.push(piece);
    return piece;
  }

  #isDue(): boolean {
    return this.#offset + this.#backlogBytes >= this.#dueBytes;
  }

  /** Whole pieces where enough is there, everything where it is old. */
  #write(): void {
    if (this.#isBusy || this.#hasFailed || this.#backlogBytes === 0) return;
    const whole = this.#isDue() ? this.#pieces.filter(({ filled }) => filled === PIECE_BYTES) : this.#pieces;
    const portions = whole.slice(0, WRITE_PIECES).map(unwritten);
    const asked = portions.reduce((sum, { length }) => sum + length, 0);
    assert(asked > 0, "what is due has a whole piece, and what waits has something to write");
    this.#isBusy = true;
    this.#isWaiting = this.#pieces.length > portions.length;
    this.#waitingSinceMs = undefined;
    writev(this.#fd, portions, this.#offset, (error, length) => {
      this.#isBusy = false;
      if (error !== null) {
        this.#fail(error);
      } else {
        this.#wrote(length);
        // A full disk takes a part of a write before it refuses the rest.
        if (length < asked || this.#isDue()) this.#write();
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
      const [piece] = this.#pieces;
      assert(piece !== undefined, "only what is there is written");
      const taken = Math.min(left, piece.filled - piece.written);
      piece.written += taken;
      left -= taken;
      if (piece.written < PIECE_BYTES) break;
      this.#pieces.shift();
      giveBack(piece.bytes);
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

function unwritten({ bytes, written, filled }: Piece): Buffer {
  const isWhole = written === 0 && filled === PIECE_BYTES;
  return isWhole ? bytes : bytes.subarray(written, filled);
}

function giveBack(bytes: Buffer): void {
  if (spare.length < open * WRITE_PIECES) spare.push(bytes);
}
