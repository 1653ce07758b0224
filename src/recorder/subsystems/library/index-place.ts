import { join } from "node:path";
import type { LibraryEntry } from "../../../model/library.ts";
import { INDEX_ENDING } from "../../../mpeg-ts/access-index/format.ts";
import { recordingIndex } from "../../capture/files.ts";
import { isOwn } from "./core/importing.ts";

/** Finds the index of a recording: beside its file, or in a folder of ours if the file is another recorder's. */
export type IndexPlace = (entry: Pick<LibraryEntry, "recordingId" | "file" | "imported">) => string;

/** The folder for indexes of other recorders' files. */
export function foreignIndexFolder(dataFolder: string): string {
  return join(dataFolder, "indexes");
}

export function indexPlaces(dataFolder: string): IndexPlace {
  const folder = foreignIndexFolder(dataFolder);
  return (entry) =>
    isOwn(entry) ? recordingIndex(entry.file) : join(folder, `${entry.recordingId}${INDEX_ENDING}`);
}
