import { cp, type FileHandle, lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { z } from "zod";
import { copyBytes } from "../kit/files/copy-bytes.ts";
import { DurableFile } from "../kit/files/durable-file.ts";
import { lockFolder } from "../kit/files/lock.ts";
import { makeFolder } from "../kit/files/make-folder.ts";
import { refuseSpecialTarget } from "../kit/files/plain-file.ts";
import { type Exchange, finishStaging, markStaged, stage } from "../kit/files/staged-files.ts";
import { open, readFile } from "../kit/files/steady-fs.ts";
import { syncFolder } from "../kit/files/sync-folder.ts";
import { asOwnerOf } from "../kit/process/privileges.ts";
import { parseJson } from "../kit/text/parse-json.ts";
import { RecorderdError } from "../model/errors.ts";
import type { LibraryDocument } from "../model/library.ts";
import { isInstant } from "../model/time.ts";
import { commandsIn } from "../recorder/config/commands.ts";
import { loadConfig } from "../recorder/config/load.ts";
import type { Config } from "../recorder/config/schema.ts";
import { linesToComplete } from "../recorder/config/without-secrets.ts";
import { type DaemonDocument, emptyDocument } from "../recorder/engine/core/document.ts";
import { DOCUMENT_FORMAT } from "../recorder/engine/runtime/document-format.ts";
import { openDocumentStore } from "../recorder/store/document-store.ts";
import { emptyLibrary, LIBRARY_FORMAT } from "../recorder/subsystems/library/core/document.ts";
import { type ArchiveParts, unpack } from "./archive.ts";
import {
  CONFIG_FILE,
  GUIDE_PART,
  isList,
  isOfBackup,
  isOurs,
  isReplaced,
  LISTS,
  MANIFEST_FILE,
  type Part,
  RECORDER_PART,
  SECRETS_FILE,
} from "./contents.ts";
import { checksumOf } from "./create.ts";

const Manifest = z.object({
  format: z.literal(1),
  writtenBy: z.string(),
  at: z.number().refine(isInstant),
  files: z.record(z.string(), z.string()),
});

export interface RestoreOrder {
  readonly file: string;
  /** The target of the configuration, which names the data folder. */
  readonly configFile: string;
  readonly guideFolder: string;
  /** Whether an existing configuration and data may be replaced. */
  readonly replaces: boolean;
}

export interface Restored {
  readonly dataFolder: string;
  /** The places and commands that the configuration brings along. */
  readonly brings: Brought;
  readonly hasSecrets: boolean;
  readonly hasGuide: boolean;
  /** Line numbers of the configuration, from 1: their secrets were left out and must be entered again. */
  readonly linesToComplete: readonly number[];
  /** Time of the backup, in UTC milliseconds. */
  readonly at: number;
}

/** A backup may be somebody else's: its reader must see them before the recorder starts. */
interface Brought {
  readonly guideService: string;
  /** Folders for recordings. */
  readonly folders: readonly string[];
  readonly commands: readonly string[];
}

/**
 * Restores a backup. Folders in use or with content are refused before anything changes. Each folder is exchanged atomically,
 * even if this process ends midway: the next program that opens it completes the exchange.
 *
 * @throws RecorderdError FILE_UNREADABLE, CONFIG_INVALID, STORE_DAMAGED or STORE_TOO_NEW for an unusable backup
 * @throws RecorderdError STORE_LOCKED, FILE_NOT_OURS, STORE_WRITE_FAILED or WRITE_FAILED for the target
 */
export async function restoreBackup(order: RestoreOrder, parts: ArchiveParts): Promise<Restored> {
  const content = await mkdtemp(join(tmpdir(), "recorderd-restore-"));
  try {
    return await restore(order, content, parts);
  } finally {
    await rm(content, { recursive: true, force: true });
  }
}

async function restore(order: RestoreOrder, content: string, parts: ArchiveParts): Promise<Restored> {
  const { file, configFile, guideFolder, replaces } = order;
  await unpack(file, content, parts);
  // A recorder that never ran has no files.
  await makeFolder(join(content, RECORDER_PART));
  const { at, files, state } = await check(file, content);
  const loaded = await inBackup(file, content, () => loadConfig(join(content, CONFIG_FILE)));
  const { data } = loaded;
  const config = await readFile(join(content, CONFIG_FILE), "utf8");
  const hasGuide = files.some((path) => path.startsWith(`${GUIDE_PART}/`));
  const moves: readonly Move[] = [
    { part: RECORDER_PART, folder: data.folder, mode: 0o750 },
    ...(hasGuide ? [{ part: GUIDE_PART, folder: guideFolder, mode: 0o700 } as const] : []),
  ];
  const locks: AsyncDisposable[] = [];
  try {
    for (const move of moves) locks.push(await asOwnerOf(move.folder, () => prepared(move, replaces)));
    await asOwnerOf(configFile, () => checkConfigPlace(config, configFile, replaces));
    const staged = await stageAll(moves, content);
    // From here on, nothing needs more than a few bytes.
    await asOwnerOf(configFile, () => placeConfig(config, configFile));
    for (const { folder, exchange } of staged) await asOwnerOf(folder, () => commitMove(folder, exchange));
  } finally {
    for (const lock of locks) await lock[Symbol.asyncDispose]();
  }
  return {
    dataFolder: data.folder,
    brings: broughtBy(loaded, state),
    hasSecrets: files.includes(`${RECORDER_PART}/${SECRETS_FILE}`),
    hasGuide,
    linesToComplete: linesToComplete(config),
    at,
  };
}

/** The documents with the paths of recordings. */
interface FileState {
  readonly library: LibraryDocument;
  readonly document: DaemonDocument;
}

function broughtBy(config: Config, state: FileState): Brought {
  const { folder, libraryFolder } = config.recordings;
  const folders = [folder, ...(libraryFolder === undefined ? [] : [libraryFolder])];
  return {
    guideService: config.guide.url,
    folders: [...folders, ...foldersOutside(folders, state)],
    commands: commandsIn(config),
  };
}

/**
 * Folders outside the given ones in which the library has recordings, or will take up those of the document: it deletes them there as
 * anywhere else.
 */
function foldersOutside(folders: readonly string[], { library, document }: FileState): readonly string[] {
  const ours = Object.values(library.entries).filter(({ imported }) => imported === undefined);
  const files = [
    ...ours.flatMap(({ file, outgoing, made }) => [file, outgoing?.file ?? file, ...made]),
    // The document is not checked field by field.
    ...Object.values(document.recordings).flatMap(({ evidence: { file } = {} }) =>
      typeof file === "string" ? [file] : [],
    ),
  ];
  const outermost: string[] = [];
  // `..` in a path may lead out of a folder with whose name it begins.
  for (const holder of new Set(files.map((file) => dirname(resolve(file))).toSorted()))
    if (![...folders, ...outermost].some((root) => `${holder}${sep}`.startsWith(root + sep)))
      outermost.push(holder);
  return outermost;
}

interface Move {
  readonly part: Part;
  readonly folder: string;
  /** Mode of a new folder. */
  readonly mode: number;
}

/** Verifies that the content is intact and usable by this program. @returns the manifest */
async function check(
  file: string,
  content: string,
): Promise<{ readonly at: number; readonly files: readonly string[]; readonly state: FileState }> {
  const unusable = (why: string) => unusableBackup(file, `${why}.`);
  const text = await readFile(join(content, MANIFEST_FILE), "utf8").catch(() => "");
  const { data: manifest } = Manifest.safeParse(parseJson(text));
  if (manifest === undefined) throw unusable("it is not a backup of recorderd, or a newer version wrote it");
  if (manifest.files[CONFIG_FILE] === undefined) throw unusable(`${CONFIG_FILE} is not in its list`);
  for (const [path, sum] of Object.entries(manifest.files)) {
    if (!isOfBackup(path)) throw unusable(`${path} does not belong in a backup`);
    const found = await lstat(join(content, path)).catch(() => undefined);
    if (!found?.isFile() || (await checksumOf(join(content, path))) !== sum)
      throw unusable(`${path} has changed since the backup`);
  }
  for (const part of [RECORDER_PART, GUIDE_PART] as const) {
    const there = await readdir(join(content, part), { recursive: true }).catch(() => []);
    for (const path of there) {
      const found = await lstat(join(content, part, path));
      if (!found.isDirectory() && manifest.files[`${part}/${path}`] === undefined)
        throw unusable(`${part}/${path} is not in its list`);
    }
  }
  const state = await inBackup(file, content, () => checkedState(join(content, RECORDER_PART)));
  return { at: manifest.at, files: Object.keys(manifest.files), state };
}

function unusableBackup(file: string, why: string, cause?: RecorderdError): RecorderdError {
  const text = `${file} cannot be used: ${why} Nothing was changed.`;
  return new RecorderdError(cause?.code ?? "FILE_UNREADABLE", text, { file }, { cause });
}

/** Reads a part of the backup. A failure names the part: the folder in which it was unpacked is gone when a person reads this. */
async function inBackup<T>(file: string, content: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof RecorderdError)) throw error;
    const { code, facts, message } = error;
    const isDamaged = code === "STORE_DAMAGED" && typeof facts["file"] === "string";
    const said = isDamaged ? `its part ${facts["file"]} is damaged.` : message;
    throw unusableBackup(file, said.replaceAll(`${content}${sep}`, ""), error);
  }
}

