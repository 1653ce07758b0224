import { lchown, lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../../kit/files/make-folder.ts";
import { readPlainFile } from "../../kit/files/plain-file.ts";
import { readFile } from "../../kit/files/steady-fs.ts";
import { unreadableFile } from "../../kit/files/unreadable-file.ts";
import { systemCode } from "../../kit/machine/system-code.ts";
import { accountNumber } from "../../kit/process/accounts.ts";
import { asOwnerOf, isRoot } from "../../kit/process/privileges.ts";
import { RecorderdError } from "../../model/errors.ts";
import { withoutUndefined } from "../../model/without-undefined.ts";
import { CONFIG_LIMITS } from "../config/limits.ts";
import { NO_ACCOUNT } from "../config/live-secrets.ts";
import {
  prepareFolder,
  readSecrets,
  type Secrets,
  secretsFile,
  withUser,
  writeSecrets,
} from "../config/secrets.ts";
import { checkConfig, writeConfig } from "../config/write.ts";

/** Paths to write to. */
export interface SetupPlace {
  /** The configuration file. */
  readonly file: string;
  /** The daemon's data folder. */
  readonly data: string;
}

interface Ids {
  readonly uid: number;
  readonly gid: number;
}

/** The user of the package's unit. */
export const SERVICE = "recorderd";

const EXAMPLE = join(import.meta.dirname, "../../../config/recorderd.example.yaml");

/** Whether there is no configuration yet; the package's example does not count. */
export async function isUnconfigured(file: string): Promise<boolean> {
  const there = await asOwnerOf(file, async () =>
    (await readPlainFile(file, CONFIG_LIMITS.bytes)).toString("utf8"),
  ).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error))) return undefined;
    throw unreadableFile(file, error);
  });
  return there === undefined || there === (await readFile(EXAMPLE, "utf8").catch(() => ""));
}

/** Secrets that setup adds to existing ones. */
export interface AddedSecrets extends Secrets {
  /** A first user. */
  readonly user?: Parameters<typeof withUser>[1];
}

/**
 * Creates the folders, then writes the secrets, then the configuration, which marks completion. Each file is replaced atomically.
 *
 * @returns the folders created
 * @throws RecorderdError CONFIG_INVALID or FILE_UNREADABLE before any change; WRITE_FAILED or DISK_FULL
 */
export async function writeSetup(
  { file, data }: SetupPlace,
  {
    config,
    secrets: { apiKey, user, tuners, web, ...others },
  }: { readonly config: object; readonly secrets: AddedSecrets },
): Promise<readonly string[]> {
  const { recordings } = checkConfig(config);
  // Passwords of tuners and other users are kept: unreadable secrets are not overwritten.
  const before = await asOwnerOf(data, () => readSecrets(data));
  const isNew = isRoot() && (await stat(data).catch(() => undefined)) === undefined;
  await asOwnerOf(data, () => prepareFolder(secretsFile(data)));
  const owner = isNew ? await serviceIds() : await stat(data);
  const made = await makeRecordings(recordings.folder, owner);
  const ofWeb = web === undefined ? before?.web : { ...before?.web, ...web };
  const said = withoutUndefined({
    ...others,
    tuners: tuners === undefined ? undefined : { ...before?.tuners, ...tuners },
    web: user === undefined ? ofWeb : withUser(ofWeb ?? {}, user),
  });
  if (Object.keys(said).length > 0 || apiKey !== NO_ACCOUNT.apiKey)
    await asOwnerOf(data, () => writeSecrets(data, { ...before, apiKey, ...said }));
  // Until here, root alone could reach into a new folder.
  if (isNew) await give(data, owner);
  await asOwnerOf(file, () => writeConfig(file, config));
  return made;
}

/** A folder that root creates for recordings gets the owner of the data folder. @throws RecorderdError WRITE_FAILED */
async function makeRecordings(recordings: string, { uid, gid }: Ids): Promise<readonly string[]> {
  try {
    if ((await stat(recordings).catch(() => undefined))?.isDirectory() === true) return [];
    const make = () => makeFolder(recordings, 0o750);
    if ((await asOwnerOf(recordings, make)) === undefined) return [];
    // Nobody else can have replaced a folder that root created in root's folders.
    if ((await lstat(recordings)).uid === 0 && uid !== 0) await lchown(recordings, uid, gid);
    return [recordings];
  } catch (error) {
    const system = systemCode(error);
    const message = `${recordings} cannot be created (${system}): create it yourself, or choose another with --recordings.`;
    throw new RecorderdError("WRITE_FAILED", message, { folder: recordings, system }, { cause: error });
  }
}

/** The user of the installed package; root if there is none. */
async function serviceIds(): Promise<Ids> {
  const numbers = Promise.all([accountNumber("user", SERVICE), accountNumber("group", SERVICE)]);
  const [uid, gid] = await numbers.catch(() => [0, 0] as const);
  return { uid, gid };
}

/** Gives away a folder of root's, after the files in it. */
async function give(folder: string, { uid, gid }: Ids): Promise<void> {
  for (const name of await readdir(folder)) await lchown(join(folder, name), uid, gid);
  await lchown(folder, uid, gid);
}
