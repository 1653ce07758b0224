import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { accountNumber, processIds } from "../../kit/process/accounts.ts";
import { outputOf } from "../../kit/process/program-output.ts";
import { SECOND } from "../../model/time.ts";

/** The system user of the daemon. */
export interface Identity {
  readonly uid: number;
  readonly gids: readonly number[];
  /** For people: the name, or a number if there is none. */
  readonly name: string;
  /** It is the present user, so the system can check access itself. */
  readonly isSelf: boolean;
}

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** For root: the owner of the data folder, or else the unit's user. For everyone else: themselves. */
export async function daemonIdentity(
  { dataFolder, unitUser }: { readonly dataFolder: string; readonly unitUser: string | undefined },
  signal: AbortSignal,
): Promise<Identity> {
  const own = processIds();
  const owner = await stat(dataFolder).catch(() => undefined);
  const others = owner === undefined || owner.uid === 0 ? await numberOf(unitUser) : owner.uid;
  const isOurs = own.uid !== 0 || others === 0;
  const uid = isOurs ? own.uid : others;
  const ask = async (flag: string) => {
    const program = { command: "id", args: [flag, String(uid)], path: PATH, deadlineMs: 10 * SECOND };
    return (await outputOf(program, signal))?.trim();
  };
  const name = (await ask("-un")) ?? String(uid);
  if (isOurs) return { ...own, name, isSelf: isOurs };
  const groups = await ask("-G");
  // A user without a name has the group of its files.
  const gids = groups === undefined ? [owner?.gid ?? uid] : groups.split(" ").map(Number);
  return { uid, name, isSelf: isOurs, gids };
}

/** 0 if there is no such user yet. */
async function numberOf(user: string | undefined): Promise<number> {
  return user === undefined ? 0 : accountNumber("user", user).catch(() => 0);
}

export type Access = "read" | "write" | "read-write" | "enter-write";

const BITS: Readonly<Record<Access, number>> = { read: 4, write: 2, "read-write": 6, "enter-write": 3 };
const { R_OK, W_OK, X_OK } = constants;
const SYSTEM_BITS: Readonly<Record<Access, number>> = {
  read: R_OK,
  write: W_OK,
  "read-write": R_OK | W_OK,
  "enter-write": W_OK | X_OK,
};

/** Whether a file's permissions allow the access. For other users only owner, group and mode are known, not access lists. */
export async function mayUse(path: string, want: Access, who: Identity): Promise<boolean> {
  if (who.isSelf) {
    return access(path, SYSTEM_BITS[want]).then(
      () => true,
      () => false,
    );
  }
  return allows(await stat(path), BITS[want], who);
}

export function allows(
  { mode, uid, gid }: { readonly mode: number; readonly uid: number; readonly gid: number },
  bits: number,
  who: Pick<Identity, "uid" | "gids">,
): boolean {
  if (who.uid === 0) return true;
  const shift = uid === who.uid ? 6 : who.gids.includes(gid) ? 3 : 0;
  return ((mode >> shift) & bits) === bits;
}
