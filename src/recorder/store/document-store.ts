import assert from "node:assert/strict";
import { type Adapter, Low } from "lowdb";
import { z } from "zod";
import { DurableFile, type DurableFs } from "../../kit/files/durable-file.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { type JsonTexts, jsonChunks } from "../../kit/text/json-chunks.ts";
import { yieldToLoop } from "../../kit/time/clock.ts";
import { Turns } from "../../kit/time/turns.ts";
import type { Backlog } from "../../model/backlog.ts";
import { RecorderdError } from "../../model/errors.ts";
import { textsWithinWire } from "../../model/wire-text.ts";
import { changesBetween, type StoredForm, withChanges } from "./change-lines.ts";
import { ChangeLog, type LogFiles } from "./change-log.ts";
import { STORE_LIMITS } from "./limits.ts";
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
   * Separates the live part from the past, which is written once to its own file: so the document does not grow with
   * history. Without it nothing is split off.
   */
  readonly split?: (document: T) => StoredForm;
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
  /** Present while the last documents are not stored. Only the database of a fleet is not waited for. */
  readonly backlog?: Backlog<T> | undefined;
  /**
   * The version found at opening; `previous`: the latest version was damaged, or a crash came between two renames.
   */
  readonly openedFrom: "current" | "previous" | "nothing";
  /**
   * Replaces the document. It is on disk (unless there is a backlog), and `current`, when this resolves. One write at a time, in
   * order.
   *
   * @throws RecorderdError STORE_WRITE_FAILED
   */
  commit(next: T): Promise<void>;
}

