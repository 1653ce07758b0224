import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { FIXTURES, temporaryFolder } from "../origin.ts";

export interface RealFolders extends AsyncDisposable {
  readonly base: string;
  readonly settings: string;
  readonly video: string;
}

/** A copy of the folders that a real VDR made; names of VDR have characters that not every disk can have, so they are packed. */
export async function realFolders(): Promise<RealFolders> {
  const { path: base, ...folder } = await temporaryFolder();
  const from = join(FIXTURES, "vdr");
  await cp(join(from, "settings"), join(base, "settings"), { recursive: true, preserveTimestamps: true });
  await promisify(execFile)("tar", ["-xzf", join(from, "video.tar.gz"), "-C", base]);
  return { base, settings: join(base, "settings"), video: join(base, "video"), ...folder };
}
