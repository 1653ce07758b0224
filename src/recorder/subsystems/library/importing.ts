import { createHash } from "node:crypto";
import { access, constants, realpath, stat } from "node:fs/promises";
import type { Log } from "../../../kit/log.ts";
import type { ImportOrder, ImportResult } from "../../../model/imported.ts";
import type { RecordingId } from "../../../model/recording.ts";
import { entryFor, importedEntry } from "./core/importing.ts";
import { LIBRARY_LIMITS } from "./limits.ts";
import type { Library } from "./shared-library.ts";

/** Adds entries for files of another recorder, one after the other. It opens none of them for writing. */
export type Importer = (orders: readonly ImportOrder[]) => Promise<readonly ImportResult[]>;

export function createImporter({ library, log }: { readonly library: Library; readonly log: Log }): Importer {
  async function take(order: ImportOrder): Promise<ImportResult> {
    const { id } = order;
    const trouble = await troubleOf(order);
    if (trouble !== undefined) return { id, result: "refused", why: trouble };
    let result: ImportResult = { id, result: "refused", why: "The library is full." };
    await library.change((held) => {
      const there = entryFor(held, order);
      if (there !== undefined) {
        result = { id, result: "there", recordingId: there.recordingId };
        return held;
      }
      if (Object.keys(held.entries).length >= LIBRARY_LIMITS.entries) return held;
      const recordingId = recordingIdOf(order);
      result = { id, result: "added", recordingId };
      return { ...held, entries: { ...held.entries, [recordingId]: importedEntry(order, recordingId) } };
    });
    return result;
  }

  return async (orders) => {
    const results: ImportResult[] = [];
    for (const order of orders) results.push(await take(order));
    const added = results.filter(({ result }) => result === "added").length;
    if (added > 0) log.info("recordings of another recorder were imported", { count: added });
    return results;
  };
}

/** The same at every import, and none that the recorder counts itself. */
function recordingIdOf({ from, id }: Pick<ImportOrder, "from" | "id">): RecordingId {
  return `${from}-${createHash("sha256").update(id).digest("hex").slice(0, 16)}`;
}

/** Why the recorder cannot use a file, in a sentence. The command that found it may run as another user. */
async function troubleOf({ file, bytes }: ImportOrder): Promise<string | undefined> {
  try {
    if ((await realpath(file)) !== file) return `${file} is a symbolic link.`;
    const found = await stat(file);
    if (!found.isFile()) return `${file} is not a regular file.`;
    if (found.size !== bytes) return `${file} changed during the import: import it again.`;
    await access(file, constants.R_OK);
    return undefined;
  } catch {
    const sandbox = /^\/(home|root)\//.test(file) ? ", and set ProtectHome=read-only for its service" : "";
    return `The recorder cannot read ${file}: allow its user to read it and to enter its folders${sandbox}.`;
  }
}
