import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Log } from "../../../kit/log.ts";
import type { Clock } from "../../../kit/time/clock.ts";
import { Turns } from "../../../kit/time/turns.ts";
import type { RecorderdError } from "../../../model/errors.ts";
import { writeNote } from "../../capture/attempt-notes.ts";
import { attemptNoteFile, logFile } from "../../capture/files.ts";
import { exists, storageFailure } from "../../capture/storage.ts";
import { NODE_LIMITS } from "../limits.ts";
import { copyHeld, copyText } from "./file-copy.ts";
import type { FileSource } from "./file-source.ts";

export interface CollectorParts {
  /** The name of the node. */
  readonly node: string;
  readonly source: FileSource;
  readonly segmentFile: (attemptId: string) => string;
  /** The turns of copies, by attempt: other nodes may have the same segment. */
  readonly turns: Map<string, Turns>;
  /** Tells the node that this machine has all of a segment. */
  readonly drop: (attemptId: string) => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The segments of a node, as it greets a leader. */
export interface HeldSegments {
  /** Attempts whose captures run. */
  readonly running: readonly string[];
  /** Attempts whose captures have ended. */
  readonly ended: readonly string[];
  /** The texts of the notes beside the segments, by attempt. */
  readonly notes: Readonly<Record<string, string>>;
}

/** A segment that comes. */
interface Copy {
  /** Resolves when it is whole, cannot be written, or the connection breaks. */
  readonly settled: Promise<void>;
  readonly settle: () => void;
  /** Why the latest try has failed. */
  failure?: RecorderdError;
}

/**
 * Brings the segments of one node to this machine, also while they grow. An interruption costs nothing: the next connection
 * goes on after the last byte.
 */
export class Collector {
  readonly #parts: CollectorParts;
  #connection = new AbortController();
  readonly #copies = new Map<string, Copy>();
  /** Whether an ended segment is needed; absent: not known yet. */
  #wants: ((attemptId: string) => boolean) | undefined;
  #ended: readonly string[] = [];

  constructor(parts: CollectorParts) {
    this.#parts = parts;
    this.#connection.abort();
  }

  /** A connection begins. Resolves when the notes are here. */
  async greeted({ running, ended, notes }: HeldSegments): Promise<void> {
    this.broken();
    const connection = new AbortController();
    this.#connection = connection;
    this.#ended = ended;
    await this.#keepNotes(notes);
    if (connection.signal.aborted) return;
    for (const id of running) this.follow(id);
    this.#bringEnded();
  }

  /** From now on, it is known which segments are needed. */
  begin(wants: (attemptId: string) => boolean): void {
    this.#wants = wants;
    this.#bringEnded();
  }

  #bringEnded(): void {
    const wants = this.#wants;
    if (wants === undefined) return;
    for (const id of this.#ended) if (wants(id)) this.follow(id);
    this.#ended = [];
  }

  /** The connection is broken: what is here of each segment stays. */
  broken(): void {
    this.#connection.abort();
    this.#copies.clear();
  }

  /** Aborted when the connection breaks. */
  get connection(): AbortSignal {
    return this.#connection.signal;
  }

  /** Segments of the node are not here yet. */
  get isCopying(): boolean {
    return this.#copies.size > 0;
  }

  /** Copies a segment until it is whole, or the connection breaks. */
  follow(id: string): void {
    const { signal } = this.#connection;
    if (signal.aborted || this.#copies.has(id)) return;
    let settle = () => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const copy: Copy = { settled, settle };
    this.#copies.set(id, copy);
    void this.#inTurn(id, () => this.#copy(id, { copy, signal })).finally(() => {
      if (!signal.aborted) this.#copies.delete(id);
      settle();
    });
  }

  /**
   * Resolves when nothing more of the segment comes over this connection.
   *
   * @throws RecorderdError of this machine's disk
   */
  async arrived(id: string): Promise<void> {
    const copy = this.#copies.get(id);
    await copy?.settled;
    if (copy?.failure !== undefined) throw copy.failure;
  }

  #inTurn(id: string, work: () => Promise<void>): Promise<void> {
    const { turns } = this.#parts;
    const own = turns.get(id) ?? new Turns();
    turns.set(id, own);
    return own.run(work);
  }

  /** Tries until the segment is whole. */
  async #copy(
    id: string,
    { copy, signal }: { readonly copy: Copy; readonly signal: AbortSignal },
  ): Promise<void> {
    const { node, segmentFile, clock, log } = this.#parts;
    while (!signal.aborted) {
      try {
        return await this.#copyOnce(id, signal);
      } catch (error) {
        if (signal.aborted) return;
        const failure = storageFailure(segmentFile(id), error);
        if (copy.failure?.message !== failure.message)
          log.warn("a segment of another node cannot be copied; retrying", { node, text: failure.message });
        copy.failure = failure;
        copy.settle();
      }
      await clock.sleep(NODE_LIMITS.connectAgainMs, signal).catch(() => {});
    }
  }

  async #copyOnce(id: string, signal: AbortSignal): Promise<void> {
    const { node, source, segmentFile, drop, log } = this.#parts;
    const file = segmentFile(id);
    await mkdir(dirname(file), { mode: 0o750 }).catch(() => {});
    const copied = await copyHeld({ source, node, held: { kind: "segment", id }, file }, signal);
    if (copied === "other") {
      log.error("a segment of another node has other bytes than the file here; both stay", { node, file });
      return;
    }
    await copyText({ source, held: { kind: "log", id }, file: logFile(file) }, signal);
    // Without an answer, the next connection tells the node.
    if (copied === "whole") await drop(id).catch(() => {});
  }

  async #keepNotes(notes: Readonly<Record<string, string>>): Promise<void> {
    const { segmentFile, log } = this.#parts;
    for (const [id, text] of Object.entries(notes)) {
      const segment = segmentFile(id);
      if (await exists(attemptNoteFile(segment))) continue;
      await mkdir(dirname(segment), { mode: 0o750 }).catch(() => {});
      await writeNote(segment, text, { attempt: id, log });
    }
  }
}
