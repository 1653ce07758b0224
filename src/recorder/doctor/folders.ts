import { lstat, mkdtemp, readdir, readlink, rm, stat, statfs } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { open } from "../../kit/files/steady-fs.ts";
import { RecorderdError } from "../../model/errors.ts";
import { storageFailure } from "../capture/storage.ts";
import { type Identity, mayUse } from "../config/identity.ts";
import { secretsPlace } from "../config/secrets.ts";
import type { CheckContext } from "./check.ts";
import { bad, good, type Result, unknown } from "./finding.ts";

export async function lookAtRecordings({ config, who }: CheckContext): Promise<readonly Result[]> {
  const { folder, mountPoint, libraryFolder } = config.recordings;
  const mount = mountPoint === undefined ? [] : [await mounted(mountPoint)];
  const folders = [folder, ...(libraryFolder === undefined ? [] : [libraryFolder])];
  const states = await Promise.all(
    folders.map((path) => usable(path, { who, key: path === folder ? "folder" : "libraryFolder" })),
  );
  return [...mount, ...states];
}

async function mounted(mountPoint: string): Promise<Result> {
  const device = (path: string) => stat(path).then(({ dev }) => dev);
  const isMounted = await Promise.all([device(mountPoint), device(dirname(mountPoint))]).then(
    ([inside, outside]) => inside !== outside,
    () => false,
  );
  if (isMounted) return good(`a disk is mounted at ${mountPoint}`);
  return bad({
    found: `no disk is mounted at ${mountPoint}`,
    expected: "the disk of the recordings (recordings.mountPoint)",
    todo: `Mount it: mount ${mountPoint}, and check that /etc/fstab lists it.`,
    code: "STORAGE_OFFLINE",
  });
}

async function usable(
  folder: string,
  { who, key }: { readonly who: Identity; readonly key: string },
): Promise<Result> {
  const found = await stat(folder).catch(() => undefined);
  const expected = `a folder that ${who.name} may write to (recordings.${key})`;
  if (found === undefined || !found.isDirectory()) {
    return bad({ ...(await withoutFolder(folder, who)), expected, code: "STORAGE_OFFLINE" });
  }
  if (!(await mayUse(folder, "enter-write", who))) {
    const todo = `Give it to the daemon's user: chown ${who.name} ${folder} && chmod u+rwx ${folder}`;
    return bad({ found: `${who.name} may not write to ${folder}`, expected, todo, code: "WRITE_FAILED" });
  }
  try {
    await tryWriting(folder);
    return good(`${folder} is writable`);
  } catch (error) {
    const failure = storageFailure(folder, error);
    const todo =
      "Free some space, mount the disk again, or check it: the kernel's log (dmesg) names the fault.";
    return bad({ found: failure.message, expected, todo, code: failure.code });
  }
}

/** People often link it to a disk. */
async function withoutFolder(folder: string, { name }: Identity): Promise<Record<"found" | "todo", string>> {
  const link = await readlink(folder).catch(() => undefined);
  if (link === undefined)
    return { found: `there is no folder ${folder}`, todo: `Create it: install -d -o ${name} ${folder}` };
  const target = resolve(dirname(folder), link);
  const todo = `Mount the disk of ${target}, or create it: install -d -o ${name} ${target}`;
  return { found: `${folder} is a link, and there is no folder ${target}`, todo };
}

/** Prefix of the folders for trial writes; they are removed after the check. */
export const TRIAL_PREFIX = ".recorderd-doctor-";

