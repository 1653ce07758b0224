import { openFd, writeFile } from "../../../kit/files/steady-fs.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { logFile } from "../files.ts";
import { CAPTURE_LIMITS } from "../limits.ts";
import type { Complaint, LogVerdict } from "../log-text.ts";
import { storageFailure } from "../storage.ts";
import type { CopyOrder } from "./protocol.ts";
import { SegmentWriter } from "./segment-writer.ts";
import type { Feed, OpenSource, SourceEnd } from "./source.ts";
import type { Sources } from "./sources.ts";
import { formatVerdict } from "./verdict.ts";

const FILE_MODE = 0o640;
const WRONG = "STREAM_WRONG_SERVICE";
/** New readers wait for their first data, so a source is read without pauses for this long. */
const BRISK_MS = 3000;

/** One capture: copies a source to its segment. */
export interface Copy {
  /**
   * Does periodic work. Called many times a second, with a reading of the monotonic clock.
   *
   * @returns whether data may wait at the sender until the next call: not in the first seconds, nor near the end
   */
  look(nowMs: number): boolean;
  /** Ends the copy. Resolves when the file is closed, or when the wait for its disk times out. */
  stop(why: "requested" | "over"): Promise<void>;
}

/**
 * Creates the segment and begins to read.
 *
 * @throws a system error
 */
export async function startCopy(order: CopyOrder, parts: CopyParts): Promise<Copy> {
  const fd = await openFd(order.file, "wx", FILE_MODE);
  return new FileCopy(fd, order, parts);
}

export interface CopyParts {
  readonly sources: Sources;
  readonly clock: Clock;
  /** Called when everything is written. */
  readonly onEnded: () => void;
}

class FileCopy implements Copy {
  readonly #order: CopyOrder;
  readonly #parts: CopyParts;
  readonly #writer: SegmentWriter;
  readonly #source: OpenSource;
  readonly #openedMs: number;
  readonly #endsAtMs: number;
  readonly #cannotWait: boolean;
  /** Data arrived since the last look. */
  #hasNewData = false;
  #lastDataMs: number;
  /** The last time when the service was not known to be missing. */
  #lastPresentMs: number;
  #isPaused = false;
  #droppedBytes = 0;
  #ending: Promise<void> | undefined;
  /** A disk error may become known only after the copy ends for another reason. */
  #failure: SourceEnd | undefined;

  constructor(fd: number, order: CopyOrder, parts: CopyParts) {
    const { sources, clock } = parts;
    const openedMs = clock.monotonicMs();
    this.#order = order;
    this.#parts = parts;
    this.#openedMs = openedMs;
    this.#lastDataMs = openedMs;
    this.#lastPresentMs = openedMs;
    this.#endsAtMs = openedMs + order.endsInMs;
    this.#writer = new SegmentWriter(fd, {
      openedMs,
      onFailure: (error) => {
        this.#failure = failureOf(order.file, error);
        void this.#end(asVerdict(this.#failure));
      },
      onWritten: () => this.#onWritten(),
    });
    const feed: Feed = {
      bytes: (bytes, from, to) => this.#take(bytes, from, to),
      ended: (end) =>
        void this.#end(asVerdict(this.#source.isMissing() ? { complaint: WRONG, ...end } : end)),
    };
    this.#cannotWait = !order.source.url.toLowerCase().startsWith("http");
    this.#source = sources.open(order.source, order, feed);
  }

  look(nowMs: number): boolean {
    if (this.#ending !== undefined) return false;
    this.#source.look(nowMs);
    if (this.#hasNewData) this.#lastDataMs = nowMs;
    this.#hasNewData = false;
    this.#writer.look(nowMs);
    if (nowMs >= this.#endsAtMs) void this.stop("over");
    this.#lookForService(nowMs);
    const { silenceMs } = this.#order;
    if (!this.#isPaused && nowMs - this.#lastDataMs >= silenceMs) {
      void this.#end(asVerdict({ words: `No data arrived for ${Math.round(silenceMs / 1000)} s.` }));
    }
    return !this.#cannotWait && nowMs - this.#openedMs >= BRISK_MS;
  }

  stop(why: "requested" | "over"): Promise<void> {
    return this.#end({
      closed: true,
      signalled: true,
      lastWords: why === "requested" ? "" : "Its time was over.",
    });
  }

  #lookForService(nowMs: number): void {
    if (!this.#source.isMissing()) this.#lastPresentMs = nowMs;
    else if (nowMs - this.#lastPresentMs >= CAPTURE_LIMITS.wrongServiceMs) {
      void this.#end(asVerdict({ complaint: WRONG, words: "" }));
    }
  }

  #take(bytes: Uint8Array, from: number, to: number): void {
    this.#hasNewData = true;
    const { backlogBytes } = this.#writer;
    if (this.#cannotWait && backlogBytes > SegmentWriter.backlogBytesMax) {
      this.#droppedBytes += to - from;
      return;
    }
    this.#writer.append(bytes, from, to);
    if (!this.#cannotWait && !this.#isPaused && backlogBytes > SegmentWriter.backlogBytesMax) {
      this.#isPaused = true;
      this.#source.pause();
    }
  }

  #onWritten(): void {
    if (!this.#isPaused || this.#writer.backlogBytes > SegmentWriter.backlogBytesMax / 2) return;
    this.#isPaused = false;
    this.#hasNewData = true;
    this.#source.resume();
  }

  #end(verdict: LogVerdict): Promise<void> {
    this.#ending ??= this.#close(verdict);
    return this.#ending;
  }

  async #close(verdict: LogVerdict): Promise<void> {
    const { clock, onEnded } = this.#parts;
    // The constructor may end the copy before there is a source to close.
    await Promise.resolve();
    this.#source.close();
    const over = new AbortController();
    const patience = clock.sleep(this.#order.patienceMs, over.signal).catch(() => {});
    await Promise.race([this.#finish(verdict), patience]);
    over.abort();
    onEnded();
  }

  async #finish(verdict: LogVerdict): Promise<void> {
    await this.#writer.end();
    const { file } = this.#order;
    const ended = this.#failure === undefined ? verdict : asVerdict(this.#failure);
    const words = [ended.lastWords, this.#source.remarks(), this.#lossText()].filter((each) => each !== "");
    const text = formatVerdict({ ...ended, lastWords: words.join("; ") });
    // A missing verdict counts as a dead capture; a full disk has no room for it, and is noticed anyway.
    await writeFile(logFile(file), text, { mode: 0o600 }).catch(() => {});
  }

  #lossText(): string {
    return this.#droppedBytes === 0 ? "" : `${this.#droppedBytes} bytes were dropped: the disk was too slow`;
  }
}

function asVerdict({ complaint, words }: SourceEnd): LogVerdict {
  return {
    ...(complaint === undefined ? {} : { complaint }),
    closed: true,
    signalled: false,
    lastWords: words,
  };
}

function failureOf(file: string, error: NodeJS.ErrnoException): SourceEnd {
  const { code, message } = storageFailure(file, error);
  const complaint: Complaint = code === "DISK_FULL" ? code : "WRITE_FAILED";
  return { complaint, words: message };
}
