import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../machine/system-code.ts";

/** MAX_ARG_STRLEN without the final NUL: execve(2) takes no longer argument. */
const ARGUMENT_BYTES_MAX = 131_071;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such program",
  ENOTDIR: "a part of its path is a file",
  EACCES: "it may not be run (use chmod +x, or allow access to its folders)",
  ELOOP: "its links form a loop",
  ENAMETOOLONG: "its name is too long",
};

/**
 * The reason why a command cannot be started, as far as it can be seen without starting it.
 *
 * @param path folders to search for a bare name, joined by colons
 * @returns `undefined` if no problem is found
 */
export async function startProblem(
  [program = "", ...args]: readonly string[],
  path: string,
): Promise<string | undefined> {
  if ([program, ...args].some((each) => each.includes("\0"))) return "it contains a NUL";
  if (args.some((each) => Buffer.byteLength(each) > ARGUMENT_BYTES_MAX)) {
    return `one of its arguments is longer than ${ARGUMENT_BYTES_MAX} bytes`;
  }
  if (program === "") return "it is empty";
  const places = program.includes("/") ? [program] : path.split(":").map((folder) => join(folder, program));
  const found = await Promise.all(places.map(whyNotRun));
  if (found.includes(undefined)) return undefined;
  return found.find((reason) => reason !== REASONS["ENOENT"]) ?? found[0];
}

async function whyNotRun(file: string): Promise<string | undefined> {
  try {
    if (!(await stat(file)).isFile()) return "it is not a file";
    await access(file, constants.X_OK);
    return undefined;
  } catch (error) {
    const code = systemCode(error) ?? "";
    return REASONS[code] ?? `it cannot be read (${code})`;
  }
}
