import { strict as assert } from "node:assert";
import * as nodeFs from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isLinkUnsupported } from "../../kit/files/link-support.ts";
import { dropFromPageCache } from "../../kit/files/page-cache.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { RecorderdError } from "../../model/errors.ts";
import type { RecordingId } from "../../model/recording.ts";
import { besideFile, logFile, type Sidecar, segmentFile, workFolder } from "./files.ts";
import { inodeOf, modifiedAtOf, type ShelfFs, sha256Of, sizeOf, syncFile } from "./files-fs.ts";
import { joinSegments, type KeptPart } from "./join.ts";
import type { NameFacts, NameTemplate } from "./name-template.ts";
import { createNaming, noneFree, notedVariant, noteVariant, type ReservedName, variants } from "./naming.ts";
import { type Ownership, own } from "./ownership.ts";
import { inPortWords, unless } from "./storage.ts";

export interface ShelfOptions {
  /** Where segments are written. */
  readonly folder: string;
  /** Where finished recordings go, on this or another file system; absent: in the same folder. */
  readonly library?: string;
  readonly template: NameTemplate;
  readonly ownership: Ownership;
  readonly fs?: ShelfFs;
}

export interface PublishOrder {
  readonly recordingId: RecordingId;
  /** In the order of recording; some may be empty or missing. */
  readonly segments: readonly string[];
  /** What goes into the file of those of which not all does. */
  readonly cuts?: ReadonlyMap<string, KeptPart>;
  /** The reserved name. Absent: no payload was recorded, and nothing shall be left. */
  readonly file?: string;
  /** Of the segment where there is only one: then the result need not be read for it. */
  readonly digest?: { readonly bytes: number; readonly sha256: string };
  /** Asked when the segments were copied: whether they are still as they were read. Absent: they are. */
  readonly isUnchanged?: () => Promise<boolean>;
}

export interface Published {
  /** Its path: another than the reserved one when somebody put a file there. */
  readonly file: string;
  /** Hexadecimal. */
  readonly sha256: string;
  /** When its content changed last, by its file system, in ms since 1970. */
  readonly modifiedAt: number;
  /** What the system refused, in sentences for people; the recording is whole all the same. */
  readonly complaints: readonly string[];
}

/**
 * The folder of recordings: segments while they are written, one file each when they are done. One daemon to a folder.
 * Everything here throws RecorderdError STORAGE_OFFLINE, DISK_FULL or WRITE_FAILED; then nothing is lost.
 */
export interface RecordingFiles {
  segmentFile(attemptId: string): string;
  /** What a segment holds is on the disk itself when this resolves. */
  secure(segment: string): Promise<void>;
  /** What is read of a segment from now on is what the disk has. To be called when it could not be secured. */
  forgetCached(segment: string): Promise<void>;
  /** A name that no file and no other recording has; the same one when asked again, until it is published. */
  reserve(facts: NameFacts): Promise<ReservedName>;
  /**
   * Makes one file of the segments, under the reserved name, and removes what is left over. May be called again after a
   * crash at any point, also when all was done: nothing is lost, nothing is there twice, no other file is overwritten.
   *
   * @returns `undefined` when there was nothing to keep
   */
  publish(order: PublishOrder, signal: AbortSignal): Promise<Published | undefined>;
  /** Whether a finished recording is still there. */
  holds(file: string): Promise<boolean>;
  /** Writes what goes beside a recording, as a whole: a reader sees the old or the new one. */
  writeBeside(file: string, ending: Sidecar, text: string): Promise<void>;
  /** `undefined` where there is none. */
  readBeside(file: string, ending: Sidecar): Promise<string | undefined>;
  /** Keeps a text about a recording until it is done: it survives a crash, and nobody else sees it. */
  keepNote(id: RecordingId, text: string): Promise<void>;
  readNote(id: RecordingId): Promise<string | undefined>;
  /** All about the recording is done: its name is free again, its note goes. */
  release(id: RecordingId): Promise<void>;
}

