import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { RecorderdError } from "../../model/errors.ts";
import { systemCode } from "../machine/system-code.ts";

/**
 * Creates a folder, and the missing ones above it. That of Node.js (`recursive`) never ends, at full load, where a folder refuses
 * every new name as missing, as /proc does.
 *
 * @param mode of every folder that is created, before the umask
 * @returns the first folder that was created; `undefined` if all were there
 * @throws the system's error
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<string | undefined> {
  const path = resolve(folder);
  const refusal = await refusalOf(path, mode);
  if (refusal === undefined) return path;
  if (await isFolder(path)) return undefined;
  const above = dirname(path);
  if (systemCode(refusal) !== "ENOENT" || (await isFolder(above))) throw refusal;
  const first = await makeFolder(above, mode);
  const again = await refusalOf(path, mode);
  // Another process may have created it meanwhile.
  if (again !== undefined && !(await isFolder(path))) throw again;
  return first ?? (again === undefined ? path : undefined);
}

/** The same for a folder that a person named. @throws RecorderdError WRITE_FAILED */
export async function makeNamedFolder(folder: string, mode?: number): Promise<void> {
  try {
    await makeFolder(folder, mode);
  } catch (error) {
    const system = systemCode(error);
    const isTaken = system === "EEXIST" || system === "ENOTDIR";
    const advice = isTaken
      ? "a file has its name, or that of a folder above it: choose another one"
      : "create it yourself, or choose another one";
    const message = `The folder ${folder} cannot be created (${system}): ${advice}.`;
    throw new RecorderdError("WRITE_FAILED", message, { folder }, { cause: error });
  }
}

/** Tries to create one folder. */
async function refusalOf(path: string, mode: number): Promise<Error | undefined> {
  try {
    await mkdir(path, { mode });
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
