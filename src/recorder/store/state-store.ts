import { join } from "node:path";
import { DurableFile } from "../../kit/files/durable-file.ts";
import { makeNamedFolder } from "../../kit/files/make-folder.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { LedgerFact } from "../../model/ledger.ts";
import type { TimerId } from "../../model/timer.ts";
import { type DocumentStore, type DocumentStoreOptions, openDocumentStore } from "./document-store.ts";
import { type Ledger, openLedger, readLedger } from "./ledger.ts";
import { openSignOfLife, type SignOfLife } from "./sign-of-life.ts";

export type DocumentFormat<T> = Omit<DocumentStoreOptions<T>, "file" | "fs">;

/** A small text that is replaced as a whole. */
export type StoredText = Pick<DurableFile, "read" | "replace">;

/** All facts, oldest first, or those of one timer. */
export type ReadLedger = (about?: { readonly timerId?: TimerId }) => AsyncIterable<LedgerFact>;

/** Keeps what the recorder must know after a restart: in its data folder, or in the database of a fleet. */
export interface StateStore {
  /** The name of the place, for messages. */
  readonly place: string;
  /** @throws RecorderdError STORE_DAMAGED, STORE_TOO_NEW or FILE_UNREADABLE; STORE_WRITE_FAILED while a database is away */
  openDocument<T extends object>(name: string, format: DocumentFormat<T>): Promise<DocumentStore<T>>;
  text(name: string, options?: { readonly isSecret?: boolean }): StoredText;
  openLedger(): Promise<Ledger>;
  readonly readLedger: ReadLedger;
  openSignOfLife(clock: Clock): Promise<SignOfLife>;
}

/** @param folder the data folder, whose lock the caller holds */
export function stateInFolder(folder: string): StateStore {
  const ledger = join(folder, "ledger");
  return {
    place: folder,
    openDocument: (name, format) => openDocumentStore({ file: join(folder, `${name}.json`), ...format }),
    text: (name, { isSecret = false } = {}) =>
      new DurableFile({ file: join(folder, `${name}.json`), ...(isSecret ? { mode: 0o600 } : {}) }),
    openLedger: async () => {
      await makeNamedFolder(ledger, 0o750);
      return await openLedger({ folder: ledger });
    },
    readLedger: (about) => readLedger(ledger, about),
    openSignOfLife: (clock) => openSignOfLife(join(folder, "alive"), clock),
  };
}
