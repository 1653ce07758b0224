import { constants, open as openFile } from "node:fs";
import { writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { Clock } from "../../../kit/time/clock.ts";
import { LIMITS } from "../../../model/limits.ts";
import { logFile } from "../files.ts";
import type { Complaint, LogVerdict } from "../log-text.ts";
import { storageFailure } from "../storage.ts";
import type { CopyOrder } from "./protocol.ts";
import { SegmentWriter } from "./segment-writer.ts";
import type { Feed, OpenSource, SourceEnd } from "./source.ts";
import type { Sources } from "./sources.ts";
import { formatVerdict } from "./verdict.ts";

const openFd = promisify(openFile);
const { O_WRONLY, O_CREAT, O_EXCL } = constants;
const FILE_MODE = 0o640;
const WRONG = "STREAM_WRONG_SERVICE";
/** Who has just begun to read a source is waited for by somebody. */
const BRISK_MS = 3000;

/** One capture: a source, and the segment that it goes to. */
export interface Copy {
  /**
   * Called many times a second, with a reading of the monotonic clock.
   *
   * @returns whether what comes may wait at its sender for as long as a look is: not in its first seconds, nor when it ends
   */
  look(nowMs: number): boolean;
  /** Ends it; resolves when its file is closed, or when its disk was waited for long enough. */
  stop(why: "asked" | "told"): Promise<void>;
}

/**
 * Makes the segment and begins to read.
 *
 * @throws the system's error
 */
export async function startCopy(order: CopyOrder, parts: CopyParts): Promise<Copy> {
  const fd = await openFd(order.file, O_WRONLY | O_CREAT | O_EXCL, FILE_MODE);
  return new FileCopy(fd, order, parts);
}

export interface CopyParts {
  readonly sources: Sources;
  readonly clock: Clock;
  /** All is written that will be. */
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
  readonly #isAlone: boolean;
  /** Something came since the last look. */
  #isHeard = false;
  #heardMs: number;
  /** When the service was last not known to be missing. */
  #thereMs: number;
  #isPaused = false;
  #droppedBytes = 0;
  #ending: Promise<void> | undefined;
  /** That the disk refuses something may be known only when the copy ends for another reason. */
  #failure: SourceEnd | undefined;

  constructor(fd: number, order: CopyOrder, parts: CopyParts) {
    const { sources, clock } = parts;
    const openedMs = clock.monotonicMs();
    this.#order = order;
    this.#parts = parts;
    this.#openedMs = openedMs;
    this.#heardMs = openedMs;
    this.#thereMs = openedMs;
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
    this.#isAlone = !this.#cannotWait && order.source.programme === "single";
    this.#source = sources.open(order.source, order.sid, feed);
  }

  look(nowMs: number): boolean {
    if (this.#ending !== undefined) return false;
    this.#source.look(nowMs);
    if (this.#isHeard) this.#heardMs = nowMs;
    this.#isHeard = false;
    this.#writer.look(nowMs);
    if (nowMs >= this.#endsAtMs) void this.stop("told");
    this.#lookForService(nowMs);
    const { silenceMs } = this.#order;
    if (!this.#isPaused && nowMs - this.#heardMs >= silenceMs) {
      void this.#end(asVerdict({ words: `Nothing came for ${Math.round(silenceMs / 1000)} s.` }));
    }
    return !this.#cannotWait && nowMs - this.#openedMs >= BRISK_MS;
  }

  stop(why: "asked" | "told"): Promise<void> {
    return this.#end({
      closed: true,
      signalled: true,
      lastWords: why === "asked" ? "" : "Its time was over.",
    });
  }

  #lookForService(nowMs: number): void {
    if (!this.#source.isMissing()) this.#thereMs = nowMs;
    else if (nowMs - this.#thereMs >= LIMITS.wrongServiceMs) {
      void this.#end(asVerdict({ complaint: WRONG, words: "" }));
    }
  }

  get #backlogBytesMax(): number {
    const isLittle = this.#isAlone || SegmentWriter.backlogsBytes > LIMITS.hostBacklogsBytes;
    return isLittle ? LIMITS.hostBacklogBytes : LIMITS.hostSharedBacklogBytes;
  }

  #take(bytes: Uint8Array, from: number, to: number): void {
    this.#isHeard = true;
    const { backlogBytes } = this.#writer;
    if (this.#cannotWait && backlogBytes > this.#backlogBytesMax) {
      this.#droppedBytes += to - from;
      return;
    }
    this.#writer.append(bytes, from, to);
    if (!this.#cannotWait && !this.#isPaused && backlogBytes > this.#backlogBytesMax) {
      this.#isPaused = true;
      this.#source.pause();
    }
  }

  #onWritten(): void {
    if (!this.#isPaused || this.#writer.backlogBytes > this.#backlogBytesMax / 2) return;
    this.#isPaused = false;
    this.#isHeard = true;
    this.#source.resume();
  }

  #end(verdict: LogVerdict): Promise<void> {
    this.#ending ??= this.#close(verdict);
    return this.#ending;
  }

  async #close(verdict: LogVerdict): Promise<void> {
    const { clock, onEnded } = this.#parts;
    // The constructor may have been told of the end before there is a source to close.
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
    // Without it the capture counts as one that died; a full disk has no room for it, and that is seen.
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
