import type { FileInspection, OpenInspection } from "../ports.ts";

/**
 * Inspections that outlive the one who opened them: what supervision has read of a segment is not read again when the
 * recording is closed. Disposing one closes the file until the next `advance`; `forget` drops what is known of it.
 */
export interface SharedInspections {
  readonly open: OpenInspection;
  /** Whether somebody reads it, or has read it, and nothing spoke against it. */
  knows(file: string): boolean;
  /** Harmless where nothing is known. */
  forget(file: string): Promise<void>;
}

export function sharedInspections(open: OpenInspection): SharedInspections {
  const byFile = new Map<string, FileInspection>();

  async function forget(file: string): Promise<void> {
    const known = byFile.get(file);
    byFile.delete(file);
    await known?.[Symbol.asyncDispose]();
  }

  return {
    open(file, service) {
      const before = byFile.get(file);
      let shared = before ?? open(file, service);
      let isFresh = before === undefined;
      byFile.set(file, shared);
      return {
        async advance(signal) {
          try {
            return await shared.advance(signal);
          } catch (error) {
            if (signal.aborted) throw error;
            // What is known may be of a file that is not there any more: the next one to look begins anew.
            await forget(file);
            if (isFresh) throw error;
            // Known from earlier, and of its end less may be left than was seen: a file system that failed has lost it.
            shared = open(file, service);
            isFresh = true;
            byFile.set(file, shared);
            return await shared.advance(signal);
          }
        },
        digest: (without) => shared.digest(without),
        [Symbol.asyncDispose]: () => shared[Symbol.asyncDispose](),
      };
    },
    knows: (file) => byFile.has(file),
    forget,
  };
}
