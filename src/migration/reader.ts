import type { FoundRecorder, ReadOptions } from "./found.ts";
import type { OriginFolders } from "./origin-folders.ts";

/** Reads the folders of one kind of recorder. */
export interface OriginReader {
  /** Its name for people. */
  readonly title: string;
  /** The meaning of the named folder, for `--help`. */
  readonly folder: string;
  /**
   * Reads what is there. It reads only through `folders`; a part that it does not understand is a problem or left out, and stops
   * nothing.
   *
   * @throws RecorderdError FILE_UNREADABLE if these are not the folders of such a recorder
   */
  read(folders: OriginFolders, options: ReadOptions): Promise<FoundRecorder>;
}
