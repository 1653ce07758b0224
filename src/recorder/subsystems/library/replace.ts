import type { LibraryDocument, LibraryEntry } from "../../../model/library.ts";
import type { EpochMs } from "../../../model/time.ts";
import { changeEntry, type PlanDocument } from "./core/follow.ts";

/** A recording that was not whole, and the one of its repeat that is. */
export interface Replacement {
  readonly old: LibraryEntry;
  readonly fresh: LibraryEntry;
}

/**
 * Recordings that were healed, by the plan's own word, and are still there. Who is protected stays; what jobs are still making of the
 * new one is waited for.
 */
export function replacements(
  { recordings }: Pick<PlanDocument, "recordings">,
  { entries }: Pick<LibraryDocument, "entries">,
): readonly Replacement[] {
  return Object.values(recordings).flatMap(({ id, healing }) => {
    if (healing?.step !== "healed") return [];
    const old = entries[id];
    const fresh = entries[healing.recordingId ?? ""];
    if (old === undefined || fresh === undefined || !isThere(old) || !isThere(fresh)) return [];
    return old.protected || fresh.outgoing !== undefined ? [] : [{ old, fresh }];
  });
}

/** The new one takes the place of the old one, under its title and as watched as that was, and the old one is to go: at once, or not at all. */
export function replaced(
  library: LibraryDocument,
  { old, fresh }: Replacement,
  now: EpochMs,
): LibraryDocument {
  const [before, after] = [library.entries[old.recordingId], library.entries[fresh.recordingId]];
  if (before === undefined || after === undefined || !isThere(before) || !isThere(after)) return library;
  // It may have been protected while the files were looked at.
  if (before.protected) return library;
  const { name, subtitle = after.subtitle, series = after.series, guideSeries = after.guideSeries } = before;
  const kept = changeEntry(library, after.recordingId, {
    heals: before.recordingId,
    name,
    ...(subtitle === undefined ? {} : { subtitle }),
    ...(series === undefined ? {} : { series }),
    ...(guideSeries === undefined ? {} : { guideSeries }),
    watched: before.watched || after.watched,
  });
  const reason = `recorded whole as ${after.recordingId}`;
  return changeEntry(kept, before.recordingId, {
    deleted: { at: now, actor: "repeat", reason, done: false },
  });
}

function isThere({ deleted, goneSince }: LibraryEntry): boolean {
  return deleted === undefined && goneSince === undefined;
}
