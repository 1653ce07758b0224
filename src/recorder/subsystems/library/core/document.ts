import type { LibraryDocument, LibraryEntry } from "../../../../model/library.ts";
import { oncePer } from "../../../../model/once-per.ts";

/** 2: entries, and what hooks have heard, lie beside it. An earlier program would take what is there for all. */
const LIBRARY_VERSION = 2;

type Values = Readonly<Record<string, unknown>>;
type PastOfLibrary = Readonly<Partial<Record<string, ReadonlyMap<string, unknown>>>>;

/** Of the latest libraries: most changes are of one thing. */
const mapOf = oncePer((values: Values): ReadonlyMap<string, unknown> => new Map(Object.entries(values)));

export function emptyLibrary(): LibraryDocument {
  return { entries: {}, rates: {}, heard: {}, jobs: [], nextJob: 1, knownFolders: [] };
}

/** Takes apart what there is of each recording, and changes seldom, and the rest. */
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
 * Makes a library of what was stored: it was written by this program, so its shape is looked at, not every field of it.
 *
 * @param past what was split off of it
 * @throws Error when it is no library of ours
 */
function parseLibrary(stored: unknown, { entries = new Map(), heard = new Map() }: PastOfLibrary = {}) {
  const empty = emptyLibrary();
  if (typeof stored !== "object" || stored === null) throw new Error("the library is no object");
  for (const [key, value] of Object.entries(empty)) {
    const found = (stored as Values)[key];
    const same = typeof found === typeof value && Array.isArray(found) === Array.isArray(value);
    if (found !== undefined && !same) throw new Error(`the library's ${key} is not what it was written as`);
  }
  const library: LibraryDocument = { ...empty, ...stored };
  // Written by this program, and found as it was written: the store looks at that.
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

/** How it is kept. */
export const LIBRARY_FORMAT = {
  schemaVersion: LIBRARY_VERSION,
  parse: parseLibrary,
  split: splitLibrary,
};
