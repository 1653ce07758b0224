import { constants } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/**
 * What root has made in a folder of another user becomes that user's, whose service is to write it next. Of whoever is not root
 * nothing is changed. Folders in it are left alone, and a file with another name elsewhere: that one may be no data at all.
 */
export async function giveToOwnerOf(folder: string): Promise<void> {
  const { uid, gid } = await stat(folder);
  if (process.getuid?.() !== 0 || uid === 0) return;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    await using file = await open(
      join(folder, entry.name),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    const found = await file.stat();
    if (found.isFile() && found.uid === 0 && found.nlink === 1) await file.chown(uid, gid);
  }
}