export function createRecordingFiles({
  template,
  ownership,
  fs = nodeFs,
  ...places
}: ShelfOptions): RecordingFiles {
  const folder = resolve(places.folder);
  const root = resolve(places.library ?? folder);
  const spoolWork = workFolder(folder);
  const work = workFolder(root);
  const naming = createNaming({ root, template, ownership, fs });
  const noteFile = (id: RecordingId) => join(work, `${id}.note`);

  async function forgetSegment(segment: string): Promise<void> {
    if (await dropFromPageCache(segment)) return;
    const message = `What the disk has of ${segment} cannot be told from what the system has in memory: see that dd of coreutils can read it.`;
    throw new RecorderdError("WRITE_FAILED", message, { file: segment });
  }

  async function reserve(facts: NameFacts): Promise<ReservedName> {
    assert.match(facts.recordingId, /^[\w-]+$/, "a recording's id is part of names of files");
    return naming.reserve(facts);
  }

  async function publish(order: PublishOrder, signal: AbortSignal): Promise<Published | undefined> {
    const { recordingId: id, file, digest, cuts = new Map(), isUnchanged } = order;
    const whole = join(work, `${id}.whole`);
    // It was there when the name was reserved: where it is missing, the disk is, and the segments are not "empty".
    if (file !== undefined) await syncFile(work, fs);
    const segments = await leftOf(id, order.segments);
    const joined =
      file === undefined ? undefined : await joinSegments({ segments, cuts, whole, fs, isUnchanged }, signal);
    // What they held is whole and on the disk itself by now, or it is nothing that anybody could watch.
    for (const segment of new Set([...segments, ...order.segments])) {
      await fs.rm(segment, { force: true });
      await fs.rm(logFile(segment), { force: true });
    }
    if (file === undefined) return undefined;
    const wanted = inRoot(file);
    naming.hold(id, wanted);
    const complaints: string[] = [];
    if (joined !== undefined) {
      complaints.push(...(await own(whole, { ownership, mode: ownership.fileMode, fs })));
      complaints.push(...(await naming.makeFolders(wanted)));
    }
    const placed = joined === undefined ? await placedBefore(id, wanted) : await place(id, whole, wanted);
    if (placed === undefined) return undefined;
    const known = digest?.bytes === (await sizeOf(placed, fs)) ? digest?.sha256 : undefined;
    const sha256 = joined?.sha256 ?? known ?? (await sha256Of(placed, fs, signal));
    return { file: placed, sha256, modifiedAt: await modifiedAtOf(placed, fs), complaints };
  }

  /** Joined before the library was somewhere else: then that is what is left of the segments. */
  async function leftOf(id: RecordingId, segments: readonly string[]): Promise<readonly string[]> {
    const early = join(spoolWork, `${id}.whole`);
    return work !== spoolWork && (await sizeOf(early, fs)) !== undefined ? [early] : segments;
  }

  /** A name that was promised before the library was somewhere else keeps its last part. */
  function inRoot(file: string): string {
    return relative(root, file).startsWith("..") ? join(root, basename(file)) : file;
  }

  /** Where the file went when it was placed in an earlier life of the daemon. */
  async function placedBefore(id: RecordingId, wanted: string): Promise<string | undefined> {
    const place = variants(wanted)[(await notedVariant(id, work, fs)) - 1] ?? wanted;
    return (await inodeOf(place, fs)) === undefined ? undefined : place;
  }

  async function place(id: RecordingId, whole: string, wanted: string): Promise<string> {
    for (const [index, file] of variants(wanted).entries()) {
      // Known before it is taken, so that a later call can say where the file went.
      if (index > 0) await noteVariant({ id, number: index + 1, work }, fs);
      if (await moved(whole, file)) return file;
    }
    throw noneFree(wanted);
  }

  /** Without ever overwriting: a link is refused where a file is, a rename is not. */
  async function moved(from: string, to: string): Promise<boolean> {
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
      // Linked before a crash, or somebody else's.
      if ((await inodeOf(from, fs)) !== (await inodeOf(to, fs))) return false;
    }
    // A loss of power must not find the old name gone and the new one not there yet.
    await syncFile(dirname(to), fs);
    await fs.rm(from);
    return true;
  }

  async function holds(file: string): Promise<boolean> {
    // A folder that is away holds everything that it held before.
    await fs.stat(work);
    return (await sizeOf(file, fs)) !== undefined;
  }

  async function writeBeside(file: string, ending: Sidecar, text: string): Promise<void> {
    const target = besideFile(file, ending);
    const partial = join(dirname(target), `.${basename(target)}.part`);
    await replace(partial, text);
    await own(partial, { ownership, mode: ownership.fileMode, fs });
    await fs.rename(partial, target);
    await syncFile(dirname(target), fs);
  }

  async function replace(file: string, text: string): Promise<void> {
    await using handle = await fs.open(file, "w", 0o640);
    await handle.writeFile(text);
    await handle.sync();
  }

  async function keepNote(id: RecordingId, text: string): Promise<void> {
    await fs.mkdir(work, { mode: 0o750 }).catch(unless("EEXIST"));
    const partial = `${noteFile(id)}.part`;
    await replace(partial, text);
    await fs.rename(partial, noteFile(id));
    await syncFile(work, fs);
  }

  async function readText(file: string): Promise<string | undefined> {
    try {
      return await fs.readFile(file, "utf8");
    } catch (error) {
      unless("ENOENT")(error);
      return undefined;
    }
  }

  async function release(id: RecordingId): Promise<void> {
    naming.release(id);
    for (let number = await notedVariant(id, work, fs); number > 1; number -= 1) {
      await fs.rm(join(work, `${id}.${number}.name`), { force: true });
    }
    await fs.rm(noteFile(id), { force: true });
  }

  return {
    segmentFile: (attemptId) => segmentFile(folder, attemptId),
    secure: (segment) => inPortWords(segment, () => syncFile(segment, fs)),
    forgetCached: forgetSegment,
    reserve: (facts) => inPortWords(root, () => reserve(facts)),
    publish: (order, signal) => inPortWords(root, () => publish(order, signal)),
    holds: (file) => inPortWords(root, () => holds(file)),
    writeBeside: (file, ending, text) => inPortWords(file, () => writeBeside(file, ending, text)),
    readBeside: (file, ending) => inPortWords(file, () => readText(besideFile(file, ending))),
    keepNote: (id, text) => inPortWords(root, () => keepNote(id, text)),
    readNote: (id) => inPortWords(root, () => readText(noteFile(id))),
    release: (id) => inPortWords(root, () => release(id)),
  };
}
