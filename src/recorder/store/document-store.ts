import assert from "node:assert/strict";
import { type Adapter, Low } from "lowdb";
import { z } from "zod";
import { DurableFile, type DurableFs } from "../../kit/files/durable-file.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { type JsonTexts, jsonChunks } from "../../kit/text/json-chunks.ts";
import { yieldToLoop } from "../../kit/time/clock.ts";
import { RecorderdError } from "../../model/errors.ts";
import { textsWithinWire } from "../../model/wire-text.ts";
import { type Past, PastFile, type PastMark } from "./past-file.ts";
import { verifyChecksum, withChecksum } from "./summed-text.ts";

export interface DocumentStoreOptions<T> {
  readonly file: string;
  /** The version of `T`. A file with a higher one was written by a newer program and is left alone. */
  readonly schemaVersion: number;
  /**
   * Makes a document from stored data; throws if it is none. `past` is the part that was split off, `version` the
   * schema version of both.
   */
  readonly parse: (stored: unknown, past: Past, version: number) => T;
  /**
   * Separates the live part, written with each commit, from the past, written once to its own file: so a write does
   * not grow with history. Without it nothing is split off.
   */
  readonly split?: (document: T) => { readonly now: unknown; readonly past: Past };
  /** The document of a fresh installation. */
  readonly empty: () => T;
  /**
   * Receives a description of the damage if the document could still be opened: from the previous version, or with
   * the readable part of the past. Without it, the past must be whole.
   */
  readonly onDamage?: (text: string) => void;
  /** Replaced by tests that cut its calls off. */
  readonly fs?: DurableFs;
}

/** The document that survives the daemon. Disposing waits for pending writes. */
export interface DocumentStore<T> extends AsyncDisposable {
  /** The last committed document. */
  readonly current: T;
  /**
   * The version found at opening; `previous`: the latest version was damaged, or a crash came between two renames.
   */
  readonly openedFrom: "current" | "previous" | "nothing";
  /**
   * Replaces the document. It is on disk, and `current`, when this resolves. One write at a time, in order.
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
/** All properties of a version from an earlier program. */
const UNSUMMED: readonly string[] = ["schemaVersion", "past", "document"];

/**
 * Opens the document. The caller holds the lock of its folder, so nobody else has it open.
 *
 * @throws RecorderdError STORE_DAMAGED when neither the file nor the previous version is a document
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
      // The adapter writes one version after the other, in this order.
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

/** Reads the past that a version of the document names. */
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

/** Whole files, by number. */
type PastFiles = ReadonlyMap<number, Buffer>;

function isDamage(error: unknown): error is RecorderdError {
  return error instanceof RecorderdError && error.code === "STORE_DAMAGED";
}

/** lowdb's storage: its own file adapter neither syncs to disk nor keeps a previous version. */
class DurableJson<T> implements Adapter<T> {
  foundIn: DocumentStore<T>["openedFrom"] = "nothing";
  /** The number of texts that were cut to today's limit. */
  cut = 0;
  readonly #options: DocumentStoreOptions<T>;
  readonly #file: DurableFile;
  readonly #past: PastFile;
  /** Serialised parts, cached: a commit changes hardly any of them. */
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
        `${file} comes from a version without limits for texts. Number of texts that were cut or had an invalid name: ${this.cut}`,
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
    return {
      ...found,
      damage: `${found.damage}. The recorder continues with the previous version, one change earlier.`,
    };
  }

  /** The past is history: damage to it must not prevent tonight's recordings. */
  async #readRest(error: RecorderdError, files: PastFiles) {
    const rest: PastOf = (mark) => (mark === undefined ? {} : this.#past.salvage(mark, files));
    const found = await this.#file.read((text) => this.#parse(text, rest)).catch(() => undefined);
    if (found === undefined) throw error;
    const damage = `${error.message} Until then, the recorder continues with the readable part of the ended recordings.`;
    return { ...found, damage };
  }

  /** Both versions are gone, or the very first write was cut off. The past is left as it is. */
  #sayHistory(files: PastFiles): void {
    const { file, onDamage } = this.#options;
    const number = [...files.keys()].at(-1);
    if (number === undefined) return;
    onDamage?.(
      `${file} and its previous version are missing, but ${file}.past-${number} exists: the recorder starts without their content. ` +
        "Restore a backup if there is one.",
    );
  }

  write(document: T): Promise<void> {
    const done = this.#writing.then(() => this.#write(document));
    this.#writing = done.catch(() => {});
    return done;
  }

  /** The past is on disk before the document that names it. */
  async #write(document: T): Promise<void> {
    const { schemaVersion, split } = this.#options;
    // Making the document has kept others waiting long enough.
    await yieldToLoop();
    const { now, past } = split?.(document) ?? { now: document, past: {} };
    try {
      const mark = await this.#past.write(past);
      const named = mark === undefined ? {} : { past: mark };
      await this.#file.replace(
        withChecksum(jsonChunks({ schemaVersion, ...named, document: now }, this.#texts)),
      );
    } catch (error) {
      throw this.#failure(error);
    }
    // Superfluous files do no harm.
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
    const text = `The history next to ${file} cannot be written (${system}): check its folder and the disk.`;
    return new RecorderdError("STORE_WRITE_FAILED", text, { file, system }, { cause: error });
  }

  async #pastFiles(): Promise<PastFiles> {
    const { file } = this.#options;
    try {
      return await this.#past.files();
    } catch (error) {
      const text = `The history next to ${file} cannot be read (${systemCode(error)}): check its owner, its permissions and the disk.`;
      throw new RecorderdError("FILE_UNREADABLE", text, { file }, { cause: error });
    }
  }

  #parse(text: string, pastOf: PastOf): T {
    const { schemaVersion, parse, file } = this.#options;
    const hasSum = verifyChecksum(text);
    const stored = Envelope.parse(JSON.parse(text));
    if (stored.schemaVersion > schemaVersion) {
      throw new RecorderdError(
        "STORE_TOO_NEW",
        `${file} was written by a newer recorderd (version ${stored.schemaVersion} of the document, this one supports ` +
          `${schemaVersion}). Install that version again, or use another data folder.`,
        { file, found: stored.schemaVersion, known: schemaVersion },
      );
    }
    // The checksum or its name is damaged.
    if (!hasSum && Object.keys(stored).some((key) => !UNSUMMED.includes(key))) {
      throw new Error("its checksum is damaged");
    }
    const document = textsWithinWire(stored.document);
    const past = pastWithinWire(pastOf(stored.past));
    this.cut = document.changed + past.changed;
    return parse(document.value, past.value, stored.schemaVersion);
  }
}
