import { open } from "node:fs/promises";

/** What was made, renamed or removed in a folder is so on the disk itself when this resolves. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, "r");
  await folder.sync();
}
