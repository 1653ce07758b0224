import type { ImportOrder } from "../../../../model/imported.ts";
import type { LibraryDocument, LibraryEntry } from "../../../../model/library.ts";
import type { RecordingId } from "../../../../model/recording.ts";
import { withoutUndefined } from "../../../../model/without-undefined.ts";

/** The entry for a file of another recorder. No timer of ours ordered it. */
export function importedEntry(order: ImportOrder, recordingId: RecordingId): LibraryEntry {
  const { from, id, description, resumeSeconds, title, subtitle, channelName, service, event } = order;
  const { file, bytes, modifiedAt, isDamaged, isWatched } = order;
  return {
    recordingId,
    timerId: "",
    name: title,
    ...withoutUndefined({ subtitle, service }),
    channelName,
    event,
    state: "completed",
    // Nothing else was measured here.
    ...(isDamaged ? { verdict: "damaged" } : {}),
    endedAt: event.stop,
    file,
    bytes,
    modifiedAt,
    imported: { from, id, ...withoutUndefined({ description, resumeSeconds }) },
    made: [],
    protected: false,
    watched: isWatched,
  };
}

/** The entry of an earlier import of it, or of any other recording with its file. */
export function entryFor(
  { entries }: Pick<LibraryDocument, "entries">,
  { from, id, file }: Pick<ImportOrder, "from" | "id" | "file">,
): LibraryEntry | undefined {
  return Object.values(entries).find(
    (entry) =>
      (entry.imported?.from === from && entry.imported.id === id) ||
      (entry.file === file && entry.deleted === undefined),
  );
}

/** Forgets an entry whose file is not ours: nothing remains to be done for it. */
export function withoutImported(library: LibraryDocument, id: RecordingId): LibraryDocument {
  const { [id]: gone, ...entries } = library.entries;
  return gone?.imported === undefined ? library : { ...library, entries };
}

/** Whether the recorder may work on the file of an entry, and remove it. */
export function isOwn({ imported }: Pick<LibraryEntry, "imported">): boolean {
  return imported === undefined;
}
