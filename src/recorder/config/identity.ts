import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { accountNumber, processIds } from "../../kit/process/accounts.ts";
import { outputOf } from "../../kit/process/program-output.ts";
import { SECOND } from "../../model/time.ts";

/** As whom the daemon runs. */
export interface Identity {
  readonly uid: number;
  readonly gids: readonly number[];
  /** For people: a number, or the name where the system has one. */
  readonly name: string;
  /** It is who looks: then the system itself is asked what is allowed. */
  readonly isOurs: boolean;
}

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** Root looks for the user whose the data folder is, else for that of the unit; everybody else for themselves. */
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
  if (isOurs) return { ...own, name, isOurs };
  const groups = await ask("-G");
  // A number that the system has no name for has the groups of its files.
  const gids = groups === undefined ? [owner?.gid ?? uid] : groups.split(" ").map(Number);
  return { uid, name, isOurs, gids };
}

/** 0 where there is no such user yet. */
async function numberOf(user: string | undefined): Promise<number> {
  return user === undefined ? 0 : accountNumber("user", user).catch(() => 0);
}

export type Want = "read" | "write" | "read-write" | "enter-write";

const BITS: Readonly<Record<Want, number>> = { read: 4, write: 2, "read-write": 6, "enter-write": 3 };
const { R_OK, W_OK, X_OK } = constants;
const SYSTEM_BITS: Readonly<Record<Want, number>> = {
  read: R_OK,
  write: W_OK,
  "read-write": R_OK | W_OK,
  "enter-write": W_OK | X_OK,
};

/** Whether a file's permissions allow it. Of somebody else's rights only owner, group and mode are known, not access lists. */
export async function mayUse(path: string, want: Want, who: Identity): Promise<boolean> {
  if (who.isOurs) {
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