/** @throws RecorderdError STORE_TOO_NEW, STORE_DAMAGED */
async function checkedState(folder: string): Promise<FileState> {
  await using document = await openDocumentStore({
    file: join(folder, "document.json"),
    ...DOCUMENT_FORMAT,
    empty: () => emptyDocument(0),
  });
  await using library = await openDocumentStore({
    file: join(folder, "library.json"),
    ...LIBRARY_FORMAT,
    empty: emptyLibrary,
  });
  return { library: library.current, document: document.current };
}

/** Locks a folder that may be filled. */
async function prepared({ part, folder, mode }: Move, replaces: boolean): Promise<AsyncDisposable> {
  await asRestoreError(folder, () => makeFolder(folder, mode));
  const lock = await lockFolder(folder);
  try {
    // The leftover of an interrupted restore does not block this one.
    const wasBrokenOff = await finishStaging(folder);
    const inTheWay = (await readdir(folder)).filter(
      (name) => isReplaced(part, name) || name === SECRETS_FILE,
    );
    for (const name of inTheWay) {
      if (!replaces && !wasBrokenOff) throw inUse(join(folder, name));
      if (!(await isOurs(folder, name))) throw notOurs(join(folder, name));
    }
    return lock;
  } catch (error) {
    await lock[Symbol.asyncDispose]();
    throw error;
  }
}

