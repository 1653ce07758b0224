import type { LibraryDocument, LibraryEntry } from "../../../../model/library.ts";
import { oncePer } from "../../../../model/once-per.ts";

/**
 * 2: entries and finished hook points are stored separately. An earlier program would mistake the rest for
 * everything. 3: the latest changes are in a log.
 */
const LIBRARY_VERSION = 3;

type Values = Readonly<Record<string, unknown>>;
type PastOfLibrary = Readonly<Partial<Record<string, ReadonlyMap<string, unknown>>>>;

/** Caches the maps of the latest libraries: most changes are of one thing. */
const mapOf = oncePer((values: Values): ReadonlyMap<string, unknown> => new Map(Object.entries(values)));

export function emptyLibrary(): LibraryDocument {
  return { entries: {}, rates: {}, heard: {}, jobs: [], nextJob: 1, knownFolders: [] };
}

/** Splits off the per-recording data that changes seldom. */
function splitLibrary(library: LibraryDocument): {
  readonly now: LibraryDocument;
  readonly past: Readonly<Record<string, ReadonlyMap<string, unknown>>>;
} {
  const { entries, heard } = library;
  return {
    now: { ...library, entries: {}, heard: {} },
    past: { entries: mapOf(entries), heard: mapOf(heard) },
  };
}

/**
 * Makes a library from stored data: this program wrote it, so the shape is checked, not every field.
 *
 * @param past the part that was split off
 * @throws Error when it is no library of ours
 */
function parseLibrary(stored: unknown, { entries = new Map(), heard = new Map() }: PastOfLibrary = {}) {
  const empty = emptyLibrary();
  if (typeof stored !== "object" || stored === null) throw new Error("the library is not an object");
  for (const [key, value] of Object.entries(empty)) {
    const found = (stored as Values)[key];
    const same = typeof found === typeof value && Array.isArray(found) === Array.isArray(value);
    if (found !== undefined && !same) throw new Error(`the field ${key} of the library has an invalid value`);
  }
  const library: LibraryDocument = { ...empty, ...stored };
  // This program wrote it, and the store has checked that it is unchanged.
  return {
    ...library,
    entries: {
      ...Object.fromEntries(entries as ReadonlyMap<string, LibraryEntry>),
      ...library.entries,
    },
    heard: {
      ...(Object.fromEntries(heard) as LibraryDocument["heard"]),
      ...library.heard,
    },
  };
}

/** The storage format. */
export const LIBRARY_FORMAT = {
  schemaVersion: LIBRARY_VERSION,
  parse: parseLibrary,
  split: splitLibrary,
};
