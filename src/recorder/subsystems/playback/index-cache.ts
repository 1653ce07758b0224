import { type FileState, isSameState, stateOf } from "../../../kit/files/file-state.ts";
import type { AccessIndex } from "../../../model/access-index.ts";
import { PLAYBACK_LIMITS } from "./limits.ts";

/** Indexes of recordings that somebody watches: each request for a segment needs one, and few of them change. */
export interface IndexCache {
  /**
   * The index that was read from these files, as long as none of them changes.
   *
   * @param read reads it; called when it is unknown or old. Its failures are not kept
   */
  of(files: readonly string[], read: () => Promise<AccessIndex>): Promise<AccessIndex>;
}

interface Known {
  readonly states: readonly FileState[];
  readonly index: AccessIndex;
}

/** @param pointsMost access points of all indexes that are kept; those that were not used for longest leave. A larger index is not kept */
export function createIndexCache(pointsMost: number = PLAYBACK_LIMITS.pointsKept): IndexCache {
  /** By the names of their files. The one used last is the last. */
  const known = new Map<string, Known>();

  function keep(key: string, added: Known): void {
    known.delete(key);
    if (added.index.points.length > pointsMost) return;
    known.set(key, added);
    let points = 0;
    for (const [each, { index }] of [...known].toReversed()) {
      points += index.points.length;
      if (points > pointsMost) known.delete(each);
    }
  }

  return {
    of: async (files, read) => {
      const key = JSON.stringify(files);
      // Before it is read: what changes meanwhile is read again next time.
      const found = await Promise.all(files.map((file) => stateOf(file).catch(() => undefined)));
      const states = found.filter((state) => state !== undefined);
      const before = known.get(key);
      const isSame = before?.states.every((state, at) => isSameState(state, found[at])) === true;
      const index = isSame ? before.index : await read();
      if (states.length === files.length) keep(key, { states, index });
      return index;
    },
  };
}
