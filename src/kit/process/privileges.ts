import { lstatSync, readlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { systemCode } from "../machine/system-code.ts";

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Not in the types of Node.js 20, which has it. */
type Groups = { readonly initgroups?: (user: number, group: number) => void };

/** As Linux follows at most. */
const LINKS_MAX = 40;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Who can change what a path leads to: the owner of the first folder, file or link on the way from the root that is not root's.
 *
 * @returns `undefined` where root alone can
 */
function ownerOnTheWay(path: string, followed = 0): Owner | undefined {
  const whole = resolve(path);
  for (const place of placesTo(whole)) {
    try {
      const found = lstatSync(place);
      if (found.uid !== 0) return { uid: found.uid, gid: found.gid };
      if (!found.isSymbolicLink() || followed === LINKS_MAX) continue;
      const target = resolve(dirname(place), readlinkSync(place));
      return ownerOnTheWay(target + whole.slice(place.length), followed + 1);
    } catch (error) {
      if (["ENOENT", "ENOTDIR"].includes(systemCode(error))) return undefined;
      throw error;
    }
  }
  return undefined;
}

/** `/a/b`: `/`, `/a` and `/a/b`. */
function placesTo(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [...placesTo(above), path];
}

/**
 * Gives up the rights of root for good, for this process and all that it starts: whoever owns a folder can put links, pipes and other
 * people's files there, at any moment, and root would follow (docs/dev/decisions/0033).
 *
 * @returns whether this process was root's, and is that owner's now
 */
export function becomeOwnerOf(path: string): boolean {
  const { setgid, setuid } = process;
  const owner = isRoot() ? ownerOnTheWay(path) : undefined;
  if (owner === undefined || setgid === undefined || setuid === undefined) return false;
  takeGroupsOf(owner);
  setgid(owner.gid);
  setuid(owner.uid);
  if (isRoot()) throw new Error("the rights of root could not be given up");
  return true;
}

/**
 * Works with the rights of a path's owner alone, for commands whose files are several users'. What is opened meanwhile stays open
 * afterwards. Nobody else can take the process over, as its real user stays root. A program that is started meanwhile
 * could take root's rights back: only the system's own may be.
 */
export async function asOwnerOf<T>(path: string, work: () => Promise<T>): Promise<T> {
  const { setegid, seteuid, setgroups, getgroups } = process;
  const owner = isRoot() && process.geteuid?.() === 0 ? ownerOnTheWay(path) : undefined;
  if (owner === undefined || !setegid || !seteuid || !setgroups || !getgroups) return await work();
  const before = getgroups();
  try {
    takeGroupsOf(owner);
    setegid(owner.gid);
    seteuid(owner.uid);
    return await work();
  } finally {
    seteuid(0);
    setegid(0);
    setgroups(before);
  }
}

function takeGroupsOf({ uid, gid }: Owner): void {
  try {
    (process as Groups).initgroups?.(uid, gid);
  } catch {
    // A number without a name has no other groups.
    process.setgroups?.([gid]);
  }
}