async function checkConfigPlace(text: string, to: string, replaces: boolean): Promise<void> {
  await refuseSpecialTarget(to);
  const there = await readFile(to, "utf8").catch(() => undefined);
  if (there !== undefined && there !== text && !replaces) throw inUse(to);
  await asRestoreError(to, () => makeFolder(dirname(to)));
}

async function placeConfig(text: string, to: string): Promise<void> {
  if ((await readFile(to, "utf8").catch(() => undefined)) === text) return;
  await new DurableFile({ file: to, mode: 0o644 }).replace(text);
}

function notOurs(path: string): RecorderdError {
  const text = `${path} is not of a recorder: nothing was changed. Move it away, or change data.folder in the backup's configuration.`;
  return new RecorderdError("FILE_NOT_OURS", text, { file: path });
}

function inUse(path: string): RecorderdError {
  const text = `${path} already exists: nothing was changed. Use --replace to overwrite it.`;
  return new RecorderdError("FILE_NOT_OURS", text, { file: path });
}

/** All or none. */
async function stageAll(moves: readonly Move[], content: string): Promise<readonly StagedMove[]> {
  const staged: StagedMove[] = [];
  try {
    for (const move of moves) staged.push(await stageMove(move, join(content, move.part)));
    return staged;
  } catch (error) {
    // The copies would take the room that the disk lacks.
    for (const { folder } of moves) await asOwnerOf(folder, () => finishStaging(folder));
    throw error;
  }
}

interface StagedMove {
  readonly folder: string;
  readonly exchange: Exchange;
}

/** Copies the files next to their target, on the same disk. Nothing changes before `commitMove`. */
async function stageMove({ part, folder }: Move, from: string): Promise<StagedMove> {
  const asOwner = <T>(work: () => Promise<T>) => asOwnerOf(folder, () => asRestoreError(folder, work));
  const staging = await asOwner(() => stage(folder));
  const folders: string[] = [];
  for (const path of await readdir(from, { recursive: true })) {
    await using source = await open(join(from, path), "r");
    const isFolder = (await source.stat()).isDirectory();
    if (isFolder) folders.push(join(staging, path));
    await asOwner(async () => {
      if (isFolder) await mkdir(join(staging, path), { mode: 0o750 });
      else
        await stageFile(source, join(staging, path), {
          isSecret: part === GUIDE_PART || path === SECRETS_FILE || isList(path),
        });
    });
  }
  return await asOwner(async () => {
    if (folders.includes(join(staging, LISTS))) await keepOtherLists(folder, staging);
    for (const each of folders) await syncFolder(each);
    const install = await readdir(staging);
    const remove = (await readdir(folder)).filter(
      (name) => isReplaced(part, name) && !install.includes(name),
    );
    return { folder, exchange: { install, remove } };
  });
}

async function commitMove(folder: string, exchange: Exchange): Promise<void> {
  await asRestoreError(folder, () => markStaged(folder, exchange));
  await finishStaging(folder);
}

/** The folder of channel lists is replaced as a whole: lists that are not in the backup, for their secrets, stay. */
async function keepOtherLists(folder: string, staging: string): Promise<void> {
  for (const name of await readdir(join(folder, LISTS)).catch(() => [])) {
    await cp(join(folder, LISTS, name), join(staging, LISTS, name), {
      recursive: true,
      force: false,
      preserveTimestamps: true,
    });
  }
}

async function stageFile(
  source: FileHandle,
  path: string,
  { isSecret }: { readonly isSecret: boolean },
): Promise<void> {
  await using copy = await open(path, "wx", 0o600);
  await copyBytes(source, copy);
  await copy.chmod(isSecret ? 0o600 : 0o640);
  await copy.sync();
}

async function asRestoreError<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && "code" in error) || error instanceof RecorderdError) throw error;
    const text = `${folder} is not writable (${String(error.code)}): run this command as root, and check the free space.`;
    throw new RecorderdError("WRITE_FAILED", text, { folder, system: String(error.code) }, { cause: error });
  }
}
