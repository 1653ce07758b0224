import { type FileHandle, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../kit/files/make-folder.ts";
import { openAsOwner, pathOfHandle } from "../kit/files/open-as-owner.ts";
import { open } from "../kit/files/steady-fs.ts";
import { decompressed } from "../kit/files/unpack.ts";
import { unreadableFile } from "../kit/files/unreadable-file.ts";
import { systemCode } from "../kit/machine/system-code.ts";
import { type BoundedEnd, runBounded } from "../kit/process/bounded-process.ts";
import type { Clock } from "../kit/time/clock.ts";
import { RecorderdError } from "../model/errors.ts";
import { isOfBackup, MANIFEST_FILE } from "./contents.ts";
import { BACKUP_LIMITS } from "./limits.ts";
import { type TarEvent, TarFlaw, TarReader } from "./tar-reader.ts";

export interface ArchiveParts {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Packs a folder into a file that only we can read.
 *
 * @throws RecorderdError WRITE_FAILED
 */
export async function pack(folder: string, file: string, parts: ArchiveParts): Promise<void> {
  await using handle = await open(file, "wx", 0o600);
  const end = await tar(
    ["--create", "--format=gnu", "--gzip", "--file", file, "--directory", folder, "."],
    parts,
  );
  if (end.code !== 0) {
    const text = `${file} cannot be written (${reasonOf(end)}): free some space on its disk, and check that tar and gzip are installed.`;
    throw new RecorderdError("WRITE_FAILED", text, { file });
  }
  await handle.sync();
}

/**
 * Unpacks a file into an empty folder of ours. Writes only what a backup may hold, as files of ours, and no more than fits on
 * the disk.
 *
 * @throws RecorderdError FILE_UNREADABLE for a file that is no backup, DISK_FULL if it does not fit
 */
export async function unpack(file: string, folder: string, { clock, signal }: ArchiveParts): Promise<void> {
  const unusable = (why: string, cause?: Error) =>
    new RecorderdError(
      "FILE_UNREADABLE",
      `${file} is not a backup, or is damaged (${why}): nothing was changed.`,
      { file },
      { cause },
    );
  const endsMs = clock.monotonicMs() + BACKUP_LIMITS.packMs;
  await using archive = await openAsOwner(file).catch((error: unknown) => {
    throw unreadableFile(file, error);
  });
  const reader = new TarReader();
  const files = new NewFiles(folder);
  try {
    for await (const chunk of decompressed(pathOfHandle(archive), { bytesMax: BACKUP_LIMITS.bytes })) {
      signal.throwIfAborted();
      if (clock.monotonicMs() > endsMs) throw new TarFlaw("it takes too long to read");
      for (const event of reader.push(chunk)) await files.take(event);
      if (reader.isOver) return;
    }
    throw new TarFlaw("it is incomplete");
  } catch (error) {
    if (error instanceof TarFlaw) throw unusable(error.message, error);
    if (error instanceof RecorderdError && error.code === "FILE_UNREADABLE") {
      throw unusable(error.message.replace(/\.$/, ""), error);
    }
    // A disk may have no room for more files, whatever their size.
    if (FULL.includes(systemCode(error))) throw noSpace(folder, "it holds more than fits there", error);
    throw error;
  } finally {
    await files[Symbol.asyncDispose]();
  }
}

/** Errors of a file system without space, or without room for more files. */
const FULL: readonly string[] = ["ENOSPC", "EDQUOT"];

function noSpace(folder: string, why: string, cause?: unknown): RecorderdError {
  const text = `${folder} has no space for the backup: ${why}. Nothing was changed. Set TMPDIR to a folder with more space.`;
  return new RecorderdError("DISK_FULL", text, { folder }, { cause });
}

/** Writes the files of an archive as they arrive. */
class NewFiles implements AsyncDisposable {
  readonly #folder: string;
  readonly #paths = new Set<string>();
  #open: FileHandle | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws TarFlaw for an unexpected entry */
  async take(event: TarEvent): Promise<void> {
    if (event.kind === "data") return await this.#open?.writeFile(event.bytes);
    const { path, bytes } = event;
    const isManifest = path === MANIFEST_FILE;
    if (!isManifest && !isOfBackup(path))
      throw new TarFlaw("it contains files that do not belong in a backup");
    if (this.#paths.has(path)) throw new TarFlaw(`${path} is in it twice`);
    if (this.#paths.size >= BACKUP_LIMITS.files) throw new TarFlaw("it contains too many files");
    if (isManifest && bytes > BACKUP_LIMITS.manifestBytes) throw new TarFlaw(`${path} is too large`);
    this.#paths.add(path);
    await this[Symbol.asyncDispose]();
    await checkFreeSpace(bytes, this.#folder);
    const place = join(this.#folder, path);
    await makeFolder(dirname(place), 0o700);
    this.#open = await open(place, "wx", 0o600);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#open?.close();
    this.#open = undefined;
  }
}

/** A small archive may unpack to more than any disk holds, so the declared size is checked before the first byte is written. */
async function checkFreeSpace(bytes: number, folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bytes > bavail * bsize) throw noSpace(folder, `one of its files has ${bytes} bytes`);
}

function tar(args: readonly string[], parts: ArchiveParts): Promise<BoundedEnd> {
  return runBounded(
    {
      command: "tar",
      args,
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" },
      timeoutMs: BACKUP_LIMITS.packMs,
      outputBytesMax: 2000,
    },
    parts,
  );
}

function reasonOf({ how, output }: BoundedEnd): string {
  return output.split("\n").at(0) || how;
}
