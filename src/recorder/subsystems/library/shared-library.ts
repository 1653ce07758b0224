import type { Log } from "../../../kit/log.ts";
import { Turns } from "../../../kit/time/turns.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { LibraryDocument } from "../../../model/library.ts";

/** The shared library: one change at a time, each based on the latest one, and durable when it resolves. */
export interface Library {
  readonly current: LibraryDocument;
  /** A change that returns its argument writes nothing. */
  change(make: (library: LibraryDocument) => LibraryDocument): Promise<void>;
}

interface Store {
  readonly current: LibraryDocument;
  commit(next: LibraryDocument): Promise<void>;
}

/** `change` throws RecorderdError STORE_WRITE_FAILED. */
export function shareLibrary(store: Store): Library {
  const turns = new Turns();
  return {
    get current() {
      return store.current;
    },
    change: (make) =>
      turns.run(async () => {
        const next = make(store.current);
        if (next !== store.current) await store.commit(next);
      }),
  };
}

/**
 * Keeps a loop alive while the data folder is not writable: its next look repeats the work. Logs the failure once.
 *
 * @returns the result of the work, or `undefined` if it could not be written
 */
export function surviveWriteFailures(log: Log): <T>(work: () => Promise<T>) => Promise<T | undefined> {
  let isFailing = false;
  return async (work) => {
    try {
      const done = await work();
      isFailing = false;
      return done;
    } catch (error) {
      if (!(error instanceof RecorderdError) || error.code !== "STORE_WRITE_FAILED") throw error;
      if (!isFailing) log.error("the library cannot be written; retrying", { text: error.message });
      isFailing = true;
      return undefined;
    }
  };
}
