import type { LibraryDocument, LibraryEntry } from "../../../model/library.ts";
import type { EpochMs } from "../../../model/time.ts";
import { withoutUndefined } from "../../../model/without-undefined.ts";
import { changeEntry, type PlanDocument } from "./core/intake.ts";

/** An incomplete recording and the whole one of its repeat. */
export interface Replacement {
  readonly old: LibraryEntry;
  readonly fresh: LibraryEntry;
}

/**
 * Healed recordings that still exist, by the plan's state. Protected ones stay; unfinished jobs of the new one delay
 * the replacement.
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

/** Replaces the old recording by the new one in a single change. The new one gets its title and watched flag. */
export function withReplacement(
  library: LibraryDocument,
  { old, fresh }: Replacement,
  now: EpochMs,
): LibraryDocument {
  const [before, after] = [library.entries[old.recordingId], library.entries[fresh.recordingId]];
  if (before === undefined || after === undefined || !isThere(before) || !isThere(after)) return library;
  // It may have been protected during the check of the files.
  if (before.protected) return library;
  const { name, subtitle = after.subtitle, series = after.series } = before;
  const { guideSeries = after.guideSeries, rule = after.rule } = before;
  const kept = changeEntry(library, after.recordingId, {
    heals: before.recordingId,
    name,
    ...withoutUndefined({ subtitle, series, guideSeries, rule }),
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
