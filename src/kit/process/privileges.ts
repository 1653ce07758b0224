import { once } from "node:events";
import { lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { constants } from "node:os";
import { dirname, resolve } from "node:path";
import { RecorderdError } from "../../model/errors.ts";
import { systemCode } from "../machine/system-code.ts";
import { outputOfChild, startChild } from "./child.ts";

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

/** Nothing can be there, so it belongs to nobody. */
const NO_PLACE: readonly string[] = ["ENOENT", "ENOTDIR", "ENAMETOOLONG"];

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
      if (NO_PLACE.includes(systemCode(error))) return undefined;
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
 * Whether Node.js lets this process change its user. That of Debian 13 refuses, because it cannot see whether its libuv
 * uses io_uring (CVE-2024-22017).
 */
function canChangeUser(): boolean {
  try {
    process.seteuid?.(process.geteuid?.() ?? 0);
    return true;
  } catch (error) {
    if (systemCode(error) === "ERR_INVALID_STATE") return false;
    throw error;
  }
}

/** Ends this process after the same program has run with the rights of another user, and with its exit code. */
async function runInstead(owner: Owner, args: readonly string[]): Promise<never> {
  const rights = [
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    `--groups=${(await groupsOf(owner)).join()}`,
  ];
  const program = [process.execPath, ...process.execArgv, process.argv[1] ?? ""];
  const command = [...rights, "--", ...program, ...args];
  const child = await startChild("setpriv", command, { stdio: "inherit" });
  // A terminal sends its own signals to both.
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  process.exit(code ?? 128 + constants.signals[signal ?? "SIGTERM"]);
}

async function groupsOf({ uid, gid }: Owner): Promise<readonly string[]> {
  // A uid without a name has no other groups.
  const groups = await outputOfChild("id", ["-G", String(uid)], {}).catch(() => String(gid));
  return groups.trim().split(" ");
}

/**
 * Gives up root's rights for good, for this process and its children: a folder's owner can place links, pipes and other
 * people's files there at any moment, and root would follow (docs/dev/decisions/0033).
 *
 * @param args the command line to run with these rights, where Node.js cannot change the user of this process
 * @returns whether this process was root's and now runs as that owner
 * @throws RecorderdError FILE_UNREADABLE if that owner cannot read the program
 */
export async function becomeOwnerOf(
  path: string,
  args: readonly string[] = process.argv.slice(2),
): Promise<boolean> {
  const { setgid, setuid } = process;
  const owner = isRoot() ? ownerAlongPath(path) : undefined;
  if (owner === undefined || setgid === undefined || setuid === undefined) return false;
  await refuseClosedProgram(path, owner);
  if (!canChangeUser()) await runInstead(owner, args);
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
 *
 * @throws RecorderdError NODE_CANNOT_CHANGE_USER
 */
export async function asOwnerOf<T>(path: string, work: () => Promise<T>): Promise<T> {
  const { setegid, seteuid, setgroups, getgroups } = process;
  const owner = isRoot() && process.geteuid?.() === 0 ? ownerAlongPath(path) : undefined;
  if (owner === undefined || !setegid || !seteuid || !setgroups || !getgroups) return await work();
  if (!canChangeUser()) throw cannotAct(path, owner);
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

/** The program loads parts of itself later, with the rights of the owner: one in root's home would fail then. */
async function refuseClosedProgram(path: string, owner: Owner): Promise<void> {
  const program = realpathSync(process.argv[1] ?? process.execPath);
  const closedTo = (groups: readonly number[]) =>
    placesTo(dirname(program)).find((folder) => !mayEnter(statSync(folder), owner.uid, groups));
  // Asking the system for the other groups takes a program.
  if (closedTo([owner.gid]) === undefined) return;
  const closed = closedTo((await groupsOf(owner)).map(Number));
  if (closed === undefined) return;
  const message = `${path} belongs to user ${owner.uid}, so the command must run as that user, who cannot enter ${closed}, where recorderd is: move recorderd to a place that all users can read, such as /opt.`;
  throw new RecorderdError("FILE_UNREADABLE", message, { path, uid: owner.uid, closed });
}

function mayEnter({ mode, uid, gid }: Stats, user: number, groups: readonly number[]): boolean {
  const bit = uid === user ? 0o100 : groups.includes(gid) ? 0o010 : 0o001;
  return (mode & bit) !== 0;
}

function cannotAct(path: string, { uid }: Owner): RecorderdError {
  const message = `This Node.js (${process.version}) cannot change its user, so root cannot safely use ${path} of user ${uid}: run the command as that user, or with a Node.js of nodejs.org.`;
  return new RecorderdError("NODE_CANNOT_CHANGE_USER", message, { path, uid });
}

function takeGroupsOf({ uid, gid }: Owner): void {
  try {
    (process as Groups).initgroups?.(uid, gid);
  } catch {
    // A uid without a name has no other groups.
    process.setgroups?.([gid]);
  }
}
