import { createHash } from "node:crypto";
import { type FileHandle, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { open } from "../../kit/files/steady-fs.ts";
import { syncFolder } from "../../kit/files/sync-folder.ts";
import { unreadableFile } from "../../kit/files/unreadable-file.ts";
import { RecorderdError } from "../../model/errors.ts";
import { storageFailure } from "../../recorder/capture/storage.ts";
import { sidecarsOf, sizeOf } from "../../recorder/subsystems/library/removal.ts";
import type { CliIo } from "../io.ts";
import { progressOf } from "../progress.ts";

const PORTION_BYTES = 4 * 1024 * 1024;

export interface Exported {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Sidecars of the recording, copied along. */
  readonly sidecars: readonly string[];
}

/**
 * Copies a recording and its sidecars to a folder or a file name. Each copy appears atomically, even after a power loss, and
 * nothing is overwritten.
 *
 * @throws RecorderdError FILE_UNREADABLE, WRITE_FAILED, DISK_FULL or STORAGE_OFFLINE
 */
export async function exportRecording(source: string, target: string, io: CliIo): Promise<Exported> {
  const isFolder = (await stat(target).catch(() => undefined))?.isDirectory() === true;
  const file = isFolder ? join(target, basename(source)) : target;
  const bytes = await sizeOf(source);
  if (bytes === undefined) throw unreadableFile(source, Object.assign(new Error(), { code: "ENOENT" }));
  using progress = progressOf(io, { label: "copying", bytes });
  const sha256 = await copy({ from: source, to: file, onBytes: progress.set, signal: io.signal });
  const sidecars: string[] = [];
  for (const beside of sidecarsOf(source)) {
    if ((await sizeOf(beside)) === undefined) continue;
    const to = stem(file) + beside.slice(stem(source).length);
    await copy({ from: beside, to, onBytes: () => {}, signal: io.signal });
    sidecars.push(to);
  }
  return { file, bytes, sha256, sidecars };
}

function stem(file: string): string {
  const name = basename(file);
  const dot = name.lastIndexOf(".");
  return join(dirname(file), dot <= 0 ? name : name.slice(0, dot));
}

interface Copying {
  readonly from: string;
  readonly to: string;
  readonly onBytes: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** @returns the SHA-256 of the copied bytes */
async function copy({ from, to, onBytes, signal }: Copying): Promise<string> {
  await using source = await open(from, "r").catch((error: unknown) => {
    throw unreadableFile(from, error);
  });
  if ((await sizeOf(to)) !== undefined) {
    throw new RecorderdError("WRITE_FAILED", `${to} already exists: choose another place, or remove it.`, {
      to,
    });
  }
  const part = join(dirname(to), `.${basename(to)}.part`);
  try {
    const hash = createHash("sha256");
    {
      await using target = await open(part, "wx", 0o640);
      for await (const portion of portionsOf(source, signal)) {
        hash.update(portion);
        await target.appendFile(portion);
        onBytes((await target.stat()).size);
      }
      await target.sync();
    }
    await rename(part, to);
    await syncFolder(dirname(to));
    return hash.digest("hex");
  } catch (error) {
    await rm(part, { force: true });
    signal.throwIfAborted();
    throw storageFailure(to, error);
  }
}

async function* portionsOf(source: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.alloc(PORTION_BYTES);
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await source.read(buffer, 0, PORTION_BYTES);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}
