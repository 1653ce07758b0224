import { lstatSync, readlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { systemCode } from "../machine/system-code.ts";

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Missing in the types of Node.js 20, which has it. */
type Groups = { readonly initgroups?: (user: number, group: number) => void };

/** Linux follows this many. */
const LINKS_MAX = 40;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The first non-root owner of a folder, file or link on the way from the root to `path`: that user can change what the path
 * leads to.
 *
 * @returns `undefined` if root alone can
 */
function ownerAlongPath(path: string, followed = 0): Owner | undefined {
  const whole = resolve(path);
  for (const place of placesTo(whole)) {
    try {
      const found = lstatSync(place);
      if (found.uid !== 0) return { uid: found.uid, gid: found.gid };
      if (!found.isSymbolicLink() || followed === LINKS_MAX) continue;
      const target = resolve(dirname(place), readlinkSync(place));
      return ownerAlongPath(target + whole.slice(place.length), followed + 1);
    } catch (error) {
      if (["ENOENT", "ENOTDIR"].includes(systemCode(error))) return undefined;
      throw error;
    }
  }
  return undefined;
}

/** For `/a/b`: `/`, `/a` and `/a/b`. */
function placesTo(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [path] : [...placesTo(above), path];
}

/**
 * Gives up root's rights for good, for this process and its children: a folder's owner can place links, pipes and other
 * people's files there at any moment, and root would follow (docs/dev/decisions/0033).
 *
 * @returns whether this process was root's and now runs as that owner
 */
export function becomeOwnerOf(path: string): boolean {
  const { setgid, setuid } = process;
  const owner = isRoot() ? ownerAlongPath(path) : undefined;
  if (owner === undefined || setgid === undefined || setuid === undefined) return false;
  takeGroupsOf(owner);
  setgid(owner.gid);
  setuid(owner.uid);
  if (isRoot()) throw new Error("the rights of root could not be given up");
  return true;
}

/**
 * Runs `work` with the rights of a path's owner, for commands that handle files of several users. Files opened meanwhile stay
 * open. No other user can take over the process, since its real user stays root. A child could regain root's rights: start only
 * programs of the system.
 */
export async function asOwnerOf<T>(path: string, work: () => Promise<T>): Promise<T> {
  const { setegid, seteuid, setgroups, getgroups } = process;
  const owner = isRoot() && process.geteuid?.() === 0 ? ownerAlongPath(path) : undefined;
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
    // A uid without a name has no other groups.
    process.setgroups?.([gid]);
  }
}
