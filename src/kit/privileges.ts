import { lstatSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { systemCode } from "./system-code.ts";

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Not in the types of Node.js 20, which has it. */
type Groups = { readonly initgroups?: (user: number, group: number) => void };

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Who can change what a path leads to: the owner of the first folder, file or link on the way from the root that is not root's.
 *
 * @returns `undefined` where root alone can
 */
function ownerOnTheWay(path: string): Owner | undefined {
  for (const place of placesTo(resolve(path))) {
    try {
      const { uid, gid } = lstatSync(place);
      if (uid !== 0) return { uid, gid };
    } catch (error) {
      if (systemCode(error) === "ENOENT") return undefined;
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
 * people's files there, at any moment, and root would follow (docs/decisions/0036).
 *
 * @returns whether this process was root's, and is that owner's now
 */
export function becomeOwnerOf(path: string): boolean {
  const { getuid, setgroups, setgid, setuid } = process;
  if (getuid?.() !== 0) return false;
  const owner = ownerOnTheWay(path);
  if (owner === undefined || setgroups === undefined || setgid === undefined || setuid === undefined)
    return false;
  try {
    (process as Groups).initgroups?.(owner.uid, owner.gid);
  } catch {
    // A number without a name has no other groups.
    setgroups([owner.gid]);
  }
  setgid(owner.gid);
  setuid(owner.uid);
  if (getuid() !== owner.uid) throw new Error("the rights of root could not be given up");
  return true;
}
