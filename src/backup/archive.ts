import { type FileHandle, open } from "node:fs/promises";
import { type BoundedEnd, runBounded } from "../kit/bounded-process.ts";
import type { Clock } from "../kit/clock.ts";
import { openOwn } from "../kit/open-own.ts";
import { unreadableFile } from "../kit/unreadable-file.ts";
import { RecorderdError } from "../model/errors.ts";
import { LIMITS } from "../model/limits.ts";

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
  const end = await tar(["--create", "--gzip", "--file", file, "--directory", folder, "."], parts);
  if (end.code !== 0) {
    const text = `${file} cannot be written (${reasonOf(end)}): make room on its disk, and see that tar and gzip are installed.`;
    throw new RecorderdError("WRITE_FAILED", text, { file });
  }
  await handle.sync();
}

/**
 * Unpacks a file into a folder; nothing gets out of it.
 *
 * @throws RecorderdError FILE_UNREADABLE
 */
export async function unpack(file: string, folder: string, parts: ArchiveParts): Promise<void> {
  await using archive = await openOwn(file).catch((error: unknown) => {
    throw error instanceof RecorderdError ? error : unreadableFile(file, error);
  });
  const options = ["--no-same-owner", "--no-same-permissions", "--directory", folder];
  const end = await tar(["--extract", "--gzip", "--file", pathOf(archive), ...options], parts);
  if (end.code === 0) return;
  const text = `${file} is no backup, or is damaged (${reasonOf(end)}): nothing was changed.`;
  throw new RecorderdError("FILE_UNREADABLE", text, { file });
}

/** A file that is open, for programs that we start: its name may be somebody else's to change. */
function pathOf({ fd }: FileHandle): string {
  return `/proc/${process.pid}/fd/${fd}`;
}

function tar(args: readonly string[], parts: ArchiveParts): Promise<BoundedEnd> {
  return runBounded(
    {
      command: "tar",
      args,
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" },
      timeoutMs: LIMITS.backupMs,
      outputBytesMax: 2000,
    },
    parts,
  );
}

function reasonOf({ how, output }: BoundedEnd): string {
  return output.split("\n").at(0) || how;
}
