import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FIXTURES, temporaryFolder } from "../origin.ts";

export const BACKUP = "mythconverg-1377-20261125230800.sql";
/** Files that the backup names, below the storage. */
export const RECORDED = [
  "recordings/1002_20261001085800.ts",
  "recordings/1021_20261002070000.ts",
  "films/1003_20261003100000.ts",
] as const;

export interface MythFolders extends AsyncDisposable {
  readonly base: string;
  readonly backups: string;
  readonly storage: string;
}

/** The backup, and the storage of another machine with the files that it names. */
export async function mythFolders(): Promise<MythFolders> {
  const { path: base, ...folder } = await temporaryFolder();
  const [backups, storage] = [join(base, "backups"), join(base, "storage")];
  for (const path of [backups, join(storage, "recordings"), join(storage, "films")])
    await mkdir(path, { recursive: true });
  await copyFile(join(FIXTURES, "mythtv", BACKUP), join(backups, BACKUP));
  for (const name of RECORDED) await writeFile(join(storage, name), Buffer.alloc(1880, 0x47));
  return { base, backups, storage, ...folder };
}
