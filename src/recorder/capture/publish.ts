import { basename, dirname, join, relative } from "node:path";
import { isLinkUnsupported } from "../../kit/files/link-support.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import type { RecordingId } from "../../model/recording.ts";
import type { EpochMs } from "../../model/time.ts";
import { besideSegment, recordingIndex, segmentIndex, workFolder } from "./files.ts";
import { inodeOf, modifiedAtOf, type RecordingFs, sha256Of, sizeOf, syncFile } from "./files-fs.ts";
import { type JoinIndexOrder, joinIndexes } from "./index-file.ts";
import { joinSegments, type UsedPart } from "./join.ts";
import { type Naming, noFreeName, storedVariant, storeVariant, variants } from "./naming.ts";
import { applyOwnership, type Ownership } from "./ownership.ts";

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

export interface PublisherParts {
  /** Folder of the segments. */
  readonly folder: string;
  /** Folder of finished recordings; may be the same. */
  readonly root: string;
  readonly naming: Naming;
  readonly ownership: Ownership;
  readonly fs: RecordingFs;
  readonly onIndexFailure: (file: string, error: unknown) => void;
}

/** Joins segments into one file under its reserved name. */
export type Publish = (order: PublishOrder, signal: AbortSignal) => Promise<Published | undefined>;

export function createPublisher({
  folder,
  root,
  naming,
  ownership,
  fs,
  onIndexFailure,
}: PublisherParts): Publish {
  const spoolWork = workFolder(folder);
  const work = workFolder(root);

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
      for (const each of [segment, ...besideSegment(segment)]) await fs.rm(each, { force: true });
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

  return publish;
}
