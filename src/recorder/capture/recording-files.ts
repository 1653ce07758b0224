import { strict as assert } from "node:assert";
import { basename, dirname, join, resolve, sep } from "node:path";
import { dropFromPageCache } from "../../kit/files/page-cache.ts";
import { steadyFs } from "../../kit/files/steady-fs.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { RecordingId } from "../../model/recording.ts";
import { type SidecarEnding, segmentFile, sidecarFile, workFolder } from "./files.ts";
import { type RecordingFs, sizeOf, syncFile } from "./files-fs.ts";
import { type NameFacts, type NameTemplate, showFolderOf } from "./name-template.ts";
import { createNaming, type ReservedName, storedVariant } from "./naming.ts";
import { SHOW_FILE } from "./nfo.ts";
import { applyOwnership, type Ownership } from "./ownership.ts";
import { createPublisher, type Published, type PublishOrder } from "./publish.ts";
import { ignoring, translatingErrors } from "./storage.ts";

export interface RecordingFilesOptions {
  /** Folder of the segments. */
  readonly folder: string;
  /** Folder of finished recordings, possibly on another file system; absent: the same folder. */
  readonly library?: string;
  readonly template: NameTemplate;
  readonly ownership: Ownership;
  readonly fs?: RecordingFs;
  /** Names of recordings that other nodes of a fleet have. */
  readonly elsewhere?: (() => readonly string[]) | undefined;
  /** Receives the failure to join the indexes of segments: a recording does without. */
  readonly onIndexFailure?: (file: string, error: unknown) => void;
}

/**
 * The folder of recordings: segments while they are written, then one file per recording. Only one daemon uses a folder.
 * All methods throw RecorderdError STORAGE_OFFLINE, DISK_FULL or WRITE_FAILED; nothing is lost then.
 */
export interface RecordingFiles {
  segmentFile(attemptId: string): string;
  /** Resolves when the segment's content is on the disk. */
  secure(segment: string): Promise<void>;
  /** Drops the segment's cached pages, so that reads return what the disk has. For segments that could not be secured. */
  forgetCached(segment: string): Promise<void>;
  /** Reserves a name that no file and no other recording has; the same one until it is published. */
  reserve(facts: NameFacts): Promise<ReservedName>;
  /**
   * Joins the segments into one file under the reserved name, and removes the leftovers. Safe to call again after a crash at any
   * point, even after completion: nothing is lost or duplicated, and no other file is overwritten.
   *
   * @returns `undefined` if there was nothing to keep
   */
  publish(order: PublishOrder, signal: AbortSignal): Promise<Published | undefined>;
  /** Whether a finished recording still exists. */
  has(file: string): Promise<boolean>;
  /** Writes a sidecar atomically: a reader sees the old or the new one. */
  writeSidecar(file: string, ending: SidecarEnding, text: string): Promise<void>;
  /** Text of a sidecar; `undefined` if there is none. */
  readSidecar(file: string, ending: SidecarEnding): Promise<string | undefined>;
  /** Writes `tvshow.nfo` into the folder that the template names after the show alone, unless there is one. */
  writeShowFile(file: string, facts: NameFacts, text: string): Promise<void>;
  /** Gives a complete file of the hidden folder its place. @returns false if another file has it */
  takeIn(partial: string, file: string): Promise<boolean>;
  /** Stores a private text about a recording until it is released; survives a crash. */
  keepNote(id: RecordingId, text: string): Promise<void>;
  readNote(id: RecordingId): Promise<string | undefined>;
  /** Frees the recording's name and removes its note. */
  release(id: RecordingId): Promise<void>;
}

