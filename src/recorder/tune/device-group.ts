import { readFile, stat } from "node:fs/promises";

/** The group that may use a device: its name, or its number where the system has no name for it. `video` while it is not there. */
export async function groupOf(device: string): Promise<string> {
  try {
    const { gid } = await stat(device);
    const groups = await readFile("/etc/group", "utf8");
    const line = groups.split("\n").find((each) => each.split(":")[2] === String(gid));
    return line?.split(":")[0] ?? String(gid);
  } catch {
    return "video";
  }
}
