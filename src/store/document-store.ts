import assert from "node:assert/strict";
import { type Adapter, Low } from "lowdb";
import { z } from "zod";
import { DurableFile } from "../kit/durable-file.ts";
import { RecorderdError } from "../model/errors.ts";

export interface DocumentStoreOptions<T> {
  readonly file: string;
  /** Of what `T` is now. A file of a higher one was written by a newer program and is not touched. */
  readonly schemaVersion: number;
  /** Makes a document of what was stored; throws when it is none. */
  readonly parse: (stored: unknown) => T;
  /** The document before anything was ever stored. */
  readonly empty: () => T;
}

/** The one document that outlives the daemon. Disposing waits for the writes that were asked for. */
export interface DocumentStore<T> extends AsyncDisposable {
  /** As last committed. */
  readonly current: T;
  /** Where it was found when it was opened; `previous`: the latest version was damaged, or a crash came between two names. */
  readonly openedFrom: "current" | "previous" | "nothing";
  /**
   * Makes `next` the document; when this resolves it is on disk, and `current` only then. One write at a time, in order.
   *
   * @throws RecorderdError STORE_WRITE_FAILED
   */
  commit(next: T): Promise<void>;
}

const Envelope = z.looseObject({ schemaVersion: z.int().min(1), document: z.unknown() });

/**
 * Opens the document. Nobody else may have it open: who opens it holds the lock of its folder.
 *
 * @throws RecorderdError STORE_DAMAGED when neither the file nor the version before it is a document
 * @throws RecorderdError STORE_TOO_NEW when a newer program wrote it
 * @throws RecorderdError FILE_UNREADABLE when the system refuses to read it
 */
export async function openDocumentStore<T extends object>(
  options: DocumentStoreOptions<T>,
): Promise<DocumentStore<T>> {
  const adapter = new DurableJson(options);
  const low = new Low<T>(adapter, options.empty());
  await low.read();
  let current = low.data;
  let latest: Promise<unknown> = Promise.resolve();
  let open = true;

  async function write(next: T): Promise<void> {
    low.data = next;
    await low.write();
    current = next;
  }

  return {
    get current() {
      return current;
    },
    openedFrom: adapter.foundIn,
    commit: (next) => {
      assert(open, "a store that is closed takes nothing more");
      // The durable file takes one write after the other, in this order.
      const written = write(next);
      latest = written.catch(() => {});
      return written;
    },
    [Symbol.asyncDispose]: async () => {
      open = false;
      await latest;
    },
  };
}

/** How lowdb reads and writes here: its own file adapter neither waits for the disk nor keeps a version to fall back on. */
class DurableJson<T> implements Adapter<T> {
  foundIn: DocumentStore<T>["openedFrom"] = "nothing";
  readonly #options: DocumentStoreOptions<T>;
  readonly #file: DurableFile;

  constructor(options: DocumentStoreOptions<T>) {
    this.#options = options;
    this.#file = new DurableFile({ file: options.file });
  }

  async read(): Promise<T | null> {
    const found = await this.#file.read((text) => this.#parse(text));
    if (found === undefined) return null;
    this.foundIn = found.version;
    return found.value;
  }

  async write(document: T): Promise<void> {
    const { schemaVersion, file } = this.#options;
    try {
      await this.#file.replace(JSON.stringify({ schemaVersion, document }));
    } catch (error) {
      if (!(error instanceof RecorderdError)) throw error;
      throw new RecorderdError(
        "STORE_WRITE_FAILED",
        error.message,
        { ...error.facts, file },
        { cause: error },
      );
    }
  }

  #parse(text: string): T {
    const { schemaVersion, parse, file } = this.#options;
    const stored = Envelope.parse(JSON.parse(text));
    if (stored.schemaVersion > schemaVersion) {
      throw new RecorderdError(
        "STORE_TOO_NEW",
        `${file} was written by a newer recorderd (version ${stored.schemaVersion} of the document, this one knows ` +
          `${schemaVersion}). Install that recorderd again, or give this one a data folder of its own.`,
        { file, found: stored.schemaVersion, known: schemaVersion },
      );
    }
    return parse(stored.document);
  }
}