/** Writes as a recording does: a folder, a file, a sync. Everything is removed. */
async function tryWriting(folder: string): Promise<void> {
  const place = await mkdtemp(join(folder, TRIAL_PREFIX));
  try {
    await using handle = await open(join(place, `${"n".repeat(251)}.ts`), "wx", 0o600);
    await handle.write("recorderd");
    await handle.sync();
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** @see statfs(2): MSDOS_SUPER_MAGIC */
const FAT = 0x4d44;

export async function lookAtDisk({
  config: { recordings, space },
}: CheckContext): Promise<readonly Result[]> {
  const found = await statfs(recordings.folder).catch(() => undefined);
  if (found === undefined) return [unknown(`${recordings.folder} is missing`)];
  const { bavail, bsize, blocks, type } = found;
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  const free = bavail * bsize;
  const room = `${gigabytes(free)} of ${gigabytes(blocks * bsize)} are free`;
  const limits =
    type === FAT
      ? [
          bad({
            found: `${recordings.folder} is on a FAT file system, which limits files to 4 GiB`,
            expected: "a file system without such a limit, such as ext4 or XFS",
            todo: "Format the disk with another file system, or record elsewhere.",
            code: "WRITE_FAILED",
          }),
        ]
      : [];
  if (free >= space.lowBytes) return [good(room), ...limits];
  return [
    bad({
      found: `${room}, less than space.lowBytes`,
      expected: `at least ${gigabytes(space.lowBytes)}`,
      todo: "Delete recordings (recorderd recordings delete), set retention, or use a larger disk.",
      code: free < space.stopBytes ? "DISK_FULL" : "DISK_LOW",
    }),
    ...limits,
  ];
}

export async function lookAtData({ config, who }: CheckContext): Promise<readonly Result[]> {
  const { folder } = config.data;
  const expected = `a folder that ${who.name} may write to (data.folder)`;
  const found = await stat(folder).catch(() => undefined);
  if (found === undefined || !found.isDirectory()) {
    const todo = `Create it: install -d -m 0750 -o recorderd -g recorderd ${folder}`;
    return [bad({ found: `there is no folder ${folder}`, expected, todo, code: "STORE_WRITE_FAILED" })];
  }
  const strange = await ofOthers(folder, found.uid);
  if (!(await mayUse(folder, "enter-write", who))) {
    const todo = `Give it to the daemon's user: chown ${who.name} ${folder} && chmod u+rwx ${folder}`;
    const said = `${who.name} may not write to ${folder}`;
    return [bad({ found: said, expected, todo, code: "STORE_WRITE_FAILED" })];
  }
  if (strange.length === 0) return [good(`${folder} belongs to ${who.name}`)];
  return [
    bad({
      found: `${namesOf(strange)} ${strange.length === 1 ? "belongs" : "belong"} to a different user than ${folder}`,
      expected: "files of one owner: a daemon run as root leaves files that the service cannot replace",
      todo: `chown -R --reference=${folder} ${folder}`,
      code: "STORE_WRITE_FAILED",
    }),
  ];
}

/** All entries of a folder, at any depth, that do not belong to `uid`. */
async function ofOthers(folder: string, uid: number): Promise<readonly string[]> {
  // Unreadable folders belong to others, and are listed themselves.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const strange: string[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith(TRIAL_PREFIX)) continue;
    const path = join(folder, entry.name);
    const found = await lstat(path).catch(() => undefined);
    if (found !== undefined && found.uid !== uid) strange.push(path);
    if (entry.isDirectory()) strange.push(...(await ofOthers(path, uid)));
  }
  return strange;
}

const NAMES_MAX = 3;

function namesOf(paths: readonly string[]): string {
  const more = paths.length - NAMES_MAX;
  const names = paths.slice(0, NAMES_MAX).join(", ");
  return more > 0 ? `${names} and ${more} more` : names;
}

export async function lookAtSecrets({ config, secrets, who }: CheckContext): Promise<readonly Result[]> {
  const file = secretsPlace(config.data.folder);
  const expected = `a file that only ${who.name} can read`;
  if (secrets instanceof RecorderdError) {
    const todo = `chmod 600 ${file}, or replace it: recorderd login`;
    return [bad({ found: secrets.message, expected, todo, code: secrets.code })];
  }
  if (secrets === undefined) return [unknown(`there is no ${file} yet`)];
  if (await mayUse(file, "read", who)) return [good(`${file} is for ${who.name} alone`)];
  const todo = `chown ${who.name} ${file}`;
  return [bad({ found: `${who.name} may not read ${file}`, expected, todo, code: "FILE_UNREADABLE" })];
}