export function createRecordingFiles({
  template,
  ownership,
  fs = steadyFs,
  elsewhere,
  onIndexFailure = () => {},
  ...places
}: RecordingFilesOptions): RecordingFiles {
  const folder = resolve(places.folder);
  const root = resolve(places.library ?? folder);
  const work = workFolder(root);
  const naming = createNaming({ root, template, ownership, fs, elsewhere });
  const publish = createPublisher({ folder, root, naming, ownership, fs, onIndexFailure });
  const noteFile = (id: RecordingId) => join(work, `${id}.note`);

  async function forgetSegment(segment: string): Promise<void> {
    if (await dropFromPageCache(segment)) return;
    const message = `${segment} cannot be read from the disk without the system's cache: check that dd (coreutils) can read it.`;
    throw new RecorderdError("WRITE_FAILED", message, { file: segment });
  }

  async function reserve(facts: NameFacts): Promise<ReservedName> {
    assert.match(facts.recordingId, /^[\w-]+$/, "a recording's id is part of names of files");
    return naming.reserve(facts);
  }

  async function holds(file: string): Promise<boolean> {
    // Files in an absent folder count as existing.
    await fs.stat(work);
    return (await sizeOf(file, fs)) !== undefined;
  }

  async function writeBeside(file: string, ending: SidecarEnding, text: string): Promise<void> {
    await writeWhole(sidecarFile(file, ending), text);
  }

  async function writeShow(file: string, facts: NameFacts, text: string): Promise<void> {
    const names = showFolderOf(template, facts);
    const folder = join(root, ...(names ?? []));
    if (names === undefined || !file.startsWith(folder + sep)) return;
    const target = join(folder, SHOW_FILE);
    if ((await sizeOf(target, fs)) === undefined) await writeWhole(target, text);
  }

  /** Begins in the work folder: the empty folder in the place of an absent disk has none, and stays empty. */
  async function writeWhole(target: string, text: string): Promise<void> {
    const partial = join(work, `${basename(target)}.part`);
    await replace(partial, text);
    await applyOwnership(partial, { ownership, mode: ownership.fileMode, fs });
    await fs.rename(partial, target);
    await syncFile(dirname(target), fs);
  }

  async function replace(file: string, text: string): Promise<void> {
    await using handle = await fs.open(file, "w", 0o640);
    await handle.writeFile(text);
    await handle.sync();
  }

  async function keepNote(id: RecordingId, text: string): Promise<void> {
    const partial = `${noteFile(id)}.part`;
    await replace(partial, text);
    await fs.rename(partial, noteFile(id));
    await syncFile(work, fs);
  }

  async function takeIn(partial: string, file: string): Promise<boolean> {
    await applyOwnership(partial, { ownership, mode: ownership.fileMode, fs });
    await naming.makeFolders(file);
    if ((await sizeOf(file, fs)) !== undefined) return false;
    await fs.rename(partial, file);
    await syncFile(dirname(file), fs);
    return true;
  }

  async function readText(file: string): Promise<string | undefined> {
    try {
      return await fs.readFile(file, "utf8");
    } catch (error) {
      ignoring("ENOENT")(error);
      return undefined;
    }
  }

  async function release(id: RecordingId): Promise<void> {
    naming.release(id);
    for (let number = await storedVariant(id, work, fs); number > 1; number -= 1) {
      await fs.rm(join(work, `${id}.${number}.name`), { force: true });
    }
    await fs.rm(noteFile(id), { force: true });
  }

  return {
    segmentFile: (attemptId) => segmentFile(folder, attemptId),
    secure: (segment) => translatingErrors(segment, () => syncFile(segment, fs)),
    forgetCached: forgetSegment,
    reserve: (facts) => translatingErrors(root, () => reserve(facts)),
    publish: (order, signal) => translatingErrors(root, () => publish(order, signal)),
    has: (file) => translatingErrors(root, () => holds(file)),
    writeSidecar: (file, ending, text) => translatingErrors(file, () => writeBeside(file, ending, text)),
    writeShowFile: (file, facts, text) => translatingErrors(file, () => writeShow(file, facts, text)),
    readSidecar: (file, ending) => translatingErrors(file, () => readText(sidecarFile(file, ending))),
    takeIn: (partial, file) => translatingErrors(file, () => takeIn(partial, file)),
    keepNote: (id, text) => translatingErrors(root, () => keepNote(id, text)),
    readNote: (id) => translatingErrors(root, () => readText(noteFile(id))),
    release: (id) => translatingErrors(root, () => release(id)),
  };
}
