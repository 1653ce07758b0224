import { lchown, lstat, mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { unreadableFile } from "../../kit/files/unreadable-file.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { accountNumber } from "../../kit/process/accounts.ts";
import { asOwnerOf, isRoot } from "../../kit/process/privileges.ts";
import { RecorderdError } from "../../model/errors.ts";
import { NOBODY } from "../config/live-secrets.ts";
import {
  prepareFolder,
  readSecrets,
  type Secrets,
  secretsFile,
  withUser,
  writeSecrets,
} from "../config/secrets.ts";
import { checkConfig, writeConfig } from "../config/write.ts";

/** Where what is asked for will be written. */
export interface SetupPlace {
  /** The configuration. */
  readonly file: string;
  /** The daemon's own files. */
  readonly data: string;
}

/** As whom the unit of the package runs. */
export const SERVICE = "recorderd";

const EXAMPLE = join(import.meta.dirname, "../../../config/recorderd.example.yaml");

/** Whether there is no configuration yet. The example of the package is nobody's. */
export async function isUnconfigured(file: string): Promise<boolean> {
  const there = await asOwnerOf(file, () => readFile(file, "utf8")).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error))) return undefined;
    throw unreadableFile(file, error);
  });
  return there === undefined || there === (await readFile(EXAMPLE, "utf8").catch(() => ""));
}

/** What setup adds to the secrets that are there. */
export interface NewSecrets extends Pick<Secrets, "apiKey" | "account" | "tuners"> {
  /** Somebody who may come in. */
  readonly user?: Parameters<typeof withUser>[1];
}

/**
 * Makes the folders, then writes the secrets, then the configuration: where that is there, all is. Each file is replaced as a whole.
 *
 * @returns folders that were made
 * @throws RecorderdError CONFIG_INVALID or FILE_UNREADABLE before anything is changed; WRITE_FAILED or DISK_FULL
 */
export async function writeSetup(
  { file, data }: SetupPlace,
  {
    config,
    secrets: { user, tuners, ...service },
  }: { readonly config: object; readonly secrets: NewSecrets },
): Promise<readonly string[]> {
  const { recordings } = checkConfig(config);
  // Passwords of tuners and other users stay: what cannot be read is not written over.
  const before = await asOwnerOf(data, () => readSecrets(data));
  const made = await makeFolders({ recordings: recordings.folder, data });
  const isSaid = service.account !== undefined || user !== undefined || tuners !== undefined;
  if (isSaid || service.apiKey !== NOBODY.apiKey) {
    const ofTuners = tuners === undefined ? {} : { tuners: { ...before?.tuners, ...tuners } };
    const web = user === undefined ? {} : { web: withUser(before?.web ?? {}, user) };
    await asOwnerOf(data, () => writeSecrets(data, { ...before, ...service, ...ofTuners, ...web }));
  }
  await asOwnerOf(file, () => writeConfig(file, config));
  return made;
}

/** What root makes for recordings is whose the data folder is. @throws RecorderdError WRITE_FAILED */
async function makeFolders(folders: {
  readonly recordings: string;
  readonly data: string;
}): Promise<readonly string[]> {
  const isNew = (await stat(folders.data).catch(() => undefined)) === undefined;
  await asOwnerOf(folders.data, () => prepareFolder(secretsFile(folders.data)));
  try {
    if (isNew && isRoot()) await giveToService(folders.data);
    const { recordings } = folders;
    const make = () => mkdir(recordings, { recursive: true, mode: 0o750 });
    if ((await asOwnerOf(recordings, make)) === undefined) return [];
    // What root made in root's own folders nobody else can have exchanged meanwhile.
    const [{ uid, gid }, made] = [await stat(folders.data), await lstat(recordings)];
    if (made.uid === 0 && uid !== 0) await lchown(recordings, uid, gid);
    return [recordings];
  } catch (error) {
    const message = `${folders.recordings} cannot be made: make it by hand, or choose another with --recordings.`;
    throw new RecorderdError("WRITE_FAILED", message, { folder: folders.recordings }, { cause: error });
  }
}

/** The user of the package, where it is installed. */
async function giveToService(folder: string): Promise<void> {
  const numbers = Promise.all([accountNumber("user", SERVICE), accountNumber("group", SERVICE)]);
  const [uid, gid] = await numbers.catch(() => [0, 0] as const);
  await lchown(folder, uid, gid);
}
