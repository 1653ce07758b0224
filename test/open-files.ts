import { readdir, readlink } from "node:fs/promises";

/** The files of a folder that this process has open. */
export async function openFilesIn(folder: string): Promise<readonly string[]> {
  const handles = await readdir("/proc/self/fd");
  const files = await Promise.all(handles.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")));
  return files.filter((file) => file.startsWith(folder));
}