const Mark = z.object({ number: z.int().min(1), bytes: z.int().min(0), sha256: z.string() });
const Envelope = z.looseObject({
  schemaVersion: z.int().min(1),
  past: Mark.optional(),
  /** The log of the changes since. */
  log: z.string().optional(),
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

/** Whole files beside the document. */
interface Beside {
  readonly pasts: ReadonlyMap<number, Buffer>;
  readonly logs: LogFiles;
}

/** A version of the document, and the changes since. */
interface Found<T> {
  readonly document: T;
  readonly stored: StoredForm;
  /** Its log, if that can be continued. */
  readonly log?: string;
  readonly damagedLog?: string;
}

function isDamage(error: unknown): error is RecorderdError {
  return error instanceof RecorderdError && error.code === "STORE_DAMAGED";
}

/** lowdb's storage: its own file adapter neither syncs to disk nor keeps a previous version. */
class DurableJson<T extends object> implements Adapter<T> {
  foundIn: DocumentStore<T>["openedFrom"] = "nothing";
  /** The number of texts that were cut to today's limit. */
  cut = 0;
  readonly #options: DocumentStoreOptions<T>;
  readonly #file: DurableFile;
  readonly #past: PastFile;
  readonly #log: ChangeLog;
  /** Serialised parts, cached: a commit changes hardly any of them. */
  readonly #texts: JsonTexts = new WeakMap();
  readonly #writes = new Turns();
  /** The content of the disk; absent if only a whole document may follow. */
  #stored: StoredForm | undefined;
  /** The previous version of the document, with its log, leads to this one. */
  #isPreviousLinked = false;
  /** Logs that a version of the document may name. */
  #logs: readonly string[] = [];
  #documentLength = 0;

  constructor(options: DocumentStoreOptions<T>) {
    const { file, fs } = options;
    this.#options = options;
    this.#file = new DurableFile({ file, ...(fs === undefined ? {} : { fs }) });
    this.#past = new PastFile(file, fs);
    this.#log = new ChangeLog(file, fs);
  }

  async read(): Promise<T | null> {
    const { file, onDamage } = this.#options;
    const beside = await this.#filesBeside();
    this.#logs = [...beside.logs.keys()];
    const found = await this.#readWhole(beside).catch(async (error: unknown) => {
      if (onDamage === undefined || !isDamage(error)) throw error;
      return await this.#readRest(error, beside);
    });
    if (found === undefined) {
      this.#sayHistory(beside);
      return null;
    }
    const { value, version, damage } = found;
    this.foundIn = version;
    if (this.cut > 0) {
      onDamage?.(
        `${file} comes from a version without limits for texts. Number of texts that were cut or had an invalid name: ${this.cut}`,
      );
    }
    if (damage !== undefined) onDamage?.(damage);
    if (value.damagedLog !== undefined) {
      onDamage?.(
        `${value.damagedLog} is damaged. The recorder continues with the changes before the damage; the later ones are lost.`,
      );
    }
    if (version === "current" && value.log !== undefined) {
      this.#log.resume(value.log, beside.logs);
      // It has no file before its first change.
      this.#logs = [...this.#logs, value.log];
      this.#stored = value.stored;
    }
    return value.document;
  }

  async #readWhole(beside: Beside) {
    const found = await this.#file.read((text) =>
      this.#parse(text, beside, (mark) => this.#past.resume(mark, beside.pasts)),
    );
    if (found?.damage === undefined) return found;
    return { ...found, damage: `${found.damage}. The recorder continues with the previous version.` };
  }

  /** The past is history: damage to it must not prevent tonight's recordings. */
  async #readRest(error: RecorderdError, beside: Beside) {
    const rest: PastOf = (mark) => (mark === undefined ? {} : this.#past.salvage(mark, beside.pasts));
    const found = await this.#file.read((text) => this.#parse(text, beside, rest)).catch(() => undefined);
    if (found === undefined) throw error;
    const { log: _unusable, ...rest_ } = found.value;
    const value: Found<T> = rest_;
    const damage = `${error.message} Until then, the recorder continues with the readable part of the ended recordings.`;
    return { ...found, value, damage };
  }

  /** Both versions are gone, or the very first write was cut off. The past is left as it is. */
  #sayHistory({ pasts }: Beside): void {
    const { file, onDamage } = this.#options;
    const number = [...pasts.keys()].at(-1);
    if (number === undefined) return;
    onDamage?.(
      `${file} and its previous version are missing, but ${file}.past-${number} exists: the recorder starts without their content. ` +
        "Restore a backup if there is one.",
    );
  }

  write(document: T): Promise<void> {
    return this.#writes.run(() => this.#write(document));
  }

  async #write(document: T): Promise<void> {
    // Making the document has kept others waiting long enough.
    await yieldToLoop();
    const next: StoredForm = this.#options.split?.(document) ?? { now: document, past: {} };
    const before = this.#stored;
    // After a failure the log may hold a part of the line, which only a whole document outdates.
    this.#stored = undefined;
    try {
      if (before === undefined) await this.#writeWhole(next, { isNext: false });
      else await this.#log.append(changesBetween(before, next));
    } catch (error) {
      throw this.#failure(error);
    }
    this.#stored = next;
    const isLong = this.#log.bytes > Math.max(STORE_LIMITS.logBytes, this.#documentLength);
    if (before === undefined || (this.#isPreviousLinked && !isLong)) return;
    // The change is on disk already.
    await this.#writeWhole(next, { isNext: true }).catch(() => {
      this.#stored = undefined;
    });
  }

  /**
   * Writes the document that a new log follows. The past is on disk before the document that names it.
   *
   * @param isNext the log so far leads to this document
   */
  async #writeWhole({ now, past }: StoredForm, { isNext }: { readonly isNext: boolean }): Promise<void> {
    const { schemaVersion } = this.#options;
    this.#isPreviousLinked = false;
    const mark = await this.#past.write(past);
    const log = this.#log.begin(isNext);
    this.#logs = [...this.#logs, log];
    const named = { ...(mark === undefined ? {} : { past: mark }), log };
    const chunks = withChecksum(jsonChunks({ schemaVersion, ...named, document: now }, this.#texts));
    let length = 0;
    await this.#file.replace(
      (function* () {
        for (const chunk of chunks) {
          length += chunk.length;
          yield chunk;
        }
      })(),
    );
    this.#documentLength = length;
    this.#isPreviousLinked = isNext;
    // Superfluous files do no harm.
    await this.#past.tidy().catch(() => {});
    await this.#log.tidy(this.#logs).catch(() => {});
    this.#logs = [log];
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
    const text = `The files next to ${file} cannot be written (${system}): check its folder and the disk.`;
    return new RecorderdError("STORE_WRITE_FAILED", text, { file, system }, { cause: error });
  }

  async #filesBeside(): Promise<Beside> {
    const { file } = this.#options;
    try {
      return { pasts: await this.#past.files(), logs: await this.#log.files() };
    } catch (error) {
      const text = `The files next to ${file} cannot be read (${systemCode(error)}): check its owner, its permissions and the disk.`;
      throw new RecorderdError("FILE_UNREADABLE", text, { file }, { cause: error });
    }
  }

  #parse(text: string, { logs }: Beside, pastOf: PastOf): Found<T> {
    const { schemaVersion, parse, file, onDamage } = this.#options;
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
    const followed = this.#log.changesAfter(stored.log, logs);
    const { damaged: damagedLog } = followed;
    if (damagedLog !== undefined && onDamage === undefined) throw new Error(`${damagedLog} is damaged`);
    // A document of another shape is refused by its parser.
    const form = withChanges({ now: stored.document as object, past: pastOf(stored.past) }, followed.lines);
    const document = textsWithinWire(form.now);
    const past = pastWithinWire(form.past);
    this.cut = document.changed + past.changed;
    const isContinued = followed.isWhole && stored.schemaVersion === schemaVersion;
    return {
      document: parse(document.value, past.value, stored.schemaVersion),
      stored: form,
      ...(stored.log === undefined || !isContinued ? {} : { log: stored.log }),
      ...(damagedLog === undefined ? {} : { damagedLog }),
    };
  }
}
