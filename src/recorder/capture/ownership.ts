import { systemCode } from "../../kit/machine/system-code.ts";
import type { ShelfFs } from "./files-fs.ts";

/** To whom files and folders of recordings belong, and what others may do with them. */
export interface Ownership {
  /** Numbers of the system; absent: whoever the daemon runs as. */
  readonly uid?: number;
  readonly gid?: number;
  readonly fileMode: number;
  readonly folderMode: number;
}

/** Systems say this where one may not give away what is one's own, file systems where they know no owners. */
const REFUSALS = ["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "EINVAL", "ENOSYS"];
/** For chown: stays as it is. */
const UNCHANGED = -1;

/**
 * Gives a file or a folder its owner and its mode. A recording is worth more than its owner: what the system refuses is said,
 * and the file stays as it is.
 */
export async function own(
  path: string,
  { ownership, mode, fs }: { readonly ownership: Ownership; readonly mode: number; readonly fs: ShelfFs },
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
  // After the owner: chown takes some of the bits away.
  await attempt(`mode ${mode.toString(8)}`, () => fs.chmod(path, mode));
  return complaints;
}
