import type { LibraryDocument } from "../model/library.ts";

export const LIBRARY_VERSION = 1;

export function emptyLibrary(): LibraryDocument {
  return { entries: {}, rates: {}, heard: {}, jobs: [], nextJob: 1, knownFolders: [] };
}

/**
 * Makes a library of what was stored: it was written by this program, so its shape is looked at, not every field of it.
 *
 * @throws Error when it is no library of ours
 */
export function parseLibrary(stored: unknown): LibraryDocument {
  const empty = emptyLibrary();
  if (typeof stored !== "object" || stored === null) throw new Error("the library is no object");
  for (const [key, value] of Object.entries(empty)) {
    const found = (stored as Readonly<Record<string, unknown>>)[key];
    const same = typeof found === typeof value && Array.isArray(found) === Array.isArray(value);
    if (found !== undefined && !same) throw new Error(`the library's ${key} is not what it was written as`);
  }
  return { ...empty, ...stored };
}
