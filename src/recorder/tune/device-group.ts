import { stat } from "node:fs/promises";
import { readFile } from "../../kit/files/steady-fs.ts";

/** The group with access to a device: its name, or its number if it has no name. `video` if the device is absent. */
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
