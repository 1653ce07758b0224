import { strict as assert } from "node:assert";
import * as nodeFs from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isLinkUnsupported } from "../../kit/files/link-support.ts";
import { dropFromPageCache } from "../../kit/files/page-cache.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { RecordingId } from "../../model/recording.ts";
import type { EpochMs } from "../../model/time.ts";
import {
  logFile,
  recordingIndex,
  type SidecarEnding,
  segmentFile,
  segmentIndex,
  sidecarFile,
  workFolder,
} from "./files.ts";
import { inodeOf, modifiedAtOf, type RecordingFs, sha256Of, sizeOf, syncFile } from "./files-fs.ts";
import { type JoinIndexOrder, joinIndexes } from "./index-file.ts";
import { joinSegments, type UsedPart } from "./join.ts";
import { type NameFacts, type NameTemplate, showFolderOf } from "./name-template.ts";
import {
  createNaming,
  noFreeName,
  type ReservedName,
  storedVariant,
  storeVariant,
  variants,
} from "./naming.ts";
import { SHOW_FILE } from "./nfo.ts";
import { applyOwnership, type Ownership } from "./ownership.ts";
import { ignoring, translatingErrors } from "./storage.ts";

export interface RecordingFilesOptions {
  /** Folder of the segments. */
  readonly folder: string;
  /** Folder of finished recordings, possibly on another file system; absent: the same folder. */
  readonly library?: string;
  readonly template: NameTemplate;
  readonly ownership: Ownership;
  readonly fs?: RecordingFs;
  /** Receives the failure to join the indexes of segments: a recording does without. */
  readonly onIndexFailure?: (file: string, error: unknown) => void;
}

export interface PublishOrder {
  readonly recordingId: RecordingId;
  /** In recording order; some may be empty or missing. */
  readonly segments: readonly string[];
  /** The part to use of segments that are not used whole. */
  readonly cuts?: ReadonlyMap<string, UsedPart>;
  /** When segments began, as far as that is known: the index has room for the time between them. */
  readonly beginnings?: ReadonlyMap<string, EpochMs>;
  /** The reserved name. Absent: no payload was recorded, and no file shall remain. */
  readonly file?: string;
  /** Digest of a single segment: then the result need not be read. */
  readonly digest?: { readonly bytes: number; readonly sha256: string };
  /** Whether the segments are still as inspected; called after copying. Absent: assumed. */
  readonly isUnchanged?: () => Promise<boolean>;
}

export interface Published {
  /** Its path; differs from the reserved one if that was taken meanwhile. */
  readonly file: string;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Time of its last change on its file system, in ms since 1970. */
  readonly modifiedAt: number;
  /** Refusals of the system, in sentences for people; the recording is complete anyway. */
  readonly complaints: readonly string[];
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
  /** Stores a private text about a recording until it is released; survives a crash. */
  keepNote(id: RecordingId, text: string): Promise<void>;
  readNote(id: RecordingId): Promise<string | undefined>;
  /** Frees the recording's name and removes its note. */
  release(id: RecordingId): Promise<void>;
}

