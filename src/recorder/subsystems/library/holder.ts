import type { Log } from "../../../kit/log.ts";
import { RecorderdError } from "../../../model/errors.ts";
import type { LibraryDocument } from "../../../model/library.ts";

/** The library, as its parts see it: one change at a time, each made of the latest one, and durable when it resolves. */
export interface Library {
  readonly current: LibraryDocument;
  /** A change that returns what it was given writes nothing. */
  change(make: (library: LibraryDocument) => LibraryDocument): Promise<void>;
}

interface Store {
  readonly current: LibraryDocument;
  commit(next: LibraryDocument): Promise<void>;
}

/** `change` throws RecorderdError STORE_WRITE_FAILED. */
export function holdLibrary(store: Store): Library {
  let last: Promise<unknown> = Promise.resolve();
  return {
    get current() {
      return store.current;
    },
    change: (make) => {
      const done = last.then(async () => {
        const next = make(store.current);
        if (next !== store.current) await store.commit(next);
      });
      last = done.catch(() => {});
      return done;
    },
  };
}

/**
 * Makes a loop outlive a data folder that cannot be written now: what it was at is done at its next look, and said once.
 *
 * @returns what the work does, or `undefined` where it could not be written
 */
export function patient(log: Log): <T>(work: () => Promise<T>) => Promise<T | undefined> {
  let isFailing = false;
  return async (work) => {
    try {
      const done = await work();
      isFailing = false;
      return done;
    } catch (error) {
      if (!(error instanceof RecorderdError) || error.code !== "STORE_WRITE_FAILED") throw error;
      if (!isFailing) log.error("the library cannot be written, trying again", { text: error.message });
      isFailing = true;
      return undefined;
    }
  };
}
