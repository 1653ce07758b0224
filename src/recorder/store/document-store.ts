import assert from "node:assert/strict";
import { type Adapter, Low } from "lowdb";
import { z } from "zod";
import { DurableFile, type DurableFs } from "../../kit/files/durable-file.ts";
import { type JsonTexts, jsonChunks } from "../../kit/text/json-chunks.ts";
import { yieldToLoop } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { textsWithinWire } from "../../model/wire-text.ts";
import { type Past, PastFile, type PastMark } from "./past-file.ts";
import { checkSum, summed } from "./summed-text.ts";

export interface DocumentStoreOptions<T> {
  readonly file: string;
  /** Of what `T` is now. A file of a higher one was written by a newer program and is not touched. */
  readonly schemaVersion: number;
  /**
   * Makes a document of what was stored; throws when it is none. `past` is what was split off of it, `version` the schema version
   * of both.
   */
  readonly parse: (stored: unknown, past: Past, version: number) => T;
  /**
   * Takes apart what is written with each commit and what is over, which is written once, beside it: so a write does not grow with
   * history. Nothing is split off without it.
   */
  readonly split?: (document: T) => { readonly now: unknown; readonly past: Past };
  /** The document before anything was ever stored. */
  readonly empty: () => T;
  /**
   * Told what was damaged where the document could be opened all the same: from the version before, or with what can be read of what
   * is over. Without it, what is over must be there whole.
   */
  readonly onDamage?: (text: string) => void;
  /** For tests, which cut its calls off. */
  readonly fs?: DurableFs;
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

const Mark = z.object({ number: z.int().min(1), bytes: z.int().min(0), sha256: z.string() });
const Envelope = z.looseObject({
  schemaVersion: z.int().min(1),
  past: Mark.optional(),
  document: z.unknown(),
});
/** All that a version of an earlier program has. */
const UNSUMMED: readonly string[] = ["schemaVersion", "past", "document"];

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
      // The adapter takes one write after the other, in this order.
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

/** What is over, as a version of the document names it. */
type PastOf = (mark: PastMark | undefined) => Past;

function pastWithinWire(past: Past): { readonly value: Past; readonly changed: number } {
  let changed = 0;
  const collections = Object.entries(past).map(([collection, entries]) => {
    const found = textsWithinWire(Object.fromEntries(entries));
    changed += found.changed;
    return [collection, found.changed === 0 ? entries : new Map(Object.entries(found.value))] as const;
  });
  return { value: changed === 0 ? past : Object.fromEntries(collections), changed };
}

/** Whole, by number. */
type PastFiles = ReadonlyMap<number, Buffer>;

function isDamage(error: unknown): error is RecorderdError {
  return error instanceof RecorderdError && error.code === "STORE_DAMAGED";
}

/** How lowdb reads and writes here: its own file adapter neither waits for the disk nor keeps a version to fall back on. */
class DurableJson<T> implements Adapter<T> {
  foundIn: DocumentStore<T>["openedFrom"] = "nothing";
  /** Texts that were longer than any is taken in today. */
  cut = 0;
  readonly #options: DocumentStoreOptions<T>;
  readonly #file: DurableFile;
  readonly #past: PastFile;
  /** With one commit hardly anything changes of what is written. */
  readonly #texts: JsonTexts = new WeakMap();
  #writing: Promise<void> = Promise.resolve();

  constructor(options: DocumentStoreOptions<T>) {
    const { file, fs } = options;
    this.#options = options;
    this.#file = new DurableFile({ file, ...(fs === undefined ? {} : { fs }) });
    this.#past = new PastFile(file, fs);
  }

