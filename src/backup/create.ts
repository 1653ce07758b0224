import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { copyBytes } from "../kit/files/copy-bytes.ts";
import { plainText, refuseSpecialTarget } from "../kit/files/plain-file.ts";
import { open, portionsOf, steadyFs, writeFile } from "../kit/files/steady-fs.ts";
import { syncFolder } from "../kit/files/sync-folder.ts";
import { asOwnerOf, isRoot } from "../kit/process/privileges.ts";
import { RecorderdError } from "../model/errors.ts";
import { CONFIG_LIMITS } from "../recorder/config/limits.ts";
import { withoutSecrets } from "../recorder/config/without-secrets.ts";
import { type ArchiveParts, pack } from "./archive.ts";
import {
  CONFIG_FILE,
  GUIDE_PART,
  isList,
  keptFiles,
  MANIFEST_FILE,
  mayHoldSecrets,
  type Part,
  RECORDER_PART,
  SECRETS_FILE,
} from "./contents.ts";
import { BACKUP_LIMITS } from "./limits.ts";
import { copyOut, copyQuietly } from "./quiet-copy.ts";

/** The content of `backup.json`. */
export interface Manifest {
  readonly format: 1;
  /** Version of the program that wrote it. */
  readonly writtenBy: string;
  /** UTC, in milliseconds. */
  readonly at: number;
  /** SHA-256 in hexadecimal, by path. */
  readonly files: Readonly<Record<string, string>>;
}

export interface BackupOrder {
  readonly file: string;
  readonly configFile: string;
  readonly dataFolder: string;
  /** The guide server's data folder; skipped if missing. */
  readonly guideFolder: string;
  /** The secrets file that the daemon reads. */
  readonly secretsFile: string;
  readonly withSecrets: boolean;
  readonly version: string;
}

export interface Backup {
  readonly files: readonly string[];
  /** Channel lists whose addresses may hold secrets. */
  readonly leftOut: readonly string[];
}

/**
 * Writes one file with everything of a recorder except its recordings, atomically.
 *
 * @returns the files in it, and those that are left out because of secrets
 * @throws RecorderdError FILE_UNREADABLE or WRITE_FAILED
 */
export async function createBackup(order: BackupOrder, parts: ArchiveParts): Promise<Backup> {
  const { file } = order;
  return await asBackupError(file, async () => {
    await refuseSpecialTarget(file);
    const place = await workplace(file);
    try {
      await mkdir(join(place, "content"), { mode: 0o700 });
      const content = await gather(order, join(place, "content"), parts);
      await pack(join(place, "content"), join(place, "archive"), parts);
      await putInPlace(join(place, "archive"), file);
      return content;
    } finally {
      await rm(place, { recursive: true, force: true });
    }
  });
}

/**
 * A folder that no other user can change: next to the target, unless another user could change that place and root runs this.
 */
async function workplace(file: string): Promise<string> {
  if (isRoot()) return await mkdtemp(join(tmpdir(), "recorderd-backup-"));
  const place = join(dirname(file), `.${basename(file)}.part`);
  // An interrupted run may have left it.
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { mode: 0o700 });
  return place;
}

/** Moves the archive to its place atomically. */
async function putInPlace(archive: string, file: string): Promise<void> {
  const folder = dirname(file);
  await using source = await open(archive, "r");
  await asOwnerOf(folder, async () => {
    const begun = join(folder, `.${basename(file)}.begun`);
    await rm(begun, { force: true });
    await using copy = await open(begun, "wx", 0o600);
    await copyBytes(source, copy);
    await copy.sync();
    await rename(begun, file);
    await syncFolder(folder);
  });
}

async function gather(order: BackupOrder, to: string, parts: ArchiveParts): Promise<Backup> {
  const { configFile, dataFolder, guideFolder, secretsFile, withSecrets, version } = order;
  const text = await asOwnerOf(configFile, () => plainText(configFile, CONFIG_LIMITS.bytes));
  await writeFile(join(to, CONFIG_FILE), withSecrets ? text : withoutSecrets(text));
  const copied = await part(RECORDER_PART, { from: dataFolder, to }, parts);
  const leftOut = withSecrets ? [] : await removeSecretLists(to, copied);
  const files = [CONFIG_FILE, ...copied.filter((path) => !leftOut.includes(path))];
  if (withSecrets && (await exists(secretsFile))) {
    const path = `${RECORDER_PART}/${SECRETS_FILE}`;
    // Kubernetes hands over a link; a link in the data folder may be somebody else's.
    await copyOut(secretsFile, join(to, path), { follows: dirname(secretsFile) !== dataFolder });
    files.push(path);
  }
  if (await exists(guideFolder)) files.push(...(await part(GUIDE_PART, { from: guideFolder, to }, parts)));
  const sums: [string, string][] = [];
  for (const path of files) sums.push([path, await checksumOf(join(to, path))]);
  const manifest: Manifest = {
    format: 1,
    writtenBy: version,
    at: parts.clock.now(),
    files: Object.fromEntries(sums),
  };
  await writeFile(join(to, MANIFEST_FILE), JSON.stringify(manifest, null, 2));
  return { files, leftOut: leftOut.map((path) => path.slice(RECORDER_PART.length + 1)) };
}

/** @returns the paths of the removed lists, within the content */
async function removeSecretLists(content: string, paths: readonly string[]): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const path of paths.filter((each) => isList(each.slice(RECORDER_PART.length + 1)))) {
    if (!mayHoldSecrets(await steadyFs.readFile(join(content, path), "utf8"))) continue;
    await rm(join(content, path));
    removed.push(path);
  }
  return removed;
}

async function part(
  name: Part,
  { from, to }: { readonly from: string; readonly to: string },
  parts: ArchiveParts,
): Promise<readonly string[]> {
  const files = () => keptFiles(name, from);
  const copy = { from, to: join(to, name), files, patienceMs: BACKUP_LIMITS.quietMs };
  return (await copyQuietly(copy, parts)).map((path) => `${name}/${path}`);
}

const READ_BYTES = 1024 * 1024;

/** Reads in chunks: a year's shows may exceed memory. */
export async function checksumOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(portionsOf(path, { highWaterMark: READ_BYTES }), hash);
  return hash.digest("hex");
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** Translates the system's errors into ones about the target file. @throws RecorderdError WRITE_FAILED */
export async function asBackupError<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && "code" in error) || error instanceof RecorderdError) throw error;
    const { code: system, path } = error as NodeJS.ErrnoException;
    const text = `${file} cannot be created: ${String(system)} at ${path ?? file}.`;
    throw new RecorderdError("WRITE_FAILED", text, { file, system: String(system) }, { cause: error });
  }
}
