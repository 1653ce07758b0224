import { RecorderdError } from "../../model/errors.ts";
import { SECOND } from "../../model/time.ts";
import { outputOfChild } from "./child.ts";

/**
 * The number of a user or a group, as the system's own databases have it, networks' included. Numbers are taken as they are.
 *
 * @throws RecorderdError CONFIG_INVALID where the system knows no such name
 */
export async function accountNumber(kind: "user" | "group", name: string | number): Promise<number> {
  if (typeof name === "number") return name;
  const database = kind === "user" ? "passwd" : "group";
  try {
    const said = await outputOfChild("getent", [database, name], { timeout: PATIENCE_MS });
    const number = Number(said.split(":")[2]);
    if (Number.isInteger(number)) return number;
  } catch (error) {
    throw unknown(kind, name, error);
  }
  throw unknown(kind, name);
}

const PATIENCE_MS = 10 * SECOND;

function unknown(kind: string, name: string, cause?: unknown): RecorderdError {
  const message = `recordings.owner.${kind}: the system knows no ${kind} ${name} (getent): name one that exists.`;
  return new RecorderdError("CONFIG_INVALID", message, { [kind]: name }, { cause });
}

/** As whom this process runs. */
export function ownNumbers(): { readonly uid: number; readonly gids: readonly number[] } {
  const { getuid, getgid, getgroups } = process;
  return { uid: getuid?.() ?? 0, gids: [getgid?.() ?? 0, ...(getgroups?.() ?? [])] };
}
