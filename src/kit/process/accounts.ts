import { RecorderdError } from "../../model/errors.ts";
import { SECOND } from "../../model/time.ts";
import { outputOfChild } from "./child.ts";

/**
 * The id of a user or group from the system's databases, including network ones. Numbers are returned as they are.
 *
 * @throws RecorderdError CONFIG_INVALID for an unknown name
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
  const message = `recordings.owner.${kind}: the system has no ${kind} ${name} (getent): choose one that exists.`;
  return new RecorderdError("CONFIG_INVALID", message, { [kind]: name }, { cause });
}

/** The user and groups of this process. */
export function processIds(): { readonly uid: number; readonly gids: readonly number[] } {
  const { getuid, getgid, getgroups } = process;
  return { uid: getuid?.() ?? 0, gids: [getgid?.() ?? 0, ...(getgroups?.() ?? [])] };
}
