import type { LibraryEntry } from "../../model/library.ts";

/** The next recording of the same series by the time of its event that the viewer has not finished. */
export function nextEpisode(
  entries: readonly LibraryEntry[],
  { current, isFinished }: { readonly current: LibraryEntry; readonly isFinished: (id: string) => boolean },
): LibraryEntry | undefined {
  const later = entries.filter(
    (entry) =>
      isSameSeries(entry, current) &&
      entry.event.start > current.event.start &&
      entry.deleted === undefined &&
      entry.goneSince === undefined &&
      !isFinished(entry.recordingId),
  );
  return later.toSorted((a, b) => a.event.start - b.event.start)[0];
}

/** By the guide's series, or by the title where the guide names none. */
function isSameSeries(a: LibraryEntry, b: LibraryEntry): boolean {
  if (a.guideSeries !== undefined || b.guideSeries !== undefined) return a.guideSeries === b.guideSeries;
  return a.name === b.name;
}