  async read(): Promise<T | null> {
    const { onDamage } = this.#options;
    const files = await this.#pastFiles();
    const found = await this.#readWhole(files).catch(async (error: unknown) => {
      if (onDamage === undefined || !isDamage(error)) throw error;
      return await this.#readRest(error, files);
    });
    if (found === undefined) {
      this.#sayHistory(files);
      return null;
    }
    this.foundIn = found.version;
    if (this.cut > 0) {
      const { file } = this.#options;
      onDamage?.(
        `${file} was written before texts had a limit: ${this.cut} of them were cut, or had a name that is none`,
      );
    }
    if (found.damage !== undefined) onDamage?.(found.damage);
    return found.value;
  }

  async #readWhole(files: PastFiles) {
    const found = await this.#file.read((text) =>
      this.#parse(text, (mark) => this.#past.resume(mark, files)),
    );
    if (found?.damage === undefined) return found;
    return { ...found, damage: `${found.damage}. It goes on from the version before, one change earlier.` };
  }

  /** What is over is history: that it is damaged keeps nobody from recording tonight. */
  async #readRest(error: RecorderdError, files: PastFiles) {
    const rest: PastOf = (mark) => (mark === undefined ? {} : this.#past.salvage(mark, files));
    const found = await this.#file.read((text) => this.#parse(text, rest)).catch(() => undefined);
    if (found === undefined) throw error;
    const damage = `${error.message} Until then it goes on with what can be read of what is over.`;
    return { ...found, damage };
  }

  /** Document and version before are gone, or were never there where the very first write was cut off. What is over is left as it is. */
  #sayHistory(files: PastFiles): void {
    const { file, onDamage } = this.#options;
    const number = [...files.keys()].at(-1);
    if (number === undefined) return;
    onDamage?.(
      `${file} and the version before it are gone, but ${file}.past-${number} is there: the recorder begins anew, without what they held. ` +
        "Restore a backup if there is one.",
    );
  }

  write(document: T): Promise<void> {
    const done = this.#writing.then(() => this.#write(document));
    this.#writing = done.catch(() => {});
    return done;
  }

  /** What is over is on disk before the document that names it. */
  async #write(document: T): Promise<void> {
    const { schemaVersion, split } = this.#options;
    // Whoever made the document has kept others waiting long enough.
    await yieldToLoop();
    const { now, past } = split?.(document) ?? { now: document, past: {} };
    try {
      const mark = await this.#past.keep(past);
      const named = mark === undefined ? {} : { past: mark };
      await this.#file.replace(summed(jsonChunks({ schemaVersion, ...named, document: now }, this.#texts)));
    } catch (error) {
      throw this.#failure(error);
    }
    // What stays there too long does no harm.
    await this.#past.tidy().catch(() => {});
  }

  #failure(error: unknown): unknown {
    const { file } = this.#options;
    if (error instanceof RecorderdError) {
      return new RecorderdError(
        "STORE_WRITE_FAILED",
        error.message,
        { ...error.facts, file },
        { cause: error },
      );
    }
    if (!(error instanceof Error && "code" in error)) return error;
    const system = String(error.code);
    const text = `What is over cannot be written beside ${file} (${system}): check its folder and the disk.`;
    return new RecorderdError("STORE_WRITE_FAILED", text, { file, system }, { cause: error });
  }

  async #pastFiles(): Promise<PastFiles> {
    const { file } = this.#options;
    try {
      return await this.#past.files();
    } catch (error) {
      const text = `What is over cannot be read beside ${file}: check its owner, its permissions and the disk.`;
      throw new RecorderdError("FILE_UNREADABLE", text, { file }, { cause: error });
    }
  }

  #parse(text: string, pastOf: PastOf): T {
    const { schemaVersion, parse, file } = this.#options;
    const hasSum = checkSum(text);
    const stored = Envelope.parse(JSON.parse(text));
    if (stored.schemaVersion > schemaVersion) {
      throw new RecorderdError(
        "STORE_TOO_NEW",
        `${file} was written by a newer recorderd (version ${stored.schemaVersion} of the document, this one knows ` +
          `${schemaVersion}). Install that recorderd again, or give this one a data folder of its own.`,
        { file, found: stored.schemaVersion, known: schemaVersion },
      );
    }
    // Neither is there as it was written: the name of the sum, or the sum itself, is damaged.
    if (!hasSum && Object.keys(stored).some((key) => !UNSUMMED.includes(key))) {
      throw new Error("its checksum is damaged");
    }
    const document = textsWithinWire(stored.document);
    const past = pastWithinWire(pastOf(stored.past));
    this.cut = document.changed + past.changed;
    return parse(document.value, past.value, stored.schemaVersion);
  }
}