export function createRecordingFiles({
  template,
  ownership,
  fs = nodeFs,
  onIndexFailure = () => {},
  ...places
}: RecordingFilesOptions): RecordingFiles {
  const folder = resolve(places.folder);
  const root = resolve(places.library ?? folder);
  const spoolWork = workFolder(folder);
  const work = workFolder(root);
  const naming = createNaming({ root, template, ownership, fs });
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

  async function publish(order: PublishOrder, signal: AbortSignal): Promise<Published | undefined> {
    const { recordingId: id, file, digest, cuts = new Map(), beginnings = new Map(), isUnchanged } = order;
    const whole = join(work, `${id}.whole`);
    // The work folder existed when the name was reserved. If it is missing, the disk is absent, and the segments are not "empty"
    //
    if (file !== undefined) await syncFile(work, fs);
    const segments = await remainingSegments(id, order.segments);
    const parts = await usedParts(segments, cuts);
    const joined =
      file === undefined
        ? undefined
        : await joinSegments({ segments, cuts, target: whole, fs, isUnchanged }, signal);
    if (joined !== undefined) {
      const dated = parts.map((part) => ({ ...part, startedAt: beginnings.get(part.file) }));
      await joinIndexesOf(dated, whole);
    }
    // The content of the segments is joined and on the disk, or is not watchable.
    for (const segment of new Set([...segments, ...order.segments])) {
      await fs.rm(segment, { force: true });
      await fs.rm(logFile(segment), { force: true });
      await fs.rm(segmentIndex(segment), { force: true });
    }
    if (file === undefined) return undefined;
    const wanted = inRoot(file);
    naming.restore(id, wanted);
    const complaints: string[] = [];
    if (joined !== undefined) {
      complaints.push(...(await applyOwnership(whole, { ownership, mode: ownership.fileMode, fs })));
      complaints.push(...(await naming.makeFolders(wanted)));
    }
    const placed = joined === undefined ? await placedBefore(id, wanted) : await place(id, whole, wanted);
    if (placed === undefined) return undefined;
    await placeIndex(segmentIndex(whole), recordingIndex(placed));
    const known = digest?.bytes === (await sizeOf(placed, fs)) ? digest?.sha256 : undefined;
    const sha256 = joined?.sha256 ?? known ?? (await sha256Of(placed, fs, signal));
    return { file: placed, sha256, modifiedAt: await modifiedAtOf(placed, fs), complaints };
  }

  async function usedParts(segments: readonly string[], cuts: ReadonlyMap<string, UsedPart>) {
    const sized = await Promise.all(
      segments.map(async (file) => ({ file, size: (await sizeOf(file, fs)) ?? 0 })),
    );
    return sized
      .filter(({ size }) => size > 0)
      .map(({ file, size }) => {
        const { from, bytes } = cuts.get(file) ?? { from: 0, bytes: size };
        return { file, index: segmentIndex(file), from, bytes: Math.min(size - from, bytes) };
      });
  }

  async function joinIndexesOf(parts: JoinIndexOrder["parts"], whole: string): Promise<void> {
    const index = segmentIndex(whole);
    try {
      // A crash came after it.
      if ((await sizeOf(index, fs)) === undefined) await joinIndexes({ index, file: whole, parts }, fs);
    } catch (error) {
      onIndexFailure(whole, error);
    }
  }

  async function placeIndex(index: string, target: string): Promise<void> {
    try {
      if ((await sizeOf(index, fs)) === undefined) return;
      await applyOwnership(index, { ownership, mode: ownership.fileMode, fs });
      await fs.rename(index, target);
    } catch (error) {
      onIndexFailure(target, error);
    }
  }

  /** A file joined before the library folder moved replaces the segments. */
  async function remainingSegments(id: RecordingId, segments: readonly string[]): Promise<readonly string[]> {
    const early = join(spoolWork, `${id}.whole`);
    return work !== spoolWork && (await sizeOf(early, fs)) !== undefined ? [early] : segments;
  }

  /** A name reserved before the library folder moved keeps its last part. */
  function inRoot(file: string): string {
    return relative(root, file).startsWith("..") ? join(root, basename(file)) : file;
  }

  /** The path of a file that an earlier run published. */
  async function placedBefore(id: RecordingId, wanted: string): Promise<string | undefined> {
    const place = variants(wanted)[(await storedVariant(id, work, fs)) - 1] ?? wanted;
    return (await inodeOf(place, fs)) === undefined ? undefined : place;
  }

  async function place(id: RecordingId, whole: string, wanted: string): Promise<string> {
    for (const [index, file] of variants(wanted).entries()) {
      // Stored before the name is taken, so that a later call knows the path.
      if (index > 0) await storeVariant({ id, number: index + 1, work }, fs);
      if (await moveWithoutOverwrite(whole, file)) return file;
    }
    throw noFreeName(wanted);
  }

  /** Never overwrites: a link fails if the target exists, a rename does not. */
  async function moveWithoutOverwrite(from: string, to: string): Promise<boolean> {
    try {
      await fs.link(from, to);
    } catch (error) {
      if (isLinkUnsupported(error)) {
        if ((await inodeOf(to, fs)) !== undefined) return false;
        await fs.rename(from, to);
        await syncFile(dirname(to), fs);
        return true;
      }
      if (systemCode(error) !== "EEXIST") throw error;
      // Linked before a crash, or an unrelated file.
      if ((await inodeOf(from, fs)) !== (await inodeOf(to, fs))) return false;
    }
    // A power loss must not remove the old name before the new one is durable.
    await syncFile(dirname(to), fs);
    await fs.rm(from);
    return true;
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
    keepNote: (id, text) => translatingErrors(root, () => keepNote(id, text)),
    readNote: (id) => translatingErrors(root, () => readText(noteFile(id))),
    release: (id) => translatingErrors(root, () => release(id)),
  };
}
