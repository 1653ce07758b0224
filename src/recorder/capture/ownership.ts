import { systemCode } from "../../kit/machine/system-code.ts";
import type { RecordingFs } from "./files-fs.ts";

/** Owner and permissions of the recordings' files and folders. */
export interface Ownership {
  /** System ids; absent: the daemon's own user. */
  readonly uid?: number;
  readonly gid?: number;
  readonly fileMode: number;
  readonly folderMode: number;
}

/** Errors for a missing right to change owners, or a file system without owners. */
const REFUSALS = ["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "EINVAL", "ENOSYS"];
/** For chown: no change. */
const UNCHANGED = -1;

/**
 * Sets owner and mode of a file or folder. Refusals are returned as complaints, and the file stays as it is: a recording is worth
 * more than its owner.
 */
export async function applyOwnership(
  path: string,
  { ownership, mode, fs }: { readonly ownership: Ownership; readonly mode: number; readonly fs: RecordingFs },
): Promise<readonly string[]> {
  const { uid = UNCHANGED, gid = UNCHANGED } = ownership;
  const complaints: string[] = [];
  const attempt = async (what: string, change: () => Promise<void>) => {
    try {
      await change();
    } catch (error) {
      if (!REFUSALS.includes(systemCode(error))) throw error;
      complaints.push(`${path} cannot be given ${what} (${systemCode(error)}): check recordings.owner.`);
    }
  };
  if (uid !== UNCHANGED || gid !== UNCHANGED) {
    await attempt(`to ${uid}:${gid}`.replace(/-1/g, ""), () => fs.chown(path, uid, gid));
  }
  // After the owner, because chown clears some mode bits.
  await attempt(`mode ${mode.toString(8)}`, () => fs.chmod(path, mode));
  return complaints;
}
