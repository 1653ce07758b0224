import { open } from "./steady-fs.ts";

/** Makes new, renamed and removed entries of a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, "r");
  await folder.sync();
}
